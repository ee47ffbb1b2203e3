"""Search over one library: from a typed query to ranked hits, explanations, and the text of documents.

Begin with `api`: the requests, the results and the `Retriever` Protocol. A query runs through these packages:

- `query`: tokenizer, parser, the query tree, its visitor, and its translation to the keyword index.
- `retrievers`: keyword (BM25), substring (mode `exact`), vector (cosines of sentences), and the candidate filter.
- `ranking`: one ranker for all modes: fusion, link boost, re-ranking; then deduplication, cap per file, snippets.
- `explain`: why a file is found or not, and the document counts of each clause.
- `reading`: find in a document, diff, the document list, facets, related passages.
- `explorer`: the Protocols of explanations and of the list of all files.
- `service`: the engine, the file list, and the searcher process that runs it behind a pipe.

`api.Mode` values are part of the command line, the tools and stored conversations. Ranking weights are measured: change
them only with `desktop-rag eval retrieval` (docs/evaluation.md).
"""
