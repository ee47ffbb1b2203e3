"""The documents that answers cite: files of the data pack, stored in a library."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.documents.chunking import split
from desktop_rag.documents.document import Document
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import BenchError
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.library import Library
from desktop_rag.index.records import ContentId, FileStat

PDF_BYTES = 2_000_000  # larger ones take long to read
ARTICLES, CHATS, ABSTRACTS, PASSAGES, PAPERS = 60, 60, 120, 80, 6  # documents or questions of each set
_SLUG = re.compile(r"[^\w-]+")


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A file that answers cite; `collection` is the set it comes from, `title` the title as the set gives it."""

    name: str
    data: bytes
    collection: str
    title: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as the reader of its format read it, with its number in the library."""

    source: SourceDocument
    document: Document
    content: ContentId

    @property
    def name(self) -> str:
        """The file name."""
        return self.source.name

    def lines(self, first: int = 1, last: int = 0) -> list[str]:
        """Return the texts of a range of lines, by default all."""
        count = self.document.line_count
        return [self.document.line(n).text for n in range(max(first, 1), min(last or count, count) + 1)]


def data_pack_documents(folder: Path) -> list[SourceDocument]:
    """Return the same selection of documents of every set each time; raise `BenchError` if there is none."""
    found = [
        *_files(folder / "qa/financebench/pdfs", "*.pdf", "financebench", 99),
        *_files(folder / "qa/aragog/pdfs", "*.pdf", "aragog", PAPERS),
        *_files(folder / "qa/squad_txt/articles", "*.txt", "squad", ARTICLES),
        *_files(folder / "qa/lihua_world", "**/week*/*.txt", "lihua", CHATS),
        *_passages(folder / "ir/scifact_train", "scifact", ABSTRACTS),
    ]
    for name in ("hotpotqa", "2wikimultihopqa", "musique"):
        found += _passages(folder / "multihop" / name, name, PASSAGES)
    if not found:
        raise BenchError(f"{folder} holds none of the sets. Name the folder of the data pack: --data FOLDER")
    return list({document.name: document for document in found}.values())


def store(library: Library, documents: Iterable[SourceDocument]) -> dict[str, StoredDocument]:
    """Read documents as the indexer does, store them in the library's catalog, and return them by name."""
    stored: dict[str, StoredDocument] = {}
    with closing(Catalog.open(library.catalog)) as catalog:
        folder = catalog.folders.add(os.fsencode(library.folder / "files"), is_file=False)
        for number, source in enumerate(documents, 1):
            document = read_document(source.name, source.data)
            name = os.fsencode(source.name)
            catalog.files.queue(folder, name, FileStat(len(source.data), 0, number, 0))
            content = catalog.contents.store(hashlib.sha256(source.data).digest(), document, split(document))
            with catalog.transaction():
                catalog.files.link(catalog.files.of_folder(folder)[name].id, content)
            stored[source.name] = StoredDocument(source, document, content)
    return stored


def _files(folder: Path, pattern: str, collection: str, most: int) -> Iterator[SourceDocument]:
    paths = (path for path in folder.glob(pattern) if path.stat().st_size <= PDF_BYTES)
    for path in sorted(paths, key=lambda path: _order(path.name))[:most]:
        title = path.stem.replace("_", " ")
        yield SourceDocument(path.name, path.read_bytes(), collection, title)


def _passages(folder: Path, collection: str, most: int) -> Iterator[SourceDocument]:
    """Yield the gold passages of some questions, each as a Markdown file with its title as heading."""
    if not folder.is_dir():
        return
    passages = {str(record["id"]): record for record in _records(folder / "corpus.jsonl")}
    questions = sorted(_records(folder / "queries.jsonl"), key=lambda record: _order(str(record["id"])))
    graded = _graded(folder / "qrels.tsv")
    for question in questions[:most]:
        gold = question.get("gold")
        names = gold if isinstance(gold, list) else graded.get(str(question["id"]), ())
        for passage in (passages[str(name)] for name in names if str(name) in passages):
            title, text = str(passage.get("title", "")), str(passage["text"])
            asked = str(question.get("question") or question.get("text") or "")
            name = f"{_SLUG.sub('_', title)[:80].strip('_')}.md"
            yield SourceDocument(name, f"# {title}\n\n{text}\n".encode(), collection, title, asked)


def _records(file: Path) -> list[Mapping[str, object]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def _graded(file: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        question, passage, grade = line.split("\t")
        if grade.isdigit() and int(grade):
            found.setdefault(question, []).append(passage)
    return found


def _order(name: str) -> str:
    """Return a key that sorts names in a fixed random order."""
    return hashlib.sha256(name.encode()).hexdigest()
