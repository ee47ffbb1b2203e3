"""Opens a PDF from its bytes, or says why it cannot be opened."""

from typing import TYPE_CHECKING

from desktop_rag.errors import DocumentError

if TYPE_CHECKING:
    import pymupdf


def open_pdf(data: bytes) -> "pymupdf.Document":
    """Open a PDF; raises `DocumentError` if it is damaged, protected or has no pages."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(on=False)
    pymupdf.TOOLS.mupdf_display_warnings(on=False)
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
        protected, count = document.needs_pass, document.page_count if not document.needs_pass else 0
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
        raise DocumentError("This PDF is damaged and cannot be opened.") from error
    if protected:
        raise DocumentError("This PDF is protected by a password; save a copy without one to have it read.")
    if count == 0:
        raise DocumentError("This PDF is damaged: none of its pages can be found.")
    return document
