; An even and an odd number are never equal. The interpolant says that x is even.
(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun z () Int)
(assert (! (= x (* 2 y)) :named even))
(assert (! (= x (+ (* 2 z) 1)) :named odd))
(check-sat)
(get-interpolants even odd)
