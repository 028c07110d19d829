; Arrays, functions and floating point are inside of the parts; what they say of several parts is not split.
(set-logic QF_AUFBVFP)
(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))
(declare-fun f ((_ BitVec 8)) (_ BitVec 8))
(declare-const i (_ BitVec 8))
(declare-const j (_ BitVec 8))
(declare-const x (_ BitVec 8))
(declare-const r RoundingMode)
(declare-const v Float16)
(compute-interpolant (= x (select (store m i #x05) i)) (bvult x #x03))
;= unsat
;= (= x #x05)
(compute-interpolant (and (= i j) (= x (bvsub (f i) (f j)))) (distinct x #x00))
;= unsat
;= (= x #x00)
(compute-interpolant (= (select m i) #x01) (= (select m i) #x02))
;= Unknown("what arrays or functions say of several parts is not split")
(compute-interpolant (= x ((_ fp.to_ubv 8) RTZ ((_ to_fp 5 11) RNE 2.5))) (distinct x #x02))
;= unsat
;= (= x #x02)
(compute-interpolant (fp.lt v ((_ to_fp 5 11) RNE 2.0)) (fp.gt v ((_ to_fp 5 11) RNE 3.0)))
;= unsat
;= (fp.lt v ((_ to_fp 5 11) RNE 2.0))
