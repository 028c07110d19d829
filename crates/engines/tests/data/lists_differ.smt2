; resolution: unsat
; sizes: unknown
; regular: unknown
; Lists of one length may differ: whoever keeps only sizes must not conclude that they do not.
(set-logic HORN)
(declare-datatypes ((Nat 0) (List 0)) (((Z) (S (p Nat))) ((nil) (cons (head Nat) (tail List)))))
(declare-fun same_length (List List) Bool)
(assert (same_length nil nil))
(assert (forall ((a Nat) (b Nat) (x List) (y List))
  (=> (same_length x y) (same_length (cons a x) (cons b y)))))
(assert (forall ((x List) (y List)) (=> (and (same_length x y) (not (= x y))) false)))
