"""Measures literal search (A-RAG's score: occurrences of a keyword, also inside words, times its length).

The passages are stored in a library without an indexer. Peers search texts that are already in memory in lower case:
`str.count`, and SQLite's trigram index as a filter before it.
"""

import argparse
import hashlib
import os
import random
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.corpus import SEED, Corpus, add_corpus_arguments, corpus_of
from benchmarks.keywords.keyword_queries import plain_words
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.documents.chunking import split
from desktop_rag.documents.format_registry import read_document
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordWriter
from desktop_rag.index.keywords.keyword_engine import KeywordDocument
from desktop_rag.index.keywords.open_index import keyword_reader
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileStat, Watermark
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.query.tree import Either, Phrase
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.retrieval.retrievers.substring import substring_search
from desktop_rag.stop import Stop

TOP = 50
PASSAGES = 35  # per document
BATCH = 500  # chunks in one commit
MEDIAN_MS, WORST_MS = 20.0, 50.0  # for 100 MB of text
MEGABYTES = 1e6
Keywords = tuple[str, ...]
Say = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=10_000)
    parser.add_argument("--queries", type=int, default=20, metavar="N", help="number of queries of each kind (20)")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Measure literal search over all passages."""
    corpus = corpus_of(options, say)
    queries = drawn(corpus.passages, options.queries)
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        library = Library(Path(scratch))
        texts = _fill(library, corpus, say)
        rows = _measured(library, texts, queries, say)
    size = sum(map(len, texts)) / MEGABYTES
    notes = [corpus.describe(), f"{len(texts):,} chunks with {size:.0f} MB of text; the best {TOP} are wanted."]
    return Report("Literal search", tuple(rows), tuple(notes), this_machine())


def drawn(passages: Sequence[str], count: int) -> dict[str, list[Keywords]]:
    """Return keywords of every kind: words, parts of words, consecutive words, several at once, the most frequent."""
    chance = random.Random(SEED)
    found: dict[str, list[Keywords]] = defaultdict(list)
    while len(found["several"]) < count:
        passage = chance.choice(passages)
        words = [word for word in plain_words(passage) if len(word) > 4]
        pair = re.findall(r"\w+[ -]\w+", passage)
        if len(words) < 5 or not pair:
            continue
        found["word"].append((chance.choice(words),))
        found["part of a word"].append((chance.choice(words)[1:4],))
        found["consecutive words"].append((chance.choice(pair).lower(),))
        found["several"].append(tuple(chance.sample(words, 4)))
    found["most frequent"] = [("e",), ("the",), ("of the",), ("ing",), ("s",)]
    return found


def _fill(library: Library, corpus: Corpus, say: Say) -> list[str]:
    """Create the library and return the texts of its chunks in lower case."""
    with closing(Catalog.open(library.catalog)) as catalog:
        folder = catalog.folders.add(os.fsencode(library.folder / "files"), is_file=False)
        say(f"Storing {len(corpus.passages):,} passages …")
        for first in range(0, len(corpus.passages), PASSAGES):
            data = "\n\n".join(corpus.passages[first : first + PASSAGES]).encode()
            name = os.fsencode(f"{first}.txt")
            catalog.files.queue(folder, name, FileStat(len(data), 0, first, 0))
            document = read_document("text.txt", data)
            content = catalog.contents.store(hashlib.sha256(data).digest(), document, split(document))
            with catalog.transaction():
                catalog.files.link(catalog.files.of_folder(folder)[name].id, content)
        return _index(library, catalog, say)


def _index(library: Library, catalog: Catalog, say: Say) -> list[str]:
    say("Indexing …")
    change_log, lineage = catalog.change_log, catalog.lineage()
    writer = ColumnarKeywordWriter.open(library.keywords, lineage)
    texts: list[str] = []
    while (changes := change_log.changes(writer.watermark.sequence, BATCH, "added")).added:
        chunks = catalog.chunks.by_id(changes.added).values()
        texts += (chunk.text.lower() for chunk in chunks)
        documents = [KeywordDocument(c.id, c.content, "", c.heading, c.text) for c in chunks]
        writer.apply(documents, (), Watermark(changes.sequence, lineage))
        change_log.mark_searchable(changes.sequence)
    while writer.settle():
        pass
    return texts


def _measured(library: Library, texts: list[str], queries: dict[str, list[Keywords]], say: Say) -> list[Measurement]:
    import apsw

    size = sum(map(len, texts)) / (100 * MEGABYTES)
    say("Querying …")
    database = apsw.Connection(":memory:")
    database.execute("CREATE VIRTUAL TABLE t USING fts5(x, content='', tokenize='trigram')")
    database.executemany("INSERT INTO t(rowid, x) VALUES (?, ?)", enumerate(texts))
    rows = []
    with (
        closing(CatalogReader.open(library.catalog)) as catalog,
        closing(keyword_reader(library.keywords)) as reader,
    ):
        candidates = Candidates(catalog, Scope(), None, Stop())

        def ours(keywords: Keywords) -> None:
            tree = Either(tuple(map(Phrase, keywords)))
            substring_search(catalog, reader, tree, candidates, TOP, Stop())

        def counting(keywords: Keywords) -> None:
            sorted(-sum(text.count(word) * len(word) for word in keywords) for text in texts)[:TOP]

        def trigrams(keywords: Keywords) -> None:
            scores: dict[int, int] = defaultdict(int)
            for word in keywords:
                for (row,) in database.execute("SELECT rowid FROM t WHERE t MATCH ?", (f'"{word}"',)):
                    number = int(str(row))
                    scores[number] += texts[number].count(word) * len(word)
            sorted(-score for score in scores.values())[:TOP]

        every: list[float] = []
        for kind, asked in queries.items():
            subjects = {OURS: ours, "str.count": counting}
            if kind != "most frequent":  # a trigram index cannot find shorter keywords
                subjects["FTS5 trigram"] = trigrams
            for name, ask in subjects.items():
                times = tuple(_milliseconds(ask, keywords) for keywords in asked)
                rows.append(Measurement(kind, name, "ms", times))
                every += times if name == OURS and kind != "most frequent" else ()
    whole = Measurement("all but the most frequent", OURS, "ms", tuple(every), goal=MEDIAN_MS * size)
    return [*rows, whole, Measurement("the slowest of these", OURS, "ms", (max(every),), goal=WORST_MS * size)]


def _milliseconds(ask: Callable[[Keywords], None], keywords: Keywords) -> float:
    began = time.process_time()
    ask(keywords)
    return (time.process_time() - began) * 1000
