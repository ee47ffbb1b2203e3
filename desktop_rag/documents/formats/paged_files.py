"""Opens every file that has pages: PDFs, pictures and e-books, with MuPDF."""

import io
from typing import TYPE_CHECKING

from desktop_rag.documents import file_types
from desktop_rag.documents.file_types import suffix_of
from desktop_rag.documents.formats.pdf.open_pdf import mupdf_errors, open_pdf, open_with_mupdf
from desktop_rag.errors import DocumentError, ProblemKind

if TYPE_CHECKING:
    import pymupdf

PICTURES = frozenset(
    (
        *("png", "jpg", "jpeg", "jpe", "jfif", "gif", "bmp", "tif", "tiff", "jp2"),
        *("pnm", "pgm", "ppm", "pbm", "webp", "avif"),
    )
)
_FIRST_RECORD = 78  # where the list of records begins (Palm database)
_HUFFMAN = 17480
KINDLE = frozenset(("mobi", "azw", "azw3", "prc"))
BOOKS = frozenset(("epub", "fb2", "xps", "oxps", "cbz", *KINDLE))


def has_pages(name: str) -> bool:
    """Return whether a file of this name can be rendered as pages."""
    suffix = suffix_of(name)
    return suffix == "pdf" or suffix in PICTURES or suffix in BOOKS


def open_paged(name: str, data: bytes) -> "pymupdf.Document":
    """Open a PDF, a picture or an e-book; raises `DocumentError` with a sentence for the user."""
    suffix = suffix_of(name)
    if data.startswith(file_types.PDF) or not has_pages(name) or suffix == "pdf":
        return open_pdf(data)
    if suffix in KINDLE:
        _refuse_unreadable(data)
    try:
        if suffix in ("webp", "avif"):  # not supported by MuPDF
            data, suffix = _as_png(data), "png"
        document = open_with_mupdf(data, "mobi" if suffix in KINDLE else suffix)
        count = document.page_count
        if count:
            document.load_page(0)  # pictures are decoded only here
    except mupdf_errors() as error:
        raise DocumentError(f"This .{suffix} file is damaged or has the wrong suffix.", ProblemKind.DAMAGED) from error
    if count == 0:
        raise DocumentError(f"This .{suffix} file has no pages.", ProblemKind.EMPTY)
    return document


def _refuse_unreadable(book: bytes) -> None:
    """Raise `DocumentError` for a Kindle book whose first record says that it is encrypted or Huffman-coded."""
    start = int.from_bytes(book[_FIRST_RECORD : _FIRST_RECORD + 4], "big")
    if int.from_bytes(book[start + 12 : start + 14], "big"):
        raise DocumentError(
            "This e-book is copy-protected by its shop, and cannot be read here.", ProblemKind.PROTECTED
        )
    if int.from_bytes(book[start : start + 2], "big") == _HUFFMAN:
        raise DocumentError("This e-book is packed in a way that is not read; convert it to EPUB, as Calibre does.")


def _as_png(data: bytes) -> bytes:
    """Return the first frame of a picture as PNG; raises `ValueError`."""
    from PIL import Image

    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(data)) as picture:
            picture.convert("RGBA" if "A" in picture.getbands() else "RGB").save(out, "PNG", compress_level=1)
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError(str(error)) from error
    return out.getvalue()
