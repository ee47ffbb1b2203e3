"""Reads the texts of MIDI files: names of tracks, lyrics as karaoke programs show them, copyright."""

from collections.abc import Iterator

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.charsets import decode_leniently
from desktop_rag.documents.document import Document, Line, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import append_words
from desktop_rag.documents.formats.source_file import SourceFile

_HEAD, _TRACK = b"MThd", b"MTrk"
_TEXT, _COPYRIGHT, _NAME, _LYRICS, _MARKER = 1, 2, 3, 5, 6
_OPERANDS = {0x8: 2, 0x9: 2, 0xA: 2, 0xB: 2, 0xC: 1, 0xD: 1, 0xE: 2}  # bytes of an event, by its highest bits


def is_midi(data: bytes) -> bool:
    """Return whether this is a MIDI file."""
    return data.startswith(_HEAD)


def read_midi(source: SourceFile, kind: Format) -> Document:
    """Return the texts of a MIDI file, the lyrics of a track as lines."""
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        for track in _tracks(source.data):
            _read_track(track, source, builder)
    return builder.build("This recording has no metadata.")


def _read_track(track: bytes, source: SourceFile, builder: DocumentBuilder) -> None:
    sung: list[str] = []
    for kind, data in _texts(track):
        source.budget.check(builder.characters)
        text = decode_leniently(data, "")
        if kind in (_COPYRIGHT, _NAME, _MARKER) and text.strip():
            label = {_COPYRIGHT: "Copyright", _NAME: "Track", _MARKER: "Part"}[kind]
            builder.add(Line(f"{label}: {' '.join(text.split())}", LineKind.FIELD))
        elif text.startswith("@T") and not builder.title:  # of karaoke files: the title, then the performer
            builder.title = text[2:].strip()
            builder.add(Line(f"Title: {builder.title}", LineKind.FIELD))
        elif not text.startswith("@"):
            sung.append(text.replace("\\", "\n").replace("/", "\n"))
    for line in "".join(sung).split("\n"):
        append_words(builder, " ".join(line.split()), LineKind.PARAGRAPH)


def _tracks(data: bytes) -> Iterator[bytes]:
    at = 0
    while at + 8 <= len(data):
        size = int.from_bytes(data[at + 4 : at + 8], "big")
        if data[at : at + 4] == _TRACK:
            yield data[at + 8 : at + 8 + size]
        at += 8 + size


def _texts(track: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield kind and bytes of each text of a track; a damaged track ends early."""
    at, status = 0, 0
    while True:
        _, at = _number(track, at)
        if at >= len(track):
            return
        if track[at] >= 0x80:
            status, at = track[at], at + 1
        if status in (0xF0, 0xF7):  # of one device
            size, at = _number(track, at)
            at += size
        elif status == 0xFF:
            kind = track[at] if at < len(track) else 0
            size, at = _number(track, at + 1)
            if kind in (_TEXT, _COPYRIGHT, _NAME, _LYRICS, _MARKER):
                yield kind, track[at : at + size]
            at += size
        elif status >> 4 in _OPERANDS:
            at += _OPERANDS[status >> 4]
        else:
            return


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of variable length, seven bits a byte, and the place after it."""
    value = 0
    while at < len(data):
        value = value << 7 | data[at] & 0x7F
        at += 1
        if data[at - 1] < 0x80:
            break
    return value, at
