//! The strongest system of linear equations modulo two, between bits, that holds in all cases of a side: what shifts, rotations,
//! copies and exclusive disjunctions make of words.
//!
//! M. Karr, *Affine Relationships among Variables of a Program*, Acta Informatica 1976, found from cases: a case that the equations do not allow adds one direction, so
//! there are no more questions than bits.

use std::fmt::Write;

/// A sum modulo two of bits, by place, and what it is.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Equation {
    pub places: Vec<usize>,
    pub is: bool,
}

/// Equations that hold in all these cases, and imply all others that do. Each has a place that no other one has.
pub(super) fn equations(cases: &[Vec<bool>]) -> Vec<Equation> {
    let Some((first, others)) = cases.split_first() else { return Vec::new() };
    // A basis of the differences to the first case; each row has a leading place of its own, the last in which it is set.
    let mut rows: Vec<(usize, Vec<bool>)> = Vec::new();
    for case in others {
        let mut row: Vec<bool> = case.iter().zip(first).map(|(a, b)| a != b).collect();
        for (lead, other) in &rows {
            if row[*lead] {
                add(&mut row, other);
            }
        }
        if let Some(lead) = row.iter().rposition(|&set| set) {
            for (_, other) in &mut rows {
                if other[lead] {
                    add(other, &row);
                }
            }
            rows.push((lead, row));
        }
    }
    // A place that leads no row is a sum of those that do.
    let leads = |place: usize| rows.iter().any(|(lead, _)| *lead == place);
    let equation = |place: usize| {
        let with = rows.iter().filter(|(_, row)| row[place]).map(|(lead, _)| *lead);
        let mut places: Vec<usize> = with.chain([place]).collect();
        places.sort_unstable();
        let is = places.iter().fold(false, |sum, &place| sum != first[place]);
        Equation { places, is }
    };
    (0..first.len()).filter(|&place| !leads(place)).map(equation).collect()
}

fn add(row: &mut [bool], other: &[bool]) {
    row.iter_mut().zip(other).for_each(|(bit, other)| *bit ^= other);
}

/// `words` have names and widths, and begin at their places; neighbours in all words at once are one equation between parts of words.
pub(super) fn formula(equations: &[Equation], words: &[(String, usize)]) -> String {
    let mut open: Vec<&Equation> = equations.iter().collect();
    let mut texts = Vec::new();
    while !open.is_empty() {
        let first = open.remove(0).clone();
        let mut values = vec![first.is];
        loop {
            let next: Vec<usize> = first.places.iter().map(|place| place + values.len()).collect();
            let stays =
                first.places.iter().zip(&next).all(|(&a, &b)| located(words, a).0 == located(words, b).0);
            match open.iter().position(|equation| stays && equation.places == next) {
                Some(at) => values.push(open.remove(at).is),
                None => break,
            }
        }
        let parts: Vec<String> =
            (first.places.iter()).map(|&place| part(words, place, values.len())).collect();
        texts.push(written(&parts, &values));
    }
    match &texts[..] {
        [] => "true".to_string(),
        [single] => single.clone(),
        _ => format!("(and {})", texts.join(" ")),
    }
}

/// The word in which a place is, and the bit of it.
fn located(words: &[(String, usize)], mut place: usize) -> (usize, usize) {
    for (word, (_, width)) in words.iter().enumerate() {
        if place < *width {
            return (word, place);
        }
        place -= width;
    }
    (words.len(), place)
}

fn part(words: &[(String, usize)], place: usize, length: usize) -> String {
    let (word, low) = located(words, place);
    let (name, width) = &words[word];
    if length == *width {
        return name.clone();
    }
    format!("((_ extract {} {low}) {name})", low + length - 1)
}

fn written(parts: &[String], values: &[bool]) -> String {
    let (last, others) = parts.split_last().map_or(("", parts), |(last, others)| (last.as_str(), others));
    let sum = match others {
        [] => String::new(),
        [single] => single.clone(),
        _ => format!("(bvxor {})", others.join(" ")),
    };
    let mut text = String::new();
    let _ = if sum.is_empty() {
        write!(text, "(= {last} {})", literal(values))
    } else if !values.contains(&true) {
        write!(text, "(= {sum} {last})")
    } else if !values.contains(&false) {
        write!(text, "(= {sum} (bvnot {last}))")
    } else {
        write!(text, "(= {sum} (bvxor {last} {}))", literal(values))
    };
    text
}

fn literal(values: &[bool]) -> String {
    let digits: String = values.iter().rev().map(|&bit| if bit { '1' } else { '0' }).collect();
    format!("#b{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_is_two_equations() {
        let words = [("x".to_string(), 4), ("y".to_string(), 4)];
        let case = |x: usize| -> Vec<bool> {
            let y = (x << 1 | x >> 3) & 15;
            (0..8).map(|place| (x | y << 4) >> place & 1 != 0).collect()
        };
        let cases: Vec<Vec<bool>> = [3, 5, 1, 8, 15].map(case).to_vec();
        let found = equations(&cases);
        assert_eq!(found.len(), 4);
        let text = formula(&found, &words);
        assert_eq!(
            text,
            "(and (= ((_ extract 2 0) x) ((_ extract 3 1) y)) (= ((_ extract 3 3) x) ((_ extract 0 0) y)))"
        );
        // Bits that never change, and negations.
        let fixed = equations(&[vec![true, false, true], vec![true, true, false]]);
        let words = [("p".to_string(), 1), ("q".to_string(), 2)];
        assert_eq!(
            formula(&fixed, &words),
            "(and (= p #b1) (= ((_ extract 0 0) q) (bvnot ((_ extract 1 1) q))))"
        );
    }
}
