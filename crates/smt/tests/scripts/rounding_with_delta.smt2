; A cube test that rounded one half minus something infinitely small upwards.
(set-info :status sat)
(declare-fun i0 () Int) (declare-fun p () Bool) (declare-fun r3 () Real) (declare-fun i4 () Int)
(declare-fun q () Bool) (declare-fun r1 () Real)
(assert (and (= (+ r3 (to_real i4)) 0.0) (not (= (+ (to_real i0) (ite p 0.0 (- 3.0))) 0.0))))
(assert (not (= (+ r3 (ite q r1 0.0)) 0.0)))
(check-sat)
