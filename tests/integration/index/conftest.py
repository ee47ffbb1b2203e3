"""A real catalog on disk, documents to put into it, and a real indexer that reads real files."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pymupdf
import pytest

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.chunking import split
from desktop_rag.documents.document import Document, Line
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import ContentId, FileStat, FolderId

Put = Callable[[FolderId, bytes, str], ContentId]


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    catalog = Catalog.open(tmp_path / "library" / "catalog.sqlite")
    yield catalog
    catalog.close()


def document_of(text: str) -> Document:
    builder = DocumentBuilder("text")
    for line in text.split("\n"):
        builder.add(Line(line))
    return builder.build()


@pytest.fixture
def put(catalog: Catalog) -> Put:
    """Return a function that notes a file, reads `text` as its content and links both."""

    def store(folder: FolderId, path: bytes, text: str) -> ContentId:
        digest = hashlib.sha256(text.encode()).digest()
        document = document_of(text)
        catalog.files.queue(folder, path, FileStat(len(text), 1, 1, 1))
        file = catalog.files.of_folder(folder)[path]
        with catalog.transaction():
            content = catalog.contents.by_hash(digest) or catalog.contents.store(digest, document, split(document))
            catalog.files.link(file.id, content)
        return content

    return store


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library")


@pytest.fixture
def client(library: Library) -> Iterator[LibraryClient]:
    client = LibraryClient(library)
    yield client
    client.close()


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "documents")


def write_documents(folder: Path) -> Path:
    """Write three documents, an empty file and one that is no text."""
    (folder / "deep").mkdir(parents=True)
    (folder / "lease.md").write_text("# Lease\n\nThe rent is 1,200 euros. It is due monthly.\n")
    (folder / "deep" / "boat.txt").write_text("The mast is made of spruce.\nThe keel is oak.\n")
    (folder / "empty.txt").write_bytes(b"")
    (folder / "picture.bin.txt").write_bytes(bytes(range(256)) * 64)
    pdf = pymupdf.open()
    pdf.new_page().insert_text((72, 72), "The audit was made in November.")
    (folder / "audit.pdf").write_bytes(pdf.tobytes())
    pdf.close()
    return folder
