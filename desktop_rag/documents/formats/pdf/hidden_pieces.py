"""Finds text of a PDF page that nobody can see: of its background's colour, covered, not drawn, or too small to read.

Colours and the order of drawing are asked for only where the page's commands may hide; what they hide is decided by the
pixels of the drawn page, so that white letters on a dark table head, or the text layer of a scan, are not taken for
hidden. What lies under a picture is hidden if the page looks the same without it.
"""

import math
import re
from collections.abc import Container, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from desktop_rag.decoding import converted
from desktop_rag.documents.formats.hidden_text import LEAST_SIZE, mark_hidden
from desktop_rag.documents.formats.pdf.annotations import annotations_of
from desktop_rag.documents.formats.pdf.printed_words import PrintedPiece

if TYPE_CHECKING:
    import pymupdf

_REMARK = re.compile(rb"%[^\r\n]*")
_CLEAR = re.compile(r"/ca\s+0?(?:\.0\d*)?\s*(?:/|>)")
_OBJECTS, _ONE_OBJECT = re.compile(r"(\d+) 0 R"), re.compile(r"\d+ 0 R")
_MOST_STATES = 50
_WHITE, _TRANSPARENT = 0.9, 0.1
_UNDRAWN = (1, 3)  # types of spans that are only stroked, or neither filled nor stroked
_SAME = 24  # levels of grey between letters and paper that hardly anybody can read
_MOST_SPANS = 500  # on a page
_MOST_PAINTED = 300  # areas that are compared with each text
_LEAST_PAINTED = (12.0, 5.0)  # width and height in points; lines and rules cover no text
_SLACK = 2.0  # points by which letters may stand out of what covers them
_STRINGS = re.compile(rb"\((?:\\.|[^\\()])*\)", re.DOTALL)
_ENDS = (b")", b"]", b">")  # of operands that an operator may follow without a space
_SET_COLOUR = frozenset((b"g", b"rg", b"k", b"sc", b"scn"))
_WRITE = frozenset((b"Tj", b"TJ", b"'", b'"'))
_DRAW = frozenset((b"sh", b"Do"))  # a picture, or a drawing that writes with the colour in force
_FILL = frozenset((b"f", b"f*", b"F", b"b", b"b*", b"B", b"B*"))
_END_PATH = frozenset((b"n", b"S", b"s"))  # of a path to cut with, or of lines
_OPERATORS = _SET_COLOUR | _WRITE | _DRAW | _FILL | _END_PATH | {b"re", b"q", b"Q", b"cm", b"Tr"}
_CURVES = frozenset((b"c", b"v", b"y"))
_RULE = 4.0  # points; thinner rectangles are lines
_LONGEST_POLYGON = 60  # words
_Colour = tuple[float, ...]
_BLACK: _Colour = (0.0,)
_INKS = 4  # of a printer
_COUNTS = {b"g": 1, b"rg": 3}
_PAINTS = ("fill-path", "fill-image", "fill-shade", "fill-imgmask")
_FEW, _SQUEEZED = 8, 0.05  # letters; width of one as a part of its height
_PICTURE_SHARE = 0.6  # of a page: a scan, whose text may lie below it
_LEAST_LETTERS = 4  # spaces and marks are set in white to keep columns apart


_Box = tuple[float, float, float, float]


_Chars = list[tuple[int, int, tuple[float, float], tuple[float, float, float, float]]]


class _Span(msgspec.Struct, gc=False):
    seqno: int
    bbox: tuple[float, float, float, float]
    chars: object  # converted for suspects only
    color: tuple[float, ...] | None = ()
    opacity: float = 1.0
    type: int = 0


def mark_hidden_pieces(page: "pymupdf.Page", pieces: Sequence[PrintedPiece]) -> None:
    """Mark the words of `pieces` that nobody can see on the page; raises MuPDF's own errors."""
    for piece in pieces:
        extent = max(piece.x1 - piece.x0, piece.y1 - piece.y0)
        tiny = piece.size < LEAST_SIZE and piece.y1 - piece.y0 < 2 * LEAST_SIZE
        if tiny or (len(piece.text) > _FEW and extent < _SQUEEZED * piece.size * len(piece.text)):
            piece.text = mark_hidden(piece.text)
    if not pieces:
        return
    inks = list(map(_Inks, _commands(page)))
    same = any(not each.filled.isdisjoint(each.written) for each in inks)
    covers = any(each.covers for each in inks) or any(True for _ in annotations_of(page))
    painted = _Painted(page, on_paths=same) if same or covers else None
    if not (painted and painted.meets) and not _may_hide(page, inks):
        return
    suspects = list(_suspects(page, painted.meets if painted else frozenset()))
    pixels = _Pixels(page, [bbox for _, bbox, _ in suspects])
    covered = list[tuple[_Box, str]]()
    for number, bbox, text in suspects:
        if pixels.is_blank(bbox):
            _mark(pieces, bbox, text)
        elif painted and number in painted.below_pictures:
            covered.append((bbox, text))
    if covered and _looks_the_same(page, covered):
        for bbox, text in covered:
            _mark(pieces, bbox, text)


def _mark(pieces: Sequence[PrintedPiece], bbox: _Box, text: str) -> None:
    words = re.compile(r"\s*".join(map(re.escape, "".join(text.split()))))
    for piece in pieces:
        if piece.x0 < bbox[2] and piece.x1 > bbox[0] and piece.y0 < bbox[3] and piece.y1 > bbox[1]:
            piece.text = words.sub(_marked, piece.text, count=1)


def _marked(found: re.Match[str]) -> str:
    before = found.string[: found.start()]
    already = before.rfind("[hidden: ") > before.rfind("]")
    return found[0] if already else mark_hidden(found[0])


def _commands(page: "pymupdf.Page") -> list[bytes]:
    """Return the drawing commands of a page and of the forms in it, without remarks."""
    file = page.parent
    forms = (file.xref_stream(form[0]) or b"" for form in page.get_xobjects()[:20])
    return [_REMARK.sub(b"", commands) for commands in (page.read_contents(), *forms)]


def _may_hide(page: "pymupdf.Page", inks: Sequence["_Inks"]) -> bool:
    """Return whether the page, or a drawing in it, may draw text that nobody sees by itself."""
    if any(each.undrawn or any(map(_is_light, each.written)) for each in inks):
        return True
    return bool(_CLEAR.search(_states(page)))


def _states(page: "pymupdf.Page") -> str:
    """Return the graphics states that a page may name, also those that stand in objects of their own."""
    file = page.parent
    given = file.xref_get_key(page.xref, "Resources/ExtGState")[1]
    if _ONE_OBJECT.fullmatch(given):
        given = file.xref_object(int(given.split()[0]), compressed=True)
    numbers = list(map(int, _OBJECTS.findall(given)))[:_MOST_STATES]
    return " ".join((given, *(file.xref_object(number, compressed=True) for number in numbers)))


def _is_light(colour: _Colour) -> bool:
    if len(colour) == _INKS:
        return max(colour) <= 1 - _WHITE
    return bool(colour) and min(colour) >= _WHITE


def _suspects(page: "pymupdf.Page", painted: Container[int]) -> Iterator[tuple[int, _Box, str]]:
    """Yield number, place and text of spans that may not be seen: by themselves, or on or below what is `painted`."""
    import pymupdf

    turned = page.rotation_matrix
    for span in converted(page.get_texttrace(), list[_Span])[: 20 * _MOST_SPANS]:
        white = bool(span.color) and min(span.color or ()) >= _WHITE
        if white or span.type in _UNDRAWN or span.opacity < _TRANSPARENT or span.seqno in painted:
            text = "".join(chr(char[0]) for char in converted(span.chars, _Chars) if char[0] > 0)
            if sum(map(str.isalnum, text)) >= _LEAST_LETTERS:
                placed = pymupdf.Rect(*span.bbox) * turned
                yield span.seqno, (placed.x0, placed.y0, placed.x1, placed.y1), text


class _Painted:
    """The texts of a page, by their number in the order of drawing, on or below what else is drawn."""

    def __init__(self, page: "pymupdf.Page", *, on_paths: bool) -> None:
        log = [(number, str(kind), box) for number, (kind, box, *_) in enumerate(page.get_bboxlog())]
        paints = [each for each in log if each[1] in _PAINTS and _is_area(each[2])]
        paints = sorted(paints, key=lambda each: _size(each[2]), reverse=True)[:_MOST_PAINTED]
        whole = _PICTURE_SHARE * page.rect.width * page.rect.height
        self.meets = set[int]()
        self.below_pictures = set[int]()
        over = set[_Box]()
        on = set[int]()
        for number, kind, box in log[: 20 * _MOST_SPANS]:
            if not kind.endswith("-text"):
                continue
            left, top, right, bottom = box[0] + _SLACK, box[1] + _SLACK, box[2] - _SLACK, box[3] - _SLACK
            for other, what, at in paints:
                if at[0] <= left and at[1] <= top and at[2] >= right and at[3] >= bottom:
                    (self.meets if other > number or what != "fill-path" else on).add(number)
                    if other > number and what == "fill-image":
                        self.below_pictures.add(number)
                        over.add(at)
        if sum(map(_size, over)) >= whole:  # strips of a scan, or one of the whole page
            self.below_pictures.clear()
        if on_paths:
            self.meets |= on


class _Inks:
    """The colours with which drawing commands fill areas and write, and in what order they do.

    Operands are read only where they are needed: most colours and matrices draw nothing that matters.
    """

    def __init__(self, commands: bytes) -> None:
        self.filled, self.written = set[_Colour](), set[_Colour]()
        self.undrawn = False  # whether letters may be drawn otherwise than filled
        self.covers = False  # whether something may be drawn over letters
        self._words = words = _words(commands)
        self._scales: dict[int, float] = {}
        writes = False
        ink, wrote = 0, -1  # places of the operators that set the colour, and the colour of the last letters
        matrices: tuple[int, ...] = ()
        outer = list[tuple[int, tuple[int, ...]]]()
        rectangles = list[int]()  # of the path that is being drawn
        before = 0  # place of the operator before
        for place in [place for place, word in enumerate(words) if word in _OPERATORS]:
            word = words[place]
            if word in _WRITE or word in _DRAW:
                self.covers |= writes and word in _DRAW
                writes = True
                if wrote != ink:
                    self.written.add(self._colour(ink))
                    wrote = ink
            elif word in _SET_COLOUR:
                ink = place
            elif word == b"q":
                outer.append((ink, matrices))
            elif word == b"Q":
                ink, matrices = outer.pop() if outer else (0, ())
            elif word == b"cm":
                matrices = (*matrices, place)
            elif word == b"re":
                rectangles.append(place)
            elif word in _FILL:
                if self._is_area(rectangles, words[before + 1 : place], matrices):
                    self.covers |= writes
                    self.filled.add(self._colour(ink))
                rectangles.clear()
            elif word in _END_PATH:
                rectangles.clear()
            else:
                self.undrawn |= _numbers((words[place - 1],)) not in ((), (0.0,))
            before = place

    def _colour(self, place: int) -> _Colour:
        """Return the colour set at `place`: a grey, in whatever way it is given, as one number."""
        count = _COUNTS.get(self._words[place], _INKS)
        return _numbers(tuple(self._words[max(0, place - count) : place][::-1])) if place else _BLACK

    def _is_area(self, rectangles: Sequence[int], path: Sequence[bytes], matrices: Sequence[int]) -> bool:
        """Return whether a path is thicker than a rule."""
        thickness = max((_thickness(self._words[place - 2 : place]) for place in rectangles), default=0.0)
        thickness = max(thickness, _polygon_thickness(path, alone=not rectangles))
        return thickness * math.prod(map(self._scale, matrices)) >= _RULE

    def _scale(self, place: int) -> float:
        if place not in self._scales:
            self._scales[place] = _scale(self._words[max(0, place - 6) : place - 2])
        return self._scales[place]


def _words(commands: bytes) -> list[bytes]:
    """Return the operands and operators of drawing commands; strings are empty."""
    commands = _STRINGS.sub(b"()", commands)
    for end in _ENDS:
        commands = commands.replace(end, end + b" ")
    return [b"", *commands.split()]


def _thickness(sides: Sequence[bytes]) -> float:
    """Return the smaller side of a rectangle; infinity if it cannot be told."""
    try:
        return min(abs(float(side)) for side in sides)
    except ValueError:
        return math.inf


def _polygon_thickness(path: Sequence[bytes], *, alone: bool) -> float:
    """Return the smaller side of a polygon's bounding box; infinity for curves, and for no polygon `alone`."""
    if len(path) > _LONGEST_POLYGON or not _CURVES.isdisjoint(path):
        return math.inf
    corners = [place for place, word in enumerate(path) if word in {b"m", b"l"}]
    if not corners:
        return math.inf if alone else 0.0
    try:
        across, down = ([float(path[place - back]) for place in corners] for back in (2, 1))
    except ValueError:
        return math.inf
    return min(max(across) - min(across), max(down) - min(down))


def _scale(matrix: Sequence[bytes]) -> float:
    """Return by how much a matrix enlarges at most; infinity if it cannot be told."""
    try:
        a, b, c, d = (float(number) for number in matrix)
    except ValueError:
        return math.inf
    return max(math.hypot(a, b), math.hypot(c, d))


@lru_cache(maxsize=1024)
def _numbers(backwards: tuple[bytes, ...]) -> _Colour:
    found: list[float] = []
    for word in backwards:
        try:
            found.insert(0, round(float(word), 2))
        except ValueError:
            break
    if len(found) == _INKS:
        return (round(1 - found[3], 2),) if not any(found[:3]) else tuple(found)
    return (found[0],) if len(set(found)) == 1 else tuple(found)


def _is_area(box: _Box) -> bool:
    return box[2] - box[0] >= _LEAST_PAINTED[0] and box[3] - box[1] >= _LEAST_PAINTED[1]


def _size(box: _Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _looks_the_same(page: "pymupdf.Page", covered: Sequence[tuple[_Box, str]]) -> bool:
    """Return whether a page looks the same without these texts; tried with a copy of it."""
    import pymupdf

    with pymupdf.open() as copy:
        copy.insert_pdf(page.parent, from_page=page.number, to_page=page.number, links=False, annots=False)
        tried = copy[0]
        before = tried.get_pixmap(colorspace=pymupdf.csGRAY, alpha=False).samples
        for box, _ in covered:
            tried.add_redact_annot(pymupdf.Rect(*box) * tried.derotation_matrix, fill=False, cross_out=False)
        tried.apply_redactions(images=0, graphics=0, text=0)
        return bool(tried.get_pixmap(colorspace=pymupdf.csGRAY, alpha=False).samples == before)


class _Pixels:
    """The part of a page around some boxes as it is seen, in grey, one pixel per point."""

    def __init__(self, page: "pymupdf.Page", boxes: Sequence[_Box]) -> None:
        import pymupdf

        self._left = _MOST_SPANS
        if boxes:
            lows, highs = zip(*((box[:2], box[2:]) for box in boxes), strict=True)
            clip = pymupdf.Rect(*map(min, zip(*lows, strict=True)), *map(max, zip(*highs, strict=True)))
            drawn = page.get_pixmap(colorspace=pymupdf.csGRAY, alpha=False, clip=clip)
            self._x, self._y, self._width, self._height = drawn.x, drawn.y, drawn.width, drawn.height
            self._stride, self._pixels = drawn.stride, memoryview(drawn.samples)

    def is_blank(self, bbox: _Box) -> bool:
        """Return whether nothing can be told from its background within one of the boxes."""
        if self._left <= 0:
            return False
        self._left -= 1
        x0, y0 = max(0, int(bbox[0]) - self._x), max(0, int(bbox[1]) - self._y)
        x1, y1 = min(self._width, int(bbox[2]) + 1 - self._x), min(self._height, int(bbox[3]) + 1 - self._y)
        rows = (bytes(self._pixels[y * self._stride + x0 : y * self._stride + x1]) for y in range(y0, y1))
        levels = [(min(row), max(row)) for row in rows if row]
        return not levels or max(most for _, most in levels) - min(least for least, _ in levels) < _SAME
