"""The keyword index: a copy of the catalog's chunks that finds them by their words, ranked by BM25.

Begin at `keyword_engine` (what a writer and a reader do) and `keyword_query` (what a reader may be asked).

- Text to terms: `analysis` (folding, stemming, bigrams), `identifiers` (parts of camelCase names), `cached_analysis`
  (the same for a whole batch, each piece analysed once), `inflection` (forms of a word in other languages, at query
  time), `literal_terms` (what a text must have among its terms to contain a string).
- `keyword_query` names the fields, `keyword_schema` says what they are. `open_index` opens the index
  and keeps a search's start short (`index/indexer/keyword_sync` writes it).
- `columnar/`: the engine. `benchmarks/keywords/stock_index` is unmodified Whoosh behind the same interface, for tests.

From Whoosh come the schema and field types, the writer's interface and lock, and the codec interface, through which
Whoosh's own queries and readers run on our segments (`benchmarks/keywords/whoosh_reading`). Ours are the analysis, the
segments (memory-mapped, sorted arrays of postings with checksums, commit and merge policy), the queries and their
execution: query text → tree (`retrieval/query/tree`: what the user asked) → `keyword_query` (the terms of each
field, with weights) → one node for each part (`columnar/execution`), which finds and scores a whole array at a time;
the executor keeps the top-k.

What `analysis` makes of a text is the index's format: a change rebuilds every index (`columnar_index.fingerprint`).
"""
