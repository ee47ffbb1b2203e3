"""Lookup of the document of a citation by hash or path."""

import hashlib
from pathlib import Path

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.chunking import split
from desktop_rag.documents.document import Line
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileStat, FolderId
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop


def put(catalog: Catalog, folder: FolderId, text: str) -> str:
    """Let the file `note.txt` hold `text`; return its hash."""
    builder = DocumentBuilder("text")
    builder.add(Line(text))
    document = builder.build()
    digest = hashlib.sha256(text.encode()).digest()
    catalog.files.queue(folder, b"note.txt", FileStat(len(text), 1, 1, 1))
    with catalog.transaction():
        content = catalog.contents.by_hash(digest) or catalog.contents.store(digest, document, split(document))
        catalog.files.link(catalog.files.of_folder(folder)[b"note.txt"].id, content)
    return digest.hex()


def test_a_changed_file_is_found_by_its_path_and_its_old_text_by_its_hash(tmp_path: Path) -> None:
    library = Library(tmp_path)
    catalog = Catalog.open(library.catalog)
    folder = catalog.folders.add(b"/notes", is_file=False)
    old = put(catalog, folder, "The old words.")
    engine = SearchEngine(library.folder)
    here = engine.lookup(old, Path("/notes/note.txt"), Stop())
    new = put(catalog, folder, "The new words.")
    changed = engine.lookup(old, Path("/notes/note.txt"), Stop())
    remembered = engine.lookup(old, Path("/notes/other.txt"), Stop())
    engine.close()
    catalog.close()
    assert here is not None
    assert (here.sha256, here.path) == (old, Path("/notes/note.txt"))
    assert changed is not None
    assert changed.sha256 == new
    assert remembered is not None
    assert (remembered.sha256, remembered.path) == (old, None)
