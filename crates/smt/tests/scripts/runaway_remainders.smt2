; Branching on fractional values alone follows unbounded quotients for ever.
(set-info :status unsat)
(declare-fun x () Int) (declare-fun y () Int)
(assert (= (* 3 x) y))
(assert (not (= (mod (* 2 y) 3) 0)))
(assert (<= y (- 2)))
(check-sat)
