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
# Both begin with what stands before an operator: the search for it is a third faster than one that looks back.
_OPERATORS = re.compile(rb"[\s\])>](re|g|rg|k|scn?|f\*?|F|[Bb]\*?|sh|Do|q|Q|cm|Tr)(?=\s|$)")
_WRITES = re.compile(rb"[\s\])>](?:Tj|TJ|'|\")(?=\s|$)")
_RULE = 4.0  # points; thinner rectangles are lines
_SHORTEST_TEXT = 2  # characters with an operator for text among them
_LONGEST_COLOUR, _LONGEST_MATRIX = 60, 120  # characters of the operands
_Colour = tuple[float, ...]
_BLACK: _Colour = (0.0,)
_INKS = 4  # of a printer
_COUNTS = {b"g": 1, b"rg": 3, b"tr": 1}
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
    """The colours with which drawing commands fill areas and write, and in what order they do."""

    def __init__(self, commands: bytes) -> None:
        self.filled, self.written = set[_Colour](), set[_Colour]()
        self.undrawn = False  # whether letters may be drawn otherwise than filled
        self.covers = False  # whether something may be drawn over letters
        self._writes = False
        commands = b"\n" + _STRINGS.sub(b"()", commands)
        colour, scale, last = _BLACK, 1.0, 0
        outer = list[tuple[_Colour, float]]()
        thickness = list[float]()  # of the rectangles to be filled next
        for found in _OPERATORS.finditer(commands):
            start = found.start(1)
            self._note_text(commands, last, start, colour)
            last = found.end()
            match found[1]:
                case b"q":
                    outer.append((colour, scale))
                case b"Q":
                    colour, scale = outer.pop() if outer else (_BLACK, 1.0)
                case b"cm":
                    scale *= _scale(commands[max(0, start - _LONGEST_MATRIX) : start])
                case b"g" | b"rg" | b"k" | b"sc" | b"scn":
                    colour = _operands(commands, found)
                case b"Tr":
                    self.undrawn |= _operands(commands, found)[-1:] not in ((), (0.0,))
                case b"re":
                    thickness.append(scale * _thickness(commands[max(0, start - _LONGEST_COLOUR) : start]))
                case b"sh" | b"Do":  # a picture, or a drawing that writes with the colour in force
                    self.covers |= self._writes
                    self._writes = True
                    self.written.add(colour)
                case _:
                    if not thickness or max(thickness) >= _RULE:
                        self.covers |= self._writes
                        self.filled.add(colour)
                    thickness.clear()
        self._note_text(commands, last, len(commands), colour)

    def _note_text(self, commands: bytes, start: int, end: int, colour: _Colour) -> None:
        if end - start > _SHORTEST_TEXT and _WRITES.search(commands, start, end):
            self._writes = True
            self.written.add(colour)


def _thickness(operands: bytes) -> float:
    """Return the smaller side of a rectangle whose operands end here; infinity if they cannot be told."""
    try:
        return min(abs(float(side)) for side in operands.split()[-2:])
    except ValueError:
        return math.inf


def _scale(operands: bytes) -> float:
    """Return by how much a matrix whose numbers end here enlarges at most; infinity if they cannot be told."""
    try:
        a, b, c, d = map(float, operands.split()[-6:-2])
    except ValueError:
        return math.inf
    return max(math.hypot(a, b), math.hypot(c, d))


def _operands(commands: bytes, operator: re.Match[bytes]) -> _Colour:
    """Return the numbers before an operator for colours; a grey, in whatever way it is given, as one number."""
    words = commands[max(0, operator.start() - _LONGEST_COLOUR) : operator.start()].split()
    return _numbers(tuple(words[: -_COUNTS.get(operator[1].lower(), _INKS) - 1 : -1]))


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
