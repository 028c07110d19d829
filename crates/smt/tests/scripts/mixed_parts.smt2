; A real number that two parts call an integer, half a step apart.
(set-info :status unsat)
(declare-fun r () Real) (declare-fun i () Int) (declare-fun j () Int)
(assert (! (= r (to_real i)) :named a))
(assert (! (= (* 2.0 r) (+ (* 2.0 (to_real j)) 1.0)) :named b))
(check-sat)
