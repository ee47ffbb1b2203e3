"""Binary PowerPoint files: slides in order with their text boxes, tables and notes, and damage of every kind."""

import gzip
import random
import struct
from pathlib import Path

import pytest

from desktop_rag.documents.document import Document
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.mail.outlook_files import Storage, ole
from tests.unit.documents.formats.office.packages import read_or_refuse, texts

# Written by LibreOffice from slides of our own.
PLAN = gzip.decompress((Path(__file__).parent / "harbour_plan.ppt.gz").read_bytes())


@pytest.fixture(scope="module")
def plan() -> Document:
    return read_document("plan.ppt", PLAN)


def test_slides_stand_in_order_with_their_notes() -> None:
    assert texts("plan.ppt", PLAN) == [
        "Harbour plan",
        "Dredge the basin in spring",
        "Renew the Łódź crane",
        "A free text box",
        "Notes: Thank the board first.",
        "Costs",
        "Crane",
        "48,000",
    ]


def test_slides_are_sections(plan: Document) -> None:
    assert [section.label for section in plan.structure.sections] == ["Slide 1", "Slide 2"]
    assert (plan.title, plan.author, plan.format) == ("Harbour plan", "Ada Berg", "slides")


@pytest.mark.parametrize("length", [8, 3_000, 50_000, 200_000, 400_000])
def test_truncated_file_is_damaged_or_partly_read(length: int) -> None:
    read_or_refuse("plan.ppt", PLAN[:length])


def test_damaged_bytes_end_in_a_text_or_a_reason() -> None:
    chance = random.Random(97)
    for _ in range(150):
        data = bytearray(PLAN)
        for _ in range(chance.randrange(1, 200)):
            data[chance.randrange(len(data))] = chance.choice((0, 1, 0x7F, 0xFF, chance.randrange(256)))
        read_or_refuse("plan.ppt", bytes(data))


def test_encrypted_file_is_said_to_be_protected() -> None:
    plain, encrypted = (0xE391C05F).to_bytes(4, "little"), (0xF3D1C4DF).to_bytes(4, "little")
    assert plain in PLAN
    with pytest.raises(DocumentError, match="protected by a password"):
        read_document("plan.ppt", PLAN.replace(plain, encrypted))


_WORDS_95 = "Größe des Hafens\r\rDrei Liegeplätze\x0bfür Gäste\r".encode("cp1252")


def test_words_of_powerpoint_95_are_read() -> None:
    streams = {"Current User": b"\x03\0\0\0Ada", "PowerPoint Document": bytes(64), "Text_Content": _WORDS_95}
    assert texts("old.ppt", ole(streams)) == ["Größe des Hafens", "Drei Liegeplätze", "für Gäste"]


def test_of_a_file_for_both_versions_the_newer_part_is_read() -> None:
    words = "Harbour".encode("utf-16-le")
    slide = struct.pack("<2HI", 0, 0x03F3, 20) + bytes(20) + struct.pack("<2HI", 0, 0x0FA0, len(words)) + words
    listed = struct.pack("<2HI", 0x0F, 0x0FF0, len(slide)) + slide
    newer = {"PowerPoint Document": struct.pack("<2HI", 0x0F, 0x03E8, len(listed)) + listed}
    streams: Storage = {"PowerPoint Document": bytes(64), "Text_Content": _WORDS_95, "PP97_DUALSTORAGE": newer}
    assert texts("old.ppt", ole(streams)) == ["Harbour"]


def test_file_without_slides_is_damaged() -> None:
    with pytest.raises(DocumentError, match="damaged or not a PowerPoint file"):
        read_document("old.ppt", ole({"PowerPoint Document": bytes(64)}))


def test_older_format_is_named() -> None:
    with pytest.raises(DocumentError, match="PowerPoint 4 or earlier"):
        read_document("old.ppt", ole({"PP40": bytes(64)}))
