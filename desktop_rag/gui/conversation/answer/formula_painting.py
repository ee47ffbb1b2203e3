"""Draws typeset formulas inside a text document, as wide as its page at most, on the base line of the text."""

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

from desktop_rag.gui.conversation.answer.formulas import COLOR, EM, Formula, ready_formula

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
