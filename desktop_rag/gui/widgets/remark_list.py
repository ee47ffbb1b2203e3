"""A list of sentences, each with a sign for or against the file being found."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QScrollArea, QSizePolicy, QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import GRID, current_colors, scaled, text_font
from desktop_rag.gui.widgets.layouts import DIALOG, STRETCH, TOP, in_column, in_row
from desktop_rag.gui.widgets.painted_button import line_height
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.retrieval.explain.explanation import Bearing, ExplanationSentence
from desktop_rag.text.display import one_line

_SIGN = 16


class Sign(QWidget):
    """A check mark, a warning sign, or a dot."""

    def __init__(self, bearing: Bearing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bearing = bearing
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return a square as high as the first line of its sentence."""
        return QSize(scaled(_SIGN) + GRID // 2, line_height(text_font()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sign in the colours of the theme."""
        colors = current_colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRect(0, 0, scaled(_SIGN), self.height())
        match self._bearing:
            case Bearing.HELPS:
                icons.draw(painter, area, "check", colors.success, _SIGN)
            case Bearing.HINDERS:
                icons.draw(painter, area, "warning", colors.warning, _SIGN)
            case Bearing.PLAIN:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colors.faint)
                painter.drawEllipse(area.center(), 2, 2)


class RemarkList(QScrollArea):
    """The sentences; each can be reached by keyboard, selected and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("What is known about this file"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.show_remarks(())

    def show_remarks(self, remarks: Sequence[ExplanationSentence]) -> None:
        """Replace the sentences."""
        inside = QWidget(self)
        in_column(*(self._row(remark, inside) for remark in remarks), STRETCH, on=inside, margins=(0, 0, GRID, 0))
        inside.setAutoFillBackground(False)
        self._inside = inside
        self.setWidget(inside)
        self.viewport().setAutoFillBackground(False)

    def sentences(self) -> tuple[str, ...]:
        """Return the sentences in order."""
        return tuple(label.text() for label in self._inside.findChildren(PlainLabel))

    def _row(self, remark: ExplanationSentence, parent: QWidget) -> QHBoxLayout:
        names = {Bearing.HELPS: self.tr("For it"), Bearing.HINDERS: self.tr("Against it"), Bearing.PLAIN: ""}
        label = PlainLabel(one_line(sentence(remark.sentence)), parent=parent)
        label.setMinimumHeight(line_height(text_font()))  # without this the layout overestimates the height of the list
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        label.setAccessibleName(": ".join(filter(None, (names[remark.bearing], one_line(sentence(remark.sentence))))))
        return in_row((Sign(remark.bearing, parent), TOP), (label, 1), spacing=GRID // 2)


def lay_out_remarks(dialog: QDialog, state: QWidget, remarks: RemarkList, action: QPushButton, close: QWidget) -> None:
    """Lay out a dialog: its state above the remarks, an action and the button that closes it below."""
    in_column(state, (remarks, 1), in_row(action, STRETCH, close, spacing=None), on=dialog, margins=DIALOG)
