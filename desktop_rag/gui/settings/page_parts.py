"""Parts of the settings pages: fields bound to settings, a page that scrolls, and a group of choices."""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass, replace
from enum import StrEnum
from operator import attrgetter
from typing import Any, Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.layouts import LEFT, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import NoteLabel, PlainLabel
from desktop_rag.settings import Profile, Settings

T = TypeVar("T")


@runtime_checkable
class EditingPage(Protocol):
    """A page that edits a part of the settings."""

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the values of the page."""


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


Field = TypeVar("Field", bound="QWidget | Choices")


class Editors:
    """Edit the fields of frozen dataclasses; the path of each is dotted, as “limits.steps”."""

    def __init__(self, changed: SignalInstance | None = None) -> None:
        """`changed` is emitted when the user edits any field."""
        self._changed = changed
        self._bound: dict[str, tuple[Callable[[], object], Callable[[Any], object]]] = {}

    def add(self, path: str, field: Field) -> Field:
        """Edit what `path` names in `field`, and return it; a number that may be below zero is None there."""
        read, show, edited = _access(field)
        self._bound[path] = read, show
        if self._changed is not None:
            edited.connect(self._changed)
        return field

    def paths(self) -> tuple[str, ...]:
        """Return the paths of the fields."""
        return tuple(self._bound)

    def show(self, values: object) -> None:
        """Show `values` in the fields."""
        for path, (_, show) in self._bound.items():
            show(attrgetter(path)(values))

    def applied_to(self, values: T) -> T:
        """Return `values` with those of the fields."""
        for path, (read, _) in self._bound.items():
            values = _with(values, path, read())
        return values


def _with(values: T, path: str, value: object) -> T:
    """Return `values` with one value, perhaps of a part of it, as `path` names it."""
    if not is_dataclass(values) or isinstance(values, type):
        raise TypeError(path)
    name, _, rest = path.partition(".")
    current = getattr(values, name)
    if isinstance(current, StrEnum):  # the data of a combo box is plain text
        value = type(current)(str(value))
    return replace(values, **{name: _with(current, rest, value) if rest else value})


def _access(field: "QWidget | Choices") -> "tuple[Callable[[], object], Callable[[Any], object], Any]":
    """Return how the value of a field is read and shown, and the signal of its edits."""
    match field:
        case QCheckBox():
            return field.isChecked, field.setChecked, field.toggled
        case QSpinBox() | QDoubleSpinBox() if field.minimum() < 0:
            set_to: Callable[[Any], None] = field.setValue
            read = lambda: None if field.value() < 0 else round(field.value(), 2)  # noqa: E731
            return read, lambda value: set_to(field.minimum() if value is None else value), field.valueChanged
        case QSpinBox() | QDoubleSpinBox():
            return field.value, field.setValue, field.valueChanged
        case QLineEdit():
            return lambda: field.text().strip(), field.setText, field.textEdited
        case QComboBox() if field.isEditable():
            return lambda: field.currentText().strip(), field.setEditText, field.editTextChanged
        case QComboBox():
            choose = field.setCurrentIndex
            return field.currentData, lambda value: choose(max(0, field.findData(value))), field.activated
        case Choices():
            return field.chosen, field.choose, field.idToggled
        case QKeySequenceEdit():
            portable = QKeySequence.SequenceFormat.PortableText
            return lambda: field.keySequence().toString(portable), field.setKeySequence, field.keySequenceChanged
    raise TypeError(type(field))


class FieldsPage(ScrolledPage):
    """A page that is declared in `_build`: fields that edit the settings, each what its path names."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields = Editors()
        self._build()
        self.fields.show(settings)
        self.column.addStretch(1)

    def _build(self) -> None:
        raise NotImplementedError

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the values of this page."""
        return self.fields.applied_to(settings)

    def add_box(self, path: str, text: str, about: str, refusal: str = "") -> QCheckBox:
        """Add a box with a line about it, and return it; a `refusal` stands for both where it cannot be chosen."""
        box = QCheckBox(text, self.inside)
        box.setAccessibleDescription(about)
        box.setEnabled(not refusal)
        line = PlainLabel(refusal or about, "muted", self.inside).fit_height()
        line.setIndent(3 * GRID)
        self.column.addWidget(box, 0, LEFT)
        self.column.addWidget(line)
        self.column.addSpacing(GRID // 2)
        return box if refusal else self.fields.add(path, box)

    def add_choices(self, path: str, names: Mapping[Any, str]) -> None:
        """Add a radio button for each value."""
        self.fields.add(path, Choices(names, self.inside, self.column))


_USUAL = Profile("", "", "")


class FoldedFields(QWidget):
    """A button that shows or hides fields of a profile, the rows of `form`; they are shown at first if one is set."""

    changed = Signal()  # any field was edited

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.toggle = QPushButton(self)
        self.toggle.setCheckable(True)
        set_role(self.toggle, "link")
        self.editors = Editors(self.changed)
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

    def show_profile(self, profile: Profile) -> None:
        """Fill the fields, and show them if one of them is set."""
        self.editors.show(profile)
        set_here = (getattr(profile, path) != getattr(_USUAL, path) for path in self.editors.paths())
        self.toggle.setChecked(any(set_here))

    def applied_to(self, profile: Profile) -> Profile:
        """Return `profile` with the values of the fields."""
        return self.editors.applied_to(profile)

    def expand(self) -> None:
        """Show the fields."""
        self.toggle.setChecked(True)

    @Slot(bool)
    def _set_expanded(self, expanded: bool) -> None:  # noqa: FBT001 - a slot: signals pass it by position
        """Show or hide the fields."""
        self.fields.setVisible(expanded)
        self.toggle.setText(self._names[expanded])


class Choices(QButtonGroup):
    """Radio buttons for values by their names, added to the layout of a page."""

    def __init__(self, names: Mapping[Any, str], page: QWidget, layout: QVBoxLayout) -> None:
        super().__init__(page)
        self._values = tuple(names)
        for number, name in enumerate(names.values()):
            button = QRadioButton(name, page)
            self.addButton(button, number)
            layout.addWidget(button, 0, LEFT)

    def chosen(self) -> object:
        """Return the chosen value."""
        return self._values[self.checkedId()]

    def choose(self, value: object) -> None:
        """Check the button of a value."""
        self.button(self._values.index(value)).setChecked(True)
