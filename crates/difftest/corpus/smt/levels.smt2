(push 2147483648)
(set-logic QF_BV)
(push 2147483648)
