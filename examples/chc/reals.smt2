; A quantity that halves its distance to one never gets there from below.
(set-logic HORN)
(declare-fun at (Real) Bool)
(assert (at 0.0))
(assert (forall ((x Real) (y Real)) (=> (and (at x) (= (* 2.0 y) (+ x 1.0))) (at y))))
(assert (forall ((x Real)) (=> (and (at x) (>= x 1.0)) false)))
(check-sat)
