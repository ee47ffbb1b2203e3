"""The rectangles of lines contain their text: on generated pages, and on the PDFs of a folder."""

import os
from pathlib import Path

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.readers.geometry import check_document, check_folder
from desktop_rag.documents.format_registry import read_document
from tests.examples import examples

_FOLDER = os.environ.get("DESKTOP_RAG_PDF_FOLDER", "")
_MIN_EXACT = 0.995  # fraction of the lines of real files; charts overprint letters

_LATIN = "the harbour pays for its quay and for all cranes on it every year again"
_CHINESE = "房东每月第一天收取租金并且负责修理房屋和花园"


@st.composite
def pages_of_columns(draw: st.DrawFn) -> bytes:
    """Draw a file of pages in one to three columns, Latin or Chinese, rotated, with a title and page numbers."""
    with pymupdf.open() as file:
        for number in range(draw(st.integers(1, 4))):
            page = file.new_page(width=600, height=800)
            page.insert_text((60, 40), "Harbour report", fontsize=9)
            page.insert_text((60, 90), f"Chapter {number} on quays and cranes", fontsize=draw(st.sampled_from([9, 18])))
            columns = draw(st.integers(1, 3))
            size = draw(st.sampled_from([7, 9, 11]))
            for column in range(columns):
                _column(draw, page, 60 + 500 / columns * column, 500 / columns - 20, size)
            page.insert_text((290, 780), str(number + 1), fontsize=9)
            page.set_rotation(draw(st.sampled_from([0, 90, 180, 270])))
        return file.tobytes()


def _column(draw: st.DrawFn, page: pymupdf.Page, left: float, width: float, size: float) -> None:
    chinese = draw(st.booleans())
    text, font = (_CHINESE, "china-s") if chinese else (_LATIN, "helv")
    most = int(width / (size * (1.0 if chinese else 0.5)))
    top = draw(st.sampled_from([130, 130, 134.5]))  # lines need not be aligned
    for row in range(draw(st.integers(1, 12))):
        words = f"{row} {text}"[:most].strip()
        divided = not chinese and draw(st.booleans()) and words[-1].isalpha()
        page.insert_text((left, top + 1.3 * size * row), words + "-" * divided, fontsize=size, fontname=font)


@settings(max_examples=examples(25), deadline=None)
@given(pages_of_columns())
def test_every_line_is_inside_its_rectangle(data: bytes) -> None:
    document = read_document("a.pdf", data)
    geometry = check_document("a.pdf", document, data)
    assert geometry.lines >= 4
    assert geometry.mismatches == []


def test_a_line_outside_its_rectangle_is_detected() -> None:
    with pymupdf.open() as file:
        file.new_page().insert_text((72, 72), ["The first line", "The second line"])
        data = file.tobytes()
        file[0].insert_text((150, 72), "is longer now")
        changed = file.tobytes()
    (mismatch,) = check_document("a.pdf", read_document("a.pdf", changed), data).mismatches
    assert (mismatch.page, mismatch.line, mismatch.shown) == (1, 1, "Thefirstline")


@pytest.mark.skipif(not _FOLDER, reason="DESKTOP_RAG_PDF_FOLDER names no folder of PDF files")
def test_lines_of_real_files_are_inside_their_rectangles() -> None:
    geometry = check_folder(Path(_FOLDER))
    assert geometry.lines
    assert len(geometry.mismatches) <= (1 - _MIN_EXACT) * geometry.lines
