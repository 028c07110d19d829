; pdr: unknown
; resolution: unknown
; sizes: unknown
; Simplification leaves no data in these clauses, but the derivation needs a value that SMT-LIB leaves open.
(set-logic HORN)
(declare-datatypes ((Nat 0)) (((Z) (S (p Nat)))))
(declare-fun q (Nat) Bool)
(assert (q (p Z)))
(assert (forall ((x Nat)) (=> (q x) false)))
