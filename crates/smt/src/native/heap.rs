//! A binary heap of variables ordered by activity, in which a variable's place is known.

use super::lit::Var;

#[derive(Clone, Default)]
pub(crate) struct VarHeap {
    heap: Vec<Var>,
    /// Place in the heap per variable; `ABSENT` if it is not in it.
    places: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl VarHeap {
    pub fn grow_to(&mut self, vars: usize) {
        self.places.resize(vars, ABSENT);
    }

    /// Forgets all variables from `vars` on.
    pub fn truncate(&mut self, vars: usize, activity: &[f64]) {
        let kept: Vec<Var> = self.heap.iter().copied().filter(|v| (v.0 as usize) < vars).collect();
        self.heap.clear();
        self.places.truncate(vars);
        self.places.fill(ABSENT);
        for v in kept {
            self.insert(v, activity);
        }
    }

    pub fn contains(&self, v: Var) -> bool {
        self.places[v.0 as usize] != ABSENT
    }

    pub fn insert(&mut self, v: Var, activity: &[f64]) {
        if !self.contains(v) {
            self.places[v.0 as usize] = self.heap.len() as u32;
            self.heap.push(v);
            self.up(self.heap.len() - 1, activity);
        }
    }

    pub fn increased(&mut self, v: Var, activity: &[f64]) {
        let place = self.places[v.0 as usize];
        if place != ABSENT {
            self.up(place as usize, activity);
        }
    }

    pub fn pop(&mut self, activity: &[f64]) -> Option<Var> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.places[top.0 as usize] = ABSENT;
        if last != top {
            self.heap[0] = last;
            self.places[last.0 as usize] = 0;
            self.down(0, activity);
        }
        Some(top)
    }

    fn up(&mut self, mut at: usize, activity: &[f64]) {
        let v = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            let above = self.heap[parent];
            if activity[above.0 as usize] >= activity[v.0 as usize] {
                break;
            }
            self.heap[at] = above;
            self.places[above.0 as usize] = at as u32;
            at = parent;
        }
        self.heap[at] = v;
        self.places[v.0 as usize] = at as u32;
    }

    fn down(&mut self, mut at: usize, activity: &[f64]) {
        let v = self.heap[at];
        loop {
            let left = 2 * at + 1;
            if left >= self.heap.len() {
                break;
            }
            let right = left + 1;
            let child = if right < self.heap.len()
                && activity[self.heap[right].0 as usize] > activity[self.heap[left].0 as usize]
            {
                right
            } else {
                left
            };
            let below = self.heap[child];
            if activity[below.0 as usize] <= activity[v.0 as usize] {
                break;
            }
            self.heap[at] = below;
            self.places[below.0 as usize] = at as u32;
            at = child;
        }
        self.heap[at] = v;
        self.places[v.0 as usize] = at as u32;
    }
}
