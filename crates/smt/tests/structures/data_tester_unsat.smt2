; What is not empty has a head.
(set-logic QF_UFDTLIA)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-const x L)
(declare-fun f (L) Int)
(assert (not ((_ is nil) x)))
(assert (distinct (f x) (f (cons (head x) (tail x)))))
(check-sat)
