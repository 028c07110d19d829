; resolution: unsat
; A list that sums up to twelve with elements up to five.
(set-logic HORN)
(declare-datatypes () ((List nil (cons (head Int) (tail List)))))
(declare-fun sum (List Int) Bool)
(assert (sum nil 0))
(assert (forall ((x List) (a Int) (n Int)) (=> (and (sum x n) (>= 5 a 0)) (sum (cons a x) (+ n a)))))
(assert (forall ((x List)) (=> (sum x 12) false)))
