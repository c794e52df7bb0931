//! Lines that are cut where they leave the axes, and long ones that keep what can be seen of them.

use std::ops::Range;

/// A point of a series.
pub(super) type Dot = (f64, f64);

/// The pieces of a line that lie within the axes; a clamped line would run along the frame and lie.
pub(super) fn clipped(dots: &[Dot], along: &Range<f64>, up: &Range<f64>) -> Vec<Vec<Dot>> {
    let mut pieces: Vec<Vec<Dot>> = Vec::new();
    let mut joined = false;
    for pair in dots.windows(2) {
        let Some((from, to)) = segment(pair[0], pair[1], along, up) else {
            joined = false;
            continue;
        };
        match pieces.last_mut() {
            Some(piece) if joined => piece.push(to),
            _ => pieces.push(vec![from, to]),
        }
        joined = to == pair[1];
    }
    pieces
}

/// The part of a segment within the axes (Liang and Barsky).
fn segment(a: Dot, b: Dot, along: &Range<f64>, up: &Range<f64>) -> Option<(Dot, Dot)> {
    if ![a.0, a.1, b.0, b.1].into_iter().all(f64::is_finite) {
        return None;
    }
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    let edges = [(-dx, a.0 - along.start), (dx, along.end - a.0), (-dy, a.1 - up.start), (dy, up.end - a.1)];
    for (towards, room) in edges {
        if towards == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if towards < 0.0 {
            first = first.max(room / towards);
        } else {
            last = last.min(room / towards);
        }
    }
    let at = |part: f64| (a.0 + part * dx, a.1 + part * dy);
    let ends = (if first > 0.0 { at(first) } else { a }, if last < 1.0 { at(last) } else { b });
    (first <= last).then_some(ends)
}

/// The points within the axes, and how many are not.
pub(super) fn within(dots: &[Dot], along: &Range<f64>, up: &Range<f64>) -> (Vec<Dot>, usize) {
    let inside = |dot: &&Dot| (along.start..=along.end).contains(&dot.0) && (up.start..=up.end).contains(&dot.1);
    let kept: Vec<Dot> = dots.iter().filter(inside).copied().collect();
    let left_out = dots.len() - kept.len();
    (kept, left_out)
}

/// The first and last point of each column, and the lowest and highest between them, in order: a line that looks as before.
///
/// Points are in ascending order of their first part.
pub(super) fn decimated(dots: &[Dot], columns: usize) -> Vec<Dot> {
    let (Some(first), Some(last)) = (dots.first(), dots.last()) else { return Vec::new() };
    let width = last.0 - first.0;
    if dots.len() <= 4 * columns || width <= 0.0 {
        return dots.to_vec();
    }
    let column = |dot: &Dot| (((dot.0 - first.0) / width * columns as f64) as usize).min(columns - 1);
    let mut kept = Vec::with_capacity(4 * columns);
    for chunk in dots.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |a: &usize, b: &usize| chunk[*a].1.total_cmp(&chunk[*b].1);
        let mut places: Vec<usize> =
            [Some(0), (0..chunk.len()).min_by(by_height), (0..chunk.len()).max_by(by_height), Some(chunk.len() - 1)]
                .into_iter()
                .flatten()
                .collect();
        places.sort_unstable();
        places.dedup();
        kept.extend(places.into_iter().map(|place| chunk[place]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_where_it_leaves_and_goes_on_where_it_comes_back() {
        let up_and_down = [(0.0, 0.0), (1.0, 2.0), (2.0, 0.0)];
        let pieces = clipped(&up_and_down, &(0.0..2.0), &(0.0..1.0));
        assert_eq!(pieces, [vec![(0.0, 0.0), (0.5, 1.0)], vec![(1.5, 1.0), (2.0, 0.0)]]);
        assert_eq!(clipped(&up_and_down, &(0.0..2.0), &(0.0..2.0)), [up_and_down.to_vec()]);
        assert!(
            clipped(&[(0.0, 5.0), (2.0, 5.0)], &(0.0..2.0), &(0.0..1.0)).is_empty(),
            "nothing runs along the frame"
        );
        assert!(clipped(&[(0.0, f64::NAN), (2.0, 0.5)], &(0.0..2.0), &(0.0..1.0)).is_empty());
    }

    #[test]
    fn points_beyond_the_axes_are_counted() {
        let (kept, left_out) = within(&[(0.0, 0.0), (1.0, 2.0), (f64::NAN, 0.0)], &(0.0..1.0), &(0.0..1.0));
        assert_eq!((kept.as_slice(), left_out), (&[(0.0, 0.0)][..], 2));
    }

    #[test]
    fn a_long_line_keeps_its_ends_and_its_extremes() {
        let dots: Vec<Dot> =
            (0..100_000).map(|n| (f64::from(n), if n == 54_321 { 99.0 } else { f64::from(n % 7) })).collect();
        let kept = decimated(&dots, 700);
        assert!(kept.len() <= 2_800, "{}", kept.len());
        assert_eq!((kept[0], kept[kept.len() - 1]), (dots[0], dots[99_999]));
        assert!(kept.contains(&(54_321.0, 99.0)) && kept.is_sorted_by_key(|dot| dot.0 as i64));
        assert_eq!(decimated(&dots[..10], 700), dots[..10]);
    }
}
