//! When to restart: by the glue of recent clauses as Glucose does, or by Luby's sequence, in turns
//! (Biere and Fröhlich, *Evaluating CDCL restart schemes*, 2015; the turns are those of CaDiCaL).

/// An exponential moving average that is right from the first value on.
#[derive(Debug)]
struct Average {
    value: f64,
    rate: f64,
    weight: f64,
}

impl Average {
    fn new(rate: f64) -> Self {
        Average { value: 0.0, rate, weight: 0.0 }
    }

    fn update(&mut self, sample: f64) {
        self.weight += self.rate * (1.0 - self.weight);
        self.value += self.rate / self.weight * (sample - self.value);
    }
}

#[derive(Debug)]
pub(crate) struct Restarts {
    recent: Average,
    overall: Average,
    /// Restarts are rare, and phases are kept: good for formulas that are satisfiable.
    pub stable: bool,
    conflicts: u64,
    restart_at: u64,
    switch_at: u64,
    switches: u64,
    luby: (u64, u64),
}

const FIRST_SWITCH: u64 = 1000;
const MARGIN: f64 = 1.1;
const INTERVAL: u64 = 2;
const LUBY_UNIT: u64 = 512;

impl Restarts {
    pub fn new() -> Self {
        Restarts {
            recent: Average::new(1.0 / 32.0),
            overall: Average::new(1.0 / 8192.0),
            stable: false,
            conflicts: 0,
            restart_at: INTERVAL,
            switch_at: FIRST_SWITCH,
            switches: 0,
            luby: (1, 1),
        }
    }

    pub fn conflict(&mut self, glue: u32) {
        self.conflicts += 1;
        self.recent.update(f64::from(glue));
        self.overall.update(f64::from(glue));
    }

    pub fn restarting(&self) -> bool {
        self.conflicts >= self.restart_at && (self.stable || self.recent.value > MARGIN * self.overall.value)
    }

    /// After a restart; true if the mode has changed.
    pub fn restarted(&mut self) -> bool {
        let switch = self.conflicts >= self.switch_at;
        if switch {
            self.stable = !self.stable;
            self.switches += 1;
            let turns = self.switches / 2 + 1;
            self.switch_at = self.conflicts + FIRST_SWITCH * turns * turns;
        }
        self.restart_at = self.conflicts + if self.stable { LUBY_UNIT * self.next_luby() } else { INTERVAL };
        switch
    }

    /// Knuth's "reluctant doubling".
    fn next_luby(&mut self) -> u64 {
        let (u, v) = self.luby;
        self.luby = if u & u.wrapping_neg() == v { (u + 1, 1) } else { (u, 2 * v) };
        v
    }
}
