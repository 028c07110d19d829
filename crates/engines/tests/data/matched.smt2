; sizes: sat
; `match`, with a variable for what is left.
(set-logic HORN)
(declare-datatypes ((Expr 0)) (((num (value Int)) (plus (left Expr) (right Expr)) (negate (of Expr)))))
(declare-fun simple (Expr) Bool)
(assert (forall ((x Expr)) (=> (match x (((num n) (> n 0)) (other false))) (simple x))))
(assert (forall ((x Expr) (y Expr)) (=> (and (simple x) (simple y)) (simple (plus x y)))))
(assert (forall ((x Expr)) (=> (and (simple x) (match x (((negate y) true) ((num n) (< n 0)) ((plus y z) false)))) false)))
