"""Three ways to a model: one found on this computer, a provider and a key, a model file."""

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QFrame, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.formatting import server_lack
from desktop_rag.gui.settings.endpoint.connection_fields import whole_address
from desktop_rag.gui.settings.endpoint.model_field import ModelField
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.gui.widgets.start_rows import StartRow, StartRows
from desktop_rag.llm.endpoint_presets import PROVIDERS, key_page, provider_of_key
from desktop_rag.llm.local_servers import LocalServer
from desktop_rag.llm.probe import ProbeResult
from desktop_rag.settings import Profile
from desktop_rag.text.display import one_line

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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * GRID)
        found = (self._search, self._search_note, self._found)
        provider = (self._provider, self._address, self._key, self._key_page, self._list, self._list_note)
        for title, about, parts in (
            (self.tr("Found on this computer"), local, found),
            (self.tr("A provider and a key"), remote, (*provider, self._model, self._use)),
            (self.tr("A model file"), file, (self._file,)),
        ):
            column.addWidget(_card(self, title, about, parts))
        column.addStretch(1)

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
    column = QVBoxLayout(card)
    column.setContentsMargins(2 * GRID, GRID + 4, 2 * GRID, GRID + 4)
    column.setSpacing(GRID)
    column.addWidget(PlainLabel(title, "heading", card))
    column.addWidget(PlainLabel(about, "muted", card).fit_height())
    for part in parts:
        is_button = isinstance(part, QPushButton)
        column.addWidget(part, 0, Qt.AlignmentFlag.AlignLeft if is_button else Qt.AlignmentFlag(0))
    return card
