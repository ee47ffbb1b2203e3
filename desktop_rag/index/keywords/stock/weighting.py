"""BM25 as Lucene computes it: its idf never turns negative and ranks better than Whoosh's own."""

from math import log

from whoosh.scoring import BaseScorer, WeightingModel, WeightLengthScorer, WeightScorer
from whoosh.searching import Searcher

K1 = 1.2
B = 0.75


class LuceneBM25(WeightingModel):
    """BM25 (Robertson and Zaragoza 2009) with k1 1.2, b 0.75 over `documents` documents.

    Whoosh would count the documents itself, and with them those that carry nothing but a watermark.
    """

    def __init__(self, documents: int) -> None:
        self._documents = max(documents, 1)

    def idf(self, searcher: Searcher, fieldname: str, text: str | bytes) -> float:
        """Return how much it says that a document holds `text`, over all segments."""
        return lucene_idf(self._documents, searcher.get_parent().doc_frequency(fieldname, text))

    def scorer(self, searcher: Searcher, fieldname: str, text: str | bytes, qf: float = 1) -> BaseScorer:
        """Return what scores the documents of one segment for one term."""
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


def lucene_idf(documents: int, holding: int) -> float:
    """Return ln(1 + (N - n + ½) / (n + ½)) for a term that `holding` of `documents` contain."""
    return log(1 + (max(documents - holding, 0) + 0.5) / (holding + 0.5))


def saturation(frequency: float, relative_length: float) -> float:
    """Return how much a term's frequency counts in a document of this length, relative to the average length."""
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * relative_length))
