"""What stays because an answer cites it, and what is forgotten down to the last byte."""

import hashlib
import time
from contextlib import closing
from pathlib import Path

import psutil

from desktop_rag.index.catalog import quarantine
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from tests.integration.index.conftest import Put
from tests.integration.index.running import add, process_of, ready, settled, wait_until, wrong_in

MARK = b"xylophone"
TEXT = "The keel is oak.\nThe word that tells is xylophone.\nThe mast is spruce.\n"


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def let_time_pass(catalog: Catalog) -> None:
    """Do what the indexer does when the retention of orphans is over."""
    catalog.contents.discard_orphans(0)
    catalog.contents.discard_orphans(time.time_ns())
    while catalog.contents.erase_some():
        pass


def remove(catalog: Catalog, folder: FolderId, path: bytes) -> None:
    catalog.files.remove(catalog.files.of_folder(folder)[path].id)


def holds_mark(folder: Path) -> list[str]:
    """Return the files in which the telling word stands."""
    return [str(file) for file in folder.rglob("*") if file.is_file() and MARK in file.read_bytes().lower()]


def test_a_content_without_a_file_goes_unless_an_answer_cites_it(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    cited, other = put(folder, b"cited.txt", TEXT), put(folder, b"other.txt", "nothing of note")
    quarantine.keep_cited(catalog, [digest(TEXT)])
    remove(catalog, folder, b"cited.txt")
    remove(catalog, folder, b"other.txt")
    let_time_pass(catalog)
    assert set(catalog.contents.by_id([cited, other])) == {cited}
    assert catalog.texts.whole(cited) == TEXT


def test_a_content_goes_once_the_last_answer_that_cites_it_is_deleted(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    content = put(folder, b"cited.txt", TEXT)
    quarantine.keep_cited(catalog, [digest(TEXT)])
    remove(catalog, folder, b"cited.txt")
    let_time_pass(catalog)
    quarantine.keep_cited(catalog, [])
    let_time_pass(catalog)
    assert catalog.contents.by_id([content]) == {}


def test_a_cited_content_whose_file_comes_back_is_not_read_again(catalog: Catalog, put: Put) -> None:
    folder = catalog.folders.add(b"/a", is_file=False)
    content = put(folder, b"cited.txt", TEXT)
    quarantine.keep_cited(catalog, [digest(TEXT)])
    remove(catalog, folder, b"cited.txt")
    let_time_pass(catalog)
    assert put(folder, b"again.txt", TEXT) == content


def test_what_would_be_gone_with_a_folder_is_what_lies_nowhere_else(catalog: Catalog, put: Put) -> None:
    first, second = catalog.folders.add(b"/a", is_file=False), catalog.folders.add(b"/b", is_file=False)
    put(first, b"own.txt", TEXT)
    put(first, b"shared.txt", "in both")
    put(second, b"shared.txt", "in both")
    assert quarantine.contents_only_in(catalog, first) == (digest(TEXT),)


def test_forgetting_a_folder_takes_what_answers_cite_from_it_and_leaves_what_lies_elsewhere(
    catalog: Catalog, put: Put
) -> None:
    first, second = catalog.folders.add(b"/a", is_file=False), catalog.folders.add(b"/b", is_file=False)
    own, lost = put(first, b"own.txt", TEXT), put(first, b"lost.txt", "deleted long ago")
    shared = put(first, b"shared.txt", "in both")
    put(second, b"shared.txt", "in both")
    quarantine.keep_cited(catalog, map(digest, (TEXT, "deleted long ago", "in both")))
    remove(catalog, first, b"lost.txt")
    let_time_pass(catalog)
    quarantine.forget(catalog, first, [digest("deleted long ago")])
    while catalog.contents.erase_some():
        pass
    assert set(catalog.contents.by_id([own, lost, shared])) == {shared}
    assert quarantine.is_forgetting(catalog)


def test_no_byte_of_an_erased_text_stays_in_the_catalogs_files(catalog: Catalog, put: Put, tmp_path: Path) -> None:
    folder, other = catalog.folders.add(b"/a", is_file=False), catalog.folders.add(b"/b", is_file=False)
    for number in range(300):  # enough for rows to move between pages
        put(folder, b"%d.txt" % number, f"{number} {TEXT}" * (number % 40 + 1))
        put(other, b"%d.txt" % number, f"Page {number} of a diary.\n" * (number % 17 + 1))
        if number % 3 == 0:
            remove(catalog, folder, b"%d.txt" % number)
            let_time_pass(catalog)
    quarantine.forget(catalog, folder, [])
    while catalog.contents.erase_some():
        pass
    assert quarantine.overwrite(catalog)
    assert holds_mark(tmp_path / "library") == []


def test_a_deleted_file_that_an_answer_cites_is_not_found_but_can_be_read(
    client: LibraryClient, library: Library, tmp_path: Path
) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "cited.txt").write_text(TEXT)
    (documents / "other.txt").write_text("Nothing of note.\n")
    add(client, documents)
    wait_until(client, ready(2))
    client.keep_cited((digest(TEXT),), Stop())
    (documents / "cited.txt").unlink()
    wait_until(client, ready(1))
    with closing(SearchEngine(library.folder)) as engine:
        for mode in Mode:
            hits = engine.search(SearchRequest("xylophone", mode=mode), Stop()).hits
            assert [hit.path.name for hit in hits if hit.path.name == "cited.txt"] == []
        card = engine.lookup(digest(TEXT).hex(), documents / "cited.txt", Stop())
        assert card is not None
        assert card.path is None
        assert "xylophone" in engine.read_lines(card.content, 2, 1, Stop()).lines[0]


def forget(client: LibraryClient, folder: FolderId) -> None:
    client.forget(folder, (), Stop())
    wait_until(client, lambda status: settled(status) and not status.forgetting)


def test_a_forgotten_folder_leaves_no_byte_of_its_text_in_the_library(
    client: LibraryClient, library: Library, tmp_path: Path
) -> None:
    secret, kept = tmp_path / "secret", tmp_path / "kept"
    for folder in (secret, kept):
        folder.mkdir()
    for number in range(12):
        (secret / f"{number} xylophone.txt").write_text(f"{number} {TEXT}" * (number + 1))
        (kept / f"{number}.txt").write_text(f"The {number}th oar is ash.\n")
    known = add(client, secret)
    add(client, kept)
    wait_until(client, ready(24))
    assert holds_mark(library.folder)
    (secret / "0 xylophone.txt").unlink()
    wait_until(client, ready(23))
    library.catalog.with_name("catalog.sqlite.damaged-1").write_bytes(b"the xylophone of an older catalog")
    forget(client, known)
    assert holds_mark(library.folder) == []
    with closing(SearchEngine(library.folder)) as engine:
        assert engine.search(SearchRequest("xylophone", mode=Mode.KEYWORD), Stop()).hits == ()
        assert engine.search(SearchRequest("oar", mode=Mode.KEYWORD), Stop()).hits
    assert wrong_in(library) == []


def test_a_killed_indexer_goes_on_forgetting(client: LibraryClient, library: Library, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    for number in range(200):
        (secret / f"{number}.txt").write_text(f"{number} {TEXT}")
    known = add(client, secret)
    wait_until(client, lambda status: status.folders[0].searchable > 50)
    client.forget(known, (), Stop())
    process = process_of(library)
    process.kill()
    psutil.wait_procs([process], timeout=60)
    wait_until(client, lambda status: settled(status) and not status.forgetting)
    assert holds_mark(library.folder) == []
    assert wrong_in(library) == []
