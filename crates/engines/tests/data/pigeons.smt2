; regular: sat
; sizes: sat
; resolution: unknown
; Of three Booleans, two are equal: a finite data type has no third element.
(set-logic HORN)
(declare-datatypes ((Bit 0)) (((zero) (one))))
(declare-fun any (Bit) Bool)
(assert (forall ((x Bit)) (any x)))
(assert (forall ((x Bit) (y Bit) (z Bit))
  (=> (and (any x) (any y) (any z) (distinct x y z)) false)))
