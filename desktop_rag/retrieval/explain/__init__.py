"""Explanations of a search: begin with `explanation`, the model.

`collect` gathers ranks and matches from the ranker, `render` turns them into sentences. `clauses` splits a query into
required, optional and excluded clauses, `clause_counts` counts the documents of each.
"""
