; resolution: unknown
; What SMT-LIB leaves open, in the branch of an `ite` that is not taken: evaluation does not follow yet.
(set-logic HORN)
(declare-datatypes ((Nat 0)) (((Z) (S (p Nat)))))
(declare-fun q (Nat) Bool)
(assert (forall ((n Int)) (=> (> n 0) (q (ite (> n 0) Z (p Z))))))
(assert (forall ((x Nat)) (=> (and (q x) (= x Z)) false)))
