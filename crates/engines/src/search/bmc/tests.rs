crate::horn::suite::tests!(no_clause_at_all, derivable_loops, two_procedures, calls_in_branches);
