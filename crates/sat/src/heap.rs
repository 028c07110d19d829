//! The variables by activity: a binary heap that knows where each of them is.

/// A heap of variables; the caller holds the activities.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    items: Vec<u32>,
    places: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl Heap {
    pub fn contains(&self, item: u32) -> bool {
        self.places.get(item as usize).is_some_and(|&place| place != ABSENT)
    }

    pub fn insert(&mut self, item: u32, activity: &[f64]) {
        if self.places.len() <= item as usize {
            self.places.resize(item as usize + 1, ABSENT);
        }
        if self.contains(item) {
            return;
        }
        self.places[item as usize] = self.items.len() as u32;
        self.items.push(item);
        self.up(self.items.len() - 1, activity);
    }

    /// After the activity of `item` has grown.
    pub fn raised(&mut self, item: u32, activity: &[f64]) {
        if self.contains(item) {
            self.up(self.places[item as usize] as usize, activity);
        }
    }

    pub fn pop(&mut self, activity: &[f64]) -> Option<u32> {
        let first = *self.items.first()?;
        self.places[first as usize] = ABSENT;
        let last = self.items.pop()?;
        if first != last {
            self.items[0] = last;
            self.places[last as usize] = 0;
            self.down(0, activity);
        }
        Some(first)
    }

    fn up(&mut self, mut place: usize, activity: &[f64]) {
        let item = self.items[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if activity[self.items[parent] as usize] >= activity[item as usize] {
                break;
            }
            self.put(place, self.items[parent]);
            place = parent;
        }
        self.put(place, item);
    }

    fn down(&mut self, mut place: usize, activity: &[f64]) {
        let item = self.items[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.items.len() {
                break;
            }
            let value = |place: usize| activity[self.items[place] as usize];
            if child + 1 < self.items.len() && value(child + 1) > value(child) {
                child += 1;
            }
            if activity[item as usize] >= value(child) {
                break;
            }
            self.put(place, self.items[child]);
            place = child;
        }
        self.put(place, item);
    }

    fn put(&mut self, place: usize, item: u32) {
        self.items[place] = item;
        self.places[item as usize] = place as u32;
    }
}
