"""The names of the fields of the keyword index; queries use them without Whoosh."""

from math import log

CHUNK = "chunk"
CONTENT = "content_id"
TITLE = "title"
HEADINGS = "headings"
TEXT_EXACT = "text"
TEXT_STEM = "stem"


# BM25 (Robertson and Zaragoza 2009) with Lucene's idf, which is never negative and ranks better than Whoosh's.

K1 = 1.2  # k1: saturation of the term frequency
B = 0.75  # b: strength of length normalisation


def lucene_idf(documents: int, holding: int) -> float:
    """Return ln(1 + (N - n + ½) / (n + ½)) for a term that `holding` of `documents` contain."""
    return log(1 + (max(documents - holding, 0) + 0.5) / (holding + 0.5))


def saturation(frequency: float, relative_length: float) -> float:
    """Return the saturated term frequency in a document of `relative_length` (length / average length)."""
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * relative_length))
