"""Asks for the address of a team's library, who searches it, and the password."""

from dataclasses import dataclass, field

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog, keep_on_screen
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.libraries import LONGEST_NAME
from desktop_rag.text.display import one_line


@dataclass(frozen=True, slots=True)
class TeamRequest:
    """What the fields hold; an empty `password` is one of the environment, or none."""

    name: str
    url: str
    user: str
    password: str = field(repr=False)
    ca_file: str


class TeamLibraryDialog(ActionDialog):
    """Stays open until its owner accepts it, when the server has answered; the password is nowhere else."""

    add_requested = Signal(object)  # a TeamRequest to check

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Add team library"), self.tr("Add"), parent)
        self._checking = False
        self._fields: list[QLineEdit] = []
        self._name = self._field(self.tr("For example: Office"), LONGEST_NAME)
        self._address = self._field("https://server.example.org:9200/team")
        self._user = self._field()
        self._password = self._field()
        self._password.setEchoMode(QLineEdit.EchoMode.Password)
        self._authority = self._field(self.tr("Only if the system does not know it"))
        self._said = PlainLabel("", "muted", self).fit_height()
        self._said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._said.hide()
        set_role(self.act, "primary")
        self.act.setDefault(True)
        self.act.clicked.disconnect(self.accept)  # the owner accepts when the server has answered
        self.act.clicked.connect(self._on_act_clicked)
        self.arrange(*self._parts())
        self._refresh()
        self._name.setFocus()

    def _field(self, example: str = "", longest: int = 2_000) -> QLineEdit:
        line = QLineEdit(self)
        line.setPlaceholderText(example)
        line.setMaxLength(longest)
        line.textChanged.connect(self._on_text_changed)
        self._fields.append(line)
        return line

    def _parts(self) -> list[QWidget]:
        words = self.tr("The documents stay on the server; your conversations and notes stay on this computer.")
        return [
            self.words(words, "muted"),
            self._labelled(self.tr("Name"), self._name),
            self._labelled(self.tr("Address"), self._address),
            self._labelled(self.tr("User"), self._user),
            self._labelled(self.tr("Password, kept in the keychain"), self._password),
            self._labelled(self.tr("Certificate of the server's authority"), self._authority, self._file_row()),
            self._said,
        ]

    def _labelled(self, text: str, line: QLineEdit, row: QWidget | None = None) -> QWidget:
        """Return a field, or a `row` with it, close to its label."""
        group = QWidget(self)
        label = QLabel(text, group)
        label.setBuddy(line)
        line.setAccessibleName(text)
        column = QVBoxLayout(group)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(label)
        column.addWidget(row or line)
        return group

    def _file_row(self) -> QWidget:
        row = QWidget(self)
        choose = QPushButton(self.tr("Choose…"), row)
        choose.setAccessibleDescription(self.tr("Choose a certificate file (PEM)"))
        choose.clicked.connect(self._on_choose_clicked)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self._authority, 1)
        layout.addWidget(choose)
        return row

    @Slot()
    def _on_choose_clicked(self) -> None:
        dialog = QFileDialog(self, self.tr("Certificate of the server's authority"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Certificates (*.pem *.crt *.cer)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(self._authority.setText)
        dialog.open()

    def show_checking(self) -> None:
        """Show that the server is asked; the fields cannot be changed meanwhile."""
        self._checking = True
        self._refresh()
        self._say(self.tr("Asking the server…"))

    def show_failure(self, words: str) -> None:
        """Say why the library was not added; the fields can be corrected."""
        self._checking = False
        self._refresh()
        self._say(words, "trouble")

    @Slot()
    def _refresh(self) -> None:
        for line in self._fields:
            line.setReadOnly(self._checking)
        named = all(line.text().strip() for line in (self._name, self._address))
        self.act.setEnabled(named and not self._checking)

    @Slot()
    def _on_text_changed(self) -> None:
        self._refresh()
        self._say("")  # what was said is about other fields

    def _say(self, text: str, role: str = "muted") -> None:
        set_role(self._said, role)
        self._said.setText(one_line(text))
        self._said.setVisible(bool(text))
        if (layout := self.layout()) is not None and self.isVisible():
            layout.activate()
            self.resize(self.sizeHint())
            keep_on_screen(self)

    @Slot()
    def _on_act_clicked(self) -> None:
        name, url, user, authority = (
            line.text().strip() for line in (self._name, self._address, self._user, self._authority)
        )
        self.add_requested.emit(TeamRequest(name, url, user, self._password.text(), authority))
