"""Reads the metadata of sounds and films: title, people, album, date, length."""

import io
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.charsets import decode_leniently
from desktop_rag.documents.decoding.encodings import clean, decode
from desktop_rag.documents.document import Document, Line, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.inline_text import append_words
from desktop_rag.documents.formats.source_file import ReadBudget, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

# Reads the metadata of AVI films and of sounds in WAV: the list of facts of a RIFF file, and the length of a film.

_AVI_FIELDS = {
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
_MAX_CHUNKS, _MAX_DEPTH, _AVI_MAX_CHARACTERS = 20_000, 3, 4000


def riff_facts(data: bytes, budget: ReadBudget) -> dict[str, str]:
    """Return the facts in a RIFF file by their names to show; none if `data` is no such file."""
    found = _found(data, budget) if data[:4] == b"RIFF" else {}
    texts = {name: _avi_text(found[key]) for key, name in _AVI_FIELDS.items() if key in found}
    return {name: text for name, text in texts.items() if text}


def read_avi(source: SourceFile, kind: Format) -> Document:
    """Return the fields of a film; raises `DocumentError` if it has none."""
    builder = DocumentBuilder(kind)
    header = _found(source.data, source.budget).get(_HEADER, b"")
    if len(header) >= 20:
        frame, _, _, _, frames = struct.unpack_from("<5I", header)
        builder.add(Line(f"Length: {timedelta(seconds=round(frame * frames / 1_000_000))}", LineKind.FIELD))
    texts = riff_facts(source.data, source.budget)
    builder.add_fields(texts)
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
        elif name in _AVI_FIELDS or name == _HEADER:
            yield name, bytes(view[start : start + min(size, _AVI_MAX_CHARACTERS)])
        position = start + size + (size & 1)


def _avi_text(data: bytes) -> str:
    try:
        return " ".join(decode(data.split(b"\0")[0]).split())
    except DocumentError:
        return ""


# Reads Matroska and WebM films (RFC 9559): metadata, chapters, and the words of text subtitles with their times.

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
_MATROSKA_FIELDS = {
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
_MATROSKA_MAX_CHARACTERS = 4000
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
    builder.add_fields({"Length": length, "Title": film.title, "Created": film.created[:10], **film.facts})
    builder.author = film.facts.get("Director", "") or film.facts.get("Artist", "")
    with source.keep_partial(builder):
        _append_lines(builder, "Chapters", film.chapters, source.budget)
        for track in film.tracks.values():
            _append_lines(builder, track.label, track.lines, source.budget)
    return builder.build("This recording has no metadata.")


def _append_lines(builder: DocumentBuilder, label: str, lines: list[tuple[int, str]], budget: ReadBudget) -> None:
    if not lines:
        return
    builder.begin_section(label, apart=True)
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
    film.title = _matroska_text(found.get(_TITLE))
    duration = bytes(found.get(_DURATION, b""))
    if len(duration) in (4, 8):
        (film.duration,) = struct.unpack(">f" if len(duration) == 4 else ">d", duration)
        film.duration = film.duration if 0 < film.duration * film.scale < 1e18 else 0.0
    if date := found.get(_DATE):
        nanoseconds = int.from_bytes(bytes(date)[:8], "big", signed=True)
        film.created = (_EPOCH + timedelta(microseconds=nanoseconds // 1000)).isoformat()[:19]


def _read_track(data: memoryview, film: _Film) -> None:
    found = dict(_elements(data))
    codec = _matroska_text(found.get(_CODEC))
    if _number(found.get(_TRACK_TYPE)) != _SUBTITLES or not codec.startswith((_TEXT_CODEC, _WEB_CODEC)):
        return
    encoding = dict(_elements(dict(_elements(found.get(_ENCODINGS, memoryview(b"")))).get(_ENCODING, memoryview(b""))))
    compression = dict(_elements(encoding.get(_COMPRESSION, memoryview(b""))))
    language = _matroska_text(found.get(_LANGUAGE)).removeprefix("und")
    named = ", ".join(filter(None, (_matroska_text(found.get(_TRACK_NAME)), language)))
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
                key, text = _matroska_text(found.get(_FACT_NAME)).upper(), _matroska_text(found.get(_FACT_TEXT))
                if key == "TITLE":
                    film.title = film.title or text
                elif key in _MATROSKA_FIELDS:
                    film.facts.setdefault(_MATROSKA_FIELDS[key], text)


def _chapters(data: memoryview) -> Iterator[tuple[int, str]]:
    for _, edition in _elements(data):
        for name, chapter in _elements(edition):
            if name == _CHAPTER:
                found = dict(_elements(chapter))
                shown = dict(_elements(found.get(_CHAPTER_SHOWN, memoryview(b""))))
                if title := _matroska_text(shown.get(_CHAPTER_TITLE)):
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
    data = bytes(block[start + 3 : start + 3 + _MATROSKA_MAX_CHARACTERS])
    if track.algorithm == 0:
        try:
            data = zlib.decompressobj().decompress(data, _MATROSKA_MAX_CHARACTERS)
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


def _matroska_text(data: "memoryview | None") -> str:
    if data is None:
        return ""
    return " ".join(clean(bytes(data[:_MATROSKA_MAX_CHARACTERS]).split(b"\0")[0].decode("utf-8", "replace")).split())


# Reads the texts of MIDI files: names of tracks, lyrics as karaoke programs show them, copyright.

_HEAD, _MIDI_TRACK = b"MThd", b"MTrk"
_TEXT, _COPYRIGHT, _NAME, _LYRICS, _MARKER = 1, 2, 3, 5, 6
_OPERANDS = {0x8: 2, 0x9: 2, 0xA: 2, 0xB: 2, 0xC: 1, 0xD: 1, 0xE: 2}  # bytes of an event, by its highest bits


def read_midi(source: SourceFile, kind: Format) -> Document:
    """Return the texts of a MIDI file, the lyrics of a track as lines."""
    builder = DocumentBuilder(kind)
    with source.keep_partial(builder):
        for track in _tracks(source.data):
            _midi_read_track(track, source, builder)
    return builder.build("This recording has no metadata.")


def _midi_read_track(track: bytes, source: SourceFile, builder: DocumentBuilder) -> None:
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
        if data[at : at + 4] == _MIDI_TRACK:
            yield data[at + 8 : at + 8 + size]
        at += 8 + size


def _texts(track: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield kind and bytes of each text of a track; a damaged track ends early."""
    at, status = 0, 0
    while True:
        _, at = _midi_number(track, at)
        if at >= len(track):
            return
        if track[at] >= 0x80:
            status, at = track[at], at + 1
        if status in (0xF0, 0xF7):  # of one device
            size, at = _midi_number(track, at)
            at += size
        elif status == 0xFF:
            kind = track[at] if at < len(track) else 0
            size, at = _midi_number(track, at + 1)
            if kind in (_TEXT, _COPYRIGHT, _NAME, _LYRICS, _MARKER):
                yield kind, track[at : at + size]
            at += size
        elif status >> 4 in _OPERANDS:
            at += _OPERANDS[status >> 4]
        else:
            return


def _midi_number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of variable length, seven bits a byte, and the place after it."""
    value = 0
    while at < len(data):
        value = value << 7 | data[at] & 0x7F
        at += 1
        if data[at - 1] < 0x80:
            break
    return value, at


_MAX_CHARACTERS = 4000  # per field
_FIELDS = {  # mutagen's name in every format: the name to show
    "title": "Title",
    "artist": "Artist",
    "albumartist": "Album artist",
    "album": "Album",
    "tracknumber": "Track",
    "composer": "Composer",
    "conductor": "Conductor",
    "performer": "Performer",
    "author": "Author",
    "genre": "Genre",
    "date": "Date",
    "language": "Language",
    "description": "Description",
    "comment": "Comment",
    "copyright": "Copyright",
}


def read_recording(source: SourceFile, kind: Format) -> Document:
    """Return the fields of a recording; raises `DocumentError` if it is damaged."""
    if source.depth:
        raise DocumentError("Sounds and films inside other files are not read.", ProblemKind.TYPE)
    if source.data.startswith(_SIGNATURE):
        return read_matroska(source, kind)
    if source.data.startswith(_HEAD):
        return read_midi(source, kind)
    if source.data[:4] == b"RIFF" and source.data[8:12] == b"AVI ":
        return read_avi(source, kind)
    from mutagen import File, MutagenError

    data = io.BytesIO(source.data)
    data.name = source.name  # mutagen distinguishes formats with equal signatures by the name
    try:
        recording = File(data, easy=True)
    except (MutagenError, OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise DocumentError("This recording is damaged.", ProblemKind.DAMAGED) from error
    if recording is None:
        raise DocumentError("This recording is damaged or of an unsupported kind.", ProblemKind.DAMAGED)
    builder = DocumentBuilder(kind)
    seconds = getattr(recording.info, "length", 0.0)
    if seconds:
        builder.add(Line(f"Length: {timedelta(seconds=round(seconds))}", LineKind.FIELD))
    tags = {key: _text(value) for key, value in (recording.tags or {}).items() if key in _FIELDS}
    shown = riff_facts(source.data, source.budget) | {name: tags[key] for key, name in _FIELDS.items() if tags.get(key)}
    builder.add_fields(shown)
    if not len(builder):
        raise DocumentError("This recording has no metadata.", ProblemKind.EMPTY)
    builder.title, builder.author = shown.get("Title", ""), shown.get("Artist", "") or shown.get("Author", "")
    builder.created = tags.get("date", "")[:10]
    return builder.build()


def _text(value: object) -> str:
    values = value if isinstance(value, list) else [value]
    return " ".join(clean("; ".join(map(str, values)))[:_MAX_CHARACTERS].split())
