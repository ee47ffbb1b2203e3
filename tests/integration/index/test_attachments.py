"""What a conversation has attached is indexed apart: only searches whose scope names it find it."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from desktop_rag.agent.run.cited_text import check_cited_text
from desktop_rag.errors import ProblemKind
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.database import Database, Row, Value
from desktop_rag.index.catalog.library_statistics import FolderCounts, folder_counts
from desktop_rag.index.folders.root_folders import add_root_folders, keep_attached
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FileStat, FolderId
from desktop_rag.mcp_server.document_resources import DocumentResources, ResourceError
from desktop_rag.retrieval.api import Attachment, DocumentQuery, Mode, Scope, SearchRequest
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.reading.attached_documents import find_attachments
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.index.conftest import write_documents
from tests.integration.index.running import add, ready, wait_until

pytestmark = pytest.mark.processes

EVERY_MODE = tuple(Mode)


@dataclass(frozen=True)
class Desk:
    """A library with three documents, and a file beside it that is attached; all are read."""

    client: LibraryClient
    library: Library
    engine: SearchEngine
    attached: Path


@contextmanager
def filled(folder: Path) -> Iterator[Desk]:
    """Index documents and attach a file to them."""
    attached = folder / "desk" / "offer.txt"
    attached.parent.mkdir()
    attached.write_text("The offer of the shipyard is 48,200 euros.\nThe mast is included.\n")
    library = Library(folder / "library")
    with closing(LibraryClient(library)) as client:
        add(client, write_documents(folder / "documents"))
        client.keep_attached((os.fsencode(attached),), Stop())
        wait_until(client, ready(3))
        with closing(SearchEngine(library.folder)) as engine:
            wait_for(engine, attached)
            yield Desk(client, library, engine, attached)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Yield a desk that tests only read."""
    with filled(tmp_path_factory.mktemp("desk")) as desk:
        yield desk


@pytest.fixture
def own_desk(tmp_path: Path) -> Iterator[Desk]:
    """Yield a desk that a test may change."""
    with filled(tmp_path) as desk:
        yield desk


@pytest.fixture
def engine(desk: Desk) -> SearchEngine:
    return desk.engine


@pytest.fixture
def attached(desk: Desk) -> Path:
    return desk.attached


def wait_for(engine: SearchEngine, *paths: Path) -> tuple[Attachment, ...]:
    stop = Stop()
    for _ in range(600):
        states = engine.attachments(tuple(map(os.fsencode, paths)), stop)
        if not any(state.waiting for state in states):
            return states
        stop.wait(0.1)
    raise AssertionError(states)


def scope_of(engine: SearchEngine, *paths: Path) -> Scope:
    states = engine.attachments(tuple(map(os.fsencode, paths)), Stop())
    return Scope(attached=tuple(state.folder for state in states if state.folder is not None))


@pytest.mark.parametrize("mode", EVERY_MODE)
def test_only_a_scope_that_names_it_finds_an_attached_file(engine: SearchEngine, attached: Path, mode: Mode) -> None:
    apart = engine.search(SearchRequest("mast", mode), Stop())
    assert "offer.txt" not in {hit.path.name for hit in apart.hits}
    together = engine.search(SearchRequest("mast", mode, scope=scope_of(engine, attached)), Stop())
    assert [hit.path.name for hit in together.hits][:2] == ["offer.txt", "boat.txt"]


def test_an_attached_file_is_not_counted_listed_or_explained_in_the_library(
    engine: SearchEngine, attached: Path, desk: Desk
) -> None:
    stop = Stop()
    assert engine.facts(Scope(), stop).files == 3
    assert engine.facts(scope_of(engine, attached), stop).files == 4
    assert engine.documents(DocumentQuery("offer"), stop).total == 0
    assert engine.documents(DocumentQuery("offer", scope_of(engine, attached)), stop).total == 1
    assert engine.facets(SearchRequest("mast", Mode.KEYWORD), stop).documents == 1
    assert engine.explain(attached, None, stop).content is None
    status = next(desk.client.follow(stop))
    assert [os.fsdecode(folder.path) for folder in status.folders] == [str(attached.parent.parent / "documents")]
    assert engine.search(SearchRequest("shipyrad", Mode.KEYWORD), stop).suggestion == ""
    near = SearchRequest("shipyrad", Mode.KEYWORD, scope=scope_of(engine, attached))
    assert engine.search(near, stop).suggestion == "shipyard"
    assert {term.text: term.documents for term in engine.clauses(SearchRequest("mast", Mode.KEYWORD), stop)} == {
        "mast": 1
    }


def test_other_programs_cannot_read_what_is_attached_by_its_hash(engine: SearchEngine, attached: Path) -> None:
    sha256 = hashlib.sha256(attached.read_bytes()).hexdigest()
    assert engine.lookup(sha256, None, Stop()) is not None
    with pytest.raises(ResourceError, match="no such document"):
        DocumentResources(engine).read(f"library://document/{sha256}", (), Stop())
    checked = check_cited_text(f"The mast is included [library://document/{sha256}].", engine, Stop())
    assert checked.citations == ()
    assert "no such document" in checked.unresolved[0].why


def test_chosen_folders_and_documents_are_searched_beside_what_is_attached(
    engine: SearchEngine, attached: Path, desk: Desk
) -> None:
    scope = scope_of(engine, attached)
    (folder,) = (status.folder for status in next(desk.client.follow(Stop())).folders)
    both = engine.search(SearchRequest("mast", Mode.KEYWORD, scope=Scope((folder,), (), scope.attached)), Stop())
    assert {hit.path.name for hit in both.hits} == {"offer.txt", "boat.txt"}
    (content,) = engine.attached_contents(scope_of(engine, attached).attached, Stop())
    one = engine.search(SearchRequest("mast", Mode.KEYWORD, scope=Scope((), (content,), scope.attached)), Stop())
    assert {hit.path.name for hit in one.hits} == {"offer.txt"}
    assert engine.search(SearchRequest("mast", Mode.KEYWORD, scope=Scope((), (content,))), Stop()).hits == ()


def test_what_is_chosen_of_the_library_does_not_hide_what_is_attached(engine: SearchEngine, attached: Path) -> None:
    others = (Filter(FileField.EXT, "docx"),)
    scope = replace(scope_of(engine, attached), filters=others)
    for mode in (Mode.KEYWORD, Mode.HYBRID):
        hits = engine.search(SearchRequest("mast", mode, scope=scope), Stop()).hits
        assert {hit.path.name for hit in hits} == {"offer.txt"}
    assert engine.search(SearchRequest("mast", Mode.KEYWORD, scope=scope, filters=others), Stop()).hits == ()
    assert engine.search(SearchRequest("mast", Mode.KEYWORD, scope=Scope(filters=others)), Stop()).hits == ()
    listed = engine.documents(DocumentQuery(scope=scope), Stop())
    assert [card.path for card in listed.cards] == [attached]
    facts = engine.facts(scope, Stop())
    assert (facts.files, facts.contents) == (1, 1)


def test_a_citation_of_an_attached_file_opens(engine: SearchEngine, attached: Path) -> None:
    stop = Stop()
    (hit,) = engine.search(SearchRequest("shipyard", Mode.KEYWORD, scope=scope_of(engine, attached)), stop).hits
    card = engine.lookup(hit.sha256, hit.path, stop)
    assert card is not None
    assert card.path == attached
    assert engine.read_lines(card.content, 1, 1, stop).lines == ("The offer of the shipyard is 48,200 euros.",)
    assert engine.read_chunks((hit.chunk,), stop)


def test_a_changed_file_is_read_again(own_desk: Desk) -> None:
    client, engine, attached = own_desk.client, own_desk.engine, own_desk.attached
    attached.write_text("The offer was withdrawn in March.\n")
    client.rescan(None, Stop())
    request = SearchRequest("withdrawn", Mode.KEYWORD, scope=scope_of(engine, attached))
    for _ in range(300):
        if found := engine.search(request, Stop()).hits:
            break
        Stop().wait(0.1)
    assert [hit.path for hit in found] == [attached]


def test_what_is_not_attached_any_more_is_gone(own_desk: Desk) -> None:
    client, library, engine, attached = own_desk.client, own_desk.library, own_desk.engine, own_desk.attached
    scope = scope_of(engine, attached)
    client.keep_attached((), Stop())
    assert engine.search(SearchRequest("shipyard", Mode.KEYWORD, scope=scope), Stop()).hits == ()
    assert engine.attachments((os.fsencode(attached),), Stop()) == (Attachment(os.fsencode(attached), waiting=1),)
    with closing(Catalog.open(library.catalog)) as catalog:
        assert catalog.folders.attached() == ()
        assert not catalog.folders.erase_removed(2**62)
        assert catalog.database.number("SELECT count(*) FROM folder") == 1


def test_an_unreadable_attachment_says_why(client: LibraryClient, library: Library, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing follows")
    client.keep_attached((os.fsencode(broken),), Stop())
    with closing(SearchEngine(library.folder)) as engine:
        (state,) = wait_for(engine, broken)
    assert (state.searchable, state.unread) == (0, 1)
    assert state.reason


def test_a_folder_is_attached_with_its_files(client: LibraryClient, library: Library, documents: Path) -> None:
    client.keep_attached((os.fsencode(documents),), Stop())
    with closing(SearchEngine(library.folder)) as engine:
        (state,) = wait_for(engine, documents)
        assert state.searchable == 3
        assert engine.facts(Scope(), Stop()).files == 0
        found = engine.search(SearchRequest("spruce", Mode.KEYWORD, scope=scope_of(engine, documents)), Stop())
    assert [hit.path.name for hit in found.hits] == ["boat.txt"]


def test_an_empty_folder_is_known_to_be_empty_after_its_scan(
    client: LibraryClient, library: Library, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    client.keep_attached((os.fsencode(empty),), Stop())
    with closing(SearchEngine(library.folder)) as engine:
        (state,) = wait_for(engine, empty)
        assert (state.files, state.waiting) == (0, 0)
        (empty / "late.txt").write_text("The keel is made of oak.")
        wait_until(client, lambda _: engine.attachments((os.fsencode(empty),), Stop())[0].searchable == 1)


def test_a_look_at_a_big_folder_reads_counts_not_files(
    catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.fsencode(tmp_path)
    stat = FileStat(1, 2, 3, 4, 5)
    with catalog.transaction():
        folder = catalog.folders.attach(path, is_file=False)
        for number in range(500):
            catalog.files.skip(folder, b"%d.bin" % number, stat, "Not a document.", ProblemKind.TYPE)
    fetched: list[int] = []
    rows = Database.rows

    def counting(self: Database, kind: type[Row], sql: str, values: Sequence[Value] = ()) -> list[Row]:
        found = rows(self, kind, sql, values)
        fetched.append(len(found))
        return found

    monkeypatch.setattr(Database, "rows", counting)
    (state,) = find_attachments(catalog, [path])
    assert (state.unread, state.reason) == (500, "Not a document.")
    assert sum(fetched) <= 4


def test_a_file_of_the_library_is_not_read_twice(catalog: Catalog, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("text")
    path = os.fsencode(file)
    (root,) = add_root_folders(catalog, [path]).folders
    assert keep_attached(catalog, [path]).folders == ()
    assert catalog.folders.attached() == ()
    assert [folder.id for folder in catalog.folders.all()] == [root]


def test_an_attached_file_becomes_part_of_the_library(catalog: Catalog, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("text")
    path = os.fsencode(file)
    (attached,) = keep_attached(catalog, [path]).folders
    assert catalog.folders.all() == ()
    assert add_root_folders(catalog, [path]).folders == (attached,)
    assert keep_attached(catalog, []).folders == ()
    assert [folder.id for folder in catalog.folders.all()] == [attached]


def test_a_missing_file_is_refused_and_one_that_went_missing_is_kept(catalog: Catalog, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("text")
    path, gone = os.fsencode(file), os.fsencode(tmp_path / "never.txt")
    added = keep_attached(catalog, [path, gone])
    assert len(added.folders) == 1
    assert added.refused == ((gone, "It cannot be opened: No such file or directory."),)
    file.unlink()
    assert keep_attached(catalog, [path]).refused == ()
    assert [folder.path for folder in catalog.folders.attached()] == [path]


def test_a_scan_that_ends_between_two_questions_leaves_no_file_out(
    catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.fsencode(tmp_path / "offer.txt")
    folder = catalog.folders.add(path, is_file=True)

    def counted(reader: CatalogReader, only: FolderId) -> dict[FolderId, FolderCounts]:
        found = folder_counts(reader, only)
        catalog.folders.note_scanned(folder)
        return found

    monkeypatch.setattr("desktop_rag.retrieval.reading.attached_documents.folder_counts", counted)
    with closing(CatalogReader.open(catalog.database.path)) as reader:
        (state,) = find_attachments(reader, (path,))
    assert state.waiting == 1
