use super::*;
use crate::{read_system, write_system};

fn system(text: &str) -> (Terms, System) {
    let mut terms = Terms::new();
    let system = read_system(&mut terms, text.as_bytes()).expect("clauses");
    (terms, system)
}

fn has_arrays(terms: &Terms, system: &System) -> bool {
    let roots: Vec<TermId> = system.clauses.iter().flat_map(|clause| clause.roots()).collect();
    terms.postorder(&roots).into_iter().any(|t| is_array(terms, t))
}

const FILL: &str = "(declare-fun inv (Int Int Int (Array Int Int)) Bool)
    (assert (forall ((n Int) (p Int) (a (Array Int Int))) (inv p 0 n a)))
    (assert (forall ((p Int) (i Int) (n Int) (a (Array Int Int)))
        (=> (and (inv p i n a) (< i n)) (inv p (+ i 1) n (store a (+ p (* 4 i)) 7)))))
    (assert (forall ((p Int) (i Int) (j Int) (n Int) (a (Array Int Int)))
        (=> (and (inv p i n a) (>= i n) (<= 0 j) (< j n) (not (= (select a (+ p (* 4 j))) 7))) false)))";

#[test]
fn clauses_about_cells_have_no_arrays() {
    let (mut terms, original) = system(FILL);
    for sharing in [Sharing::Shared(1), Sharing::Own, Sharing::Shared(2)] {
        let cells =
            cells(&mut terms, &original, sharing, &Hints::default(), &Budget::unlimited()).expect("arrays");
        assert!(!has_arrays(&terms, &cells.system), "{}", write_system(&terms, &cells.system));
        let count = if sharing == Sharing::Shared(2) { 2 } else { 1 };
        assert_eq!(cells.system.predicates[PredicateId(0)].parameters.len(), 3 + 2 * count);
    }
    let (mut terms, plain) = system("(declare-fun p (Int) Bool)(assert (p 0))");
    assert!(cells(&mut terms, &plain, Sharing::Own, &Hints::default(), &Budget::unlimited()).is_none());
}

#[test]
fn elements_are_numbered_from_where_the_object_begins() {
    let (mut terms, original) = system(FILL);
    let cells = cells(&mut terms, &original, Sharing::Shared(1), &Hints::default(), &Budget::unlimited())
        .expect("arrays");
    let v = *cells.system.predicates[PredicateId(0)].parameters.last().expect("an element");
    let seven = terms.int(7);
    let body = terms.eq(v, seven);
    let model = Interpretation::new(IndexVec::from_elem(body, 1));
    let back = cells.model(&mut terms, &original, &model);
    let text = terms.to_smtlib(back.formulas[PredicateId(0)]);
    assert!(
        text.starts_with("(forall ((k!") && text.contains("(* 4 k!") && text.contains("(select "),
        "{text}"
    );
}

#[test]
fn equalities_and_arrays_of_arrays_are_read_at_places() {
    let (mut terms, original) = system(
        "(declare-fun p ((Array Int (Array Int Int)) (Array Int Int) Bool) Bool)
         (assert (forall ((m (Array Int (Array Int Int))) (n (Array Int (Array Int Int))) (v (Array Int Int))
                          (w (Array Int Int)) (i Int) (j Int) (b Bool))
            (=> (and (p m v b) (or (not (= v w)) (= n (store m i (store (select m i) j 5)))))
                (p n w (= (select n i) w)))))
         (assert (forall ((m (Array Int (Array Int Int))) (v (Array Int Int)) (b Bool)) (=> (p m v b) false)))",
    );
    for sharing in [Sharing::Shared(1), Sharing::Own, Sharing::Shared(2)] {
        let cells =
            cells(&mut terms, &original, sharing, &Hints::default(), &Budget::unlimited()).expect("arrays");
        assert!(!has_arrays(&terms, &cells.system), "{}", write_system(&terms, &cells.system));
    }
}

/// Two objects in one memory, which is an array of arrays: one is copied to the other.
#[test]
fn elements_of_named_objects_share_a_cell() {
    let (mut terms, original) = system(
        "(declare-fun inv (Int Int Int (Array Int (Array Int Int)) (Array Int Int)) Bool)
         (assert (forall ((p Int) (q Int) (m (Array Int (Array Int Int))) (s (Array Int Int)))
            (=> (not (= p q)) (inv p q 0 m (store (store s p 9) q 9)))))
         (assert (forall ((p Int) (q Int) (i Int) (m (Array Int (Array Int Int))) (s (Array Int Int)))
            (=> (and (inv p q i m s) (< i (select s p)))
                (inv p q (+ i 1) (store m q (store (select m q) i (select (select m p) i))) s))))
         (assert (forall ((p Int) (q Int) (i Int) (j Int) (m (Array Int (Array Int Int))) (s (Array Int Int)))
            (=> (and (inv p q i m s) (<= 0 j) (< j i) (not (= (select (select m p) j) (select (select m q) j))))
                false)))",
    );
    let cells = cells(&mut terms, &original, Sharing::Named, &Hints::default(), &Budget::unlimited())
        .expect("an array of arrays");
    assert!(!has_arrays(&terms, &cells.system), "{}", write_system(&terms, &cells.system));
    // Three numbers, the index, an element of each object, and the size of each.
    assert_eq!(cells.system.predicates[PredicateId(0)].parameters.len(), 3 + 1 + 2 + 2);
}

const COPY: &str = "(declare-fun loop ((Array Int (Array Int Int)) Int Int Int Int) Bool)
    (declare-fun after ((Array Int (Array Int Int)) Int Int Int Int) Bool)
    (assert (forall ((m (Array Int (Array Int Int))) (used (Array Int Int)) (p Int) (q Int) (n Int))
        (=> (and (= (select used p) 0) (= (select (store used p 1) q) 0)) (loop m p q 0 n))))
    (assert (forall ((m (Array Int (Array Int Int))) (p Int) (q Int) (i Int) (n Int))
        (=> (and (loop m p q i n) (< i n))
            (loop (store m p (store (select m p) i (select (select m q) (* 2 i)))) p q (+ i 1) n))))
    (assert (forall ((m (Array Int (Array Int Int))) (p Int) (q Int) (i Int) (n Int))
        (=> (and (loop m p q i n) (>= i n)) (after m p q i n))))
    (assert (forall ((m (Array Int (Array Int Int))) (p Int) (q Int) (i Int) (j Int) (n Int))
        (=> (and (after m p q i n) (<= 0 j) (< j n) (not (= (select (select m p) j) (select (select m q) (* 2 j)))))
            false)))";

#[test]
fn objects_have_cells_of_their_own_and_differ() {
    let (mut terms, original) = system(COPY);
    let [one, own] = [Sharing::Named, Sharing::NamedOwn].map(|sharing| {
        cells(&mut terms, &original, sharing, &Hints::default(), &Budget::unlimited()).expect("named objects")
    });
    let (inner, after) = (PredicateId(0), PredicateId(1));
    assert_eq!(one.system.predicates[inner].parameters.len(), 4 + 3);
    assert_eq!(own.system.predicates[inner].parameters.len(), 4 + 4);
    for found in [&one, &own] {
        // What comes after the loop is a state of it, and where the objects are was decided before it.
        assert!(found.definitions.iter().any(|definition| definition.predicate == after));
        assert!(found.distinct[inner].contains(&(0, 1)), "{:?}", found.distinct);
        let model = Interpretation::new(IndexVec::from_elem(Terms::TRUE, 2));
        let back = found.model(&mut terms, &original, &model);
        let text = terms.to_smtlib(back.formulas[after]);
        assert!(text.contains("(not (= ") && text.contains("> "), "{text}");
    }
}
