"""Finds invisible text of a PDF page: of its background's colour, covered, not drawn, or too small to read.

Letters are traced only where `page_paint` finds lines that may be hidden; what is hidden is decided by the pixels of
the drawn page, so that white letters on a dark table head, or the text layer of a scan, are not taken for hidden. What
lies under a picture is hidden if the page looks the same without it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.documents.formats.inline_text import LEAST_SIZE, mark_hidden
from desktop_rag.documents.formats.pdf.annotations import annotations_of, has_fields
from desktop_rag.documents.formats.pdf.page_blocks import SCALE, Area, BlockLine, PageBlock
from desktop_rag.documents.formats.pdf.page_paint import LEAST_PAINTED, paint_of
from desktop_rag.documents.formats.pdf.printed_words import PrintedPiece

if TYPE_CHECKING:
    import pymupdf
    from pymupdf import mupdf

_MOST_STATES, _MOST_FORMS = 1000, 100
_LIGATURES = dict(zip("ﬀﬁﬂﬃﬄﬅﬆ", ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True))
_WHITE, _TRANSPARENT = 0.9, 0.1
_UNDRAWN = (1, 3)  # types of spans that are only stroked, or neither filled nor stroked
_SAME = 24  # levels of each colour between letters and paper that hardly anybody can read
_MOST_SPANS = 20_000  # on a page
_MOST_TEXTS = 10_000  # that are compared with pictures
_ROW = 16.0  # points
_MOST_PICTURES = 300  # that are compared with each text
_SLACK = 2.0  # points by which letters may stand out of what covers them
_FEW, _SQUEEZED = 8, 0.05  # letters; width of one as a part of its height
_PICTURE_SHARE = 0.6  # of a page: a scan, whose text may lie below it
_DRIFT = 1 / 3  # of the letters of a line of a text layer, that may stand beside the printed ones
_LEAST_LETTERS = 4  # spaces and marks are set in white to keep columns apart


def mark_hidden_pieces(
    page: "pymupdf.Page",
    blocks: Sequence[PageBlock],
    places: Sequence[Area],
    letters: bytes,
    pieces: Sequence[PrintedPiece],
) -> None:
    """Mark the words of `pieces` that are invisible on the page; raises MuPDF's own errors."""
    for piece in pieces:
        count = len(piece.text)
        is_squeezed = count > _FEW and piece.x1 - piece.x0 < _SQUEEZED * piece.size * count > piece.y1 - piece.y0
        if is_squeezed or (piece.size < LEAST_SIZE and piece.y1 - piece.y0 < 2 * LEAST_SIZE):
            piece.text = mark_hidden(piece.text)
    if not pieces:
        return
    resources, forms, names = _resources(page)
    paint = paint_of(blocks, places, letters, _commands(page, forms), names)
    annotated = has_fields(page) or any(True for _ in annotations_of(page))
    near = _beside(paint.lines, pieces)
    painted = set(map(id, near if paint.by_areas else ()))
    if paint.everywhere or annotated or paint.by_pictures or any(map(_is_clear, resources)):
        below = _below_pictures(page) if paint.by_pictures else ()
        _mark_unseen(page, page, list(_suspects(page.get_texttrace(), _shown(page), pieces, painted)), below)
    elif near:
        drawn = page.get_displaylist()
        _mark_unseen(page, drawn, list(_suspects(_traced(drawn, near), None, near, painted)))


def _traced(drawn: "pymupdf.DisplayList", pieces: Sequence[PrintedPiece]) -> list["pymupdf.TracedText"]:
    """Return the texts drawn around some pieces, as `Page.get_texttrace` does for a whole page."""
    from pymupdf import extra, mupdf

    found: list[pymupdf.TracedText] = []
    device = extra.JM_new_texttrace_device(found)
    around = mupdf.FzRect(*_around([(each.x0, each.y0, each.x1, each.y1) for each in pieces]))
    mupdf.fz_run_display_list(drawn.this, device, mupdf.FzMatrix(), around, mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return found


def _beside(lines: Sequence[BlockLine], pieces: Sequence[PrintedPiece]) -> Sequence[PrintedPiece]:
    """Return the pieces that touch some lines."""
    if not lines:
        return ()
    rows = defaultdict[int, list[Area]](list)
    for line in lines:
        x, y, width, height = line.bbox.x / SCALE, line.bbox.y / SCALE, line.bbox.w / SCALE, line.bbox.h / SCALE
        for row in range(int((y - _SLACK) // _ROW), int((y + height + _SLACK) // _ROW) + 1):
            rows[row].append((x - _SLACK, y - _SLACK, x + width + _SLACK, y + height + _SLACK))
    return [
        each
        for each in pieces
        if any(
            each.x0 < x1 and x0 < each.x1 and each.y0 < y1 and y0 < each.y1
            for row in range(int(each.y0 // _ROW), int(each.y1 // _ROW) + 1)
            for x0, y0, x1, y1 in rows.get(row, ())
        )
    ]


def _mark_unseen(
    page: "pymupdf.Page",
    drawn: "pymupdf.Page | pymupdf.DisplayList",
    suspects: Sequence["_Suspect"],
    below_pictures: Container[int] = (),
) -> None:
    pixels = _Pixels(drawn, [each.box for each in suspects])
    unseen, covered = list[_Suspect](), list[_Suspect]()
    for each in suspects:
        if pixels.is_blank(each.box):
            unseen.append(each)
        elif each.number in below_pictures:
            covered.append(each)
    if covered and _looks_the_same(page, [each.box for each in covered]):
        unseen += covered
    of_piece = defaultdict[int, list[_Suspect]](list)
    for each in unseen:
        of_piece[id(each.piece)].append(each)
    drifting = _drifting(page, suspects, unseen)
    for number, found in of_piece.items():
        if _letters(found) >= _LEAST_LETTERS and number not in drifting:
            for each in found:
                each.mark()


def _drifting(page: "pymupdf.Page", suspects: Sequence["_Suspect"], unseen: Sequence["_Suspect"]) -> Container[int]:
    """Return the lines of a scan's text layer that extend a little beyond the words that they repeat."""
    letters, blank = Counter[int](), Counter[int]()
    for each in suspects:
        letters[id(each.piece)] += _letters([each]) if each.undrawn else 0
    for each in unseen:
        blank[id(each.piece)] += _letters([each]) if each.undrawn else letters[id(each.piece)]
    few = {number for number, count in blank.items() if 0 < count <= _DRIFT * letters[number]}
    if not few:
        return few
    pictures = sum(_size(box) for kind, box, *_ in page.get_bboxlog() if kind == "fill-image")
    return few if pictures >= _PICTURE_SHARE * page.rect.width * page.rect.height else ()


@dataclass(slots=True)
class _Suspect:
    """Letters of a line that may not be seen; `number` is their place in the order of drawing."""

    number: int
    piece: PrintedPiece
    box: Area
    text: str
    undrawn: bool = False

    def mark(self) -> None:
        """Mark the letters in the text of their line: of equal words, those nearest to their place."""
        piece, (x0, y0, x1, y1) = self.piece, self.box
        upright = piece.y1 - piece.y0 > piece.x1 - piece.x0
        start, size, at = (piece.y0, piece.y1, (y0 + y1) / 2) if upright else (piece.x0, piece.x1, (x0 + x1) / 2)
        wanted = (at - start) / max(size - start, 1.0) * len(piece.text)
        words = re.compile(r"\s*".join(map(re.escape, "".join(self.text.split()))))
        found = list(words.finditer(piece.text))
        if found:
            nearest = min(found, key=lambda each: abs((each.start() + each.end()) / 2 - wanted))
            piece.text = piece.text[: nearest.start()] + _marked(nearest) + piece.text[nearest.end() :]


def _marked(found: re.Match[str]) -> str:
    before = found.string[: found.start()]
    already = before.rfind("[hidden: ") > before.rfind("]")
    return found[0] if already else mark_hidden(found[0])


def _resources(page: "pymupdf.Page") -> tuple[list["mupdf.PdfObj"], list[int], set[str] | None]:
    """Return the resources of a page and of the forms on it, and the numbers and names of these, if not too many."""
    from pymupdf import mupdf

    found = [mupdf.pdf_dict_gets_inheritable(mupdf.pdf_page_from_fz_page(page.this).obj(), "Resources")]
    forms, names = dict[int, None](), set[str]()
    for resources in found:  # which grows
        objects = mupdf.pdf_dict_gets(resources, "XObject")
        for at in range(mupdf.pdf_dict_len(objects)):
            drawn = mupdf.pdf_dict_get_val(objects, at)
            number = mupdf.pdf_to_num(drawn)
            if mupdf.pdf_to_name(mupdf.pdf_dict_gets(drawn, "Subtype")) != "Form":
                continue
            names.add(mupdf.pdf_to_name(mupdf.pdf_dict_get_key(objects, at)))
            if number in forms:
                continue
            if len(forms) >= _MOST_FORMS:
                return found, list(forms), None
            forms[number] = None
            if (own := mupdf.pdf_dict_gets(drawn, "Resources")).m_internal:
                found.append(own)
    return found, list(forms), names


def _commands(page: "pymupdf.Page", forms: Sequence[int]) -> list[bytes]:
    """Return the drawing commands of a page and of the forms in it."""
    return [page.read_contents(), *(page.parent.xref_stream(form) or b"" for form in forms)]


def _is_clear(resources: "mupdf.PdfObj") -> bool:
    """Return whether a graphics state that may be used fills letters with next to nothing."""
    from pymupdf import mupdf

    states = mupdf.pdf_dict_gets(resources, "ExtGState")
    for at in range(min(_MOST_STATES, mupdf.pdf_dict_len(states))):
        opacity = mupdf.pdf_dict_gets(mupdf.pdf_dict_get_val(states, at), "ca")
        if mupdf.pdf_is_number(opacity) and mupdf.pdf_to_real(opacity) < _TRANSPARENT:
            return True
    return False


def _suspects(
    traced: Sequence["pymupdf.TracedText"],
    shown: Callable[[Area], Area] | None,
    pieces: Sequence[PrintedPiece],
    painted: Collection[int],
) -> Iterator[_Suspect]:
    """Yield letters that may not be seen: by themselves, or in pieces that are on or below what is `painted`."""
    of_piece = defaultdict[int, list[_Suspect]](list)
    rows = _rows(pieces)
    for span in traced[:_MOST_SPANS]:
        _, top, _, bottom = shown(span["bbox"]) if shown else span["bbox"]
        is_suspect = _is_suspect(span)
        if (is_suspect or painted) and any(row in rows for row in range(int(top // _ROW), int(bottom // _ROW) + 1)):
            for piece, letters, boxes in _by_piece(span["chars"], rows, shown):
                if letters.strip() and (is_suspect or id(piece) in painted):
                    undrawn = span["type"] in _UNDRAWN
                    of_piece[id(piece)].append(_Suspect(span["seqno"], piece, _around(boxes), letters, undrawn))
    for found in of_piece.values():
        if _letters(found) >= _LEAST_LETTERS:
            yield from found


def _is_suspect(span: "pymupdf.TracedText") -> bool:
    colour = span["color"]
    return (bool(colour) and min(colour or ()) >= _WHITE) or span["type"] in _UNDRAWN or span["opacity"] < _TRANSPARENT


def _rows(pieces: Sequence[PrintedPiece]) -> dict[int, list[PrintedPiece]]:
    """Return the pieces by the rows of the page that they touch, so that letters need not be compared with all."""
    rows = defaultdict[int, list[PrintedPiece]](list)
    for piece in pieces:
        for row in range(int(piece.y0 // _ROW), int(piece.y1 // _ROW) + 1):
            rows[row].append(piece)
    return rows


def _by_piece(
    chars: Iterable[tuple[int, int, tuple[float, float], Area]],
    rows: Mapping[int, Sequence[PrintedPiece]],
    shown: Callable[[Area], Area] | None,
) -> Iterator[tuple[PrintedPiece, str, list[Area]]]:
    """Yield each piece that some letters are in, with these letters and their places."""
    found: dict[int, tuple[PrintedPiece, list[str], list[Area]]] = {}
    for code, _, _, place in chars:
        box = shown(place) if shown else place
        y = (box[1] + box[3]) / 2
        for piece in rows.get(int(y // _ROW), ()):
            if piece.y0 <= y <= piece.y1 and piece.x0 - 1 <= (box[0] + box[2]) / 2 <= piece.x1 + 1:
                _, inside, boxes = found.get(id(piece)) or found.setdefault(id(piece), (piece, [], []))
                inside.append(_letter(code))
                boxes.append(box)
    for piece, inside, boxes in found.values():
        yield piece, "".join(inside), boxes


def _letters(suspects: Iterable[_Suspect]) -> int:
    return sum(letter.isalnum() for each in suspects for letter in each.text)


def _letter(code: int) -> str:
    letter = chr(code) if code > 0 else ""
    return _LIGATURES.get(letter, letter)


def _shown(page: "pymupdf.Page") -> Callable[[Area], Area] | None:
    """Return a function that maps a rectangle of the unrotated page to the rotated page, if it is rotated."""
    import pymupdf

    matrix = page.rotation_matrix

    def turned(box: Area) -> Area:
        place = pymupdf.Rect(*box) * matrix
        return place.x0, place.y0, place.x1, place.y1

    return turned if page.rotation else None


def _around(boxes: Sequence[Area]) -> Area:
    if not boxes:
        return 0.0, 0.0, 0.0, 0.0
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _below_pictures(page: "pymupdf.Page") -> Collection[int]:
    """Return the texts of a page, by their number in the order of drawing, that are below a picture."""
    log = page.get_bboxlog()
    pictures = [(number, box) for number, (kind, box, *_) in enumerate(log) if kind == "fill-image" and _is_area(box)]
    pictures = sorted(pictures, key=lambda each: _size(each[1]), reverse=True)[:_MOST_PICTURES]
    below, over = set[int](), set[Area]()
    for number, (kind, (left, top, right, bottom), *_) in enumerate(log[:_MOST_TEXTS]):
        for other, at in pictures if kind.endswith("-text") else ():
            is_in = at[0] <= left + _SLACK and at[1] <= top + _SLACK and at[2] >= right - _SLACK
            if other > number and is_in and at[3] >= bottom - _SLACK:
                below.add(number)
                over.add(at)
    # strips of a scan, or one of the whole page
    return () if sum(map(_size, over)) >= _PICTURE_SHARE * page.rect.width * page.rect.height else below


def _is_area(box: Area) -> bool:
    return box[2] - box[0] >= LEAST_PAINTED[0] and box[3] - box[1] >= LEAST_PAINTED[1]


def _size(box: Area) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _looks_the_same(page: "pymupdf.Page", covered: Sequence[Area]) -> bool:
    """Return whether a page looks the same without these texts; tried with a copy of it."""
    import pymupdf

    with pymupdf.open() as copy:
        copy.insert_pdf(page.parent, from_page=page.number, to_page=page.number, links=False, annots=False)
        tried = copy[0]
        before = tried.get_pixmap(colorspace=pymupdf.csGRAY, alpha=False).samples
        for box in covered:
            tried.add_redact_annot(pymupdf.Rect(*box) * tried.derotation_matrix, fill=False, cross_out=False)
        tried.apply_redactions(images=0, graphics=0, text=0)
        return bool(tried.get_pixmap(colorspace=pymupdf.csGRAY, alpha=False).samples == before)


class _Pixels:
    """The rendered part of a page around some boxes, one pixel of three colours per point."""

    def __init__(self, page: "pymupdf.Page | pymupdf.DisplayList", boxes: Sequence[Area]) -> None:
        import pymupdf

        if boxes:
            lows, highs = zip(*((box[:2], box[2:]) for box in boxes), strict=True)
            clip = pymupdf.Rect(*map(min, zip(*lows, strict=True)), *map(max, zip(*highs, strict=True)))
            drawn = page.get_pixmap(colorspace=pymupdf.csRGB, alpha=False, clip=clip)
            self._x, self._y, self._width, self._height = drawn.x, drawn.y, drawn.width, drawn.height
            self._stride, self._pixels = drawn.stride, memoryview(drawn.samples)

    def is_blank(self, bbox: Area) -> bool:
        """Return whether nothing can be told from its background within one of the boxes."""
        x0, y0 = max(0, int(bbox[0]) - self._x), max(0, int(bbox[1]) - self._y)
        x1, y1 = min(self._width, int(bbox[2]) + 1 - self._x), min(self._height, int(bbox[3]) + 1 - self._y)
        rows = [self._pixels[y * self._stride + 3 * x0 : y * self._stride + 3 * x1] for y in range(y0, y1) if x0 < x1]
        # the row in the middle tells of most letters that they are seen
        return not rows or (_is_of_one_colour(rows[len(rows) // 2]) and _is_of_one_colour(b"".join(rows)))


def _is_of_one_colour(pixels: bytes | memoryview) -> bool:
    return all(max(levels) - min(levels) < _SAME for levels in (pixels[colour::3] for colour in range(3)))
