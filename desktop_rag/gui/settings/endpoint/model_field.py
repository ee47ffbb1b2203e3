"""The model of an endpoint: typed, or found among those it lists, with their context and price where it tells them."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QLocale, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_rag.gui.formatting import counted, tool_tip
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.llm.listed_models import ListedModel

_CHOOSING = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class _ModelBox(QComboBox):
    """Return after a key that chose a model ends the choice; only another Return reaches the dialog."""

    _is_choosing = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the list by a click into the empty field."""
        empty = isinstance(watched, QLineEdit) and not watched.text()
        if empty and self.count() and event.type() == QEvent.Type.MouseButtonRelease:
            self.showPopup()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep Return from the dialog's default button while a model is being chosen."""
        super().keyPressEvent(event)
        if self._is_choosing and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
        self._is_choosing = event.key() in _CHOOSING


class ModelField(QWidget):
    """An editable list: typing searches in it, and any other name can be typed."""

    changed = Signal()  # another model was typed or chosen
    prices_accepted = Signal(float, float)  # use these prices of a million tokens, for input and output

    def __init__(self, parent: QWidget | None = None, name: str = "") -> None:
        super().__init__(parent)
        self._listed: dict[str, ListedModel] = {}
        self._box = _ModelBox(self)
        self._told = PlainLabel("", "caption", self)
        self._use = QPushButton(self.tr("Use these prices"), self)
        self._set_up()
        self._box.setAccessibleName(name or self.tr("Model"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._box)
        layout.addWidget(self._told)
        layout.addWidget(self._use, 0, Qt.AlignmentFlag.AlignLeft)
        self._box.editTextChanged.connect(self._on_text_changed)
        self._box.activated.connect(self.changed)
        self._use.clicked.connect(self._on_use_clicked)
        self._on_text_changed("")

    def model(self) -> str:
        """Return the name of the model."""
        return self._box.currentText().strip()

    def show_model(self, name: str) -> None:
        """Show `name` alone; nothing is listed."""
        self._listed = {}
        self._box.clear()
        self._box.setEditText(name)
        self._hint(self.tr("Test the connection to list the models"))

    def open_list(self) -> None:
        """Show what is listed, unless a model is chosen."""
        if self._box.isVisible() and not self.model():
            self._box.showPopup()

    def offer(self, models: Sequence[ListedModel]) -> None:
        """List `models`; the typed name is kept, or the only one chosen."""
        typed = self._box.currentText() or (models[0].id if len(models) == 1 else "")
        self._listed = {model.id: model for model in models}
        self._box.clear()
        for number, model in enumerate(models):
            self._box.addItem(model.id)
            self._box.setItemData(number, tool_tip(self._sentence(model)), Qt.ItemDataRole.ToolTipRole)
        self._box.setEditText(typed)
        self._on_text_changed(typed)  # the box is silent if the first item has this name
        self._hint(counted(self.tr("Choose one of %Ln model(s)", "", len(models)), len(models)))

    def _set_up(self) -> None:
        box = self._box
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        search = QCompleter(box.model(), box)
        search.setFilterMode(Qt.MatchFlag.MatchContains)
        search.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        search.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        box.setCompleter(search)
        if field := box.lineEdit():
            field.installEventFilter(box)
        set_role(self._use, "link")

    def _hint(self, text: str) -> None:
        if field := self._box.lineEdit():
            field.setPlaceholderText(text)

    def _sentence(self, model: ListedModel) -> str:
        """Return what the endpoint tells about a model; empty if nothing."""
        window = model.context_window
        context = self.tr("Context: {0}").format(counted(self.tr("%Ln token(s)", "", window), window)) if window else ""
        price = ""
        if model.price_in is not None and model.price_out is not None:
            locale = QLocale()
            sums = (
                locale.toString(value, "f", 2 if round(value, 2) == value else 4)
                for value in (model.price_in, model.price_out)
            )
            price = self.tr("{0} / {1} US dollars per million tokens of input / output").format(*sums)
        return " · ".join(filter(None, (context, price)))

    @Slot(str)
    def _on_text_changed(self, _: str) -> None:
        model = self._listed.get(self.model())
        text = self._sentence(model) if model else ""
        self._told.setText(text)
        self._told.setVisible(bool(text))
        self._use.setVisible(bool(model and model.price_in is not None))
        self.changed.emit()

    @Slot()
    def _on_use_clicked(self) -> None:
        model = self._listed.get(self.model())
        if model and model.price_in is not None and model.price_out is not None:
            self.prices_accepted.emit(model.price_in, model.price_out)
