"""How an endpoint is reached, collapsed at first: API, certificates, proxy, patience, what was learned about it."""

import re
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.settings.page_parts import FoldedFields
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.fields import set_up_number, wrap_on_small_screen
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.llm.transport import is_loopback
from desktop_rag.settings import DIRECT, Api, Profile

_PATIENCE = (10, 3_600)  # seconds
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
        self._api = QComboBox(self.fields)
        self._ca_file = self._line(self.tr("Certificate file"), self.tr("The system's certificates"))
        self._client = self._line(self.tr("Client certificate"), self.tr("Only if it is asked for"))
        self._proxy = self._line(self.tr("Proxy"), self.tr("The system's; “{0}” for none").format(DIRECT))
        self._patience = QSpinBox(self.fields)
        self._local = QCheckBox(self.tr("Only on this computer"), self.fields)
        self._arrange()
        self._learned.clicked.connect(self.learned_requested)
        self._patience.valueChanged.connect(self.changed)
        self._api.activated.connect(self.changed)
        self._local.toggled.connect(self.changed)
        about = self.tr("API, certificates, proxy, waiting time and this computer only")
        self.fold(self.tr("Connection"), self.tr("Hide the connection"), about)

    def show_profile(self, profile: Profile) -> None:
        """Fill the fields, and show them if one is set."""
        self._api.setCurrentIndex(max(0, self._api.findData(profile.api)))
        self._ca_file.setText(profile.ca_file)
        self._client.setText(profile.client_certificate)
        self._proxy.setText(profile.proxy)
        self._patience.setValue(profile.patience)
        self._local.setChecked(profile.local_only)
        usual = Profile("", "", "").patience
        named = (profile.api, profile.ca_file, profile.client_certificate, profile.proxy, profile.local_only)
        self.toggle.setChecked(any(named) or profile.patience != usual)

    def apply_to(self, profile: Profile) -> Profile:
        """Return `profile` with the values of the fields."""
        return replace(
            profile,
            api=Api(self._api.currentData()),
            ca_file=self._ca_file.text().strip(),
            client_certificate=self._client.text().strip(),
            proxy=self._proxy.text().strip(),
            patience=self._patience.value(),
            local_only=self._local.isChecked(),
        )

    def _line(self, name: str, hint: str) -> QLineEdit:
        field = QLineEdit(self.fields)
        field.setAccessibleName(name)
        field.setPlaceholderText(hint)
        field.setToolTip(tool_tip(hint))
        field.textEdited.connect(self.changed)
        return field

    def _arrange(self) -> None:
        self._api.addItem(self.tr("Automatic"), Api.AUTOMATIC)
        self._api.addItem("Chat Completions", Api.CHAT_COMPLETIONS)
        self._api.addItem("Responses", Api.RESPONSES)
        self._api.setAccessibleName(self.tr("API"))
        self._api.setFixedWidth(180)
        self._api.setToolTip(self.tr("Automatic asks for chat completions until the model demands the other one."))
        name, suffix = self.tr("First words within"), self.tr(" seconds")
        set_up_number(self._patience, name, *_PATIENCE, 30, 180, suffix=suffix)
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
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(field, 1)
        row.addWidget(button)
        return row

    def _choose(self, field: QLineEdit, title: str) -> None:
        dialog = FileDialog(self, title)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(field.setText)
        dialog.fileSelected.connect(self.changed)
        dialog.open()
