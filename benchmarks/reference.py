"""A reference engine below the same search: stock Whoosh, and float32 vectors compared by brute force."""

import argparse
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import numpy as np

from benchmarks.keywords.stock_index import StockKeywordReader, build, stored_watermark
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import LibraryError
from desktop_rag.evaluation.datasets import Collection, collections_below, read_collection
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.evaluation.retrieval.passage_library import PassageLibrary, index_passages
from desktop_rag.evaluation.retrieval.retrieval_page import measured
from desktop_rag.evaluation.retrieval.retrieval_runner import MODES, rankings
from desktop_rag.evaluation.retrieval.systems import Floats, OurSearch, RetrievalSystem, Say, VectorCache
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.sentence_vectors import sentence_texts
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.keywords.keyword_engine import KeywordDocument, KeywordReader
from desktop_rag.index.library import Library
from desktop_rag.index.records import ChunkId, Watermark
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop

BATCH = 500  # chunks read from the catalog at once
STOCK, FLOAT32 = "stock Whoosh, float32 vectors", "float32 encoder"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="collections, or folders of them")
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER", help="keep and reuse libraries there")
    parser.add_argument(
        "--mode", action="append", choices=[mode.value for mode in MODES], help="how to search; may be repeated (all)"
    )
    parser.add_argument(
        "--float32", type=Path, metavar="FOLDER", help="also search by meaning with the encoder in this folder"
    )


def run(options: argparse.Namespace, say: Callable[[str], None]) -> Report:
    """Ask the questions of collections in each mode, of our engine and of the reference below the same search."""
    rows: list[Measurement] = []
    for folder in (below for named in options.folders for below in collections_below(named)):
        collection = read_collection(folder)
        made = index_passages(collection, options.keep, say)
        modes = tuple(map(Mode, options.mode or MODES))
        rows += _measured(collection, made, modes, options.float32, say)
    note = "stock Whoosh and float32 vectors have the same queries, candidates and weights"
    return Report("The engine against a reference", tuple(rows), (note,), this_machine())


def _measured(
    collection: Collection, made: PassageLibrary, modes: tuple[Mode, ...], float32: Path | None, say: Say
) -> Iterator[Measurement]:
    with ExitStack() as opened:
        systems: dict[str, RetrievalSystem] = {}
        vectors = FloatVectors(made, Encoder.load(encoder_folder()), say)
        for mode in modes:
            stock = SearchEngine(made.library, keywords=stock_keywords(made, say), vectors=vectors)
            engines = {OURS: SearchEngine(made.library), STOCK: stock}
            if float32 is not None and mode is Mode.SEMANTIC:
                exact = FloatVectors(made, Encoder.load(float32), say)
                engines[FLOAT32] = SearchEngine(made.library, float32, vectors=exact)
            for subject, engine in engines.items():
                opened.enter_context(closing(engine))
                systems[f"{mode.value}\n{subject}"] = OurSearch(engine, mode, made)
        for name, found in rankings(systems, collection.questions, say).items():
            mode_name, subject = name.split("\n")
            scored = measured(name, found, collection.judged).summary()["ndcg@10"]
            yield Measurement(f"{collection.name}, {mode_name}", subject, "nDCG@10", (scored,), "more")


def stock_keywords(made: PassageLibrary, say: Say) -> KeywordReader:
    """Index the chunks of a library with stock Whoosh, unless an earlier run did."""
    folder = made.folder / "stock"
    with closing(CatalogReader.open(Library(made.library).catalog)) as catalog:
        watermark = Watermark(catalog.change_log.last_keyword_change(), catalog.lineage())
        if stored_watermark(folder) == watermark:
            with suppress(LibraryError):
                return StockKeywordReader(folder)
        say("Indexing with stock Whoosh …")
        build(folder, _documents(catalog), watermark)
    return StockKeywordReader(folder)


def _documents(catalog: CatalogReader) -> Iterator[KeywordDocument]:
    ids = sorted(catalog.chunks.all_ids())
    for first in range(0, len(ids), BATCH):
        chunks = catalog.chunks.by_id(ids[first : first + BATCH])
        contents = catalog.contents.by_id({chunk.content for chunk in chunks.values()})
        for chunk in chunks.values():
            yield KeywordDocument(chunk.id, chunk.content, contents[chunk.content].title, chunk.heading, chunk.text)


class FloatVectors:
    """The float32 vectors of all sentences of a library, searched by brute force."""

    def __init__(self, made: PassageLibrary, encoder: Encoder, say: Say) -> None:
        self.encoder_id = encoder.id
        with closing(CatalogReader.open(Library(made.library).catalog)) as catalog:
            chunks = [
                chunk for _, chunk in sorted(catalog.chunks.by_id(catalog.chunks.all_ids()).items()) if chunk.sentences
            ]
            self.watermark = Watermark(0, catalog.lineage())
        texts = [sentence_texts(chunk) for chunk in chunks]
        flat = [text for some in texts for text in some]
        self._vectors = VectorCache(made.folder / "float32").encode(encoder, flat, say, "sentences")
        self._chunks = np.array([chunk.id for chunk in chunks], np.int64)
        self._starts = np.cumsum([0, *map(len, texts)])
        self._rows = {chunk.id: number for number, chunk in enumerate(chunks)}

    def refresh(self) -> bool:
        """Return False: the vectors are fixed."""
        return False

    def close(self) -> None:
        """Do nothing: no file is open."""

    def search(
        self, query: Floats, limit: int, allowed: frozenset[ChunkId] | None = None, stop: Stop | None = None
    ) -> list[tuple[ChunkId, int, float]]:
        """Return the top chunks by their nearest sentence: (chunk, sentence number, cosine)."""
        scores = self._vectors @ query
        best = np.maximum.reduceat(scores, self._starts[:-1])
        found = []
        for row in np.argsort(-best, kind="stable").tolist():
            chunk = ChunkId(int(self._chunks[row]))
            if allowed is None or chunk in allowed:
                start, end = self._starts[row : row + 2].tolist()
                found.append((chunk, int(scores[start:end].argmax()), float(best[row])))
            if len(found) == limit:
                break
        return found

    def vectors_of(self, chunks: Iterable[ChunkId]) -> Iterator[tuple[ChunkId, Floats]]:
        """Yield the sentence vectors of some chunks, one row each."""
        rows = ((chunk, self._rows[chunk]) for chunk in chunks if chunk in self._rows)
        return ((chunk, self._vectors[self._starts[row] : self._starts[row + 1]]) for chunk, row in rows)
