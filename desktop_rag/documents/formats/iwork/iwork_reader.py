"""Reads Pages, Numbers and Keynote files: text with headings, slides with notes, sheets with their tables."""

import re
import struct
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from lxml import etree

from desktop_rag.documents import file_types
from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, LineKind
from desktop_rag.documents.file_types import Format, suffix_of
from desktop_rag.documents.formats.inline_text import HIDDEN_PART, append_words, comment_label
from desktop_rag.documents.formats.iwork.iwa import Damaged, IwaObject, ProtobufMessage, objects_in
from desktop_rag.documents.formats.office.package import PROTECTED, Package, build, inner_text, parse_xml
from desktop_rag.documents.formats.office.sheet_lines import Row, append_sheet
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

# Reads the tables of iWork files: rows of cells whose texts are in separate lists.

TABLE_INFO, TABLE = 6000, 6001

_NAME, _DATA = 8, 4  # fields of TST.TableModelArchive
_TILES, _TEXTS, _RICH_TEXTS = 3, 4, 17  # fields of TST.DataStore
_TILE_SIZE, _DEFAULT_TILE_SIZE = 2, 256
_TILE_ROWS = 5
_ROW, _CELLS, _OFFSETS, _WIDE = 1, 6, 7, 8  # fields of TST.TileRowInfo
_ENTRIES, _SEGMENTS = 3, 4  # fields of TST.TableDataList
_KEY, _TABLE_TEXT, _RICH_TEXT = 1, 3, 9  # fields of its entries
_MODERN = 5  # version of the storage of a cell
_NUMBER, _STRING, _DATE, _BOOLEAN, _DURATION, _RICH, _CURRENCY = 2, 3, 5, 6, 7, 9, 10  # types of cells
_BIAS = 0x1820  # of the exponent of a decimal
_EPOCH = datetime(2001, 1, 1)
_MAX_DIGITS = 15

TextOf = Callable[[int], str]  # the text of the rich-text object with this id


def table_rows(table: ProtobufMessage, objects: Mapping[int, IwaObject], text_of: TextOf) -> list[Row]:
    """Return the rows of a table that have text, in order; of tables of 2013 to 2017 only the texts, one in a row."""
    data = table.message(_DATA)
    texts = {entry.number(_KEY): entry.text(_TABLE_TEXT) for entry in _listed(data.reference(_TEXTS), objects)}
    rich = {
        entry.number(_KEY): text_of(found.message.reference(1))
        for entry in _listed(data.reference(_RICH_TEXTS), objects)
        if (found := objects.get(entry.reference(_RICH_TEXT))) is not None
    }
    tiles = data.message(_TILES)
    size = tiles.number(_TILE_SIZE) or _DEFAULT_TILE_SIZE
    rows: dict[int, list[str]] = {}
    for raw in tiles.every(1):
        place = ProtobufMessage(raw)
        tile = objects.get(place.reference(2))
        for row in tile.message.every(_TILE_ROWS) if tile is not None else ():
            number, cells = _cells(ProtobufMessage(row), texts, rich)
            if any(cells):
                rows[place.number(1) * size + number + 1] = cells
    if not rows:
        return [(number, [text]) for number, text in enumerate(texts.values(), start=1)]
    return sorted(rows.items())


def _listed(identifier: int, objects: Mapping[int, IwaObject]) -> Iterator[ProtobufMessage]:
    found = objects.get(identifier)
    if found is None:
        return
    segments = (objects[segment] for segment in found.message.references(_SEGMENTS) if segment in objects)
    for part in (found, *segments):
        yield from map(ProtobufMessage, part.message.every(_ENTRIES))


def _cells(row: ProtobufMessage, texts: Mapping[int, str], rich: Mapping[int, str]) -> tuple[int, list[str]]:
    stored = row.binary(_CELLS)
    raw = row.binary(_OFFSETS)
    offsets = array("h", raw[: len(raw) & ~1])
    unit = 4 if row.number(_WIDE) else 1
    cells = [_cell(stored, offset * unit, texts, rich) if offset >= 0 else "" for offset in offsets]
    while cells and not cells[-1]:
        cells.pop()
    return row.number(_ROW), cells


def _cell(stored: bytes, start: int, texts: Mapping[int, str], rich: Mapping[int, str]) -> str:
    """Return the text of a cell: twelve bytes of header, the last four say which values follow."""
    if len(stored) < start + 12 or stored[start] != _MODERN:
        return ""
    kind = stored[start + 1]
    (flags,) = struct.unpack_from("<I", stored, start + 8)
    position = start + 12
    try:
        number = stored[position : position + 16]
        position += 16 if flags & 1 else 0
        (double,) = struct.unpack_from("<d", stored, position) if flags & 2 else (0.0,)
        position += 8 if flags & 2 else 0
        (seconds,) = struct.unpack_from("<d", stored, position) if flags & 4 else (0.0,)
        position += 8 if flags & 4 else 0
        (text,) = struct.unpack_from("<I", stored, position) if flags & 8 else (0,)
        position += 4 if flags & 8 else 0
        (rich_text,) = struct.unpack_from("<I", stored, position) if flags & 16 else (0,)
    except struct.error as error:
        raise Damaged from error
    if kind in (_NUMBER, _CURRENCY) and flags & 1:
        return _decimal(number)
    if kind == _STRING:
        return texts.get(text, "")
    if kind == _RICH:
        return rich.get(rich_text, "")
    if kind == _BOOLEAN:
        return "TRUE" if double else "FALSE"
    return _moment(kind, seconds if kind == _DATE else double)


def _moment(kind: int, seconds: float) -> str:
    try:
        if kind == _DATE:
            return (_EPOCH + timedelta(seconds=seconds)).isoformat(" ").removesuffix(" 00:00:00")
        return str(timedelta(seconds=seconds)) if kind == _DURATION else ""
    except (OverflowError, ValueError):
        return ""


def _decimal(data: bytes) -> str:
    """Return a decimal of 128 bits: sign, 14 bits of exponent, 113 bits of digits."""
    if len(data) < 16:
        return ""
    bits = int.from_bytes(data, "little")
    exponent = (bits >> 113 & 0x3FFF) - _BIAS
    digits = bits & (1 << 113) - 1
    if not -30 < exponent < 30:
        return ""
    value = float(digits) * 10.0**exponent if exponent < 0 else float(digits * 10**exponent)
    return f"{-value if bits >> 127 else value:.{_MAX_DIGITS}g}"


_KINDS = {"pages": Format.WORD, "numbers": Format.SHEETS, "key": Format.SLIDES}
_STORAGES, _COMMENT, _PARAGRAPH_STYLE = (2001, 2005), 3056, 2022
_SHEET, _SHOW, _NODE, _SLIDES, _NOTE, _DOCUMENT = 2, 2, 4, (5, 6), 15, 1  # of Numbers and Keynote
_NOT_FOLLOWED = frozenset((401, 402, 12009, 10, _NODE, *_SLIDES))  # style sheets, themes, other slides
_TEXT, _TEXT_KIND, _STYLES = 3, 1, 5  # fields of TSWP.StorageArchive
_BODY, _HEADER, _FOOTNOTE, _NOTES = 0, 1, 2, 4  # kinds of text
_PARAGRAPH_ENDS = re.compile(r"[\n\u2029\x04\x05\x06\x0c]")
_ATTACHED = str.maketrans({"\ufffc": " ", "\u2028": " ", "\x0e": ""})
_HEADING = re.compile(r"(?:.*-)?(?:(Title)|Heading(?: (\d))?)", re.S)
_MAX_PARENTS, _MAX_REACHED = 20, 20_000
_PREVIEWS = ("QuickLook/Preview.pdf", "preview.pdf")
_OLD = ("index.xml", "index.apxl", "index.xml.gz", "index.apxl.gz")
_OLD_PLACES = frozenset(
    ("stylesheet", "anon-styles", "master-slides", "theme-list", "prototypes", "headers", "footers", "metadata")
)


def read_iwork(source: SourceFile, kind: Format) -> Document:
    """Return the text of the file; raises `DocumentError` if it is damaged, protected or has none."""
    if suffix_of(source.name) == "key" and not source.data.startswith(file_types.ZIP):
        raise DocumentError(
            "This is no presentation of Keynote. It may hold a key, and is not read.", ProblemKind.DAMAGED
        )
    package = Package(source, "a file of Pages, Numbers or Keynote")
    builder = DocumentBuilder(_KINDS.get(suffix_of(source.name), Format.WORD))
    with source.keep_partial(builder):
        if ".iwpv2" in package or ".iwph" in package:
            raise DocumentError(PROTECTED, ProblemKind.PROTECTED)
        old = next((name for name in _OLD if name in package), "")
        if old:
            _read_old(package.read(old), source, builder)
        else:
            _read_objects(package, source, builder)
    if not builder.characters and (preview := next((name for name in _PREVIEWS if name in package), "")):
        return source.read_member("Preview.pdf", package.read(preview), source.label_prefix)
    return build(package, builder)


def _read_objects(package: Package, source: SourceFile, builder: DocumentBuilder) -> None:
    reader = _Objects(source, builder)
    for data in _object_files(package, source):
        reader.add(data)
    try:
        reader.append()
    except Damaged:
        builder.leave_out("This file is damaged; only a part of it was read.", ProblemKind.DAMAGED)


def _object_files(package: Package, source: SourceFile) -> Iterator[bytes]:
    inner, outer = package.read("Index.zip"), package
    if inner.startswith(file_types.ZIP):
        package = Package(SourceFile("Index.zip", inner, source.budget, source.read, source.depth), "an index")
    for name in package.names():
        if name.lower().endswith(".iwa"):
            yield package.read(name)
    outer.truncation = outer.truncation or package.truncation


class _Objects:
    """The objects of a file, and how they are appended to its document."""

    def __init__(self, source: SourceFile, builder: DocumentBuilder) -> None:
        self._source = source
        self._builder = builder
        self._objects: dict[int, IwaObject] = {}
        self._done: set[int] = set()

    def add(self, packed: bytes) -> None:
        """Add the objects of one object file; of a damaged one those before the damage."""
        try:
            for found in objects_in(packed, self._source.budget):
                self._objects.setdefault(found.id, found)
        except Damaged:
            self._builder.leave_out("This file is damaged; only a part of it was read.", ProblemKind.DAMAGED)

    def append(self) -> None:
        """Append sheets, slides or the text, then what those do not lead to."""
        suffix = suffix_of(self._source.name)
        if suffix == "numbers":
            self._sheets()
        elif suffix == "key":
            self._slides()
        else:
            self._texts(sorted(self._of_type(*_STORAGES), key=lambda one: (self._kind(one) != _BODY, one.id)))
            self._tables(self._of_type(TABLE))
        for comment in self._of_type(_COMMENT):
            append_words(self._builder, comment.message.text(1), LineKind.QUOTE, 1, comment_label(""))

    def _of_type(self, *types: int) -> list[IwaObject]:
        return [found for found in self._objects.values() if found.type in types]

    def _sheets(self) -> None:
        document = next(iter(self._of_type(_DOCUMENT)), None)
        for identifier in document.message.references(1) if document is not None else ():
            sheet = self._objects.get(identifier)
            if sheet is None:
                continue
            name = sheet.message.text(1)
            reached = [found for drawn in sheet.message.references(2) for found in self._reached(drawn)]
            self._builder.begin_section(name, apart=True)
            append_words(self._builder, name, LineKind.HEADING, 1)
            self._tables(reached, name)
            self._texts(reached)

    def _slides(self) -> None:
        for number, (slide, hidden) in enumerate(self._in_order(), start=1):
            self._builder.begin_section(f"Slide {number}" + (HIDDEN_PART if hidden else ""), apart=True)
            message = slide.message
            title = self._words(message.reference(5))
            if title:
                append_words(self._builder, title, LineKind.HEADING, 2)
                self._builder.title = self._builder.title or title
            for identifier in dict.fromkeys((message.reference(6), message.reference(30), *message.references(7))):
                reached = list(self._reached(identifier))
                self._texts(reached)
                self._tables(reached)
            note = self._words(message.reference(27))
            if note:
                append_words(self._builder, note, LineKind.QUOTE, 1, "Notes:")

    def _in_order(self) -> Iterator[tuple[IwaObject, bool]]:
        """Yield the slides in the order of the show, and whether each is skipped."""
        show = next(iter(self._of_type(_SHOW)), None)
        nodes = show.message.message(3).references(2) if show is not None else []
        for identifier in nodes:
            node = self._objects.get(identifier)
            slide = self._objects.get(node.message.reference(2)) if node is not None else None
            if node is not None and slide is not None:
                yield slide, bool(node.message.number(4))

    def _reached(self, identifier: int) -> Iterator[IwaObject]:
        """Yield the object `identifier` and all that it leads to, without style sheets and other slides."""
        waiting, seen = [identifier], {identifier}
        while waiting and len(seen) < _MAX_REACHED:
            self._source.budget.check(self._builder.characters)
            found = self._objects.get(waiting.pop())
            if found is None or found.type in _NOT_FOLLOWED:
                continue
            yield found
            if found.type == TABLE_INFO:
                seen.update(_hidden_captions(found.message.message(1)))
            new = [one for one in found.references if one not in seen]
            seen.update(new)
            waiting.extend(reversed(new))

    def _kind(self, storage: IwaObject) -> int:
        return storage.message.number(_TEXT_KIND)

    def _words(self, identifier: int) -> str:
        """Return the text that an object leads to, as one line."""
        storages = [found for found in self._reached(identifier) if found.type in _STORAGES]
        self._done.update(storage.id for storage in storages)
        return " ".join(" ".join(_text(storage.message).split()) for storage in storages)

    def _texts(self, found: Sequence[IwaObject]) -> None:
        for storage in found:
            if storage.type not in _STORAGES or storage.id in self._done or self._kind(storage) == _HEADER:
                continue
            self._done.add(storage.id)
            self._paragraphs(storage.message, note=self._kind(storage) == _FOOTNOTE)

    def _paragraphs(self, storage: ProtobufMessage, *, note: bool) -> None:
        text = _text(storage)
        levels = sorted((entry.number(1), self._level(entry.reference(2))) for entry in _styles(storage))
        position, level, following = 0, 0, 0
        for words in _PARAGRAPH_ENDS.split(text):
            self._source.budget.check(self._builder.characters)
            while following < len(levels) and levels[following][0] <= position:
                level = levels[following][1]
                following += 1
            kind = LineKind.QUOTE if note else LineKind.HEADING if level else LineKind.PARAGRAPH
            shown = append_words(self._builder, words, kind, 1 if note else level)
            if kind is LineKind.HEADING:
                self._builder.title = self._builder.title or shown
            position += len(words) + 1

    def _level(self, identifier: int) -> int:
        """Return the heading level of a paragraph style, 0 for text; a variation has the name of its parent."""
        for _ in range(_MAX_PARENTS):
            style = self._objects.get(identifier)
            if style is None or style.type != _PARAGRAPH_STYLE:
                return 0
            named = style.message.message(1)
            for name in (named.text(1), named.text(2)):
                if match := _HEADING.fullmatch(name):
                    return 1 if match[1] else int(match[2] or 1)
            identifier = named.reference(3)
        return 0

    def _tables(self, found: Sequence[IwaObject], sheet: str = "") -> None:
        for table in found:
            if table.type != TABLE or table.id in self._done:
                continue
            self._done.add(table.id)
            try:
                rows = table_rows(table.message, self._objects, self._words)
            except Damaged:
                self._builder.leave_out("A table of this file is damaged and was left out.", ProblemKind.DAMAGED)
                continue
            name = table.message.text(_NAME)
            label = f"{sheet} · {name}" if sheet and name else sheet or name or "Table"
            append_sheet(self._builder, self._source.budget, label, rows, 0, rows[-1][0] if rows else 0)


def _hidden_captions(drawable: ProtobufMessage) -> list[int]:
    """Return the ids of a drawable's title and caption where they are not shown: they hold sample text."""
    return [drawable.reference(field) for field, hidden in ((10, 12), (11, 13)) if drawable.number(hidden)]


def _text(storage: ProtobufMessage) -> str:
    return "".join(piece.decode("utf-8", "replace") for piece in storage.every(_TEXT)).translate(_ATTACHED)


def _styles(storage: ProtobufMessage) -> list[ProtobufMessage]:
    return list(map(ProtobufMessage, storage.message(_STYLES).every(1)))


def _read_old(data: bytes, source: SourceFile, builder: DocumentBuilder) -> None:
    """Append the text of iWork '09, one XML document."""
    if data.startswith(b"\x1f\x8b"):
        data = source.budget.inflated(data, bits=zlib.MAX_WBITS | 16)
        source.budget.count_unpacked(len(data), 1)
    root = parse_xml(data)
    slides = 0
    for event, element in etree.iterwalk(root, events=("start", "comment")) if root is not None else ():
        name = etree.QName(element).localname if event == "start" else ""
        if name == "slide" and not _is_hidden(element):
            slides += 1
            builder.begin_section(f"Slide {slides}", apart=True)
        elif name in ("p", "ct") and not _is_hidden(element):
            source.budget.check(builder.characters)
            words = inner_text(element) if name == "p" else next(iter(element.xpath("@*[local-name()='s']")), "")
            append_words(builder, str(words), LineKind.PARAGRAPH)


def _is_hidden(element: "etree._Element") -> bool:
    return any(etree.QName(above).localname in _OLD_PLACES for above in element.iterancestors())
