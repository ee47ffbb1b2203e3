"""Typesets the formulas of an answer as SVG, on a background thread; the window looks up what is ready."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtCore import QByteArray, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFont,
    QFontInfo,
    QFontMetricsF,
    QImage,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtSvg import QSvgRenderer

from desktop_rag.documents.file_types import Format
from desktop_rag.gui.conversation.answer.markdown_blocks import (
    Block,
    MarkdownSpan,
    MarkdownTable,
    Paragraph,
    Unit,
    parse,
)
from desktop_rag.gui.snippet_text import shown_snippet
from desktop_rag.stop import Stop

# Mark-up inside a quotation of a Markdown or LaTeX file: the answer escapes it, the window shows what it means.

_MARKUP = re.compile(
    r"(?P<mark>\*\*|__)(?P<bold>(?=\S).+?(?<=\S))(?P=mark)|`(?P<code>[^`]+)`|!?\[(?P<link>[^\[\]]*)\]\([^()\s]*\)"
    r"|!?\[\[(?:[^\[\]|]*\|)?(?P<wiki>[^\[\]|]+)\]\]|(?<![\w*])\*(?P<italic>(?=\S)[^*]+(?<=\S))\*(?![\w*])"
    r"|^(?:#{1,6}|[-*+]) +|(?<!\w)\*\*(?=\S|$)|(?:^|(?<=\S))\*\*(?!\w)"  # a part of a bold text
)
_MARKUP_COMMAND = re.compile(r"(?<!\\)\\[A-Za-z]")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def has_markup(text: str, markdown: Collection[int]) -> bool:
    """Return whether an answer has quoted mark-up, of files whose citations are `markdown`, or quoted formulas."""
    signs = ("\\*", "\\`", "\\[", "\\#", "[[") if markdown else ()
    return "\\\\" in text or any(sign in text for sign in signs)


def show_quoted_markup(
    units: Sequence[Unit], markdown: Collection[int], latex: Collection[int] = ()
) -> tuple[Unit, ...]:
    """Return `units` with formulas in quotations, and the mark-up of those that cite one of `markdown` or `latex`."""
    return tuple(Unit(unit.line, tuple(_shown(block, markdown, latex) for block in unit.blocks)) for unit in units)


def _shown(block: Block, markdown: Collection[int], latex: Collection[int]) -> Block:
    if not isinstance(block, Paragraph) or not block.quoted:
        return block
    block = replace(block, pieces=tuple(map(_markup_formula, block.pieces)))
    if any(piece.citation in latex for piece in block.pieces):
        return replace(block, pieces=tuple(map(_without_commands, _joined(block.pieces))))
    if not any(piece.citation in markdown for piece in block.pieces):
        return block
    return replace(block, pieces=tuple(part for piece in _joined(block.pieces) for part in _parts(piece)))


def _without_commands(piece: MarkdownSpan) -> MarkdownSpan:
    """Return a piece of LaTeX as the reading view shows it."""
    if piece.citation or piece.code or piece.math:
        return piece
    return replace(piece, text=shown_snippet(piece.text, (), Format.LATEX)[0])


def _markup_formula(piece: MarkdownSpan) -> MarkdownSpan:
    """Return a formula as the file has it: the answer escapes its backslashes, so that none begins a command."""
    if not piece.math or _MARKUP_COMMAND.search(piece.text):
        return piece
    return replace(piece, text=_ESCAPE.sub(r"\1", piece.text))


def _joined(pieces: Sequence[MarkdownSpan]) -> Iterator[MarkdownSpan]:
    """Yield the pieces, with neighbours of one style as one: an escaped character is a piece of its own."""
    held: MarkdownSpan | None = None
    for piece in pieces:
        if held is not None and not piece.citation and replace(held, text=piece.text) == piece:
            held = replace(held, text=held.text + piece.text)
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held


def _parts(piece: MarkdownSpan) -> Iterator[MarkdownSpan]:
    if piece.citation or piece.code or piece.math:
        yield piece
        return
    end = 0
    for found in _MARKUP.finditer(piece.text):
        yield replace(piece, text=piece.text[end : found.start()])
        end = found.end()
        if words := found["bold"]:
            yield replace(piece, text=words, bold=True)
        elif words := found["code"]:
            yield replace(piece, text=words, code=True)
        elif words := found["italic"]:
            yield replace(piece, text=words, italic=True)
        elif words := found["link"] or found["wiki"]:
            yield replace(piece, text=words)
    yield replace(piece, text=piece.text[end:])


EM = 24.0  # the size in which formulas are typeset
COLOR = "#010203"  # stands for the colour of the text in the SVG
_LONGEST = 600  # characters
_DEEPEST = 5  # nested groups: the time doubles with each
_MOST_COMMANDS = 120
MOST_FORMULAS = 200  # of an answer
_COMMAND = re.compile(r"\\[A-Za-z]+")
_REFUSED = re.compile(r"\\(?:def|edef|gdef|let|(?:re)?newcommand|input|include\w*)\b")  # may grow without end
_VIEW_BOX = re.compile(r'viewBox="([^"]*)"')
_WIDEST = 6_000.0  # pixels
_DELIMITER = re.compile(r"\$|\\[(\[]")


@dataclass(frozen=True, slots=True)
class Formula:
    """A typeset formula; lengths in pixels at `EM`, `ascent` from its top to the base line."""

    svg: bytes
    width: float
    height: float
    ascent: float


_READY: dict[tuple[str, bool], Formula | None] = {}  # by TeX and display; a cache that can be asked what it holds


def ready_formula(tex: str, *, display: bool) -> Formula | None:
    """Return a formula if it is typeset; None if it is not, or cannot be."""
    return _READY.get((tex, display))


def load_formulas(markdown: str, stop: Stop, most: int = MOST_FORMULAS) -> int:
    """Typeset up to `most` new formulas in `markdown` until `stop`, and return how many.

    For a background thread: one takes some milliseconds.
    """
    if not _DELIMITER.search(markdown):
        return 0
    units = show_quoted_markup(parse(markdown.replace("\r", "")), ())  # as they are drawn
    blocks = (block for unit in units for block in unit.blocks)
    wanted = {found for block in blocks for found in _formulas(block)}
    new = sorted(each for each in wanted if each not in _READY)[:most]
    for tex, display in new:
        if stop.is_set():
            break
        if len(_READY) > 10 * MOST_FORMULAS:
            _READY.clear()
        _READY[tex, display] = typeset(tex, display=display)
    return len(new)


def _formulas(block: Block) -> Iterator[tuple[str, bool]]:
    match block:
        case Paragraph():
            yield from ((piece.text, block.display) for piece in block.pieces if piece.math)
        case MarkdownTable():
            yield from ((piece.text, False) for row in block.rows for cell in row for piece in cell if piece.math)
        case _:
            pass


def typeset(tex: str, *, display: bool) -> Formula | None:
    """Return TeX as a picture; None if it is too large, too deep, or not understood."""
    commands = _COMMAND.findall(tex)
    if len(tex) > _LONGEST or len(commands) > _MOST_COMMANDS or _REFUSED.search(tex) or _depth(tex) > _DEEPEST:
        return None
    from ziamath import Latex, config

    config.svg2 = False  # Qt does not draw symbols that are used twice
    try:
        svg = Latex(tex, size=EM, color=COLOR, inline=not display).svg()
    except Exception:  # noqa: BLE001 - whatever a foreign parser raises on a model's text: it stays readable as TeX
        return None
    box = _VIEW_BOX.search(svg)
    if box is None:
        return None
    _, top, width, height = map(float, box[1].split())
    return Formula(svg.encode(), width, height, -top) if 0 < width < _WIDEST and 0 < height < _WIDEST else None


def _depth(tex: str) -> int:
    deepest = depth = 0
    for char in tex:
        depth += (char == "{") - (char == "}")
        deepest = max(deepest, depth)
    return deepest + tex.count(r"\left") + tex.count(r"\begin")


# Draws typeset formulas inside a text document, as wide as its page at most, on the base line of the text.

FORMULA_OBJECT = QTextFormat.ObjectTypes.UserObject.value + 1
OBJECT = "\ufffc"  # stands for a formula in the text of a document
_TEX = QTextFormat.Property.UserProperty.value + 20
_DISPLAY = QTextFormat.Property.UserProperty.value + 21
_LARGER = 1.15  # than the text: letters of the formula font are smaller


def formula_format(tex: str, *, display: bool) -> QTextCharFormat:
    """Return the character format of the `OBJECT` placeholder of a formula."""
    form = QTextCharFormat()
    form.setObjectType(FORMULA_OBJECT)
    form.setProperty(_TEX, tex)
    form.setProperty(_DISPLAY, display)
    form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
    return form


def with_tex(selected: QTextCursor) -> str:
    """Return the selected text with the TeX of its formulas between dollar signs."""
    text = selected.selection().toPlainText()
    at = selected.selectionStart()
    parts: list[str] = []
    cursor = QTextCursor(selected.document())
    for index, piece in enumerate(text.split(OBJECT)):
        if index:
            at = _next_object(cursor, at)
            tex = cursor.charFormat().property(_TEX)
            parts.append(f"${tex}$" if isinstance(tex, str) else "")
        parts.append(piece)
    return "".join(parts)


def _next_object(cursor: QTextCursor, start: int) -> int:
    """Move behind the next object at or after `start`; return that position."""
    found = cursor.document().find(OBJECT, start)
    cursor.setPosition(found.selectionEnd() if not found.isNull() else start)
    return cursor.position()


class FormulaPainter(QPyTextObject):
    """Measures and draws the objects of type `FORMULA_OBJECT` of a document."""

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:  # noqa: A002, N803 - Qt's names
        """Return the size that puts the base line of the formula on that of the text."""
        formula = _formula(format)
        if formula is None:
            return QSizeF()
        scale, half = _scale(doc, format, formula), _half_x(format)
        ascent, descent = formula.ascent * scale, (formula.height - formula.ascent) * scale
        # Qt centres the object half the height of an x above the base line
        return QSizeF(formula.width * scale + 2, max(2 * ascent - half, 2 * descent + half))

    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        doc: QTextDocument,
        posInDocument: int,  # noqa: N803
        format: QTextFormat,  # noqa: A002
    ) -> None:
        """Draw the formula in the colour of its text."""
        formula = _formula(format)
        if formula is None:
            return
        scale, area = _scale(doc, format, formula), QRectF(rect)
        base = area.top() + (area.height() + _half_x(format)) / 2
        color = format.foreground().color().name()
        ratio = painter.device().devicePixelRatio()
        picture = _picture(formula, color, scale * ratio)
        picture.setDevicePixelRatio(ratio)
        painter.drawImage(QPointF(area.left() + 1, base - formula.ascent * scale), picture)


def _formula(form: QTextFormat) -> Formula | None:
    tex = form.property(_TEX)
    return ready_formula(tex, display=form.boolProperty(_DISPLAY)) if isinstance(tex, str) else None


def _font(form: QTextFormat) -> QFont:
    return form.toCharFormat().font()


def _half_x(form: QTextFormat) -> float:
    return QFontMetricsF(_font(form)).xHeight() / 2


def _scale(document: QTextDocument, form: QTextFormat, formula: Formula) -> float:
    wanted = QFontInfo(_font(form)).pixelSize() / EM * _LARGER
    room = document.textWidth() - 2 * document.documentMargin() - 8
    return min(wanted, room / formula.width) if room > 0 else wanted


@lru_cache(maxsize=256)
def _picture(formula: Formula, color: str, scale: float) -> QImage:
    picture = QImage(
        max(1, round(formula.width * scale)),
        max(1, round(formula.height * scale)),
        QImage.Format.Format_ARGB32_Premultiplied,
    )
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(QByteArray(formula.svg.replace(COLOR.encode(), color.encode()))).render(painter)
    painter.end()
    return picture
