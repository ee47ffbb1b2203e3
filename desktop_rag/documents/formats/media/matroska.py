"""Reads Matroska and WebM films (RFC 9559): metadata, chapters, and the words of text subtitles with their times."""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document, Line, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.source_file import ReadBudget, SourceFile

_SIGNATURE = b"\x1a\x45\xdf\xa3"
_SEGMENT, _INFO, _TRACKS, _TAGS, _CHAPTERS, _CLUSTER = (
    0x18538067,
    0x1549A966,
    0x1654AE6B,
    0x1254C367,
    0x1043A770,
    0x1F43B675,
)
_TITLE, _DATE, _DURATION, _SCALE = 0x7BA9, 0x4461, 0x4489, 0x2AD7B1
_TRACK, _TRACK_NUMBER, _TRACK_TYPE, _CODEC, _LANGUAGE, _TRACK_NAME = 0xAE, 0xD7, 0x83, 0x86, 0x22B59C, 0x536E
_ENCODINGS, _ENCODING, _COMPRESSION, _ALGORITHM, _STRIPPED = 0x6D80, 0x6240, 0x5034, 0x4254, 0x4255
_TAG, _FACT, _FACT_NAME, _FACT_TEXT = 0x7373, 0x67C8, 0x45A3, 0x4487
_EDITION, _CHAPTER, _CHAPTER_START, _CHAPTER_SHOWN, _CHAPTER_TITLE = 0x45B9, 0xB6, 0x91, 0x80, 0x85
_TIME, _SIMPLE_BLOCK, _GROUP, _BLOCK = 0xE7, 0xA3, 0xA0, 0xA1
_SUBTITLES = 0x11  # type of a track
_UNKNOWN_SIZE = -1
_EPOCH = datetime(2001, 1, 1, tzinfo=UTC)
_FIELDS = {
    "ARTIST": "Artist",
    "DIRECTOR": "Director",
    "ACTOR": "Actor",
    "ALBUM": "Album",
    "DATE_RELEASED": "Date",
    "GENRE": "Genre",
    "SUBJECT": "Subject",
    "SUMMARY": "Description",
    "SYNOPSIS": "Description",
    "DESCRIPTION": "Description",
    "COMMENT": "Comment",
    "KEYWORDS": "Keywords",
    "COPYRIGHT": "Copyright",
}
_MARKUP = re.compile(r"<[^<>]{0,200}>|\{[^{}]{0,2000}\}")
_ASS_FIELDS = 8  # before the text of a line of (Advanced) SubStation Alpha
_MAX_CHARACTERS = 4000
_TEXT_CODEC, _WEB_CODEC = "S_TEXT/", "D_WEBVTT/"
_LONGEST = 10**9  # seconds
_MASTERS = frozenset((_SEGMENT, _CLUSTER))  # may be of unknown size


@dataclass(slots=True)
class _Track:
    """A track of text subtitles: its codec, how its blocks are compressed, and its lines with their times."""

    label: str
    codec: str
    algorithm: int  # -1: none, 0: zlib, 3: without their first bytes
    stripped: bytes
    lines: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Film:
    scale: int = 1_000_000  # nanoseconds of a unit of time
    duration: float = 0.0
    title: str = ""
    created: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    chapters: list[tuple[int, str]] = field(default_factory=list)  # start in nanoseconds
    tracks: dict[int, _Track] = field(default_factory=dict)


def is_matroska(data: bytes) -> bool:
    """Return whether `data` starts like a Matroska or WebM file."""
    return data.startswith(_SIGNATURE)


def read_matroska(source: SourceFile, kind: Format) -> Document:
    """Return the fields, the chapters and the subtitles of a film; raises `DocumentError` if it has none."""
    builder = DocumentBuilder(kind)
    film = _Film()
    with source.keep_partial(builder):
        for name, data in _elements(memoryview(source.data)):
            if name == _SEGMENT:
                _read_segment(data, film, source)
    builder.title, builder.created = film.title, film.created
    length = _clock(int(film.duration * film.scale)) if film.duration else ""
    fields = {"Length": length, "Title": film.title, "Created": film.created[:10], **film.facts}
    for label, text in fields.items():
        if text:
            builder.add(Line(f"{label}: {text}", LineKind.FIELD))
    builder.author = film.facts.get("Director", "") or film.facts.get("Artist", "")
    with source.keep_partial(builder):
        _append_lines(builder, "Chapters", film.chapters, source.budget)
        for track in film.tracks.values():
            _append_lines(builder, track.label, track.lines, source.budget)
    return builder.build("This recording has no metadata.")


def _append_lines(builder: DocumentBuilder, label: str, lines: list[tuple[int, str]], budget: ReadBudget) -> None:
    if not lines:
        return
    builder.add_blank()
    builder.begin_section(label)
    builder.add(Line(label, LineKind.HEADING, 1))
    for moment, text in lines:
        budget.check(builder.characters)
        builder.add(Line(f"[{_clock(moment)}] {text}"))


def _clock(nanoseconds: int) -> str:
    return str(timedelta(seconds=min(nanoseconds // 1_000_000_000, _LONGEST)))


def _read_segment(segment: memoryview, film: _Film, source: SourceFile) -> None:
    for name, data in _elements(segment):
        source.budget.check()
        if name == _INFO:
            _read_info(data, film)
        elif name == _TRACKS:
            for inner, track in _elements(data):
                if inner == _TRACK:
                    _read_track(track, film)
        elif name == _TAGS:
            _read_tags(data, film)
        elif name == _CHAPTERS:
            film.chapters += _chapters(data)
        elif name == _CLUSTER and film.tracks:
            _read_cluster(data, film, source.budget)


def _read_info(data: memoryview, film: _Film) -> None:
    found = dict(_elements(data))
    film.scale = _number(found.get(_SCALE)) or film.scale
    film.title = _text(found.get(_TITLE))
    duration = bytes(found.get(_DURATION, b""))
    if len(duration) in (4, 8):
        (film.duration,) = struct.unpack(">f" if len(duration) == 4 else ">d", duration)
        film.duration = film.duration if 0 < film.duration * film.scale < 1e18 else 0.0
    if date := found.get(_DATE):
        nanoseconds = int.from_bytes(bytes(date)[:8], "big", signed=True)
        film.created = (_EPOCH + timedelta(microseconds=nanoseconds // 1000)).isoformat()[:19]


def _read_track(data: memoryview, film: _Film) -> None:
    found = dict(_elements(data))
    codec = _text(found.get(_CODEC))
    if _number(found.get(_TRACK_TYPE)) != _SUBTITLES or not codec.startswith((_TEXT_CODEC, _WEB_CODEC)):
        return
    encoding = dict(_elements(dict(_elements(found.get(_ENCODINGS, memoryview(b"")))).get(_ENCODING, memoryview(b""))))
    compression = dict(_elements(encoding.get(_COMPRESSION, memoryview(b""))))
    language = _text(found.get(_LANGUAGE)).removeprefix("und")
    named = ", ".join(filter(None, (_text(found.get(_TRACK_NAME)), language)))
    film.tracks[_number(found.get(_TRACK_NUMBER))] = _Track(
        f"Subtitles ({named})" if named else "Subtitles",
        codec,
        _number(compression.get(_ALGORITHM)) if _COMPRESSION in encoding else -1,
        bytes(compression.get(_STRIPPED, b"")),
    )


def _read_tags(data: memoryview, film: _Film) -> None:
    for _, tag in _elements(data):
        for name, fact in _elements(tag):
            if name == _FACT:
                found = dict(_elements(fact))
                key, text = _text(found.get(_FACT_NAME)).upper(), _text(found.get(_FACT_TEXT))
                if key == "TITLE":
                    film.title = film.title or text
                elif key in _FIELDS:
                    film.facts.setdefault(_FIELDS[key], text)


def _chapters(data: memoryview) -> Iterator[tuple[int, str]]:
    for _, edition in _elements(data):
        for name, chapter in _elements(edition):
            if name == _CHAPTER:
                found = dict(_elements(chapter))
                shown = dict(_elements(found.get(_CHAPTER_SHOWN, memoryview(b""))))
                if title := _text(shown.get(_CHAPTER_TITLE)):
                    yield _number(found.get(_CHAPTER_START)), title


def _read_cluster(cluster: memoryview, film: _Film, budget: ReadBudget) -> None:
    began = 0
    for name, data in _elements(cluster):
        if name == _TIME:
            began = _number(data)
        elif name == _SIMPLE_BLOCK:
            _read_block(data, began, film, budget)
        elif name == _GROUP:
            for inner, block in _elements(data):
                if inner == _BLOCK:
                    _read_block(block, began, film, budget)


def _read_block(block: memoryview, began: int, film: _Film, budget: ReadBudget) -> None:
    """Keep the words of a block if its track has text: number, relative time (16 bits), flags, data."""
    number, start = _vint(block, 0)
    track = film.tracks.get(number)
    if track is None or start + 3 > len(block):
        return
    budget.check()
    (relative,) = struct.unpack_from(">h", block, start)
    data = bytes(block[start + 3 : start + 3 + _MAX_CHARACTERS])
    if track.algorithm == 0:
        try:
            data = zlib.decompressobj().decompress(data, _MAX_CHARACTERS)
        except zlib.error:
            return
    elif track.algorithm == 3:
        data = track.stripped + data
    words = data.decode("utf-8", "replace")
    if track.codec.endswith(("ASS", "SSA")):
        words = words.split(",", _ASS_FIELDS)[-1].replace("\\N", " ").replace("\\n", " ").replace("\\h", " ")
    elif track.codec.startswith(_WEB_CODEC):
        words = words.split("\n", 2)[-1]  # after the identifier and the settings of the cue
    words = " ".join(clean(_MARKUP.sub("", words)).split())
    if words:
        track.lines.append((max(0, began + relative) * film.scale, words))


def _elements(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Yield id and data of each element; a master of unknown size reaches to the end of what it is in."""
    position = 0
    while position < len(data):
        name, start = _vint(data, position, keep_marker=True)
        size, start = _vint(data, start)
        if not name or start > len(data):
            return
        if size == _UNKNOWN_SIZE:
            if name not in _MASTERS:
                return
            end = _end_of_unknown(data, name, start)
        else:
            end = min(start + size, len(data))
        yield name, data[start:end]
        position = end


def _end_of_unknown(data: memoryview, name: int, start: int) -> int:
    """Return where a cluster of unknown size ends: before the next one; a segment ends with the file."""
    if name == _SEGMENT:
        return len(data)
    position = start
    while position < len(data):
        inner, first = _vint(data, position, keep_marker=True)
        size, first = _vint(data, first)
        if not inner or size == _UNKNOWN_SIZE or inner in (_CLUSTER, _TAGS, _CHAPTERS, _INFO, _TRACKS):
            return position
        position = first + size
    return len(data)


def _vint(data: memoryview, position: int, *, keep_marker: bool = False) -> tuple[int, int]:
    """Return a number of variable length and where it ends; 0 at the end of the data."""
    if position >= len(data) or not data[position]:
        return 0, len(data) + 1
    length = 9 - data[position].bit_length()
    value = int.from_bytes(bytes(data[position : position + length]), "big")
    if keep_marker:
        return value, position + length
    mask = (1 << 7 * length) - 1
    value &= mask
    return (_UNKNOWN_SIZE if value == mask else value), position + length


def _number(data: "memoryview | None") -> int:
    return int.from_bytes(bytes(data[:8]), "big") if data is not None else 0


def _text(data: "memoryview | None") -> str:
    if data is None:
        return ""
    return " ".join(clean(bytes(data[:_MAX_CHARACTERS]).split(b"\0")[0].decode("utf-8", "replace")).split())
