; Two calls, a caller, and the error.
(set-info :status unsat)
(declare-fun x () Int) (declare-fun y () Int) (declare-fun r () Int) (declare-fun s () Int)
(assert (! (=> (>= x 0) (>= r x)) :named first))
(assert (! (=> (>= y 0) (>= s (+ y 1))) :named second))
(assert (! (and (= x 3) (= y r)) :named caller))
(assert (! (< s 4) :named error))
(check-sat)
(get-interpolants first (second) caller error)
