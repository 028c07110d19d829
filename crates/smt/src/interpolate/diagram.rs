//! Reduced ordered binary decision diagrams with complemented edges, and irredundant covers from them.
//!
//! Covers follow Minato, *Fast generation of irredundant sum-of-products forms from binary decision
//! diagrams* (1992). The depth of all recursions is the number of variables.

use craig_base::Map;

/// A function: a node, and in the last bit whether it is complemented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Edge(u32);

impl Edge {
    pub const TRUE: Edge = Edge(0);
    pub const FALSE: Edge = Edge(1);

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_complemented(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    var: u32,
    low: Edge,
    /// Never complemented, so that a function has one node.
    high: Edge,
}

/// The work went beyond its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMuch;

pub(super) struct Diagrams {
    nodes: Vec<Node>,
    places: Map<Node, u32>,
    conjunctions: Map<(Edge, Edge), Edge>,
    /// How much work is left.
    fuel: usize,
}

/// The variable of the terminal node, after all others.
const TERMINAL: u32 = u32::MAX;

/// A conjunction of literals: variables with their values.
pub(super) type Cube = Vec<(u32, bool)>;

/// A function in factored form: a cover of each half, and of what both halves have in common.
#[derive(Clone, Copy, Debug)]
pub(super) enum Factored {
    False,
    True,
    Split { var: u32, low: usize, high: usize, both: usize },
}

impl Diagrams {
    pub fn new(fuel: usize) -> Self {
        let terminal = Node { var: TERMINAL, low: Edge::TRUE, high: Edge::TRUE };
        Diagrams { nodes: vec![terminal], places: Map::default(), conjunctions: Map::default(), fuel }
    }

    fn spend(&mut self) -> Result<(), TooMuch> {
        self.fuel = self.fuel.checked_sub(1).ok_or(TooMuch)?;
        Ok(())
    }

    fn make(&mut self, var: u32, low: Edge, high: Edge) -> Result<Edge, TooMuch> {
        if low == high {
            return Ok(low);
        }
        if high.is_complemented() {
            return Ok(!self.make(var, !low, !high)?);
        }
        let node = Node { var, low, high };
        if let Some(&place) = self.places.get(&node) {
            return Ok(Edge(place << 1));
        }
        self.spend()?;
        let place = self.nodes.len() as u32;
        self.nodes.push(node);
        self.places.insert(node, place);
        Ok(Edge(place << 1))
    }

    pub fn literal(&mut self, var: u32, positive: bool) -> Result<Edge, TooMuch> {
        let edge = self.make(var, Edge::FALSE, Edge::TRUE)?;
        Ok(if positive { edge } else { !edge })
    }

    fn var(&self, edge: Edge) -> u32 {
        self.nodes[edge.node()].var
    }

    /// What is left of a function for both values of a variable that is not after its first.
    fn halves(&self, edge: Edge, var: u32) -> (Edge, Edge) {
        let node = self.nodes[edge.node()];
        match (node.var == var, edge.is_complemented()) {
            (false, _) => (edge, edge),
            (true, false) => (node.low, node.high),
            (true, true) => (!node.low, !node.high),
        }
    }

    pub fn and(&mut self, a: Edge, b: Edge) -> Result<Edge, TooMuch> {
        if a == Edge::TRUE || a == b {
            return Ok(b);
        }
        if b == Edge::TRUE {
            return Ok(a);
        }
        if a == Edge::FALSE || b == Edge::FALSE || a == !b {
            return Ok(Edge::FALSE);
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.conjunctions.get(&key) {
            return Ok(known);
        }
        self.spend()?;
        let var = self.var(a).min(self.var(b));
        let ((a_low, a_high), (b_low, b_high)) = (self.halves(a, var), self.halves(b, var));
        let low = self.and(a_low, b_low)?;
        let high = self.and(a_high, b_high)?;
        let result = self.make(var, low, high)?;
        self.conjunctions.insert(key, result);
        Ok(result)
    }

    pub fn or(&mut self, a: Edge, b: Edge) -> Result<Edge, TooMuch> {
        Ok(!self.and(!a, !b)?)
    }
}

/// Covers of functions between a lower and an upper one, each made once.
#[derive(Default)]
pub(super) struct Covers {
    /// By lower and upper function: the cover and its own function.
    known: Map<(Edge, Edge), (usize, Edge)>,
    pub forms: Vec<Factored>,
}

impl Covers {
    /// A cover of everything in `least` and nothing outside of `most`, as a place in `forms`.
    pub fn cover(&mut self, diagrams: &mut Diagrams, least: Edge, most: Edge) -> Result<usize, TooMuch> {
        Ok(self.between(diagrams, least, most)?.0)
    }

    fn between(
        &mut self,
        diagrams: &mut Diagrams,
        least: Edge,
        most: Edge,
    ) -> Result<(usize, Edge), TooMuch> {
        if let Some(&known) = self.known.get(&(least, most)) {
            return Ok(known);
        }
        let (form, own) = if least == Edge::FALSE {
            (Factored::False, Edge::FALSE)
        } else if most == Edge::TRUE {
            (Factored::True, Edge::TRUE)
        } else {
            diagrams.spend()?;
            let var = diagrams.var(least).min(diagrams.var(most));
            let (least_low, least_high) = diagrams.halves(least, var);
            let (most_low, most_high) = diagrams.halves(most, var);
            // What only one value of the variable allows.
            let only_low = diagrams.and(least_low, !most_high)?;
            let (low, own_low) = self.between(diagrams, only_low, most_low)?;
            let only_high = diagrams.and(least_high, !most_low)?;
            let (high, own_high) = self.between(diagrams, only_high, most_high)?;
            // What is still to be covered, whatever the value.
            let rest_low = diagrams.and(least_low, !own_low)?;
            let rest_high = diagrams.and(least_high, !own_high)?;
            let rest = diagrams.or(rest_low, rest_high)?;
            let common = diagrams.and(most_low, most_high)?;
            let (both, own_both) = self.between(diagrams, rest, common)?;
            let whole_low = diagrams.or(own_low, own_both)?;
            let whole_high = diagrams.or(own_high, own_both)?;
            let own = diagrams.make(var, whole_low, whole_high)?;
            (Factored::Split { var, low, high, both }, own)
        };
        let place = self.forms.len();
        self.forms.push(form);
        self.known.insert((least, most), (place, own));
        Ok((place, own))
    }

    /// The cover as a list of cubes, if these have at most so many literals together.
    pub fn cubes(&self, place: usize, limit: usize) -> Option<Vec<Cube>> {
        let mut cubes = Vec::new();
        let mut literals = 0;
        let mut stack: Vec<(usize, Cube)> = vec![(place, Vec::new())];
        while let Some((place, cube)) = stack.pop() {
            match self.forms[place] {
                Factored::False => {}
                Factored::True => {
                    literals += cube.len();
                    cubes.push(cube);
                }
                Factored::Split { var, low, high, both } => {
                    let with = |value| cube.iter().copied().chain([(var, value)]).collect();
                    stack.push((low, with(false)));
                    stack.push((high, with(true)));
                    stack.push((both, cube));
                }
            }
            if literals > limit || stack.len() > limit {
                return None;
            }
        }
        Some(cubes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of three variables by its table.
    fn function(diagrams: &mut Diagrams, table: u32) -> Edge {
        let mut sum = Edge::FALSE;
        for place in (0..8).filter(|place| table >> place & 1 == 1) {
            let mut product = Edge::TRUE;
            for var in 0..3 {
                let literal = diagrams.literal(var, place >> var & 1 == 1).expect("fuel");
                product = diagrams.and(product, literal).expect("fuel");
            }
            sum = diagrams.or(sum, product).expect("fuel");
        }
        sum
    }

    #[test]
    fn covers_are_between_their_bounds() {
        let mut diagrams = Diagrams::new(1_000_000);
        for least in 0..256 {
            for extra in [0, 1, 0b1010, 0b1100_0011, 255] {
                let most = least | extra;
                let (lower, upper) = (function(&mut diagrams, least), function(&mut diagrams, most));
                let mut covers = Covers::default();
                let place = covers.cover(&mut diagrams, lower, upper).expect("fuel");
                let cubes = covers.cubes(place, 1000).expect("few literals");
                let holds = |place: u32, cube: &Cube| {
                    cube.iter().all(|&(var, value)| (place >> var & 1 == 1) == value)
                };
                for place in 0..8 {
                    let covered = cubes.iter().any(|cube| holds(place, cube));
                    assert!(covered || least >> place & 1 == 0);
                    assert!(!covered || most >> place & 1 == 1);
                }
            }
        }
    }

    #[test]
    fn equal_functions_have_equal_edges() {
        let mut diagrams = Diagrams::new(100_000);
        for table in 0..256u32 {
            let edge = function(&mut diagrams, table);
            assert_eq!(!edge, function(&mut diagrams, !table & 255));
        }
    }

    #[test]
    fn work_has_a_limit() {
        let mut diagrams = Diagrams::new(3);
        let a = diagrams.literal(0, true).expect("fuel");
        let b = diagrams.literal(1, true).expect("fuel");
        assert_eq!(diagrams.and(a, b), Err(TooMuch));
    }
}
