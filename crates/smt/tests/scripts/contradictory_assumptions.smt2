; Two assumptions that contradict each other without any clause.
(declare-fun p () Bool)
(set-info :status unsat)
(check-sat-assuming (p (not p)))
(set-info :status sat)
(check-sat-assuming (p))
