from collections.abc import Sequence

import pymupdf

PROSE = (
    "The tenant pays the rent on the first day of every month by bank transfer to the account of the landlord and "
    "keeps the flat in good order. The landlord repairs what wears out by normal use within a reasonable time. "
)


def make_pdf(pages: Sequence[str], **metadata: str) -> bytes:
    """Return a PDF with one text per page; an empty text makes an empty page."""
    with pymupdf.open() as file:
        for text in pages:
            page = file.new_page(width=595, height=842)
            if text:
                page.insert_textbox(pymupdf.Rect(72, 72, 523, 770), text, fontsize=11)
        file.set_metadata(metadata)
        return file.tobytes()


def a_scan() -> bytes:
    """Return a PNG like a scanned page."""
    with pymupdf.open() as file:
        file.new_page(width=100, height=100)
        return file[0].get_pixmap().tobytes("png")
