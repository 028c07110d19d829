//! Which events of a run its failure depends on: from the failed condition backwards, what was read was written
//! by someone, who read in turn. Which way the program went is not followed.

use super::places::Cell;
use craig_base::Set;

/// What a statement read and wrote.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    pub reads: Vec<Cell>,
    pub writes: Vec<Cell>,
}

/// For each of the flows, in the order of the run, whether what was read at its end depends on what it wrote: the
/// failed condition, or those before an error call, one after the other.
pub fn relevant(flows: &[Flow]) -> Vec<bool> {
    let mut matters = vec![false; flows.len()];
    let last = flows.iter().rposition(|flow| flow.writes.is_empty() && !flow.reads.is_empty());
    let Some(last) = last else { return matters };
    let deciding =
        flows[..last].iter().rposition(|flow| !flow.writes.is_empty()).map_or(0, |write| write + 1);
    let conditions = &flows[deciding..=last];
    let mut wanted: Set<Cell> = conditions.iter().flat_map(|flow| flow.reads.iter().copied()).collect();
    for (flow, matters) in flows[..deciding].iter().zip(&mut matters).rev() {
        if flow.writes.iter().any(|cell| wanted.contains(cell)) {
            *matters = true;
            for cell in &flow.writes {
                wanted.remove(cell);
            }
            wanted.extend(flow.reads.iter().copied());
        }
    }
    matters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_followed_backwards() {
        let [x, y, z] = [1, 2, 3].map(Cell::Memory);
        let flow = |writes: &[Cell], reads: &[Cell]| Flow { reads: reads.to_vec(), writes: writes.to_vec() };
        // x = input; z = 0; y = x; z = 1; x = 0; assert(y)
        let flows = [
            flow(&[x], &[]),
            flow(&[z], &[]),
            flow(&[y], &[x]),
            flow(&[z], &[]),
            flow(&[x], &[]),
            flow(&[], &[y]),
        ];
        assert_eq!(relevant(&flows), [true, false, true, false, false, false]);
    }
}
