; Three elements of two.
(set-logic QF_DT)
(declare-datatype B ((t) (f)))
(declare-const a B)
(declare-const b B)
(declare-const c B)
(assert (distinct a b c))
(check-sat)
