; f^3(x) = x and f^5(x) = x
(set-info :status unsat)
(declare-sort U 0)
(declare-fun f (U) U)
(declare-fun x () U)
(assert (= (f (f (f x))) x))
(assert (= (f (f (f (f (f x))))) x))
(assert (not (= (f x) x)))
