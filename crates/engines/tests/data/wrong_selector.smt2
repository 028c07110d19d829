; resolution: unknown
; regular: unknown
; sizes: unknown
; What the tail of the empty list is, SMT-LIB leaves open: it may be empty, or not.
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
(declare-fun p (List) Bool)
(assert (p (tail nil)))
(assert (forall ((x List)) (=> (and (p x) (= x nil)) false)))
