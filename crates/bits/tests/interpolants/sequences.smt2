; Sequences and trees of named parts; what is not listed holds for all of them, if they need it.
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const z (_ BitVec 8))
(declare-const u (_ BitVec 8))
(push 1)
(assert (! (= y (bvand x #xf0)) :named a))
(assert (! (= z (bvadd y #x10)) :named b))
(assert (! (= u (bvand z #x2f)) :named c))
(assert (! (bvult #x30 u) :named d))
(check-sat)
;= unsat
(get-interpolants a b c d)
;= (true
;=  true
;=  (bvult u #x30))
(get-interpolants a (b c) d)
;= (true
;=  true
;=  (bvult u #x30))
(get-interpolants a (and b c) d)
;= (true
;=  (bvult u #x30))
(get-interpolants d c b a)
;= ((bvult #x30 u)
;=  false
;=  false)
(get-interpolants a b)
;= (false)
(get-interpolants a e)
;= Error("no interpolants: there is no assertion named e")
(get-interpolants a a c)
;= Error("no interpolants: a belongs to two parts")
(pop 1)
(push 1)
(assert (! (= x #x01) :named a))
(assert (! (bvult y #x02) :named b))
(assert (= x y))
(assert (! (= (bvadd z y) (bvadd z #x02)) :named c))
(check-sat)
;= unsat
(get-interpolants a c)
;= (true)
(get-interpolants a b c)
;= (true
;=  (bvult y #x02))
(pop 1)
; A counter, step by step.
(assert (! (= x #x00) :named s0))
(assert (! (= y (bvadd x #x02)) :named s1))
(assert (! (= z (bvadd y #x06)) :named s2))
(assert (! (= u (bvsub z #x0a)) :named s3))
(assert (! (= ((_ extract 0 0) u) #b1) :named s4))
(check-sat)
;= unsat
(get-interpolants s0 s1 s2 s3 s4)
;= ((= x #x00)
;=  (= y #x02)
;=  (= z #x08)
;=  (= u #xfe))
