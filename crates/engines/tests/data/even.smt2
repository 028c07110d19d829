; regular: sat
; resolution: unknown
; Numbers from zero in steps of two, never two in a row.
(set-logic HORN)
(declare-datatypes ((Nat 0)) (((Z) (S (p Nat)))))
(declare-fun even (Nat) Bool)
(assert (even Z))
(assert (forall ((x Nat)) (=> (even x) (even (S (S x))))))
(assert (forall ((x Nat)) (=> (and (even x) (even (S x))) false)))
