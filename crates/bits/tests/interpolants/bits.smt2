; No small formula says it: linear equations modulo two.
(set-logic QF_BV)
(declare-const x (_ BitVec 5))
(declare-const y (_ BitVec 5))
(declare-const z (_ BitVec 5))
(declare-const u (_ BitVec 5))
(assert (! (and (= x (bvxor y (bvlshr y #b00001))) (= u ((_ rotate_left 3) y))) :named a))
(assert (! (and (= z ((_ rotate_right 3) u)) (distinct (bvxor z (bvlshr z #b00001)) x)) :named b))
(check-sat)
;= unsat
(get-interpolants a b)
;= ((and (= (bvxor ((_ extract 0 0) x) ((_ extract 3 3) u)) ((_ extract 4 4) u)) (= (bvxor ((_ extract 1 1) x) ((_ extract 0 0) u)) ((_ extract 4 4) u)) (= (bvxor ((_ extract 3 2) x) ((_ extract 1 0) u)) ((_ extract 2 1) u)) (= ((_ extract 4 4) x) ((_ extract 2 2) u))))
; No linear one, either: one over bits.
(compute-interpolant (and (= x (bvand y z)) (= u (bvor y z))) (let ((n (bvnot x))) (distinct (bvor n u) #b11111)))
;= unsat
;= (let ((.1 (and (or (= ((_ extract 1 1) x) #b0) (= ((_ extract 1 1) u) #b1)) (or (= ((_ extract 2 2) x) #b0) (= ((_ extract 2 2) u) #b1)) (or (= ((_ extract 3 3) x) #b0) (= ((_ extract 3 3) u) #b1)) (or (= ((_ extract 4 4) x) #b0) (= ((_ extract 4 4) u) #b1))))) (or (and (= ((_ extract 0 0) x) #b0) .1) (and (= ((_ extract 0 0) u) #b1) .1)))
