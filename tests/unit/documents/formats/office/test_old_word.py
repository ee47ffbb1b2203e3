"""Binary Word files: the text as a reader of it sees it, and damage of every kind."""

import io
import random
import struct
from pathlib import Path

import olefile
import pytest

from desktop_rag.documents.document import Document, LineKind, MarkKind
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import read_or_refuse, texts

# Written by LibreOffice from a text of our own.
SURVEY = (Path(__file__).parent / "survey.doc").read_bytes()
MAIN = SURVEY.index(b"\xec\xa5")  # the start of the stream WordDocument


@pytest.fixture(scope="module")
def survey() -> Document:
    return read_document("survey.doc", SURVEY)


def test_paragraphs_notes_and_comments_stand_in_their_order(survey: Document) -> None:
    assert texts("survey.doc", SURVEY) == [
        "The roof",
        "The roof of the boathouse leaks in three places; Müller & Søn, Łódź and 東京 were asked.",
        "[1] Offer of 4 March 2004.",
        "By post.",
        "See the offer for details. The end.",
        "Comment: Is this right?",
        "Costs",
        "Item\tQuantity\tPrice",
        "Slate\t400\t1,250.00",
        "Copper\t\t310.50",
        "• First ask the harbour master.",
        "• Then order the slate.",
        "A line",
        "broken in two, and an emoji 🙂 at the end.",
    ]


def test_headings_rows_and_lists_have_their_kinds(survey: Document) -> None:
    kinds = {line.text: (line.kind, line.level) for line in survey.lines()}
    assert kinds["The roof"] == (LineKind.HEADING, 1)
    assert kinds["Costs"] == (LineKind.HEADING, 2)
    assert kinds["Item\tQuantity\tPrice"] == (LineKind.ROW, 1)
    assert kinds["Slate\t400\t1,250.00"] == (LineKind.ROW, 0)
    assert kinds["• Then order the slate."][0] is LineKind.ITEM
    assert kinds["[1] Offer of 4 March 2004."][0] is LineKind.QUOTE


def test_links_keep_their_target_and_hidden_words_are_left_out(survey: Document) -> None:
    [link] = [mark for mark in survey.structure.each_mark() if mark.kind is MarkKind.LINK]
    assert (survey.text[link.start : link.end], link.target) == ("the offer", "https://example.org/roof")
    assert "Hidden" not in survey.text
    assert "Not for the board" not in survey.text  # in the second paragraph of a note
    assert "HYPERLINK" not in survey.text


def test_metadata_are_those_of_the_file(survey: Document) -> None:
    assert (survey.title, survey.author, survey.created) == ("Boathouse survey", "Ada Berg", "2004-03-05T10:00:00")
    assert survey.format == "word"


def _pieces_at() -> int:
    """Return the place of the table of pieces in the file."""
    table = olefile.OleFileIO(io.BytesIO(SURVEY)).openstream("1Table").read()
    offset, size = struct.unpack_from("<2I", SURVEY, MAIN + 0x1A2)
    pieces = table[offset : offset + size]
    return SURVEY.index(pieces) + pieces.index(b"\x02")


def test_encrypted_file_is_said_to_be_protected() -> None:
    data = bytearray(SURVEY)
    data[MAIN + 11] |= 1
    data[_pieces_at()] = 0x99  # the tables are encrypted, too
    with pytest.raises(DocumentError, match="protected by a password"):
        read_document("survey.doc", bytes(data))


def test_text_far_longer_than_the_file_is_damage() -> None:
    at = _pieces_at() + 1
    count = (int.from_bytes(SURVEY[at : at + 4], "little") - 4) // 12
    data = bytearray(SURVEY)
    data[at + 4 + 4 * count : at + 8 + 4 * count] = b"\xf0\xff\xff\xff"  # the end of the last piece
    with pytest.raises(DocumentError, match="damaged or not a Word file"):
        read_document("survey.doc", bytes(data))


def test_field_without_an_end_hides_its_own_paragraph_only() -> None:
    separated, ended = ("\x14the offer\x15".encode("utf-16-le"), "_the offer_".encode("utf-16-le"))
    assert SURVEY.count(separated) == 1
    found = texts("survey.doc", SURVEY.replace(separated, ended))
    assert "Copper\t\t310.50" in found
    assert found[-1] == "broken in two, and an emoji 🙂 at the end."


@pytest.mark.parametrize("length", [8, 600, 1_500, 4_000, 7_000, 10_000, 12_000])
def test_truncated_file_is_damaged_or_partly_read(length: int) -> None:
    read_or_refuse("survey.doc", SURVEY[:length])


def test_damaged_bytes_end_in_a_text_or_a_reason() -> None:
    chance = random.Random(97)
    for _ in range(400):
        data = bytearray(SURVEY)
        for _ in range(chance.randrange(1, 12)):
            data[chance.randrange(len(data))] = chance.choice((0, 1, 0x7F, 0xFF, chance.randrange(256)))
        read_or_refuse("survey.doc", bytes(data))
