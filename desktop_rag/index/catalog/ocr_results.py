"""OCR results, stored per page and content hash, and the queue of pages that wait for OCR."""

from collections.abc import Collection
from dataclasses import dataclass

import msgspec

from desktop_rag.decoding import msgpack_decoder
from desktop_rag.documents.document import Document
from desktop_rag.documents.ocr.recognised_lines import RecognisedLine
from desktop_rag.errors import ProblemKind
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.database import marks
from desktop_rag.index.catalog.stored_values import MISSING
from desktop_rag.index.records import ContentId

_AVAILABLE = (
    "EXISTS (SELECT 1 FROM file JOIN folder ON folder.id = file.folder AND folder.removed_ns <= 0 "
    "AND folder.state = 'active' WHERE file.content = content.id)"
)
_VISIBLE = (
    "EXISTS (SELECT 1 FROM file JOIN folder ON folder.id = file.folder AND folder.removed_ns = 0 "
    "WHERE file.content = content.id)"
)
_Lines = tuple[RecognisedLine, ...]
_encode = msgspec.msgpack.Encoder().encode
_decode = msgpack_decoder(_Lines).decode


@dataclass(frozen=True, slots=True)
class Scan:
    """A content with scanned pages."""

    content: ContentId
    sha256: bytes


def next_scan(catalog: CatalogReader, without: Collection[ContentId]) -> Scan | None:
    """Return the newest available content with pages that wait for OCR."""
    found = catalog.database.row(
        tuple[ContentId, bytes],
        f"SELECT id, sha256 FROM content WHERE unread_pages > 0 AND state IN ('searchable', 'ready') AND {_AVAILABLE} "
        f"AND id NOT IN ({marks(len(without))}) ORDER BY id DESC LIMIT 1",
        tuple(without),
    )
    return Scan(*found) if found else None


def is_there(catalog: CatalogReader, scan: Scan) -> bool:
    """Return whether a content still exists unchanged."""
    known = "SELECT count(*) FROM content WHERE id = ? AND sha256 = ?"
    return catalog.database.number(known, (scan.content, scan.sha256)) > 0


def unread_pages(catalog: CatalogReader) -> int:
    """Return how many pages of the library wait for OCR."""
    return catalog.database.number(
        f"SELECT coalesce(sum(unread_pages), 0) FROM content WHERE unread_pages > 0 AND {_VISIBLE}"
    )


def what_is_missing(catalog: CatalogReader, content: ContentId) -> tuple[str, int]:
    """Return why not all of a content can be found ("" if it can), and how many of its pages wait for OCR."""
    sql = f"SELECT {MISSING}, unread_pages FROM content WHERE id = ?"
    return catalog.database.row(tuple[str, int], sql, (content,)) or ("", 0)


def keep(catalog: Catalog, scan: Scan, page: int, engine: str, lines: _Lines, failure: str = "") -> None:
    """Store the OCR result of a page, or its failure; the document is merged later."""
    catalog.database.execute(
        "INSERT OR REPLACE INTO recognised (sha256, page, engine, lines, failure) VALUES (?, ?, ?, ?, ?)",
        (scan.sha256, page, engine, _encode(lines), failure),
    )
    catalog.database.execute("UPDATE content SET unread_pages = max(1, unread_pages - 1) WHERE id = ?", (scan.content,))


def pages_read(catalog: CatalogReader, scan: Scan) -> dict[int, _Lines | None]:
    """Return the recognised lines of each processed page; None where OCR failed."""
    rows = catalog.database.rows(
        tuple[int, bytes, str], "SELECT page, lines, failure FROM recognised WHERE sha256 = ?", (scan.sha256,)
    )
    return {page: None if failure else _decode(lines) for page, lines, failure in rows}


def give_up(catalog: Catalog, scan: Scan) -> None:
    """Record that no page of a content waits for OCR any more."""
    catalog.database.execute("UPDATE content SET unread_pages = 0 WHERE id = ?", (scan.content,))


def document_of(catalog: CatalogReader, content: ContentId) -> Document:
    """Return a content as the document its reader returned."""
    facts = catalog.contents.by_id((content,))[content]
    layout = catalog.contents.layout(content)
    (kind,) = catalog.database.values(str, "SELECT partial_kind FROM content WHERE id = ?", (content,))
    return Document(
        format=facts.format,
        text=catalog.texts.whole(content),
        kinds=layout.kinds,
        title=facts.title,
        author=facts.author,
        created=facts.created,
        modified=facts.modified,
        language=facts.language,
        pages=layout.pages,
        boxes=layout.boxes,
        partial=facts.partial,
        partial_kind=ProblemKind(kind or ProblemKind.OTHER),
        structure=layout.structure,
        tags=facts.tags,
    )
