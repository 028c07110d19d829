//! A rule over new constants: one step of a derivation tree.

use super::{RuleId, Rules};
use craig_term::{Substitution, TermId, Terms};

#[derive(Clone, Debug)]
pub struct Instance {
    pub rule: RuleId,
    pub transition: TermId,
    /// The arguments of each atom of the body.
    pub body: Vec<Vec<TermId>>,
}

impl Rules {
    /// A rule that concludes its head for `args`; all its other constants are new.
    pub fn instance(&self, terms: &mut Terms, rule: RuleId, args: &[TermId]) -> Instance {
        let parts = &self.rules[rule];
        let parameters = self.predicates[parts.head].parameters.iter().copied();
        let mut pairs: Vec<(TermId, TermId)> = parameters.zip(args.iter().copied()).collect();
        let mut roots = vec![parts.transition];
        roots.extend(parts.body.iter().flat_map(|atom| atom.args.iter().copied()));
        for constant in terms.free_consts_of(&roots) {
            if pairs.iter().all(|&(parameter, _)| parameter != constant) {
                pairs.push((constant, terms.fresh_const("i", terms.sort(constant))));
            }
        }
        let mut substitution = Substitution::from_pairs(pairs);
        let transition = substitution.apply(terms, parts.transition);
        let mut body = Vec::with_capacity(parts.body.len());
        for atom in &parts.body {
            body.push(atom.args.iter().map(|&arg| substitution.apply(terms, arg)).collect());
        }
        Instance { rule, transition, body }
    }
}
