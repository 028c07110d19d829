; Two predicates that call each other: no number is both even and odd.
(set-logic HORN)
(declare-fun even (Int) Bool)
(declare-fun odd (Int) Bool)
(assert (even 0))
(assert (forall ((n Int)) (=> (and (even n) (>= n 0)) (odd (+ n 1)))))
(assert (forall ((n Int)) (=> (and (odd n) (>= n 0)) (even (+ n 1)))))
(assert (forall ((n Int)) (=> (and (even n) (odd n)) false)))
(check-sat)
