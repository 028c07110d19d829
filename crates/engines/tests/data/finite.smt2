; regular: sat
; sizes: sat
; No term is a part of itself.
(set-logic HORN)
(declare-datatypes ((Tree 0) (Forest 0)) (((node (parts Forest))) ((none) (more (first Tree) (rest Forest)))))
(declare-fun p (Forest) Bool)
(assert (p none))
(assert (forall ((x Forest)) (=> (p x) (p (more (node x) x)))))
(assert (forall ((x Forest) (y Forest)) (=> (and (p x) (= x (more (node x) y))) false)))
(assert (forall ((x Forest) (t Tree)) (=> (and (p x) (= x (more t x))) false)))
