; x is even and odd: only a divisibility predicate is in between.
(set-info :status unsat)
(declare-fun x () Int) (declare-fun y () Int) (declare-fun z () Int)
(assert (! (= x (* 2 y)) :named a))
(assert (! (= x (+ (* 2 z) 1)) :named b))
(check-sat)
(get-interpolants a b)
(get-interpolants b a)
