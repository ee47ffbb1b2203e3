"""What a keyword index stores and answers; `benchmarks` have stock Whoosh behind the same interface."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from desktop_rag.index.keywords.keyword_query import KeywordQuery
from desktop_rag.index.records import ChunkId, ContentId, Watermark
from desktop_rag.stop import Stop


@dataclass(frozen=True, slots=True)
class KeywordDocument:
    """A chunk as the index holds it; facts about its files (path, date) are in the catalog only."""

    chunk: ChunkId
    content: ContentId
    title: str
    headings: str
    text: str


class IndexedChunks(NamedTuple):
    """Chunks and the content of each, as parallel arrays."""

    chunks: npt.NDArray[np.uint64]
    contents: npt.NDArray[np.uint64]


class KeywordReader(Protocol):
    """Searches the last commit seen by `refresh`; finds nothing in a folder without an index."""

    @property
    def watermark(self) -> Watermark:
        """Return the watermark of the commit that is searched; (0, "") without an index."""

    def refresh(self) -> bool:
        """Look for a newer commit; return whether there was one. Raise `LibraryError` if it cannot be read."""

    def close(self) -> None:
        """Close the files."""

    def search(
        self, query: KeywordQuery, limit: int, allowed: frozenset[ContentId] | None = None, stop: Stop | None = None
    ) -> list[tuple[ChunkId, float]]:
        """Return the best `limit` chunks (of the `allowed` contents) with their scores, best first.

        Equal scores are ordered by chunk id. Raise `Stopped` soon after `stop` is set.
        """

    def contents(
        self, query: KeywordQuery, allowed: frozenset[ContentId] | None = None, stop: Stop | None = None
    ) -> npt.NDArray[np.int64]:
        """Return the contents (of the `allowed` ones) with a matching chunk, each once; the order is any."""

    def matched(self, queries: Sequence[KeywordQuery], stop: Stop) -> Iterator[bool]:
        """Return for each query whether it finds a chunk."""

    def vocabulary(self, prefix: str, limit: int = 1000) -> list[str]:
        """Return the exact terms of texts that begin with `prefix` (folded already), sorted."""

    def chunks(self) -> frozenset[ChunkId]:
        """Return every chunk in the index."""

    def indexed_chunks(self) -> IndexedChunks:
        """Return every chunk in the index with its content, in an order that is stable until `refresh`."""

    def max_occurrences(self, keyword: str, stop: Stop) -> npt.NDArray[np.float32]:
        """Return for each chunk an upper bound of how often it contains `keyword`, also inside words.

        In the order of `indexed_chunks`. The keyword is in lower case; the bound is infinite where nothing is known,
        and below 0 where all of its words are but surely not in a row.
        """
