; sizes: sat
; Pairs are kept component by component: a swap leaves the sum.
(set-logic HORN)
(declare-datatypes ((Pair 0)) (((pair (fst Int) (snd Int)))))
(declare-fun reached (Pair) Bool)
(assert (reached (pair 3 4)))
(assert (forall ((x Pair)) (=> (reached x) (reached (pair (snd x) (fst x))))))
(assert (forall ((x Pair)) (=> (reached x) (reached (pair (+ (fst x) 1) (- (snd x) 1))))))
(assert (forall ((x Pair)) (=> (and (reached x) (not (= (+ (fst x) (snd x)) 7))) false)))
