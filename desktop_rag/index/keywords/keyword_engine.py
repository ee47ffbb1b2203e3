"""The interface of a keyword index, and its two engines: our columnar one, and stock Whoosh to compare with."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, assert_never

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


class KeywordEngine(StrEnum):
    """The implementation of a keyword index."""

    COLUMNAR = "columnar"
    STOCK = "stock"


class KeywordWriter(Protocol):
    """The one writer; each `apply` is one commit."""

    @property
    def watermark(self) -> Watermark:
        """Return the last change of the catalog that the index contains."""

    def apply(self, add: Iterable[KeywordDocument], remove: Iterable[ChunkId], watermark: Watermark) -> None:
        """Add or replace documents, remove others, and move the watermark: all of it or, on an error, none.

        A chunk that is both added and removed is replaced. Raise `LibraryError` if that cannot be done.
        """

    def tend(self) -> bool:
        """Merge segments for a moment if there are too many; return whether there is more to do."""

    def settle(self) -> bool:
        """Merge segments for a moment, for idle times; return whether there may be more to do."""

    def purge(self) -> None:
        """Rewrite the files so that no byte of removed documents is left in them."""


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

    def vocabulary(self, prefix: str, limit: int = 1000) -> list[str]:
        """Return the exact terms of texts that begin with `prefix` (folded already), sorted."""

    def chunks(self) -> frozenset[ChunkId]:
        """Return every chunk in the index."""

    def indexed_chunks(self) -> IndexedChunks:
        """Return every chunk in the index with its content, in an order that is stable until `refresh`."""

    def max_occurrences(self, keyword: str, stop: Stop) -> npt.NDArray[np.float32]:
        """Return for each chunk an upper bound of how often it contains `keyword`, also inside words.

        In the order of `indexed_chunks`. The keyword is in lower case; the bound is infinite where nothing is known.
        """


def keyword_writer(
    folder: Path, lineage: str, *, rebuild: bool = False, engine: KeywordEngine = KeywordEngine.COLUMNAR
) -> KeywordWriter:
    """Open the index of the catalog `lineage`.

    One that is missing, damaged, of another catalog or of another format (with `rebuild`: any) is replaced by an empty
    one with the watermark (0, lineage): everything must then be applied again.
    """
    match engine:
        case KeywordEngine.COLUMNAR:
            from desktop_rag.index.keywords.columnar import columnar_keywords

            return columnar_keywords.ColumnarKeywordWriter.open(folder, lineage, rebuild=rebuild)
        case KeywordEngine.STOCK:
            from desktop_rag.index.keywords.stock import stock_index

            return stock_index.StockKeywordWriter.open(folder, lineage, rebuild=rebuild)
    assert_never(engine)


def keyword_reader(folder: Path, engine: KeywordEngine = KeywordEngine.COLUMNAR) -> KeywordReader:
    """Return a reader of the index in a folder."""
    match engine:
        case KeywordEngine.COLUMNAR:
            from desktop_rag.index.keywords.columnar import columnar_keywords

            return columnar_keywords.ColumnarKeywordReader(folder)
        case KeywordEngine.STOCK:
            from desktop_rag.index.keywords.stock import stock_index

            return stock_index.StockKeywordReader(folder)
    assert_never(engine)


def prepare() -> None:
    """Import the modules the first queries need; those for fuzzy words alone take 0.2 s."""
    for module in ("desktop_rag.index.keywords.columnar.columnar_keywords", "rapidfuzz.distance", "rapidfuzz.process"):
        import_module(module)


def damaged_files(folder: Path, engine: KeywordEngine = KeywordEngine.COLUMNAR) -> list[str]:
    """Return the files of the index whose checksum is wrong."""
    match engine:
        case KeywordEngine.COLUMNAR:
            from desktop_rag.index.keywords.columnar import columnar_keywords

            return columnar_keywords.damaged_files(folder)
        case KeywordEngine.STOCK:
            from desktop_rag.index.keywords.stock import file_checksums

            return file_checksums.damaged_files(folder)
    assert_never(engine)
