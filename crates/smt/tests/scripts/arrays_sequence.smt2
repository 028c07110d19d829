; What was written is read, whatever is written elsewhere in between.
(set-info :status unsat)
(declare-fun a0 () (Array Int Int)) (declare-fun a1 () (Array Int Int)) (declare-fun a2 () (Array Int Int))
(declare-fun i () Int) (declare-fun j () Int) (declare-fun v () Int)
(assert (! (= a1 (store a0 i v)) :named a))
(assert (! (and (= a2 (store a1 j 7)) (not (= i j))) :named b))
(assert (! (not (= (select a2 i) v)) :named c))
(check-sat)
(get-interpolants a b c)
