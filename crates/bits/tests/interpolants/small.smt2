; Small formulas: bounds, relations, single bits, terms of the parts.
(set-logic QF_BV)
(declare-const x (_ BitVec 32))
(declare-const y (_ BitVec 32))
(declare-const z (_ BitVec 32))
(declare-const u (_ BitVec 32))
(declare-const p Bool)
(compute-interpolant (and (bvult x #x000003e9) (bvult y #x000003e9) (= z (bvadd x y))) (and (bvugt z #x00001000) (= u z)))
;= unsat
;= (bvult z #x00001000)
(compute-interpolant (and (bvsle #xfffffff6 x) (bvsle x #x0000000a) (= y (bvsdiv x #x00000002))) (and (= u y) (bvsgt u #x00000007)))
;= unsat
;= (bvslt y #x00000008)
(compute-interpolant (and (= (bvand x #x00000fff) #x00000000) (= y (bvor x #x00000007))) (= ((_ extract 7 4) y) #x3))
;= unsat
;= (= ((_ extract 7 4) y) #x0)
(compute-interpolant (= x (bvmul y z)) (and (= z #x00000002) (distinct (bvshl y #x00000001) x)))
;= unsat
;= (= x (bvmul y z))
(compute-interpolant (and (= x (bvurem z #x0000000a)) (= y (bvudiv z #x0000000a))) (bvugt x #x00000009))
;= unsat
;= (bvult x #x0000000a)
(compute-interpolant (and (= x (bvmul z z)) (bvult z #x00000005)) (= ((_ extract 1 0) x) #b10))
;= unsat
;= (= ((_ extract 1 1) x) #b0)
(compute-interpolant (and p (= x y)) (or (not p) (bvult x y)))
;= unsat
;= (and p (= x y))
