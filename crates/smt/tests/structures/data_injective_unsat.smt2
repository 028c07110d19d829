; Constructors are injective, and selectors undo them.
(set-logic QF_UFDTLIA)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-const x L)
(declare-const y L)
(assert (= x (cons 1 y)))
(assert (= x (cons (+ (head x) 1) nil)))
(check-sat)
