"""Tells which characters stand where on a page as it is shown, also on a rotated one."""

from array import array
from typing import TYPE_CHECKING

import msgspec

from desktop_rag.documents.render.painter_messages import PrintedText

if TYPE_CHECKING:
    import pymupdf

MAX_CHARACTERS = 50_000  # of one page; nobody selects more of it by hand


class _Character(msgspec.Struct):
    c: str
    bbox: tuple[float, float, float, float]


class _Span(msgspec.Struct):
    chars: list[_Character]


class _Line(msgspec.Struct):
    spans: list[_Span]


class _Block(msgspec.Struct):
    lines: list[_Line] = []


class _Text(msgspec.Struct):
    blocks: list[_Block]


def runs_of(page: "pymupdf.Page") -> tuple[PrintedText, ...]:
    """Return the runs of characters of a page in the order in which the file draws them."""
    runs: list[PrintedText] = []
    characters = 0
    for block in _text_of(page).blocks:
        for line in block.lines:
            run = _run(line)
            characters += len(run.text)
            if characters > MAX_CHARACTERS:
                return tuple(runs)
            if run.text.strip():
                runs.append(run)
    return tuple(runs)


def _text_of(page: "pymupdf.Page") -> _Text:
    import pymupdf
    from pymupdf import mupdf

    # Not Page.get_text: that gives places on the page before it is rotated.
    text = mupdf.FzStextPage(mupdf.fz_bound_page(page.this))
    device = mupdf.fz_new_stext_device(text, mupdf.FzStextOptions(pymupdf.TEXT_MEDIABOX_CLIP))
    mupdf.fz_run_page(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return msgspec.convert(pymupdf.TextPage(text).extractRAWDICT(), _Text)


def _run(line: _Line) -> PrintedText:
    letters: list[str] = []
    boxes = array("f")
    for span in line.spans:
        for character in span.chars:
            letter = character.c
            if len(letter) == 1:
                letters.append(" " if letter in "\r\n\t\0" else letter)
                boxes.extend(character.bbox)
    return PrintedText("".join(letters), boxes.tobytes())
