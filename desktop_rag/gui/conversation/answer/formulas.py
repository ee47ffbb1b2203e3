"""Typesets the formulas of an answer as SVG, on a background thread; the window looks up what is ready."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
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

from desktop_rag.gui.conversation.answer.markdown_blocks import Block, MarkdownTable, Paragraph, parse
from desktop_rag.gui.conversation.answer.quoted_markup import show_quoted_markup
from desktop_rag.stop import Stop

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
