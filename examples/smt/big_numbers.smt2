; Coefficients beyond 64 and 128 bits.
(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (= (+ (* 18446744073709551629 x) (* 340282366920938463463374607431768211507 y)) 1))
(assert (> x 0))
(check-sat)
(get-value ((> x 0)))
