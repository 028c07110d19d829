; sizes: sat
; By the disequality of SMT-LIB, which the models of sizes must not take for their own.
(set-logic HORN)
(declare-datatypes ((Nat 0)) (((Z) (S (p Nat)))))
(declare-fun add (Nat Nat Nat) Bool)
(assert (forall ((y Nat)) (add Z y y)))
(assert (forall ((x Nat) (y Nat) (z Nat)) (=> (add x y z) (add (S x) y (S z)))))
(assert (forall ((x Nat) (y Nat) (r Nat) (s Nat))
  (=> (and (add x y r) (add y x s) (distinct r s)) false)))
