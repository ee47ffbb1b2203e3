"""Running a query over the columns: nodes, positions, scoring, top-k."""
