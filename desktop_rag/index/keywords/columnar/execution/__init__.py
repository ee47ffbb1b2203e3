"""Query execution over columnar segments, a whole array at a time.

Begin at `query_planner` (a keyword query becomes nodes) and `executor` (runs them, keeps the top-k). `nodes`,
`term_nodes` and `positions` (proximity) find and score documents; `term_matching` expands patterns and fuzzy words;
`scoring` is BM25; `segment_readers` gives statistics and cached arrays; `substring_bounds`
and `few_bounds` serve literal search.
"""
