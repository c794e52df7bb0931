//! The event queue: earliest first, and at one instant in an order that is declared, never accidental.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use flagfall_core::TrueTime;

/// Events in order of (time, priority, insertion); a lower priority number comes first.
///
/// What is known from the beginning is sorted once and taken from a list; what comes up on the way goes through a heap,
/// which stays small.
#[derive(Clone, Debug)]
pub struct Queue<E> {
    /// The next one last.
    planned: Vec<Entry<E>>,
    heap: BinaryHeap<Reverse<Entry<E>>>,
    inserted: u64,
}

#[derive(Clone, Debug)]
struct Entry<E> {
    key: (TrueTime, u8, u64),
    event: E,
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

impl<E> Default for Queue<E> {
    fn default() -> Self {
        Self { planned: Vec::new(), heap: BinaryHeap::new(), inserted: 0 }
    }
}

impl<E> Queue<E> {
    /// A queue in which these events wait, inserted in this order.
    pub fn planned(events: impl IntoIterator<Item = (TrueTime, u8, E)>) -> Self {
        let entry = |(number, (at, priority, event))| Entry { key: (at, priority, number), event };
        let mut planned: Vec<Entry<E>> = (0..).zip(events).map(entry).collect();
        planned.reverse();
        // Stable or not makes no difference, and on a list that is sorted already it is one look at each event.
        planned.sort_by_key(|entry| Reverse(entry.key));
        Self { inserted: planned.len() as u64, planned, heap: BinaryHeap::new() }
    }

    /// Adds an event.
    pub fn push(&mut self, at: TrueTime, priority: u8, event: E) {
        self.heap.push(Reverse(Entry { key: (at, priority, self.inserted), event }));
        self.inserted += 1;
    }

    /// When the next event is due, and its priority.
    #[must_use]
    pub fn next_due(&self) -> Option<(TrueTime, u8)> {
        let waiting = self.heap.peek().map(|Reverse(entry)| entry.key);
        let key = match (self.planned.last().map(|entry| entry.key), waiting) {
            (Some(planned), Some(waiting)) => planned.min(waiting),
            (planned, waiting) => planned.or(waiting)?,
        };
        Some((key.0, key.1))
    }

    /// Takes the next event and its instant.
    pub fn pop(&mut self) -> Option<(TrueTime, E)> {
        let planned_first = match (self.planned.last(), self.heap.peek()) {
            (Some(planned), Some(Reverse(waiting))) => planned.key < waiting.key,
            (planned, _) => planned.is_some(),
        };
        let entry = if planned_first { self.planned.pop() } else { self.heap.pop().map(|Reverse(entry)| entry) };
        entry.map(|entry| (entry.key.0, entry.event))
    }

    /// How many events wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.planned.len() + self.heap.len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.planned.is_empty() && self.heap.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_time_then_priority_then_insertion() {
        let mut queue = Queue::default();
        for (ns, priority, name) in [(5, 1, "d"), (5, 0, "b"), (3, 9, "a"), (5, 1, "e"), (5, 0, "c")] {
            queue.push(TrueTime::from_ns(ns), priority, name);
        }
        let order: String = std::iter::from_fn(|| queue.pop()).map(|(_, name)| name).collect();
        assert_eq!(order, "abcde");
    }

    #[test]
    fn what_was_planned_and_what_comes_up_share_one_order() {
        let at = TrueTime::from_ns;
        let mut queue = Queue::planned([(at(5), 1, "d"), (at(9), 0, "g"), (at(5), 0, "b"), (at(3), 2, "a")]);
        for (ns, priority, name) in [(5, 1, "e"), (7, 0, "f"), (5, 0, "c")] {
            queue.push(at(ns), priority, name);
        }
        let mut order = String::new();
        while let Some(due) = queue.next_due() {
            let (at, name) = queue.pop().expect("one is due");
            assert_eq!(due.0, at);
            order += name;
        }
        assert_eq!((order.as_str(), queue.len(), queue.is_empty()), ("abcdefg", 0, true));
    }
}
