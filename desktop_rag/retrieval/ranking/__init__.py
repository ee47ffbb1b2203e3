"""Ranking: from the lists of the retrievers to the hits of a search.

Begin with `ranker.Ranker.rank`, which dispatches on the mode. `hybrid_pool` orders what was found by words and by
meaning: `fusion` combines the scores, `link_boost` adds the second hop, `reranking` scores the top passages by features
of their texts. `hit_assembly` turns ranked chunks into hits: deduplication of equal texts, the cap per file, snippets.

The weights were measured or learned (docs/evaluation.md).
"""
