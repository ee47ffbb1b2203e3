"""BM25 as Lucene computes it, for Whoosh's own searcher."""

from whoosh.scoring import BaseScorer, WeightingModel, WeightLengthScorer, WeightScorer
from whoosh.searching import Searcher

from desktop_rag.index.keywords.bm25 import lucene_idf, saturation


class LuceneBM25(WeightingModel):
    """BM25 (Robertson and Zaragoza 2009) with k1 1.2, b 0.75 over `documents` documents.

    Whoosh's own count would include the watermark document.
    """

    def __init__(self, documents: int) -> None:
        self._documents = max(documents, 1)

    def idf(self, searcher: Searcher, fieldname: str, text: str | bytes) -> float:
        """Return the idf of a term over all segments."""
        return lucene_idf(self._documents, searcher.get_parent().doc_frequency(fieldname, text))

    def scorer(self, searcher: Searcher, fieldname: str, text: str | bytes, qf: float = 1) -> BaseScorer:
        """Return the scorer of one term for the documents of one segment."""
        if not searcher.schema[fieldname].scorable:
            return WeightScorer.for_(searcher, fieldname, text)
        whole = searcher.get_parent()
        average = whole.field_length(fieldname) / self._documents
        return _TermScorer(searcher, fieldname, text, whole.idf(fieldname, text), average or 1.0)


class _TermScorer(WeightLengthScorer):
    def __init__(self, searcher: Searcher, fieldname: str, text: str | bytes, idf: float, average: float) -> None:
        self._idf = idf
        self._average = average
        self.setup(searcher, fieldname, text)

    def _score(self, weight: float, length: float) -> float:
        return self._idf * saturation(weight, length / self._average)
