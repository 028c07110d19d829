; What Z3 before 4.8, MathSAT and cvc5 have instead of `get-interpolants`.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const |a b| (_ BitVec 8))
(get-interpolants a b)
;= Error("the last command was not a `check-sat` with answer `unsat`")
(compute-interpolant (= x y) (bvult x y) (= x #x00))
;= unsat
;= (= x y)
;= false
(compute-interpolant (= x y) (bvule x y))
;= sat
(get-interpolant (= |a b| x) (and (bvult |a b| #x08) (bvugt |a b| #x09)))
;= true
(get-interpolant (= |a b| x) (= |a b| y))
;= Error("these parts alone are satisfiable")
(assert (! (= (bvurem x #x07) #x03) :interpolation-group g))
(assert (! (and (bvult x #x0a) (bvugt x #x03)) :interpolation-group h))
(check-sat)
;= unsat
(get-interpolant (g))
;= (= (bvurem x #x07) #x03)
(get-interpolant (g h))
;= false
(get-interpolant (k))
;= Error("there is no group k")
(reset-assertions)
(assert (= x (bvshl y #x02)))
(get-interpolant I (= ((_ extract 1 0) x) #b00))
;= (define-fun I () Bool (= ((_ extract 1 0) x) #b00))
(get-interpolant I (= ((_ extract 2 0) x) #b000))
;= fail
