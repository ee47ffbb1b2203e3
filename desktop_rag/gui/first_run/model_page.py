"""The second page: who answers. The built-in model is chosen; nothing is connected to before a button says so."""

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.formatting import server_lack
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.layouts import LEFT, STRETCH, Part, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import NoteLabel, PlainLabel
from desktop_rag.llm.endpoint_presets import PROVIDERS, key_page
from desktop_rag.llm.local_servers import USUAL_PORTS, LocalServer
from desktop_rag.llm.probe import ProbeResult
from desktop_rag.settings import Profile
from desktop_rag.text.display import one_line

_INDENT = 4 * GRID


class ModelPage(QWidget):
    """Offers the built-in model, a server on this computer, and an endpoint elsewhere."""

    search_requested = Signal()  # connect to the usual ports of this computer
    list_requested = Signal(Profile, str)  # list the models of this endpoint, with the typed key
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._built_in = QRadioButton(self.tr("Built-in, no model needed"), self)
        self._local = QRadioButton(self.tr("A model on this computer"), self)
        self._remote = QRadioButton(self.tr("A model elsewhere, with an address and a key"), self)
        self._search = QPushButton(self.tr("Look for a model on this computer"), self)
        self._found = QComboBox(self)
        self._lacks: list[str] = []  # of servers that were found
        self._search_note = PlainLabel("", "caption", self)
        self._address = QLineEdit(self)
        self._provider = QComboBox(self)
        self._key_page = PlainLabel("", "caption", self)
        self._key = QLineEdit(self)
        self._model = QComboBox(self)
        self._list = QPushButton(self.tr("List its models"), self)
        self._list_note = NoteLabel("caption", self)
        self._group = QButtonGroup(self)
        for button in (self._built_in, self._local, self._remote):
            self._group.addButton(button)
            button.toggled.connect(self._on_changed)
        self._fill()
        self._arrange()
        self._search.clicked.connect(self._on_search_clicked)
        self._list.clicked.connect(self._on_list_clicked)
        self._found.currentIndexChanged.connect(self._on_changed)
        self._address.textChanged.connect(self._on_changed)
        self._provider.activated.connect(self._on_provider_activated)
        self._model.currentTextChanged.connect(self._on_changed)
        self._built_in.setChecked(True)

    def profile(self) -> Profile | None:
        """Return the chosen endpoint, None for the built-in model."""
        if self._local.isChecked():
            chosen = self._found.currentData()
            return chosen if isinstance(chosen, Profile) else None
        if self._remote.isChecked():
            address, model = self._address.text().strip(), self._model.currentText().strip()
            known = next((preset.name for preset in PROVIDERS if preset.address == address), "")
            return Profile(known or model or address.partition("://")[2].partition("/")[0], address, model)
        return None

    def key(self) -> str:
        """Return the typed key of an endpoint elsewhere."""
        return self._key.text().strip() if self._remote.isChecked() else ""

    def is_complete(self) -> bool:
        """Return whether what is chosen can be used."""
        profile = self.profile()
        if self._built_in.isChecked():
            return True
        return profile is not None and bool(profile.model) and _is_address(profile.base_url)

    def add_server(self, server: LocalServer) -> None:
        """Offer the models of a server that answered."""
        if lack := server_lack(server.name, server.lacks):
            self._lacks.append(lack)
        for model in server.models:
            text = self.tr("{0} · {1}").format(one_line(model), server.name)
            self._found.addItem(text, Profile(server.name, server.address, model))
        self._found.setVisible(self._found.count() > 0)

    def end_search(self, problem: str = "") -> None:
        """Say what the search found."""
        self._search.setEnabled(True)
        count = self._found.count()
        none = self.tr("No model server answered on this computer. You can go on without one, and add it later.")
        self._search_note.setText(problem or " ".join(self._lacks) or ("" if count else none))
        self._search_note.setVisible(bool(self._search_note.text()))

    def show_models(self, result: ProbeResult) -> None:
        """Offer the models that the endpoint lists, or say why it lists none."""
        self._list.setEnabled(True)
        chosen = self._model.currentText()
        self._model.clear()
        self._model.addItems([model.id for model in result.models])
        self._model.setEditText(chosen or (result.models[0].id if result.models else ""))
        self._list_note.setText(" ".join(one_line(sentence) for sentence in result.sentences))

    def _fill(self) -> None:
        ports = ", ".join(str(port) for port, _ in USUAL_PORTS)
        text = self.tr("This connects to the ports {0} of this computer, and to nothing else.")
        self._search_note.setText(text.format(ports))
        self._found.hide()  # until a server has answered
        self._found.setAccessibleName(self.tr("Models found on this computer"))
        self._address.setPlaceholderText("https://api.openai.com/v1")
        self._provider.addItem(self.tr("Any address"), "")
        for preset in PROVIDERS:
            self._provider.addItem(preset.name, preset.address)
        self._provider.setAccessibleName(self.tr("Provider"))
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._key.setPlaceholderText(self.tr("Kept in the keychain of your system"))
        self._model.setEditable(True)
        if (line := self._model.lineEdit()) is not None:
            line.setAccessibleName(self.tr("Name of the model"))
        self._model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)

    def _arrange(self) -> None:
        quotes = self.tr("Answers with quotes from your documents. Fast, private, and always there.")
        quoting = _indented(PlainLabel(quotes, "caption", self))
        self._local_part = _part(self, self._search_note, (self._search, LEFT), self._found)
        form = QFormLayout()
        form.addRow(self.tr("Provider"), self._provider)
        form.addRow(self.tr("Address"), self._address)
        form.addRow(self.tr("Key"), self._key)
        form.addRow("", self._key_page)
        form.addRow(self.tr("Model"), in_row((self._model, 1), self._list, spacing=None))
        for name, field in (
            (self.tr("Address of the model"), self._address),
            (self.tr("Key of the model"), self._key),
            (self.tr("Name of the model"), self._model),
        ):
            field.setAccessibleName(name)
        warning = self.tr("Passages that answer your questions are sent to this address.")
        self._remote_part = _part(self, PlainLabel(warning, "caption", self), form, self._list_note)
        local, remote = ((self._local, LEFT), self._local_part), ((self._remote, LEFT), self._remote_part)
        in_column((self._built_in, LEFT), quoting, *local, *remote, STRETCH, on=self)

    def _on_changed(self) -> None:
        self._local_part.setVisible(self._local.isChecked())
        self._remote_part.setVisible(self._remote.isChecked())
        address = self._address.text().strip()
        self._list.setEnabled(_is_address(address))
        page = key_page(address)
        self._key_page.setText(self.tr("Keys are made at {0}.").format(page))
        self._key_page.setVisible(bool(page))
        self.changed.emit()

    def _on_provider_activated(self) -> None:
        self._address.setText(self._provider.currentData())

    def _on_search_clicked(self) -> None:
        self._found.clear()
        self._lacks.clear()
        self._found.hide()
        self._local.setFocus()  # a disabled button hands the focus on to “Set up later”
        self._search.setEnabled(False)
        self._search_note.setText(self.tr("Looking…"))
        self._search_note.show()
        self.search_requested.emit()

    def _on_list_clicked(self) -> None:
        self._model.setFocus()
        self._list.setEnabled(False)
        self._list_note.setText(self.tr("Connecting…"))
        name = QCoreApplication.translate("ModelPage", "Endpoint")
        self.list_requested.emit(Profile(name, self._address.text().strip(), ""), self._key.text().strip())


def _is_address(text: str) -> bool:
    scheme, separator, rest = text.partition("://")
    return scheme in ("http", "https") and bool(separator) and bool(rest.strip("/"))


def _indented(*items: Part) -> QVBoxLayout:
    return in_column(*items, margins=(_INDENT, 0, 0, GRID))


def _part(parent: QWidget, *items: Part) -> QWidget:
    """Return an indented part that is shown while its choice is made."""
    part = QWidget(parent)
    part.setLayout(_indented(*items))
    return part
