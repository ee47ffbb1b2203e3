"""Reads the metadata of AVI films and of sounds in WAV: the list of facts of a RIFF file, and the length of a film."""

import struct
from collections.abc import Iterator
from datetime import timedelta

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import decode
from desktop_rag.documents.document import Document, Line, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.source_file import ReadBudget, SourceFile
from desktop_rag.errors import DocumentError

_FIELDS = {
    b"INAM": "Title",
    b"IART": "Artist",
    b"IPRD": "Album",
    b"ISBJ": "Subject",
    b"IGNR": "Genre",
    b"ICRD": "Date",
    b"IKEY": "Keywords",
    b"ICMT": "Comment",
    b"ICOP": "Copyright",
}
_LIST, _HEADER = b"LIST", b"avih"
_MAX_CHUNKS, _MAX_DEPTH, _MAX_CHARACTERS = 20_000, 3, 4000


def is_avi(data: bytes) -> bool:
    """Return whether `data` starts like an AVI film."""
    return data[:4] == b"RIFF" and data[8:12] == b"AVI "


def riff_facts(data: bytes, budget: ReadBudget) -> dict[str, str]:
    """Return the facts in a RIFF file by their names to show; none if `data` is no such file."""
    found = _found(data, budget) if data[:4] == b"RIFF" else {}
    texts = {name: _text(found[key]) for key, name in _FIELDS.items() if key in found}
    return {name: text for name, text in texts.items() if text}


def read_avi(source: SourceFile, kind: Format) -> Document:
    """Return the fields of a film; raises `DocumentError` if it has none."""
    builder = DocumentBuilder(kind)
    header = _found(source.data, source.budget).get(_HEADER, b"")
    if len(header) >= 20:
        frame, _, _, _, frames = struct.unpack_from("<5I", header)
        builder.add(Line(f"Length: {timedelta(seconds=round(frame * frames / 1_000_000))}", LineKind.FIELD))
    texts = riff_facts(source.data, source.budget)
    for label, text in texts.items():
        builder.add(Line(f"{label}: {text}", LineKind.FIELD))
    builder.title, builder.author = texts.get("Title", ""), texts.get("Artist", "")
    return builder.build("This recording has no metadata.")


def _found(data: bytes, budget: ReadBudget) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for name, content in _chunks(data[12:], 0):
        budget.check()
        found.setdefault(name, content)
    return found


def _chunks(data: bytes, depth: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks of a file and of its lists, without the pictures and sounds."""
    view = memoryview(data)
    position = 0
    for _ in range(_MAX_CHUNKS):
        if position + 8 > len(view):
            return
        name, size = struct.unpack_from("<4sI", view, position)
        start = position + 8
        if name == _LIST and bytes(view[start : start + 4]) != b"movi" and depth < _MAX_DEPTH:
            yield from _chunks(bytes(view[start + 4 : start + size]), depth + 1)
        elif name in _FIELDS or name == _HEADER:
            yield name, bytes(view[start : start + min(size, _MAX_CHARACTERS)])
        position = start + size + (size & 1)


def _text(data: bytes) -> str:
    try:
        return " ".join(decode(data.split(b"\0")[0]).split())
    except DocumentError:
        return ""
