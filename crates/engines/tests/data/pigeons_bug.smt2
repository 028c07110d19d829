; resolution: unsat
; Of three colours, there need not be.
(set-logic HORN)
(declare-datatypes ((Colour 0)) (((red) (green) (blue))))
(declare-fun any (Colour) Bool)
(assert (forall ((x Colour)) (any x)))
(assert (forall ((x Colour) (y Colour) (z Colour))
  (=> (and (any x) (any y) (any z) (distinct x y z)) false)))
