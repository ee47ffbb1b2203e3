"""Adds a team's library or edits its address: shows the dialog, and asks the server in the background."""

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError
from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.catalogues import sentence
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog, ScrolledParts, keep_on_screen
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.layouts import in_column, in_row
from desktop_rag.gui.widgets.plain_labels import Label, PlainLabel
from desktop_rag.index.libraries import LONGEST_NAME, KnownLibrary, Libraries
from desktop_rag.index.team_status import NO_KEYCHAIN
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line

if TYPE_CHECKING:
    from desktop_rag.team.access.team_joining import TeamAddress


# Asks for the address of a team's library and how to sign in: with a password, a token or a certificate.


class SignIn(IntEnum):
    """What the server asks for, in the order of the dialog's list."""

    PASSWORD = 0
    TOKEN = 1
    CERTIFICATE = 2


@dataclass(frozen=True, slots=True)
class TeamRequest:
    """What the fields hold; an empty `secret` is one of the environment, or none.

    `mount` says where a folder of the server is here, as SERVER=HERE; `store` is the address of a store of files.
    `secret` is a password, the token where `token` says so, or the password of the key of `certificate`.
    """

    name: str
    url: str
    secret: str = field(repr=False)
    user: str = ""
    ca_file: str = ""
    certificate: str = ""
    token: bool = False
    mount: str = ""
    store: str = ""
    store_key: str = ""
    store_secret: str = field(default="", repr=False)


class TeamLibraryDialog(ActionDialog):
    """Stays open until its owner accepts it, when the server has answered; the secret is nowhere else."""

    add_requested = Signal(object)  # a TeamRequest to check

    def __init__(self, parent: QWidget | None = None, known: TeamRequest | None = None) -> None:
        title, act = (
            (self.tr("Edit team library"), self.tr("Save")) if known else (self.tr("Add team library"), self.tr("Add"))
        )
        super().__init__(title, act, parent)
        self._known = known
        self._has_keychain = True
        self._checking = False
        self._fields: list[QLineEdit] = []
        self._name = self._field(self.tr("For example: Office"), LONGEST_NAME)
        self._address = self._field("https://server.example.org:9200/team")
        self._sign_in = QComboBox(self)
        self._sign_in.addItems([self.tr("User and password"), self.tr("Token"), self.tr("Certificate")])
        self._sign_in.currentIndexChanged.connect(self._on_sign_in_changed)
        self._user = self._field()
        self._certificate = self._field(self.tr("The certificate and its key in one file"))
        self._secret = self._field()
        self._secret.setEchoMode(QLineEdit.EchoMode.Password)
        self._secret_label = Label(parent=self)
        self._authority = self._field(self.tr("If the system lacks it"))
        self._mount = self._field(self.tr("For example: {0}").format("//server/share = Z:\\"))
        self._store = self._field("https://s3.example.org/files")
        self._store_key = self._field(self.tr("Access key"))
        self._store_secret = self._field(self.tr("Its secret"))
        self._store_secret.setEchoMode(QLineEdit.EchoMode.Password)
        self._said = PlainLabel("", "muted", self).fit_height()
        self._said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._said.hide()
        set_role(self.act, "primary")
        self.act.setDefault(True)
        self.act.clicked.disconnect(self.accept)  # the owner accepts when the server has answered
        self.act.clicked.connect(self._on_act_clicked)
        self._user_row = self._labelled(Label(self.tr("User"), self), self._user)
        self._certificate_row = self._file(self.tr("Your certificate and its key"), self._certificate)
        self.arrange(ScrolledParts(self._parts(), self), self._said)  # it must not be scrolled away
        if known is not None:
            self._fill(known)
        self._on_sign_in_changed()
        (self._name if known is None else self._address).setFocus()

    def _fill(self, known: TeamRequest) -> None:
        """Show what is known; the name has a command of its own."""
        self._name.setText(known.name)
        self._name.setEnabled(False)
        self._sign_in.setCurrentIndex(_way(known))
        for line, text in (
            (self._address, known.url),
            (self._user, known.user),
            (self._certificate, known.certificate),
            (self._authority, known.ca_file),
            (self._mount, known.mount),
            (self._store, known.store),
            (self._store_key, known.store_key),
        ):
            line.setText(text)
        if known.store:
            self._store_secret.setPlaceholderText(self.tr("As before"))

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
            self._labelled(Label(self.tr("Name"), self), self._name),
            self._labelled(Label(self.tr("Address"), self), self._address),
            self._labelled(Label(self.tr("Sign in with"), self), self._sign_in),
            self._user_row,
            self._certificate_row,
            self._labelled(self._secret_label, self._secret),
            self._file(self.tr("Certificate of the server's authority"), self._authority),
            self._labelled(Label(self.tr("Drive with its files, to see pages"), self), self._mount),
            self._store_row(),
        ]

    def _labelled(self, label: Label, line: QWidget, row: QWidget | None = None) -> QWidget:
        """Return a field, or a `row` with it, close to its label."""
        group = QWidget(self)
        label.setBuddy(line)
        line.setAccessibleName(label.text())
        in_column(label, row or line, on=group, spacing=GRID // 2)
        return group

    def _store_row(self) -> QWidget:
        """Return the labelled fields of a store of files: its address, below it the two parts of its key."""
        row = QWidget(self)
        grid = QGridLayout(row)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GRID)
        for line, *place in ((self._store, 0, 0, 1, 2), (self._store_key, 1, 0), (self._store_secret, 1, 1)):
            line.setAccessibleName(line.placeholderText())
            grid.addWidget(line, *place)
        return self._labelled(Label(self.tr("Or a store (S3) with its files"), self), self._store, row)

    def _file(self, text: str, line: QLineEdit) -> QWidget:
        """Return a labelled field with the path of a PEM file, and the button that chooses one."""
        row = QWidget(self)
        choose = QPushButton(self.tr("Choose…"), row)
        choose.setAccessibleDescription(text)
        choose.clicked.connect(lambda: self._choose(text, line))
        in_row((line, 1), choose, on=row)
        return self._labelled(Label(text, self), line, row)

    def _choose(self, title: str, line: QLineEdit) -> None:
        dialog = FileDialog(self, title)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Certificates (*.pem *.crt *.cer)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(line.setText)
        dialog.open()

    @Slot()
    def _on_sign_in_changed(self) -> None:
        chosen = SignIn(self._sign_in.currentIndex())
        self._user_row.setVisible(chosen is SignIn.PASSWORD)
        self._certificate_row.setVisible(chosen is SignIn.CERTIFICATE)
        self._secret_label.setText(
            {
                SignIn.PASSWORD: self.tr("Password, kept in the keychain"),
                SignIn.TOKEN: self.tr("Token, kept in the keychain"),
                SignIn.CERTIFICATE: self.tr("Password of the key, if it has one"),
            }[chosen]
        )
        self._secret.setAccessibleName(self._secret_label.text())
        self._secret.clear()  # it belongs to the other way
        as_before = self._known is not None and _way(self._known) is chosen
        self._secret.setPlaceholderText(self.tr("As before") if as_before and self._has_keychain else "")
        self._refresh()
        self._say("")

    def show_no_keychain(self) -> None:
        """Say that nothing can keep a password, before one is typed."""
        self._has_keychain = False
        for line in (self._secret, self._store_secret):
            line.setPlaceholderText(self.tr("No keychain: start the program with it in the environment"))
            line.setEnabled(False)
        self._say(sentence(NO_KEYCHAIN))

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
        self._sign_in.setEnabled(not self._checking)
        needed = [self._name, self._address]
        if self._sign_in.currentIndex() == SignIn.CERTIFICATE:
            needed.append(self._certificate)
        self.act.setEnabled(all(line.text().strip() for line in needed) and not self._checking)

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
        chosen = SignIn(self._sign_in.currentIndex())
        self.add_requested.emit(
            TeamRequest(
                self._name.text().strip(),
                self._address.text().strip(),
                self._secret.text(),
                user=self._user.text().strip() if chosen is SignIn.PASSWORD else "",
                ca_file=self._authority.text().strip(),
                certificate=self._certificate.text().strip() if chosen is SignIn.CERTIFICATE else "",
                token=chosen is SignIn.TOKEN,
                mount=self._mount.text().strip(),
                store=self._store.text().strip(),
                store_key=self._store_key.text().strip(),
                store_secret=self._store_secret.text(),
            )
        )


def _way(known: TeamRequest) -> SignIn:
    if known.token:
        return SignIn.TOKEN
    return SignIn.CERTIFICATE if known.certificate and not known.user else SignIn.PASSWORD


# Whether there is a keychain, the fields of a library to edit, or the library that was added or changed.
_Found = bool | TeamRequest | KnownLibrary


class TeamControl(QObject):
    """Opens the dialog; nothing is stored before the server has answered. Closing the dialog ends the check."""

    added = Signal(object)  # the KnownLibrary to open
    changed = Signal(object)  # the KnownLibrary whose address was changed
    trouble = Signal(object)  # the error why an address cannot be edited

    def __init__(self, libraries: Libraries, window: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._libraries = libraries
        self._window = window
        self._dialog: TeamLibraryDialog | None = None
        self._edited: KnownLibrary | None = None
        self._worker = LatestOnlyWorker[_Found]("team library", self._on_found, self)
        self._worker.failed.connect(self._on_failed)

    @Slot()
    def open(self) -> None:
        """Ask for the address of a library to add."""
        self._edited = None
        self._show(None)

        def look(stop: Stop) -> Generator[_Found]:
            yield _can_keep_secrets()

        self._worker.ask(look)

    def edit(self, library: KnownLibrary) -> None:
        """Let the address of a library be changed."""
        self._edited = library

        def read(stop: Stop) -> Generator[_Found]:
            from desktop_rag.team.access.team_joining import require_team_address  # the window starts without it

            yield _fields(library.name, require_team_address(library))
            yield _can_keep_secrets()

        self._worker.ask(read)

    def _show(self, filled: TeamRequest | None) -> None:
        self._dialog = TeamLibraryDialog(self._window, filled)
        self._dialog.add_requested.connect(self._on_add_requested)
        self._dialog.finished.connect(self._on_dialog_finished)
        self._dialog.open()

    def close(self) -> None:
        """Stop the check and end the thread."""
        self._worker.close()

    @Slot(object)
    def _on_add_requested(self, request: TeamRequest) -> None:
        libraries, edited = self._libraries, self._edited

        def join(stop: Stop) -> Generator[_Found]:
            from desktop_rag.team.access.team_joining import (
                TeamAddress,  # loaded when it is needed: the window starts without
                change_team_library,
                join_team_library,
                require_team_address,
            )

            before = TeamAddress("") if edited is None else require_team_address(edited)
            address = _address(request, before)
            secrets = request.secret, request.store_secret if request.store else ""
            if edited is None:
                yield join_team_library(libraries, request.name, address, secrets[0], Credentials(), stop, secrets[1])
                return
            change_team_library(edited, address, secrets[0], Credentials(), stop, secrets[1])
            yield edited

        if self._dialog is not None:
            self._dialog.show_checking()
            self._worker.ask(join)

    @Slot(int)
    def _on_dialog_finished(self) -> None:
        self._dialog = None
        self._worker.stop()

    def _on_found(self, found: _Found) -> None:
        match found:
            case bool():
                if self._dialog is not None and not found:
                    self._dialog.show_no_keychain()
            case KnownLibrary():
                if self._dialog is not None:
                    self._dialog.accept()
                    (self.added if self._edited is None else self.changed).emit(found)
            case _:
                self._show(found)

    @Slot(Exception)
    def _on_failed(self, error: Exception) -> None:
        if self._dialog is not None:
            known = isinstance(error, DesktopRagError)
            self._dialog.show_failure(sentence(error) if known else self.tr("Something went wrong: {0}").format(error))
        elif isinstance(error, DesktopRagError):
            self.trouble.emit(error)


def _fields(name: str, address: "TeamAddress") -> TeamRequest:
    """Return an address as the dialog shows it."""
    return TeamRequest(
        name,
        address.url,
        "",
        user=address.user,
        ca_file=address.ca_file,
        certificate=address.certificate,
        token=address.token,
        mount=" = ".join(address.mounts[0]) if address.mounts else "",
        store=address.files_url,
        store_key=address.files_key,
    )


def _address(request: TeamRequest, before: "TeamAddress") -> "TeamAddress":
    """Return the address in the fields of the dialog; spaces and further drives, which it does not show, are kept."""
    from desktop_rag.team.access.file_store import mount_of

    mounts = (mount_of(request.mount),) if request.mount else ()
    return replace(
        before,
        url=request.url,
        user=request.user,
        ca_file=_at_home(request.ca_file),
        certificate=_at_home(request.certificate),
        token=request.token and (bool(request.secret) or before.token),
        mounts=(*mounts, *before.mounts[1:]),
        files_url=request.store,
        files_key=request.store_key,
    )


def _can_keep_secrets() -> bool:
    """Return whether there is a keychain, or the environment has the password."""
    from desktop_rag.team.access.team_joining import password_of_environment

    return password_of_environment() or Credentials().persistent


def _at_home(file: str) -> str:
    return str(Path(file).expanduser()) if file else ""
