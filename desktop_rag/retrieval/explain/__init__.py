"""Explanations of a search: begin with `explanation`, the model.

which it also turns into sentences. `collect` gathers ranks and matches from the ranker. `clauses` splits a query into
required, optional and excluded clauses, and counts the documents of each.
"""
