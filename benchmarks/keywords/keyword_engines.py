"""Keyword engines behind one interface: ours, stock Whoosh, SQLite FTS5 and tantivy, all over the same plain words.

Imports happen before the queries: an import statement takes a measurable part of a query's time.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from benchmarks.keywords.keyword_queries import Kind, SampleQuery
from benchmarks.peer_tools import absent
from benchmarks.report import OURS

if TYPE_CHECKING:
    import apsw
    import tantivy

KEY = "passage"
TEXT = "text"


class Engine(Protocol):
    """An index of passages in a folder, numbered from 1."""

    def build(self, passages: Sequence[str]) -> None:
        """Write the index."""

    def open(self) -> None:
        """Open it as a newly started program does."""

    def best(self, query: SampleQuery, count: int) -> list[int]:
        """Return the numbers of the best passages, best first."""

    def close(self) -> None:
        """Close it."""


def engines(folder: Path, names: Sequence[str] = ()) -> tuple[dict[str, Engine], list[str]]:
    """Return the engines that are installed (of those named), and notes on missing ones."""
    from benchmarks.keywords.whoosh_engines import Ours, StockWhoosh

    known: dict[str, tuple[Callable[[Path], Engine], str]] = {
        OURS: (Ours, ""),
        "stock Whoosh": (StockWhoosh, ""),
        "SQLite FTS5": (Fts5, ""),
        "tantivy": (Tantivy, absent("tantivy", "tantivy")),
    }
    wanted = {name: found for name, found in known.items() if not names or name in names}
    there = {
        name: make(folder / name.replace(" ", "-").lower()) for name, (make, missing) in wanted.items() if not missing
    }
    return there, [missing for _, missing in wanted.values() if missing]


class Fts5:
    """SQLite's full-text index, ranked by its own bm25; it has no fuzzy queries."""

    def __init__(self, folder: Path) -> None:
        self._file = folder.with_suffix(".sqlite")
        self._database: apsw.Connection | None = None

    def build(self, passages: Sequence[str]) -> None:
        """Fill it in one transaction."""
        import apsw

        with apsw.Connection(str(self._file)) as database:
            words = "unicode61 remove_diacritics 0 tokenchars _"
            database.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, content='', tokenize='{words}')")
            database.executemany("INSERT INTO t(rowid, x) VALUES (?, ?)", enumerate(passages, start=1))
            database.execute("INSERT INTO t(t) VALUES ('optimize')")
        database.close()

    def open(self) -> None:
        """Connect."""
        import apsw

        self._database = apsw.Connection(str(self._file), flags=apsw.SQLITE_OPEN_READONLY)

    def best(self, query: SampleQuery, count: int) -> list[int]:
        """Run one statement."""
        assert self._database is not None
        if query.kind is Kind.FUZZY:
            raise NotImplementedError
        quoted = [f'"{word}"' for word in query.words]
        joints = {Kind.AND: " AND ", Kind.NOT: " NOT ", Kind.OR5: " OR "}
        text = {Kind.PHRASE: f'"{" ".join(query.words)}"', Kind.PREFIX: f"{quoted[0]}*"}.get(query.kind)
        match = text or joints.get(query.kind, "").join(quoted)
        statement = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?"
        return [int(str(number)) for (number,) in self._database.execute(statement, (match, count))]

    def close(self) -> None:
        """Disconnect."""
        if self._database is not None:
            self._database.close()


class Tantivy:
    """The Rust engine through its Python package."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._searcher: tantivy.Searcher | None = None

    def build(self, passages: Sequence[str]) -> None:
        """Write it with one thread, and wait for its merges."""
        import tantivy

        self._folder.mkdir(parents=True)
        index = tantivy.Index(self._schema(), path=str(self._folder))
        writer = index.writer(heap_size=256_000_000, num_threads=1)
        for number, passage in enumerate(passages, start=1):
            writer.add_document(tantivy.Document(**{KEY: number, TEXT: passage}))
        writer.commit()
        writer.wait_merging_threads()

    def open(self) -> None:
        """Open a searcher."""
        import tantivy

        self._tantivy = tantivy
        self._index = tantivy.Index(self._schema(), path=str(self._folder))
        self._searcher = self._index.searcher()

    def best(self, query: SampleQuery, count: int) -> list[int]:
        """Search without counting all hits."""
        assert self._searcher is not None
        found = self._searcher.search(self._query(query), count, count=False)
        return [place.doc for _, place in found.hits]

    def close(self) -> None:
        """Close it."""
        self._searcher = None

    def _schema(self) -> "tantivy.Schema":
        import tantivy

        builder = tantivy.SchemaBuilder()
        builder.add_integer_field(KEY, fast=True)
        builder.add_text_field(TEXT, tokenizer_name="default", index_option="position")
        return builder.build()

    def _query(self, query: SampleQuery) -> "tantivy.Query":
        kinds, occur = self._tantivy.Query, self._tantivy.Occur
        schema, words = self._index.schema, query.words
        match query.kind:
            case Kind.PHRASE:
                return kinds.phrase_query(schema, TEXT, list(words))
            case Kind.PREFIX:
                return kinds.regex_query(schema, TEXT, f"{words[0]}.*")
            case Kind.FUZZY:
                return kinds.fuzzy_term_query(schema, TEXT, words[0], 1, transposition_cost_one=False)
        terms = [kinds.term_query(schema, TEXT, word) for word in words]
        if query.kind is Kind.TERM:
            return terms[0]
        first = occur.Should if query.kind is Kind.OR5 else occur.Must
        second = {Kind.AND: occur.Must, Kind.NOT: occur.MustNot, Kind.OR5: occur.Should}[query.kind]
        return kinds.boolean_query([(first, terms[0]), *((second, term) for term in terms[1:])])
