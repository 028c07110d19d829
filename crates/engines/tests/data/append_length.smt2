; sizes: sat
; Selectors, testers and `ite` in place of patterns; integers beside lists.
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun append (List List List) Bool)
(declare-fun length (List Int) Bool)
(assert (forall ((x List) (y List) (z List))
  (=> (and ((_ is cons) x) (append (tail x) y z)) (append x y (cons (head x) z)))))
(assert (forall ((x List) (y List)) (=> (is-nil x) (append x y y))))
(assert (forall ((x List) (n Int) (m Int))
  (=> (and (= x (ite (= m 0) nil (cons m nil))) (= n (ite (= x nil) 0 1))) (length x n))))
(assert (forall ((x List) (y List) (n Int)) (=> (and (length x n) ((_ is cons) y) (= (tail y) x)) (length y (+ n 1)))))
(assert (forall ((x List) (y List) (z List) (a Int) (b Int) (c Int))
  (=> (and (length x a) (length y b) (append x y z) (length z c) (not (= c (+ a b)))) false)))
