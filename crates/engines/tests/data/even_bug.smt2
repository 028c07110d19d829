; resolution: unsat
; regular: unknown
; Steps of two and of three come to two in a row.
(set-logic HORN)
(declare-datatype Nat ((Z) (S (p Nat))))
(declare-fun reached (Nat) Bool)
(assert (reached Z))
(assert (forall ((x Nat)) (=> (reached x) (reached (S (S x))))))
(assert (forall ((x Nat)) (=> (reached x) (reached (S (S (S x)))))))
(assert (forall ((x Nat)) (=> (and (reached x) (reached (S x))) false)))
