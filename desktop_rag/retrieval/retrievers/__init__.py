"""The retrievers: each returns scored chunks of the candidate contents, best first.

- `keyword`: BM25 over the keyword index.
- `substring`: mode `exact`, the score of A-RAG, top-k by upper bounds.
- `vector`: cosines of sentence vectors; `on_demand_encoding` encodes missing ones during a search.
- `candidate_filter`: the contents a query may find, by visibility, scope and file conditions.
"""
