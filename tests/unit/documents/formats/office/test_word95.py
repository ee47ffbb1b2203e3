"""Files of Word 2 to 95, written here byte by byte."""

import random
import struct

import pytest

from desktop_rag.documents.document import LineKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.mail.outlook_files import ole
from tests.unit.documents.formats.office.packages import read_or_refuse, shown, texts

_PAGE = 512
_TEXT_AT, _TABLES_AT, _PARAGRAPHS_AT, _RUNS_AT = 768, 2048, 5 * _PAGE, 6 * _PAGE
_STYLES, _REFERENCES, _NOTES, _RUNS, _PARAGRAPHS, _FONTS, _PIECES = 1, 2, 3, 12, 13, 15, 33
_IN_TABLE, _ROW_END, _HIDDEN, _INDENT = b"\x18\x01", b"\x19\x01", b"\x5c\x01", b"\x11\x68\x01"


def page(entries: list[tuple[int, int, bytes]], width: int) -> bytes:
    """Return a page of formats: where each begins and ends, and its bytes with their own length."""
    places, blobs, at = [], bytearray(_PAGE), _PAGE - 2
    for _, _, data in entries:
        at = (at - len(data)) & ~1
        blobs[at : at + len(data)] = data
        places.append(at // 2 if data else 0)
    bounds = [entries[0][0], *(last for _, last, _ in entries)]
    head = struct.pack(f"<{len(bounds)}I", *bounds) + b"".join(bytes([each]).ljust(width, b"\0") for each in places)
    blobs[: len(head)] = head
    blobs[-1] = len(entries)
    return bytes(blobs)


def paragraph(style: int, modifiers: bytes = b"") -> bytes:
    data = struct.pack("<H", style) + modifiers
    return bytes([(len(data) + 1) // 2]) + data


def styles(*built_in: int) -> bytes:
    each = b"".join(struct.pack("<HHHHH", 8, number, 0xFFF0, 0, 0) for number in built_in)
    return struct.pack("<H", 4) + struct.pack("<HH", len(built_in), 8) + each


def fonts(*charsets: int) -> bytes:
    listed = b"".join(bytes([8, 0, 0, 0, charset, 0]) + b"Ab\0" for charset in charsets)
    return struct.pack("<H", len(listed) + 2) + listed


def stream(
    paragraphs: list[tuple[bytes, bytes]],
    notes: list[tuple[int, bytes]] = [],  # noqa: B006 (never changed)
    hidden: bytes = b"",
    charsets: tuple[int, ...] = (0,),
    flags: int = 0,
    version: int = 0x68,
) -> bytes:
    """Return the main stream: paragraphs with their formats, notes with the place of their reference."""
    text = b"".join(words for words, _ in paragraphs)
    entries, at = [], _TEXT_AT
    for words, form in paragraphs:
        entries.append((at, at + len(words), form))
        at += len(words)
    ends = [0]
    for _, words in notes:
        ends.append(ends[-1] + len(words))
    tables = {
        _STYLES: styles(0, 1, 2),
        _FONTS: fonts(*charsets),
        _PARAGRAPHS: struct.pack("<2IH", _TEXT_AT, at, _PARAGRAPHS_AT // _PAGE),
        _RUNS: struct.pack("<2IH", _TEXT_AT, at, _RUNS_AT // _PAGE),
        _REFERENCES: struct.pack(f"<{len(notes) + 1}I", *(place for place, _ in notes), len(text))
        + bytes(2 * len(notes)),
        _NOTES: struct.pack(f"<{len(ends)}I", *ends),
    }
    main = bytearray(_RUNS_AT + _PAGE)
    struct.pack_into("<2H", main, 0, 0xA5DC, version)
    struct.pack_into("<H", main, 10, flags)
    whole = text + b"".join(words for _, words in notes)
    struct.pack_into("<2I", main, 24, _TEXT_AT, _TEXT_AT + len(whole))
    struct.pack_into("<2I", main, 52, len(text), ends[-1])
    main[_TEXT_AT : _TEXT_AT + len(whole)] = whole
    place = _TABLES_AT
    for index, data in tables.items():
        main[place : place + len(data)] = data
        struct.pack_into("<2I", main, 88 + 8 * index, place, len(data))
        place += len(data)
    main[_PARAGRAPHS_AT : _PARAGRAPHS_AT + _PAGE] = page(entries, 7)
    where = text.find(hidden) if hidden else 0
    runs = [(_TEXT_AT + where, _TEXT_AT + where + len(hidden), bytes([len(_HIDDEN)]) + _HIDDEN if hidden else b"")]
    main[_RUNS_AT : _RUNS_AT + _PAGE] = page(runs, 1)
    return bytes(main)


PLAIN = paragraph(0)
LOG = stream(
    [
        (b"The harbour\r", paragraph(1)),
        (b"Berths cost more secret since May\x02, caf\xe9s less.\r", PLAIN),
        (b"Berth\x07", paragraph(0, _INDENT + _IN_TABLE)),
        (b"Fee\x07", paragraph(0, _IN_TABLE)),
        (b"\x07", paragraph(0, _IN_TABLE + _ROW_END)),
        (b"North\x07", paragraph(0, _IN_TABLE)),
        (b"40\x07", paragraph(0, _IN_TABLE)),
        (b"\x07", paragraph(0, _IN_TABLE + _ROW_END)),
        (b"See \x13 PAGEREF fee \x1412\x15.\r", PLAIN),
    ],
    notes=[(44, b"\x02 As the board decided.\r")],
    hidden=b"secret ",
)


def test_headings_tables_notes_and_fields_are_read() -> None:
    assert shown(read_document("log.doc", ole({"WordDocument": LOG}))) == [
        ("HEADING", 1, "The harbour"),
        ("PARAGRAPH", 0, "Berths cost more since May, cafés less."),
        ("QUOTE", 1, "[1] As the board decided."),
        ("ROW", 1, "Berth\tFee"),
        ("ROW", 0, "North\t40"),
        ("PARAGRAPH", 0, "See 12."),
    ]


def test_pieces_of_a_fast_save_are_joined_in_their_order() -> None:
    main = bytearray(stream([(b"was raised.\rThe fee ", PLAIN)], flags=0x0004))
    pieces = struct.pack("<3I", 0, 8, 20) + b"".join(struct.pack("<HIH", 0, _TEXT_AT + at, 0) for at in (12, 0))
    data = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    main[1200 : 1200 + len(data)] = data
    struct.pack_into("<2I", main, 88 + 8 * _PIECES, 1200, len(data))
    assert texts("a.doc", ole({"WordDocument": bytes(main)})) == ["The fee was raised."]


def test_format_pages_that_a_fast_save_did_not_list_are_read() -> None:
    main = bytearray(LOG)
    struct.pack_into("<2I", main, 88 + 8 * _PARAGRAPHS, 0, 0)
    struct.pack_into("<H", main, 0x18C, _PARAGRAPHS_AT // _PAGE)
    struct.pack_into("<H", main, 0x190, 1)
    lines = read_document("log.doc", ole({"WordDocument": bytes(main)})).lines()
    assert next(iter(lines)).kind is LineKind.HEADING


@pytest.mark.parametrize(
    ("words", "charsets", "code_page"),
    [
        ("Лодки", (0, 204), "cp1251"),  # too short to tell its language
        ("Установка Setup Windows", (0, 2, 204), "cp1251"),
        ("Le café fermé était à côté", (0, 204), "cp1252"),  # the other font is not used
        ("Čtyři skóre a před sedmi lety", (0, 238), "cp1250"),
        ("港の料金", (128,), "cp932"),
    ],
)
def test_fonts_and_words_tell_the_code_page(words: str, charsets: tuple[int, ...], code_page: str) -> None:
    main = stream([(words.encode(code_page) + b"\r", PLAIN)], charsets=charsets)
    assert texts("a.doc", ole({"WordDocument": main})) == [words]


def test_word_of_two_bytes_a_character_is_read() -> None:
    main = stream([("港の料金\r".encode("utf-16-le"), PLAIN)], flags=0x1000)
    assert texts("a.doc", ole({"WordDocument": main})) == ["港の料金"]


def test_word_2_is_read_without_formats() -> None:
    main = bytearray(LOG)
    struct.pack_into("<2H", main, 0, 0xA5DB, 0x2D)
    assert texts("log.doc", bytes(main))[:2] == ["The harbour", "Berths cost more secret since May, cafés less."]


def test_password_of_an_old_file_is_told() -> None:
    main = stream([(b"No words.\r", PLAIN)], flags=0x0100)
    with pytest.raises(DocumentError, match="protected by a password"):
        read_document("a.doc", ole({"WordDocument": main}))


def test_damaged_bytes_end_in_a_text_or_a_reason() -> None:
    chance = random.Random(95)
    whole = ole({"WordDocument": LOG})
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 12)):
            data[chance.randrange(512, len(data))] = chance.choice((0, 1, 0x7F, 0xFF, chance.randrange(256)))
        read_or_refuse("log.doc", bytes(data))
