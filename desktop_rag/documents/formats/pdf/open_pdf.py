"""Opens PDFs from their bytes, and what every user of MuPDF needs: its exceptions and the size of a page."""

import re
from typing import TYPE_CHECKING

from desktop_rag.errors import DocumentError, ProblemKind

if TYPE_CHECKING:
    import pymupdf

_ENCRYPTED = re.compile(rb"/Encrypt\s+(\d{1,10})\s+(\d{1,5})\s+R\b")
_A4 = (595.0, 842.0)  # points


def mupdf_errors(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """Return `others` and what PyMuPDF raises for damaged files; a function, because MuPDF is imported lazily."""
    import pymupdf

    return RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase, *others


def open_with_mupdf(data: bytes, suffix: str) -> "pymupdf.Document":
    """Open a file of the type that its `suffix` names, without MuPDF's messages on stderr; raises `mupdf_errors()`."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(on=False)
    pymupdf.TOOLS.mupdf_display_warnings(on=False)
    return pymupdf.open(stream=data, filetype=suffix)


def open_pdf(data: bytes) -> "pymupdf.Document":
    """Open a PDF; raises `DocumentError` if it is damaged, protected or has no pages."""
    try:
        document = open_with_mupdf(data, "pdf")
        protected = document.needs_pass  # MuPDF tries an empty password each time
        if protected and only_attachments_protected(data):
            document = open_with_mupdf(_ENCRYPTED.sub(lambda found: b" " * len(found[0]), data), "pdf")
            protected = document.needs_pass
        count = 0 if protected else document.page_count
    except mupdf_errors() as error:
        raise DocumentError("This PDF is damaged and cannot be opened.", ProblemKind.DAMAGED) from error
    if protected:
        raise DocumentError(
            "This PDF is protected by a password; save a copy without one to have it read.", ProblemKind.PROTECTED
        )
    if count == 0:
        raise DocumentError("This PDF is damaged: none of its pages can be found.", ProblemKind.DAMAGED)
    return document


def only_attachments_protected(data: bytes) -> bool:
    """Return whether only the files in an encrypted PDF are, not its pages and texts (ISO 32000-1, 7.6.5)."""
    references = _ENCRYPTED.findall(data)
    if not references:
        return False
    number, generation = references[-1]  # the last trailer is in force
    pattern = rb"(?<!\d)" + number + rb"\s+" + generation + rb"\s+obj(.{1,4096}?)endobj"
    found = re.search(pattern, data, re.S)
    facts = found[1] if found is not None else b""
    plain = all(re.search(rb"/" + name + rb"\s*/(?!Identity\b)", facts) is None for name in (b"StmF", b"StrF"))
    return plain and re.search(rb"/EFF\s*/", facts) is not None


def page_size(document: "pymupdf.Document", number: int) -> tuple[float, float]:
    """Return width and height of page `number` (from 0) in points, after rotation; A4 for a damaged page."""
    from pymupdf import mupdf

    try:
        shown = mupdf.fz_bound_page(document.load_page(number).this)
    except mupdf_errors():
        return _A4
    return shown.x1 - shown.x0, shown.y1 - shown.y0
