//! Guesses: conjunctions and disjunctions of a few atoms that tell the cases of one side from those of the other.
//!
//! After P. Garg, C. Löding, P. Madhusudan, D. Neider, *ICE: A Robust Framework for Learning Invariants*, CAV 2014, without
//! implications: a solver says which case a guess is wrong about, and the next guess is right about it.

use super::atoms::{Atom, Case, Claim, RELATIONS, Term, mask, rank};

/// A guess has no more atoms.
const MOST_ATOMS: usize = 4;

/// The shortest formula of its kind that holds in all cases of the first side and in none of the second.
pub(super) fn guess(terms: &[Term], [yes, no]: [&[Case]; 2]) -> Option<String> {
    let all = cover(terms, yes, no);
    // What holds in none of the second: the negation of what holds in all of them.
    let any = cover(terms, no, yes).map(|atoms| {
        let negated = |atom: Atom| Atom { negated: !atom.negated, ..atom };
        atoms.into_iter().map(negated).collect::<Vec<Atom>>()
    });
    let written = |connective: &str, atoms: Option<Vec<Atom>>| {
        let texts: Vec<String> = atoms?.iter().map(|atom| atom.text(terms)).collect();
        Some(match &texts[..] {
            [single] => single.clone(),
            _ => format!("({connective} {})", texts.join(" ")),
        })
    };
    let candidates = [written("and", all), written("or", any)];
    candidates.into_iter().flatten().min_by_key(String::len)
}

/// Few atoms that hold in all cases of the one, such that each case of the other contradicts one of them.
fn cover(terms: &[Term], yes: &[Case], no: &[Case]) -> Option<Vec<Atom>> {
    let atoms = atoms(terms, yes, no);
    let mut open: Vec<&Case> = no.iter().collect();
    let mut chosen: Vec<Atom> = Vec::new();
    while !open.is_empty() {
        if chosen.len() == MOST_ATOMS {
            return None;
        }
        let against = |atom: &Atom| open.iter().filter(|case| !atom.holds(terms, case)).count();
        let best = atoms.iter().map(|atom| (against(atom), atom)).filter(|(count, _)| *count > 0);
        let (_, atom) = best.min_by_key(|(count, atom)| (usize::MAX - count, atom.text(terms).len()))?;
        open.retain(|case| atom.holds(terms, case));
        chosen.push(atom.clone());
    }
    // What later ones do as well was not needed.
    for index in (0..chosen.len()).rev() {
        let others = |case: &Case| {
            chosen.iter().enumerate().any(|(other, atom)| other != index && !atom.holds(terms, case))
        };
        if no.iter().all(others) {
            chosen.remove(index);
        }
    }
    Some(chosen)
}

/// Atoms that hold in all cases of the one, and not in all of the other.
fn atoms(terms: &[Term], yes: &[Case], no: &[Case]) -> Vec<Atom> {
    let mut claims: Vec<Claim> = Vec::new();
    let mut negated: Vec<Claim> = Vec::new();
    for (number, term) in terms.iter().enumerate() {
        let values = || yes.iter().map(|case| case[number]);
        let Some(first) = values().next() else { continue };
        if values().all(|value| value == first) {
            claims.push(Claim::Is(number, first));
        }
        let Some(width) = term.width else { continue };
        // Never what it always is on the other side.
        if let Some(never) = no.first().map(|case| case[number])
            && no.iter().all(|case| case[number] == never)
            && values().all(|value| value != never)
        {
            negated.push(Claim::Is(number, never));
        }
        for signed in [false, true] {
            let ranks = || values().map(|value| rank(value, width, signed));
            let others = || no.iter().map(|case| rank(case[number], width, signed));
            let (least, most) = (ranks().min().unwrap_or(0), ranks().max().unwrap_or(0));
            let bound = |limit| Claim::Below { term: number, limit: rank(limit, width, signed), signed };
            if let Some(above) = others().filter(|&other| other > most).min() {
                claims.push(bound(roundest(most + 1, above)));
            }
            if let Some(below) = others().filter(|&other| other < least).max() {
                negated.push(bound(roundest(below + 1, least)));
            }
        }
        let fixed = values().fold(mask(width), |fixed, value| fixed & !(value ^ first));
        let mut low = 0;
        while low < width {
            if fixed >> low & 1 == 0 {
                low += 1;
                continue;
            }
            let high = (low..width).take_while(|&bit| fixed >> bit & 1 != 0).last().unwrap_or(low);
            if high - low + 1 < width {
                let value = first >> low & mask(high - low + 1);
                claims.push(Claim::Bits { term: number, high, low, value });
            }
            low = high + 1;
        }
    }
    for (a, term) in terms.iter().enumerate().filter(|(_, term)| term.is_plain) {
        for (b, other) in terms.iter().enumerate().skip(a + 1).filter(|(_, term)| term.is_plain) {
            if term.width == other.width {
                let is_word = term.width.is_some();
                let relations = RELATIONS.into_iter().take(if is_word { RELATIONS.len() } else { 1 });
                for claim in relations.map(|relation| Claim::Related(relation, a, b)) {
                    claims.push(claim.clone());
                    negated.push(claim);
                }
            }
        }
    }
    let claims = claims.into_iter().map(|claim| Atom { claim, negated: false });
    let negated = negated.into_iter().map(|claim| Atom { claim, negated: true });
    claims.chain(negated).filter(|atom| yes.iter().all(|case| atom.holds(terms, case))).collect()
}

/// The number between these, both included, that the highest power of two divides.
fn roundest(low: u128, high: u128) -> u128 {
    let differ = low.wrapping_sub(1) ^ high;
    if low == 0 || differ == 0 {
        return low;
    }
    // The bits of `high` down to the first in which it is more than what is below `low`.
    let place = 127 - differ.leading_zeros();
    high >> place << place
}
