"""Keyword engines side by side: ours, stock Whoosh, SQLite FTS5 and tantivy, all over the same plain words."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from desktop_rag.evaluation.bench.keyword_queries import KeywordQuery, Kind
from desktop_rag.evaluation.bench.peers import absent
from desktop_rag.evaluation.bench.plain_text import plain_field
from desktop_rag.evaluation.bench.report import OURS

if TYPE_CHECKING:
    import apsw
    import tantivy
    from whoosh.fields import Schema
    from whoosh.query import Query
    from whoosh.searching import Searcher

    from desktop_rag.index.keywords.columnar.parts import Whole

_KEY = "passage"
_TEXT = "text"


class Engine(Protocol):
    """An index of passages in a folder, numbered from 1."""

    def build(self, passages: Sequence[str]) -> None:
        """Write the index."""

    def open(self) -> None:
        """Open it anew, as a program does that was just started."""

    def best(self, query: KeywordQuery, count: int) -> list[int]:
        """Return the numbers of the best passages, best first."""

    def close(self) -> None:
        """Let go of it."""


def engines(folder: Path, names: Sequence[str] = ()) -> tuple[dict[str, Engine], list[str]]:
    """Return the engines that are installed (of those named), and notes on those that are not."""
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


class Ours:
    """The columnar index with its executor."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._whole: Whole | None = None

    def build(self, passages: Sequence[str]) -> None:
        """Write and merge it as far as the product does at rest."""
        from desktop_rag.index.keywords.columnar.index import ColumnarIndex
        from desktop_rag.index.keywords.columnar.upkeep import AT_REST, Upkeep
        from desktop_rag.index.keywords.columnar.writer import writing
        from desktop_rag.index.records import Watermark

        index = ColumnarIndex.begin(self._folder, _our_schema(), Watermark(0, ""))
        with writing(index) as writer:
            for number, passage in enumerate(passages, start=1):
                writer.add_document(**{_KEY: number, _TEXT: passage})
            writer.commit()
        upkeep = Upkeep(index)
        while upkeep.work(AT_REST, seconds=60):
            pass

    def open(self) -> None:
        """Map the segments."""
        from desktop_rag.index.keywords.columnar.index import ColumnarIndex
        from desktop_rag.index.keywords.columnar.parts import Whole
        from desktop_rag.index.keywords.columnar.scoring import LUCENE

        self._schema = _our_schema()
        _, segments = ColumnarIndex(self._folder, self._schema).current()
        self._whole = Whole([segment.arrays for segment in segments], LUCENE)

    def best(self, query: KeywordQuery, count: int) -> list[int]:
        """Run the executor."""
        from desktop_rag.index.keywords.columnar.executor import search
        from desktop_rag.index.keywords.columnar.translation import Translation
        from desktop_rag.stop import Stop

        assert self._whole is not None
        stop = Stop()
        node = Translation(self._whole, self._schema, lambda *_: (), stop).node(whoosh_query(query))
        return [number for number, _ in search(self._whole, node, count, _KEY, dict.fromkeys(self._whole.parts), stop)]

    def close(self) -> None:
        """Let go of the files."""
        self._whole = None


class StockWhoosh:
    """Whoosh as it is installed, with its own ranking."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._searcher: Searcher | None = None

    def build(self, passages: Sequence[str]) -> None:
        """Write everything in one commit."""
        from whoosh.analysis import LowercaseFilter, RegexTokenizer
        from whoosh.fields import NUMERIC, TEXT, Schema
        from whoosh.filedb.filestore import FileStorage
        from whoosh.index import FileIndex
        from whoosh.writing import SegmentWriter

        self._folder.mkdir(parents=True)
        number = NUMERIC(int, bits=64, signed=False, shift_step=0, sortable=True, default=0)
        schema = Schema(**{_KEY: number, _TEXT: TEXT(RegexTokenizer(r"\w+") | LowercaseFilter())})
        writer = SegmentWriter(FileIndex.create(FileStorage(str(self._folder)), schema), limitmb=512)
        for place, passage in enumerate(passages, start=1):
            writer.add_document(**{_KEY: place, _TEXT: passage})
        writer.commit()

    def open(self) -> None:
        """Open a searcher."""
        from whoosh.filedb.filestore import FileStorage
        from whoosh.index import FileIndex

        self._searcher = FileIndex(FileStorage(str(self._folder))).searcher()

    def best(self, query: KeywordQuery, count: int) -> list[int]:
        """Search."""
        assert self._searcher is not None
        found = self._searcher.search(whoosh_query(query), limit=count).items()
        return [document + 1 for document, _ in found]

    def close(self) -> None:
        """Close the searcher."""
        if self._searcher is not None:
            self._searcher.close()


class Fts5:
    """SQLite's full-text index, ranked by its own bm25; it knows no fuzzy words."""

    def __init__(self, folder: Path) -> None:
        self._file = folder.with_suffix(".sqlite")
        self._database: apsw.Connection | None = None

    def build(self, passages: Sequence[str]) -> None:
        """Fill it in one transaction."""
        import apsw

        with apsw.Connection(str(self._file)) as database:
            database.execute(
                "CREATE VIRTUAL TABLE t USING fts5(x, content='', tokenize='unicode61 remove_diacritics 0')"
            )
            database.executemany("INSERT INTO t(rowid, x) VALUES (?, ?)", enumerate(passages, start=1))
            database.execute("INSERT INTO t(t) VALUES ('optimize')")
        database.close()

    def open(self) -> None:
        """Connect."""
        import apsw

        self._database = apsw.Connection(str(self._file), flags=apsw.SQLITE_OPEN_READONLY)

    def best(self, query: KeywordQuery, count: int) -> list[int]:
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
    """The Rust engine, as its Python package offers it."""

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
            writer.add_document(tantivy.Document(**{_KEY: number, _TEXT: passage}))
        writer.commit()
        writer.wait_merging_threads()

    def open(self) -> None:
        """Open a searcher."""
        import tantivy

        self._index = tantivy.Index(self._schema(), path=str(self._folder))
        self._searcher = self._index.searcher()

    def best(self, query: KeywordQuery, count: int) -> list[int]:
        """Search without counting all hits."""
        assert self._searcher is not None
        found = self._searcher.search(self._query(query), count, count=False)
        return [place.doc for _, place in found.hits]

    def close(self) -> None:
        """Let go of it."""
        self._searcher = None

    def _schema(self) -> "tantivy.Schema":
        import tantivy

        builder = tantivy.SchemaBuilder()
        builder.add_integer_field(_KEY, fast=True)
        builder.add_text_field(_TEXT, tokenizer_name="default", index_option="position")
        return builder.build()

    def _query(self, query: KeywordQuery) -> "tantivy.Query":
        from tantivy import Occur, Query

        schema, words = self._index.schema, query.words
        match query.kind:
            case Kind.PHRASE:
                return Query.phrase_query(schema, _TEXT, list(words))
            case Kind.PREFIX:
                return Query.regex_query(schema, _TEXT, f"{words[0]}.*")
            case Kind.FUZZY:
                return Query.fuzzy_term_query(schema, _TEXT, words[0], 1, transposition_cost_one=False)
        terms = [Query.term_query(schema, _TEXT, word) for word in words]
        if query.kind is Kind.TERM:
            return terms[0]
        first = Occur.Should if query.kind is Kind.OR5 else Occur.Must
        second = {Kind.AND: Occur.Must, Kind.NOT: Occur.MustNot, Kind.OR5: Occur.Should}[query.kind]
        return Query.boolean_query([(first, terms[0]), *((second, term) for term in terms[1:])])


def whoosh_query(query: KeywordQuery) -> "Query":
    """Return the query for Whoosh and for ours."""
    from whoosh.query import And, FuzzyTerm, Not, Or, Phrase, Prefix, Term

    words = query.words
    match query.kind:
        case Kind.PHRASE:
            return Phrase(_TEXT, words)
        case Kind.PREFIX:
            return Prefix(_TEXT, words[0], constantscore=False)
        case Kind.FUZZY:
            return FuzzyTerm(_TEXT, words[0], prefixlength=0, constantscore=False)
    terms = [Term(_TEXT, word) for word in words]
    if query.kind is Kind.TERM:
        return terms[0]
    if query.kind is Kind.OR5:
        return Or(terms)
    return And([terms[0], Not(terms[1])] if query.kind is Kind.NOT else terms)


def _our_schema() -> "Schema":
    from whoosh.fields import NUMERIC, Schema

    number = NUMERIC(int, bits=64, signed=False, shift_step=0, sortable=True, default=0)
    return Schema(**{_KEY: number, _TEXT: plain_field()})
