import struct

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.books.djvu import BzzDamaged, unpack_bzz
from desktop_rag.documents.formats.source_file import ReadBudget
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import read_or_refuse, texts

_TEXT = b"Sow the marrowfat peas in April.\nLeeks follow in May, leeks follow in June.\n"
_RECORD = len(_TEXT).to_bytes(3, "big") + _TEXT + b"\1"
# The record as compressed by DjVuLibre's program `bzz`.
_BZZ = bytes.fromhex(
    "ffffaedffc4fdf3f67be58353dc3dfa0bfef6e70dccdebaf2b67d30b7a705760c88e4b1b4a537fb03ad3b3141586e67a5f2f"
    "0a528471e5a780c33bc100c9675c9f"
)


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack(">I", len(data)) + data + bytes(len(data) & 1)


def _page(*texts: tuple[bytes, bytes]) -> bytes:
    info = _chunk(b"INFO", struct.pack(">HH", 2550, 3300) + b"\x18\0" + struct.pack("<H", 300) + b"\x16\1")
    return b"DJVU" + info + b"".join(_chunk(name, data) for name, data in texts)


def _record(text: str) -> bytes:
    return len(text.encode()).to_bytes(3, "big") + text.encode() + b"\1zones"


def _book(*pages: bytes) -> bytes:
    forms = b"".join(_chunk(b"FORM", page) for page in pages)
    return b"AT&T" + _chunk(b"FORM", b"DJVM" + _chunk(b"DIRM", b"\x81\0\1") + _chunk(b"FORM", b"DJVI") + forms)


def test_packed_and_plain_text_layers_are_lines_on_their_pages() -> None:
    plain = (b"TXTa", _record("Erste Zeile\x0bZweite Zeile\x1f\x1dEnde\n"))
    document = read_document("a.djvu", _book(_page((b"TXTz", _BZZ)), _page(), _page(plain)))
    assert [(document.page_of(number), line.text) for number, line in enumerate(document.lines(), 1) if line.text] == [
        (1, "Sow the marrowfat peas in April."),
        (1, "Leeks follow in May, leeks follow in June."),
        (3, "Erste Zeile"),
        (3, "Zweite Zeile"),
        (3, "Ende"),
    ]
    assert (document.pages[0].width, document.pages[0].height) == (612.0, 792.0)
    assert document.format == "djvu"


def test_a_single_page_is_a_book() -> None:
    assert texts("a.djv", b"AT&T" + _chunk(b"FORM", _page((b"TXTa", _record("Alone"))))) == ["Alone"]


def test_a_book_without_text_and_what_is_none_say_so() -> None:
    with pytest.raises(DocumentError, match=r"no text layer; recognise its text with another program"):
        read_document("a.djvu", _book(_page()))
    with pytest.raises(DocumentError, match="damaged or not a DjVu book"):
        read_document("a.djvu", b"%!PS")


def test_a_damaged_page_costs_only_its_text() -> None:
    document = read_document("a.djvu", _book(_page((b"TXTz", _BZZ[:30])), _page((b"TXTa", _record("Still here")))))
    assert document.text.strip() == "Still here"
    assert "text of 1 page" in document.partial


def test_bzz_unpacks_what_the_reference_packed_and_refuses_damage() -> None:
    assert unpack_bzz(_BZZ, ReadBudget()) == _RECORD
    assert unpack_bzz(b"", ReadBudget()) == b""
    for at in range(len(_BZZ)):
        try:
            unpack_bzz(_BZZ[:at] + bytes((_BZZ[at] ^ 0x41,)) + _BZZ[at + 1 :], ReadBudget(seconds=5))
        except BzzDamaged:
            continue


def test_truncated_and_mutated_books_end_in_a_text_or_a_reason() -> None:
    data = _book(_page((b"TXTz", _BZZ)), _page((b"TXTa", _record("Text"))))
    for at in range(0, len(data), 3):
        read_or_refuse("a.djvu", data[:at])
        read_or_refuse("a.djvu", data[:at] + b"\xff\xff" + data[at + 2 :])
