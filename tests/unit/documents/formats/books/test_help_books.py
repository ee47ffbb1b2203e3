import struct
from collections.abc import Mapping

import pytest

from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.containers.libarchive import needs_libarchive
from tests.unit.documents.formats.office.packages import read_or_refuse

_STORAGE = "::DataSpace/Storage/MSCompressed/"
_RESETS = f"{_STORAGE}Transform/{{7FC28940-9D31-11D0-9B27-00A0C91E9C7C}}/InstanceData/ResetTable"
_FRAME = 0x8000


def _number(value: int) -> bytes:
    out = [value & 0x7F]
    while value := value >> 7:
        out.insert(0, value & 0x7F | 0x80)
    return bytes(out)


def _lzx(data: bytes) -> bytes:
    """Return an LZX frame of one stored block, after which the coder is reset: 28 bits of head, three offsets;
    an odd block is padded.
    """
    head = 3 << 28 | len(data) << 4
    return struct.pack("<HH", head >> 16, head & 0xFFFF) + struct.pack("<III", 1, 1, 1) + data + bytes(len(data) & 1)


def _chm(files: Mapping[str, bytes], title: str = "Garden", size: int = 0, *, closed: bool = False) -> bytes:
    """Return a help book of these files, with stored LZX blocks; `size` is the declared size of all.

    The table of a `closed` book has also the end of its last block.
    """
    whole = b"".join(files.values())
    frames = [_lzx(whole[at : at + _FRAME]) for at in range(0, len(whole), _FRAME)]
    places = [sum(map(len, frames[:number])) for number in range(len(frames))]
    places += [sum(map(len, frames))] * closed
    table = struct.pack("<IIIIQQQ", 2, len(places), 8, 0x28, size or len(whole), sum(map(len, frames)), _FRAME)
    system = struct.pack("<IHH", 3, 3, len(title) + 1) + title.encode() + b"\0"
    plain = {
        "/#SYSTEM": system,
        f"{_STORAGE}ControlData": struct.pack("<I4sIIIII", 6, b"LZXC", 2, 1, 2, 1, 0),
        _RESETS: table + struct.pack(f"<{len(places)}Q", *places),
        f"{_STORAGE}Content": b"".join(frames),
    }
    entries = b""
    for section, held in ((0, plain), (1, files)):
        offset = 0
        for name, data in held.items():
            entries += _number(len(name)) + name.encode() + bytes((section,)) + _number(offset) + _number(len(data))
            offset += len(data)
    block = 4096
    listing = (struct.pack("<4sIIii", b"PMGL", block - 0x14 - len(entries), 0, -1, -1) + entries).ljust(block, b"\0")
    directory = b"ITSP" + struct.pack("<IIIIIIiiii", 1, 0x54, 10, block, 2, 1, -1, 0, 0, -1) + struct.pack("<I", 1)
    directory = directory.ljust(0x54, b"\0") + listing
    head = b"ITSF" + struct.pack("<III", 3, 0x60, 1) + bytes(8 + 32)
    head = head.ljust(0x38, b"\0") + struct.pack("<QQQQ", 0, 0, 0x60, len(directory))
    return head + struct.pack("<Q", 0x60 + len(directory)) + directory + b"".join(plain.values())


def _page(words: str) -> bytes:
    return f"<html><head><title>About {words}</title></head><body><p>{words}</p></body></html>".encode()


_ITEM = '<object type="text/sitemap"><param name="Name" value="{}"><param name="Local" value="{}"></object>'
_FILES = {
    "/a.html": _page("leeks"),
    "/deep/b.htm": _page("marrowfat " * 5000),
    "/c.html": _page("beans"),
    "/toc.hhc": (_ITEM.format("Peas", r"deep\b.htm#top") + _ITEM.format("Gone", "x.htm")).encode(),
    "/picture.png": b"x",
}


@needs_libarchive
@pytest.mark.parametrize("closed", [False, True])
def test_a_help_book_has_its_pages_in_the_order_of_its_contents(closed: bool) -> None:
    document = read_document("a.chm", _chm(_FILES, closed=closed))
    assert [section.label for section in document.structure.sections] == ["Peas", "About leeks", "About beans"]
    assert document.text.count("marrowfat") == 5000
    assert document.text.endswith("beans")
    assert (document.title, document.format) == ("Garden", "help book")


@needs_libarchive
def test_sizes_that_lie_damage_and_other_files_are_refused_or_said() -> None:
    with pytest.raises(DocumentError, match="damaged or not a help book"):
        read_document("a.chm", _chm(_FILES, size=1 << 40))
    with pytest.raises(DocumentError, match="damaged or not a help book"):
        read_document("a.chm", b"ITSF")
    with pytest.raises(DocumentError, match="contains no text"):
        read_document("a.chm", _chm({"/picture.png": b"xx"}))
    document = read_document("a.chm", _chm(_FILES)[:-40_000])
    assert document.partial == "This file is damaged; only a part of it was read."


@pytest.mark.slow
def test_mutated_books_end_in_a_text_or_a_reason() -> None:
    data = _chm(_FILES)
    for at in (*range(0, 0x120, 2), *range(0x120, 4600, 37), *range(4600, len(data), 2500)):
        read_or_refuse("a.chm", data[:at] + b"\xff\xff" + data[at + 2 :])
    for at in range(0, len(data), 2500):
        read_or_refuse("a.chm", data[:at])
