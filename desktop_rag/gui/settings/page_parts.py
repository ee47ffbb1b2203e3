"""Parts of the settings pages: a page that scrolls, and a group of choices."""

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFormLayout,
    QFrame,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.layouts import STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import NoteLabel, PlainLabel
from desktop_rag.settings import Settings

T = TypeVar("T")


@runtime_checkable
class EditingPage(Protocol):
    """A page that edits a part of the settings."""

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the values of the page."""
        ...


class ScrolledPage(QWidget):
    """A page with a column that scrolls where the window is too low for it; its parts belong to `inside`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.inside = QWidget(scroll.viewport())
        self.abouts: dict[QCheckBox, PlainLabel] = {}
        scroll.setWidget(self.inside)
        self.column = in_column(on=self.inside, margins=(0, 0, GRID, 0))
        in_column(scroll, on=self, spacing=None, margins=(0, 2 * GRID, 0, 0))

    def add_heading(self, text: str) -> None:
        """Begin a part of the page."""
        if self.column.count():
            self.column.addSpacing(2 * GRID)
        self.column.addWidget(PlainLabel(text, "heading", self.inside))

    def add_words(self, text: str = "") -> PlainLabel:
        """Add a sentence about the part, and return it."""
        words = NoteLabel("muted", self.inside)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # may be as low as its lines
        words.setText(text)
        self.column.addWidget(words)
        return words

    def add_box(self, text: str, about: str, *, checked: bool) -> QCheckBox:
        """Add a box with a line about it, its `about`, and return it."""
        box = QCheckBox(text, self.inside)
        box.setChecked(checked)
        box.setAccessibleDescription(about)
        self.column.addWidget(box, 0, Qt.AlignmentFlag.AlignLeft)
        self.abouts[box] = line = PlainLabel(about, "muted", self.inside).fit_height()
        line.setIndent(3 * GRID)
        self.column.addWidget(line)
        self.column.addSpacing(GRID // 2)
        return box


class FoldedFields(QWidget):
    """A button that shows or hides the fields below it, the rows of `form`; they are hidden at first."""

    changed = Signal()  # any field was edited

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.toggle = QPushButton(self)
        self.toggle.setCheckable(True)
        set_role(self.toggle, "link")
        self.fields = QWidget(self)
        form = self.form = QFormLayout(self.fields)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(2 * GRID)
        form.setVerticalSpacing(GRID)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.head = in_row(self.toggle, STRETCH, spacing=None)
        in_column(self.head, self.fields, on=self)
        self.toggle.toggled.connect(self._set_expanded)

    def fold(self, more: str, fewer: str, about: str) -> None:
        """Hide the fields; the button says `more` now, and `fewer` while they are shown."""
        self._names = more, fewer
        self.toggle.setAccessibleDescription(about)
        self._set_expanded(expanded=False)

    def expand(self) -> None:
        """Show the fields."""
        self.toggle.setChecked(True)

    @Slot(bool)
    def _set_expanded(self, expanded: bool) -> None:  # noqa: FBT001 - a slot: signals pass it by position
        """Show or hide the fields."""
        self.fields.setVisible(expanded)
        self.toggle.setText(self._names[expanded])


class Choices(QButtonGroup, Generic[T]):
    """Radio buttons for (value, name) pairs, added to the layout of a page."""

    def __init__(self, names: Sequence[tuple[T, str]], chosen: T, page: QWidget, layout: QVBoxLayout) -> None:
        super().__init__(page)
        self._values = tuple(value for value, _ in names)
        for number, (value, name) in enumerate(names):
            button = QRadioButton(name, page)
            button.setChecked(value == chosen)
            self.addButton(button, number)
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def chosen(self) -> T:
        """Return the chosen value."""
        return self._values[self.checkedId()]
