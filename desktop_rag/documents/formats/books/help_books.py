"""Reads compiled help (.chm, ITSF): its pages in the order of its contents.

Its LZX data is that of a cabinet file, only without the cabinet around it: we add one and let libarchive unpack it.
"""

import posixpath
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.charsets import decode_leniently
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import MAX_FILE_BYTES, Format
from desktop_rag.documents.formats.containers.native_archives import unpacked_archive
from desktop_rag.documents.formats.source_file import MAX_ENTRIES, ReadBudget, SourceFile
from desktop_rag.documents.formats.web.html_page import HtmlPage, decode_html
from desktop_rag.errors import DocumentError, ProblemKind

_DAMAGED = "This file is damaged or not a help book."
_SIGNATURE, _DIRECTORY, _LISTING = b"ITSF", b"ITSP", b"PMGL"
_STORAGE = "::DataSpace/Storage/MSCompressed/"
_RESETS = f"{_STORAGE}Transform/{{7FC28940-9D31-11D0-9B27-00A0C91E9C7C}}/InstanceData/ResetTable"
_FRAME = 0x8000  # unpacked bytes of a block
_PAGES = (".htm", ".html", ".xhtml", ".txt")
_CONTENTS = ".hhc"
_MAX_BLOCKS = 100_000
_TITLE = 3  # code of a fact
_LZX = 3  # kind of compression of a cabinet


@dataclass(frozen=True, slots=True)
class _Entry:
    section: int  # 0: as it is, 1: compressed
    offset: int
    size: int


def read_help_book(source: SourceFile, kind: Format) -> Document:
    """Return the pages of the book, a section for each; raises `DocumentError` if the file is damaged."""
    try:
        book = _Book(source)
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise DocumentError(_DAMAGED, ProblemKind.DAMAGED) from error
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        for name, title in book.pages():
            source.budget.check(builder.characters)
            try:
                page = source.read_member(posixpath.basename(name), book.read(name), title)
            except DocumentError:  # a page of pictures
                continue
            label = title or page.title or posixpath.basename(name)
            builder.add_blank()
            builder.add_outline_entry(1, label)
            builder.include(page, label)
    builder.title = book.title
    if book.is_cut and not builder.partial:
        builder.leave_out("This file is damaged; only a part of it was read.", ProblemKind.DAMAGED)
    return builder.build("This help book contains no text.")


class _Book:
    """The files in a help book."""

    def __init__(self, source: SourceFile) -> None:
        data = source.data
        if data[:4] != _SIGNATURE:
            raise DocumentError(_DAMAGED, ProblemKind.DAMAGED)
        version, directory = struct.unpack_from("<I", data, 4)[0], struct.unpack_from("<Q", data, 0x48)[0]
        if data[directory : directory + 4] != _DIRECTORY:
            raise DocumentError(_DAMAGED, ProblemKind.DAMAGED)
        header, block, count = (struct.unpack_from("<I", data, directory + at)[0] for at in (8, 0x10, 0x2C))
        start = directory + header
        self._plain_start = struct.unpack_from("<Q", data, 0x58)[0] if version >= 3 else start + block * count
        self._data = data
        self._entries: dict[str, _Entry] = {}
        for index in range(min(count, _MAX_BLOCKS)):
            source.budget.check()
            piece = data[start + index * block : start + (index + 1) * block]
            if piece[:4] == _LISTING:
                self._entries.update(_entries_in(piece, source.budget))
        self._unpacked = self._unpack(source)
        self.is_cut = any(self._end(entry) > len(self._unpacked) for entry in self._entries.values() if entry.section)
        self.title = _title(self.read("/#SYSTEM"))

    def read(self, name: str) -> bytes:
        """Return the bytes of a file, as far as they could be unpacked."""
        entry = self._entries.get(name)
        if entry is None:
            return b""
        if entry.section:
            return self._unpacked[entry.offset : self._end(entry)]
        first = self._plain_start + entry.offset
        return self._data[first : first + entry.size]

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield name and title of each page: those in the contents first, then the others by name."""
        names = {name.lower(): name for name in sorted(self._entries) if name.lower().endswith(_PAGES)}
        contents = next((name for name in self._entries if name.lower().endswith(_CONTENTS)), "")
        root = HtmlPage(decode_html(self.read(contents))).root if contents else None
        for item in root.iter("object") if root is not None else ():
            values = {part.get("name", "").lower(): part.get("value", "") for part in item.iter("param")}
            local = values.get("local", "").partition("#")[0].replace("\\", "/").lstrip("/").lower()
            if (name := names.pop(f"/{local}", None)) is not None:
                yield name, " ".join(values.get("name", "").split())
        for name in names.values():
            yield name, ""

    def _end(self, entry: _Entry) -> int:
        return entry.offset + entry.size

    def _unpack(self, source: SourceFile) -> bytes:
        packed, control, table = (self.read(name) for name in (f"{_STORAGE}Content", f"{_STORAGE}ControlData", _RESETS))
        if not packed:
            return b""
        version, interval, window = struct.unpack_from("<III", control, 8)
        unit = _FRAME if version == 2 else 1
        frames = max(1, interval * unit // _FRAME)
        count, _, first = struct.unpack_from("<III", table, 4)
        size = struct.unpack_from("<Q", table, 0x10)[0]
        if not 0 < count <= _MAX_BLOCKS or not 0 < size <= min(count * _FRAME, MAX_FILE_BYTES):
            raise DocumentError(_DAMAGED, ProblemKind.DAMAGED)
        count = -(-size // _FRAME)  # some programs add where the last block ends
        places = list(struct.unpack_from(f"<{count}Q", table, first))
        source.budget.count_unpacked(size, len(packed))
        blocks = [packed[start:end] for start, end in zip(places, [*places[1:], len(packed)], strict=True)]
        cabinet = _cabinet(blocks, size, frames, (window * unit).bit_length() - 1)
        return b"".join(unpacked_archive(cabinet, source.budget))


def _title(facts: bytes) -> str:
    """Return the title among the facts about the book: after a version, each has a code and a length."""
    position = 4
    while position + 4 <= len(facts):
        code, length = struct.unpack_from("<HH", facts, position)
        position += 4
        if code == _TITLE:
            return " ".join(decode_leniently(facts[position : position + length].rstrip(b"\0"), "cp1252").split())
        position += length
    return ""


def _entries_in(block: bytes, budget: ReadBudget) -> Iterator[tuple[str, _Entry]]:
    """Yield the entries of a block of the directory: lengths and places are numbers of seven bits a byte."""
    end = len(block) - struct.unpack_from("<I", block, 4)[0]
    position = 0x14
    for _ in range(MAX_ENTRIES):
        if position >= end:
            return
        budget.check()
        length, position = _number(block, position)
        name = block[position : position + length].decode("utf-8", "replace")
        position += length
        section, position = _number(block, position)
        offset, position = _number(block, position)
        size, position = _number(block, position)
        yield name, _Entry(section, offset, size)


def _number(data: bytes, position: int) -> tuple[int, int]:
    value = 0
    for _ in range(9):
        byte = data[position]
        position += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, position
    raise ValueError


def _cabinet(blocks: list[bytes], size: int, frames: int, window_bits: int) -> bytes:
    """Return a cabinet ([MS-CAB]) of these LZX blocks, with a folder and a file from each reset of the coder on."""
    folders: list[bytes] = []
    files: list[bytes] = []
    contents: list[bytes] = []
    groups = [blocks[first : first + frames] for first in range(0, len(blocks), frames)]
    start = 36 + 8 * len(groups) + (16 + 7) * len(groups)
    left = size
    for number, group in enumerate(groups):
        folders.append(struct.pack("<IHH", start, len(group), _LZX | window_bits << 8))
        length = 0
        for block in group:
            unpacked = min(_FRAME, left)
            left -= unpacked
            length += unpacked
            block = block[:0xFFFF]
            contents.append(struct.pack("<IHH", 0, len(block), unpacked) + block)
            start += 8 + len(block)
        files.append(struct.pack("<IIHHHH", length, 0, number, 0, 0, 0) + b"%06d\0" % number)
    head = struct.pack(
        "<4sIIIIIBBHHHHH", b"MSCF", 0, start, 0, 36 + 8 * len(groups), 0, 3, 1, len(groups), len(groups), 0, 0, 0
    )
    return head + b"".join((*folders, *files, *contents))
