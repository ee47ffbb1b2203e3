"""BM25 with the idf that Lucene uses, which never turns negative and ranks better than Whoosh's own."""

from math import log

from whoosh.scoring import BM25F
from whoosh.searching import Searcher

K1 = 1.2
B = 0.75


class LuceneBM25(BM25F):
    """BM25 (Robertson and Zaragoza 2009) with k1 1.2, b 0.75 and idf = ln(1 + (N - n + ½) / (n + ½))."""

    def __init__(self) -> None:
        super().__init__(B=B, K1=K1)

    def idf(self, searcher: Searcher, fieldname: str, text: str | bytes) -> float:
        """Return how much it says that a document holds `text`, over all segments."""
        whole = searcher.get_parent()
        return lucene_idf(whole.doc_count_all(), whole.doc_frequency(fieldname, text))


def lucene_idf(documents: int, holding: int) -> float:
    """Return the inverse document frequency of a term that `holding` of `documents` contain."""
    return log(1 + (documents - holding + 0.5) / (holding + 0.5))
