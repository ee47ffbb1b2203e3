"""Ranking: from the lists of the retrievers to the hits of a search.

Begin with `ranker.Ranker.rank`, which dispatches on the mode. `hybrid_pool` orders what was found by words and by
meaning: `reranking` combines the scores, and scores the top passages by features of their texts. `hit_assembly` turns
ranked chunks into hits: deduplication of equal texts, the cap per file, `snippets`. `textless`: files by their names.

The weights were measured or learned (docs/evaluation.md).
"""
