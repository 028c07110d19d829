; arithmetic forces the arguments to be equal
(set-info :status unsat)
(declare-fun f (Int Real) Int)
(declare-fun a () (Array Int Real))
(declare-fun i () Int)
(declare-fun j () Int)
(assert (<= i j))
(assert (not (= (f i (select a i)) (f j (select a j)))))
(assert (< j (+ i 1)))
