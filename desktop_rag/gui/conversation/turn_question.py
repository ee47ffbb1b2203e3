"""The question of a turn: in a bubble or a field, its variants, and the file filters that the agent read into it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.formatting import number, tool_tip
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme import current_colors, set_role, text_font
from desktop_rag.gui.widgets.chips import Chip, FlowRow
from desktop_rag.gui.widgets.fields import PlaceSwitch
from desktop_rag.gui.widgets.layouts import STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import Label
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.text.display import one_line

_SIDE, _TOP = 14, 9
_WIDEST_SHARE = 0.86  # of the width
_LONGEST = 4_000  # characters of a question that are shown; laying out a pasted book takes a label too long


class _QuestionLabel(Label):
    restyled = Signal()  # it has another font or style

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.restyled.emit()


class QuestionBubble(QWidget):
    """A question as plain text that can be selected, as wide as it needs to be."""

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._label = _QuestionLabel(self._beginning(question), self)
        self._label.setWordWrap(True)
        self._label.setFont(text_font(0.5))
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._label.setAccessibleName(question)
        self.setAccessibleName(self.tr("Question"))
        self.edit = IconButton("edit", self.tr("Edit the question and ask again"), self, 15)
        self._sizes: dict[int, QSize] = {}  # of the text, by width: a layout asks many times
        self._label.restyled.connect(self._on_restyled)

    def _beginning(self, question: str) -> str:
        if len(question) <= _LONGEST:
            return question
        cut = self.tr("… The first {0} of {1} characters; the pencil shows all.")
        return f"{question[:_LONGEST]}\n\n{cut.format(number(_LONGEST), number(len(question)))}"

    def _text_size(self, width: int) -> QSize:
        if width not in self._sizes:
            metrics = self._label.fontMetrics()
            most = max(80, int(width * _WIDEST_SHARE) - 2 * _SIDE)
            longest = max((metrics.horizontalAdvance(line) for line in self._label.text().split("\n")), default=0)
            text_width = min(most, longest + 6)
            self._sizes[width] = QSize(text_width, self._label.heightForWidth(text_width))
        return self._sizes[width]

    def heightForWidth(self, width: int) -> int:
        """Return the height of the wrapped question."""
        return self._text_size(width).height() + 2 * _TOP

    def sizeHint(self) -> QSize:
        """Return the size at the current width."""
        width = max(self.width(), 240)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Return a small width, so that the question can shrink with the window."""
        return QSize(160, self.fontMetrics().height() + 2 * _TOP)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Align the question to the right."""
        super().resizeEvent(event)
        self._place_label()

    @Slot()
    def _on_restyled(self) -> None:
        self._sizes.clear()
        self.updateGeometry()
        self._place_label()

    def _place_label(self) -> None:
        size = self._text_size(self.width())
        self._label.setGeometry(self.width() - size.width() - _SIDE, _TOP, size.width(), size.height())
        button = self.edit.sizeHint()
        left = max(0, self._label.x() - _SIDE - button.width() - 4)
        self.edit.setGeometry(
            left, self._label.y() + (self._label.fontMetrics().height() - button.height()) // 2, *button.toTuple()
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bubble."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_colors().bubble))
        text = QRectF(self._label.geometry())
        painter.drawRoundedRect(text.adjusted(-_SIDE, -_TOP, _SIDE, _TOP), 12, 12)


class VariantSwitch(PlaceSwitch):
    """Which variant of a turn is shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        names = self.tr("Variants of this question"), self.tr("Previous variant"), self.tr("Next variant")
        super().__init__(*names, parent)
        self.row.insertStretch(0, 1)

    def show_variants(self, place: int, count: int) -> None:
        """Show that variant `place` (from 1) of `count` is shown."""
        self.show_place(place, count, self.tr("Variant {place} of {count}").format(place=place, count=count))


class QuestionEditor(QFrame):
    """A field to edit and ask a question again; Enter asks, Escape cancels."""

    asked = Signal(str)
    left = Signal()

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "card")
        self.field = QuestionField(self)
        self.field.setPlainText(question)
        self.field.moveCursor(QTextCursor.MoveOperation.End)
        self.field.submitted.connect(self._on_submitted)
        self.field.installEventFilter(self)
        cancel, ask = QPushButton(self.tr("Cancel"), self), QPushButton(self.tr("Ask"), self)
        set_role(cancel, "quiet")
        set_role(ask, "primary")
        cancel.clicked.connect(self.left)
        ask.clicked.connect(self._on_submitted)
        in_column(
            self.field,
            in_row(STRETCH, cancel, ask, spacing=None),
            on=self,
            spacing=None,
            margins=(_SIDE, _TOP, _TOP, _TOP),
        )
        self.setFocusProxy(self.field)

    @Slot()
    def _on_submitted(self) -> None:
        if text := self.field.toPlainText().strip():
            self.asked.emit(text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave with Escape, also while the window's own Escape stops a run."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self.left.emit()
                return True
        return super().eventFilter(watched, event)


class QuestionRow(QWidget):
    """A question in its bubble with its variants; a click on the pencil turns it into a field."""

    edited = Signal(str)  # ask again in these words

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = question
        self.bubble = QuestionBubble(question, self)
        self.variants = VariantSwitch(self)
        self._editor: QuestionEditor | None = None
        self._column = in_column(self.bubble, self.variants, on=self, spacing=4)
        self.bubble.edit.clicked.connect(self.edit)

    @Slot()
    def edit(self) -> None:
        """Show the question in a field."""
        if self._editor is None:
            self._editor = QuestionEditor(self._question, self)
            self._editor.asked.connect(self.edited)
            self._editor.left.connect(self.leave)
            self._column.insertWidget(0, self._editor)
            self.bubble.hide()
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def leave(self) -> None:
        """Show the question as it was asked."""
        if self._editor is not None:
            self._editor.hide()
            self._editor.deleteLater()
            self._editor = None
            self.bubble.show()
            self.bubble.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def tab_stops(self) -> tuple[QWidget, ...]:
        """Return the widgets that Tab reaches."""
        return (self.bubble.edit, self.variants.previous, self.variants.next)


class FilterChip(Chip):
    """One filter on files."""

    def __init__(self, filter_: Filter, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, icon="close", parent=parent)
        self.filter = filter_
        self.setFont(text_font(-1))
        self.setAccessibleName(self.tr("Only in {0}; ask again without it").format(one_line(text)))
        self.setToolTip(tool_tip(self.tr("Ask again without this")))


class FilterChips(FlowRow):
    """The filters of a run in addition to those you chose; a click on one asks again without it."""

    dropped = Signal(Filter)  # ask again without this filter

    def __init__(self, filters: Sequence[Filter], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Files this question is limited to"))
        names = {
            FileField.EXT: self.tr("Type: {0}"),
            FileField.FOLDER: self.tr("Folder: {0}"),
            FileField.AUTHOR: self.tr("Author: {0}"),
            FileField.TAG: self.tr("Tag: {0}"),
            FileField.MODIFIED: self.tr("Changed: {0}"),
            FileField.DATE: self.tr("Date: {0}"),
        }
        chips = [FilterChip(each, names.get(each.field, "{0}").format(each.text), self) for each in filters]
        for chip in chips:
            chip.clicked.connect(self._on_clicked)
        self.set_items(chips)

    @Slot()
    def _on_clicked(self) -> None:
        chip = self.sender()
        if isinstance(chip, FilterChip):
            self.dropped.emit(chip.filter)
