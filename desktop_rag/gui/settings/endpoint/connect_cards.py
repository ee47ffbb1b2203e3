"""Three ways to a model: one found on this computer, a provider and a key, a model file."""

import re
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QLocale, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import counted, server_lack, tool_tip
from desktop_rag.gui.settings.page_parts import FoldedFields
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.fields import set_up_number, wrap_on_small_screen
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.layouts import LEFT, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.panel_list import StartRow, StartRows
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.llm.endpoint_presets import PROVIDERS, key_page, provider_of_key
from desktop_rag.llm.listed_models import ListedModel
from desktop_rag.llm.local_servers import LocalServer
from desktop_rag.llm.probe import ProbeResult
from desktop_rag.llm.transport import is_loopback
from desktop_rag.settings import DIRECT, RANGES, Api, Profile
from desktop_rag.text.display import one_line

# How an endpoint is reached, collapsed at first: API, certificates, proxy, patience, what was learned about it.

_WITHOUT_SCHEME = re.compile(r"(?:\[[0-9a-fA-F:]+\]|[\w-]+(?:\.[\w-]+)*)(?::\d+)?(?:/\S*)?")


def whole_address(text: str) -> str:
    """Return an address with the scheme that was left out: http for this computer, https for every other."""
    text = text.strip()
    if not _WITHOUT_SCHEME.fullmatch(text):
        return text
    return f"http://{text}" if is_loopback(f"http://{text}") else f"https://{text}"


class ConnectionFields(FoldedFields):
    """The fields; shown at first if one of them is set."""

    learned_requested = Signal()  # show what was learned about the endpoint

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._learned = QPushButton(self.tr("What it was found to take…"), self)
        set_role(self._learned, "link")
        add = self.editors.add
        self._api = QComboBox(self.fields)
        self._ca_file = add("ca_file", self._line(self.tr("Certificate file"), self.tr("The system's certificates")))
        self._client = self._line(self.tr("Client certificate"), self.tr("Only if it is asked for"))
        add("client_certificate", self._client)
        hint = self.tr("The system's; “{0}” for none").format(DIRECT)
        self._proxy = add("proxy", self._line(self.tr("Proxy"), hint))
        self._patience = add("patience", QSpinBox(self.fields))
        self._local = add("local_only", QCheckBox(self.tr("Only on this computer"), self.fields))
        self._arrange()
        self._learned.clicked.connect(self.learned_requested)
        add("api", self._api)
        about = self.tr("API, certificates, proxy, waiting time and this computer only")
        self.fold(self.tr("Connection"), self.tr("Hide the connection"), about)

    def _line(self, name: str, hint: str) -> QLineEdit:
        field = QLineEdit(self.fields)
        field.setAccessibleName(name)
        field.setPlaceholderText(hint)
        field.setToolTip(tool_tip(hint))
        return field

    def _arrange(self) -> None:
        self._api.addItem(self.tr("Automatic"), Api.AUTOMATIC)
        self._api.addItem("Chat Completions", Api.CHAT_COMPLETIONS)
        self._api.addItem("Responses", Api.RESPONSES)
        self._api.setAccessibleName(self.tr("API"))
        self._api.setFixedWidth(180)
        self._api.setToolTip(self.tr("Automatic asks for chat completions until the model demands the other one."))
        name, suffix = self.tr("First words within"), self.tr(" seconds")
        set_up_number(self._patience, name, *RANGES["patience"], 30, 180, suffix=suffix)
        self._patience.setToolTip(self.tr("A local server may load the model and read a long prompt first."))
        form = self.form
        wrap_on_small_screen(form, self)
        form.addRow(self.tr("API"), self._api)
        form.addRow(self.tr("Certificate file"), self._with_button(self._ca_file, self.tr("Choose a certificate file")))
        form.addRow(
            self.tr("Client certificate"), self._with_button(self._client, self.tr("Choose a client certificate"))
        )
        form.addRow(self.tr("Proxy"), self._proxy)
        form.addRow(self.tr("First words within"), self._patience)
        self._local.setToolTip(self.tr("Nothing is sent if the address is, or becomes, that of another computer."))
        form.addRow("", self._local)
        form.addRow("", self._learned)

    def _with_button(self, field: QLineEdit, title: str) -> QHBoxLayout:
        button = QPushButton(self.tr("Choose…"), self.fields)
        button.setAccessibleName(title)
        button.clicked.connect(partial(self._choose, field, title))
        return in_row((field, 1), button)

    def _choose(self, field: QLineEdit, title: str) -> None:
        dialog = FileDialog(self, title)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(field.setText)
        dialog.fileSelected.connect(self.changed)
        dialog.open()


# The model of an endpoint: typed, or found among those it lists, with their context and price where it tells them.

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
        in_column(self._box, self._told, (self._use, LEFT), on=self, spacing=GRID // 2)
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


_OTHER = "other"
_TO_FILL = "NAME"  # in the address of a provider: the user's own part


class ConnectCards(QWidget):
    """Connects nothing by itself: each card asks for what its button says, and shows what came of it."""

    search_requested = Signal()  # connect to the usual ports of this computer
    list_requested = Signal(Profile, str)  # list the models of this address, with the typed key
    file_requested = Signal()  # choose a model file
    chosen = Signal(Profile, str)  # use this model, with the typed key

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._waiting = False  # for a list of models
        self._lacks: list[str] = []  # what servers that were found lack
        self._rows: list[StartRow] = []
        self._search = QPushButton(self.tr("Look for models"), self)
        self._found = StartRows("", self)
        self._search_note = PlainLabel("", "caption", self).fit_height()
        self._provider = QComboBox(self)
        self._address = QLineEdit(self)
        self._key = QLineEdit(self)
        self._key_page = PlainLabel("", "caption", self).fit_height()
        self._list = QPushButton(self.tr("Show its models"), self)
        self._list_note = PlainLabel("", "caption", self).fit_height()
        self._model = ModelField(self, self.tr("Name of the new model"))
        self._use = QPushButton(self.tr("Use this model"), self)
        self._file = QPushButton(self.tr("Choose a model file…"), self)
        self._fill()
        self._arrange()
        self._search.clicked.connect(self._on_search_clicked)
        self._provider.currentIndexChanged.connect(self._on_provider_chosen)
        self._address.textChanged.connect(self._refresh)
        self._key.textEdited.connect(self._on_key_edited)
        self._key.returnPressed.connect(self._list.click)
        self._list.clicked.connect(self._on_list_clicked)
        self._model.changed.connect(self._refresh)
        self._use.clicked.connect(self._on_use_clicked)
        self._file.clicked.connect(self.file_requested)
        self._on_provider_chosen()

    def is_waiting(self) -> bool:
        """Return whether a list of models was asked for and has not come."""
        return self._waiting

    def add_server(self, server: LocalServer) -> None:
        """Offer the models of a server that answered."""
        if lack := server_lack(server.name, server.lacks):
            self._lacks.append(lack)
        for model in server.models:
            profile = Profile(server.name, server.address, model)
            self._rows.append(StartRow("endpoint", model, partial(self.chosen.emit, profile, ""), server.name))
        self._found.show_rows(self._rows, self.tr("Click the model to answer with"))

    def end_search(self) -> None:
        """Say what the search found."""
        self._search.setEnabled(True)
        none = self.tr("No model answered on this computer. Start Ollama, LM Studio or another one, and look again.")
        self._search_note.setText("\n".join(self._lacks) or ("" if self._rows else none))
        self._search_note.setVisible(bool(self._search_note.text()))

    def show_listed(self, result: ProbeResult) -> None:
        """Offer the models that were asked for, or say why there are none."""
        self._waiting = False
        self._refresh()
        said = " ".join(one_line(sentence(each)) for each in result.sentences)
        set_role(self._list_note, "caption" if result.models else "trouble")
        self._show_note(said)
        self._model.setVisible(bool(result.models) or result.ok)
        self._use.setVisible(self._model.isVisibleTo(self))
        if result.models:
            self._model.offer(result.models)
            self._model.open_list()

    def forget(self) -> None:
        """Empty the fields: what they held was taken over."""
        self._key.clear()
        self._provider.setCurrentIndex(0)
        self._show_note("")

    def _show_note(self, text: str) -> None:
        self._list_note.setText(text)
        self._list_note.setVisible(bool(text))

    def _fill(self) -> None:
        self._search_note.hide()
        self._list_note.hide()
        self._provider.addItem(self.tr("Choose a provider"), "")
        for preset in PROVIDERS:
            self._provider.addItem(preset.name, preset.address)
        self._provider.addItem(self.tr("Another address"), _OTHER)
        self._provider.setMaxVisibleItems(self._provider.count())
        self._provider.setAccessibleName(self.tr("Provider"))
        self._address.setAccessibleName(self.tr("Address of the new model"))
        self._address.setPlaceholderText("http://localhost:11434/v1")
        self._key.setAccessibleName(self.tr("Key of the new model"))
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._key.setPlaceholderText(self.tr("Paste the key; it is kept in the keychain of your system"))
        set_role(self._use, "primary")
        for button in (self._search, self._list, self._use, self._file):
            button.setAutoDefault(False)

    def _arrange(self) -> None:
        local = self.tr("Ollama, LM Studio, llama.cpp and others. A click looks for them on this computer only.")
        remote = self.tr("Passages that answer your questions are sent there. You are asked before the first one is.")
        file = self.tr("A GGUF file runs in this program, without another one. Nothing leaves this computer.")
        found = (self._search, self._search_note, self._found)
        provider = (self._provider, self._address, self._key, self._key_page, self._list, self._list_note)
        cards = (
            (self.tr("Found on this computer"), local, found),
            (self.tr("A provider and a key"), remote, (*provider, self._model, self._use)),
            (self.tr("A model file"), file, (self._file,)),
        )
        in_column(*(_card(self, *card) for card in cards), STRETCH, on=self, spacing=2 * GRID)

    @Slot()
    def _on_search_clicked(self) -> None:
        self._rows, self._lacks = [], []
        self._found.show_rows(())
        self._search.setEnabled(False)
        self._search_note.setText(self.tr("Looking…"))
        self._search_note.show()
        self.search_requested.emit()

    @Slot()
    def _on_provider_chosen(self) -> None:
        address = str(self._provider.currentData())
        own = address == _OTHER
        self._address.setText("" if own else address)
        self._address.setVisible(own or _TO_FILL in address)
        self._refresh()

    @Slot(str)
    def _on_key_edited(self, key: str) -> None:
        """Choose the provider that a pasted key names."""
        if not self._provider.currentData() and (known := provider_of_key(key)):
            self._provider.setCurrentIndex(self._provider.findText(known))
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        address = whole_address(self._address.text())
        page = key_page(address)
        self._key_page.setText(self.tr("Keys are made at {0}.").format(page))
        self._key_page.setVisible(bool(page) and not self._key.text())
        whole = address.startswith(("http://", "https://")) and _TO_FILL not in address
        self._list.setEnabled(whole and not self._waiting)
        self._use.setEnabled(whole and bool(self._model.model()))
        if not whole:
            self._model.hide()
            self._use.hide()

    @Slot()
    def _on_list_clicked(self) -> None:
        self._waiting = True
        self._list.setEnabled(False)
        set_role(self._list_note, "caption")
        self._show_note(self.tr("Connecting…"))
        self.list_requested.emit(self._profile(""), self._key.text().strip())

    @Slot()
    def _on_use_clicked(self) -> None:
        self.chosen.emit(self._profile(self._model.model()), self._key.text().strip())

    def _profile(self, model: str) -> Profile:
        address = whole_address(self._address.text())
        known = self._provider.currentText() if self._provider.currentData() != _OTHER else ""
        return Profile(known or model or address.partition("://")[2].partition("/")[0], address, model)


def _card(parent: QWidget, title: str, about: str, parts: tuple[QWidget, ...]) -> QFrame:
    card = QFrame(parent)
    set_role(card, "card")
    head = PlainLabel(title, "heading", card), PlainLabel(about, "muted", card).fit_height()
    placed = ((part, LEFT) if isinstance(part, QPushButton) else part for part in parts)
    in_column(*head, *placed, on=card, margins=(2 * GRID, GRID + 4, 2 * GRID, GRID + 4))
    return card
