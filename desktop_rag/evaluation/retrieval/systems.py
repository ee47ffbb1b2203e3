"""The systems compared: this program in each of its modes, and public baselines over the same passages.

The baselines rank whole passages, title first: BM25 by bm25s (Lucene's form, k1 1.2, b 0.75, English stems), and the
cosine of one vector a passage (of its first 256 tokens, as sentence-transformers takes them) by the program's encoder.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from desktop_rag.errors import QueryError
from desktop_rag.evaluation.datasets import CollectionPassage
from desktop_rag.evaluation.retrieval.passage_library import PassageLibrary
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.retrieval.api import Hit, Mode, Retriever, SearchRequest
from desktop_rag.stop import Stop

# Caches sentence vectors on disk, keyed by the encoder and the texts.

ENCODED_AT_ONCE = 512  # sentences

Floats = npt.NDArray[np.float32]
Say = Callable[[str], None]


class VectorCache:
    """A cache of vectors in a folder; None disables it."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def encode(self, encoder: Encoder, texts: Sequence[str], say: Say, what: str) -> Floats:
        """Return the vectors of `texts`, one row each; `what` names them in progress messages."""
        name = hashlib.sha256("\0".join([encoder.id, *texts]).encode("utf-8", "replace")).hexdigest()[:32]
        file = self._folder / f"{name}.npy" if self._folder else None
        if file is not None and file.is_file():
            cached: Floats = np.load(file)
            return cached
        parts = []
        for first in range(0, len(texts), ENCODED_AT_ONCE):
            say(f"Encoding {what}: {first:,} of {len(texts):,}")
            parts.append(encoder.encode(texts[first : first + ENCODED_AT_ONCE]))
        vectors = np.concatenate(parts)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            np.save(file, vectors)
        return vectors


BM25 = "BM25 (bm25s)"
WHOLE = "MiniLM, whole passages"
BASELINES = (BM25, WHOLE)

Best = list[tuple[str, float]]
Found = TypeVar("Found")


class RetrievalSystem(Protocol):
    """Ranks passages for a question."""

    def best(self, question: str, count: int) -> Best:
        """Return the ids of the best `count` passages with their scores, best first."""


class OurSearch:
    """The program's own search in one mode; hits are mapped back to the passages their files hold."""

    def __init__(self, retriever: Retriever, mode: Mode, passages: PassageLibrary) -> None:
        self._retriever = retriever
        self._mode = mode
        self._passages = passages

    def best(self, question: str, count: int) -> Best:
        """Search for the question as typed; passages of equal text share a rank.

        A question that quotes a title is a query with operators: the similar passages, shown apart, follow its hits.
        """

        def search(query: str) -> Sequence[Hit]:
            result = self._retriever.search(SearchRequest(query, self._mode, count), Stop())
            lowest = result.hits[-1].score if result.hits else 1.0
            return (*result.hits, *(replace(hit, score=lowest * hit.score) for hit in result.similar))

        hits = search_question(question, search)
        found: dict[str, float] = {}
        for hit in hits:
            for path in (hit.path, *hit.also):
                found.setdefault(self._passages.passage_at(path), hit.score)
        return list(found.items())[:count]


class Bm25s:
    """BM25 by a public implementation."""

    def __init__(self, passages: Sequence[CollectionPassage]) -> None:
        import bm25s
        from Stemmer import Stemmer

        self._ids = [passage.id for passage in passages]
        self._stemmer = Stemmer("english")
        self._index = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
        self._index.index(self._words([whole_text(passage) for passage in passages]), show_progress=False)

    def best(self, question: str, count: int) -> Best:
        """Score every passage."""
        words = self._words([question])[0]
        return _top(self._ids, self._index.get_scores(words), count) if words else []

    def _words(self, texts: Sequence[str]) -> list[list[str]]:
        import bm25s

        found: list[list[str]] = bm25s.tokenize(texts, stemmer=self._stemmer, return_ids=False, show_progress=False)
        return found


class WholePassages:
    """One vector per passage, compared by brute force."""

    def __init__(self, passages: Sequence[CollectionPassage], encoder: Encoder, cache: Path, say: Say) -> None:
        self._ids = [passage.id for passage in passages]
        self._encoder = encoder
        texts = [whole_text(passage) for passage in passages]
        self._vectors = VectorCache(cache).encode(encoder, texts, say, "whole passages")

    def best(self, question: str, count: int) -> Best:
        """Compare the question with every passage."""
        return _top(self._ids, self._vectors @ self._encoder.encode([question])[0], count)


def search_question(question: str, search: Callable[[str], Found]) -> Found:
    """Search for a question; if it is not a valid query, for the query that the error suggests."""
    try:
        return search(question)
    except QueryError as error:
        if error.suggestion is None:
            raise
        return search(error.suggestion)


def whole_text(passage: CollectionPassage) -> str:
    """Return a passage with its title in front, as benchmarks use it."""
    return f"{passage.title} {passage.text}".strip()


def _top(ids: Sequence[str], scores: npt.NDArray[np.float32], count: int) -> Best:
    best = np.argsort(-scores, kind="stable")[:count]
    return [(ids[row], float(scores[row])) for row in best.tolist() if scores[row] > 0]
