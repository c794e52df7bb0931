//! The event queue: earliest first, and at one instant in an order that is declared, never accidental.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use flagfall_core::TrueTime;

/// Events in order of (time, priority, insertion); a lower priority number comes first.
#[derive(Clone, Debug)]
pub struct Queue<E> {
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
        Self { heap: BinaryHeap::new(), inserted: 0 }
    }
}

impl<E> Queue<E> {
    /// Adds an event.
    pub fn push(&mut self, at: TrueTime, priority: u8, event: E) {
        self.heap.push(Reverse(Entry { key: (at, priority, self.inserted), event }));
        self.inserted += 1;
    }

    /// Takes the next event and its instant.
    pub fn pop(&mut self) -> Option<(TrueTime, E)> {
        self.heap.pop().map(|Reverse(entry)| (entry.key.0, entry.event))
    }

    /// How many events wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
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
}
