"""A small real library: files on disk, catalog, keyword index and, where a test wants them, sentence vectors."""

import functools
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from desktop_rag.documents.chunking import split
from desktop_rag.documents.format_registry import read_document
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordWriter
from desktop_rag.index.keywords.keyword_engine import KeywordDocument
from desktop_rag.index.library import Library
from desktop_rag.index.links.link_sync import LinkSync
from desktop_rag.index.records import ChunkId, ContentId, FileStat, FolderId, Watermark
from desktop_rag.index.vectors.vector_sync import VectorSync
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Mode, Scope, SearchRequest, SearchResult
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop

LEASE = """# Lease agreement

The tenant pays the rent on the first day of each month.
The landlord may raise the rent once a year, with three months' notice.

## Deposit

The deposit is two months' rent. It is paid back after the tenant has moved out.
"""
CATS = """# Keeping cats

A cat sleeps up to sixteen hours a day.
Feed your kitten four times a day until it is six months old.
Cats in Zürich need a naïve veterinarian; the façade is optional.
"""
MINUTES = """Minutes of the tenants' meeting
The chair opened the meeting. Nobody had read the budget.
A draft of the house rules was discussed: quiet after ten, no bicycles in the hall.
The next meeting is in March.
"""
CODE = """def rent_increase(rent: float, percent: float) -> float:
    return rent * (1 + percent / 100)
"""
FILES = {
    "papers/lease.md": LEASE,
    "papers/old/minutes.txt": MINUTES,
    "cats.md": CATS,
    "src/rent.py": CODE,
}


class SmallLibrary:
    """A library of a few files, built synchronously without the indexer."""

    def __init__(self, folder: Path) -> None:
        self.layout = Library(folder / "library")
        self.files = folder / "files"
        self.catalog = Catalog.open(self.layout.catalog)
        self.keywords = ColumnarKeywordWriter.open(self.layout.keywords, self.catalog.lineage())

    def add(self, files: Mapping[str, str], root: str = "home") -> FolderId:
        """Write files under a root and make them searchable by their words."""
        base = self.files / root
        folder = self.catalog.folders.add(os.fsencode(base), is_file=False)
        for name, text in files.items():
            path = base / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            self.put(folder, name, path)
        self.commit()
        return folder

    def put(self, folder: FolderId, name: str, path: Path) -> ContentId:
        """Add one file and its content to the catalog."""
        stat, data = path.stat(), path.read_bytes()
        digest = hashlib.sha256(data).digest()
        known = FileStat(stat.st_size, stat.st_mtime_ns, stat.st_ino, stat.st_dev)
        self.catalog.files.queue(folder, os.fsencode(name), known)
        file = self.catalog.files.lookup(folder).at(os.fsencode(name))
        assert file is not None
        with self.catalog.transaction():
            content = self.catalog.contents.by_hash(digest)
            if content is None:
                document = read_document(name, data)
                content = self.catalog.contents.store(digest, document, split(document, 120))
            self.catalog.files.link(file.id, content)
        return content

    def commit(self) -> None:
        """Bring the keyword index up to date."""
        changes = self.catalog.change_log.changes(self.keywords.watermark.sequence, 10_000, "added")
        chunks = self.catalog.chunks.by_id(changes.added)
        contents = self.catalog.contents.by_id({chunk.content for chunk in chunks.values()})
        documents = [
            KeywordDocument(chunk.id, chunk.content, contents[chunk.content].title, chunk.heading, chunk.text)
            for chunk in chunks.values()
        ]
        self.keywords.apply(documents, changes.removed, Watermark(changes.sequence, self.catalog.lineage()))
        self.catalog.change_log.mark_searchable(changes.sequence)

    def link(self) -> None:
        """Extract the links of all texts."""
        links = LinkSync(self.catalog)
        while links.sync():
            pass

    def encode(self, encoder: Path | None = None) -> None:
        """Give every sentence its vector."""
        copy = VectorSync(self.layout.vectors, encoder or encoder_folder(), self.catalog, self.catalog.lineage())
        while copy.encode_some(Stop()):
            pass
        while copy.follow():
            pass
        copy.close()

    def keep(self, rows: Iterable[tuple[ChunkId, str, bytes]]) -> None:
        """Store vectors that a search encoded on demand, as the indexer does."""
        copy = VectorSync(self.layout.vectors, encoder_folder(), self.catalog, self.catalog.lineage())
        for chunk, encoder, data in rows:
            copy.keep(chunk, encoder, data)
        copy.close()

    def content(self, name: str, root: str = "home") -> ContentId:
        """Return the content of a file."""
        content = self.catalog.files.content_at(os.fsencode(self.files / root / name))
        assert content is not None
        return content

    def close(self) -> None:
        self.catalog.close()


_load = Encoder.load
_shipped = functools.cache(lambda threads: _load(encoder_folder(), threads))


@pytest.fixture(scope="package", autouse=True)
def loaded_once() -> Iterator[None]:
    """Load the shipped encoder once for all tests of this folder: each of hundreds of engines would load its own."""

    def load(folder: Path, threads: int = 1) -> Encoder:
        return _shipped(threads) if folder == encoder_folder() else _load(folder, threads)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Encoder, "load", load)
        yield


EVERYWHERE = Scope()

Ask = Callable[..., SearchResult]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[SmallLibrary]:
    library = SmallLibrary(tmp_path)
    library.add(FILES)
    yield library
    library.close()


@pytest.fixture(scope="module")
def library_to_read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    """The files in a library that all tests of a module read, and none changes."""
    library = SmallLibrary(tmp_path_factory.mktemp("library"))
    library.add(FILES)
    yield library
    library.close()


@pytest.fixture
def engine(library: SmallLibrary) -> Iterator[SearchEngine]:
    engine = SearchEngine(library.layout.folder)
    yield engine
    engine.close()


@pytest.fixture
def ask(engine: SearchEngine) -> Ask:
    """Return a function that searches by words unless told otherwise."""

    def search(
        query: str,
        mode: Mode = Mode.KEYWORD,
        limit: int = 10,
        scope: Scope = EVERYWHERE,
        per_file: int = 3,
        default_and: bool = False,
        published: bool = False,
    ) -> SearchResult:
        request = SearchRequest(query, mode, limit, scope, per_file, default_and, published=published)
        return engine.search(request, Stop())

    return search


def names(result: SearchResult) -> list[str]:
    """Return the names of the found files in order, each once."""
    return list(dict.fromkeys(hit.path.name for hit in result.hits))
