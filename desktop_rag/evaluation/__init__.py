"""Evaluation on test collections: what `desktop-rag eval` runs, also on a collection of the user.

- `retrieval`: nDCG, recall and MRR of each search mode and of public baselines; begin with `retrieval_runner.evaluate`.
- `qa`: answers of the agent with each toolkit and model; begin with `qa_runner.evaluate`.
- `datasets` reads collections and computes measures and bootstrap intervals, `indexing` builds the library with
  the real indexer, `report_page` renders the reports.

The JSON of results and records is a documented format (docs/evaluation.md): fields may be added, not renamed.
"""
