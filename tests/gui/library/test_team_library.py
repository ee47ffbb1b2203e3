"""A team's library is added in the window, from a small real server; and what its window then offers."""

import time
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
import shiboken6
from keyring.backends import fail
from PySide6.QtCore import QEvent, QLocale, QMimeData, QPoint, QPointF, Qt, QTimer, QTranslator, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QListView, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.credentials import SERVICE
from desktop_rag.gui.catalogues import install_catalogues, sentence
from desktop_rag.gui.library.team_control import TeamControl, TeamLibraryDialog
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.widgets.bounded_dialog import ScrolledParts
from desktop_rag.gui.widgets.drop_zone import DropZone
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.gui.widgets.toast import Toast
from desktop_rag.gui.window.main_window import MainWindow
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.index.team_status import NOT_ADDED, team_library_status
from desktop_rag.team.access.team_joining import team_address
from desktop_rag.team.format.team_indexes import FORMAT
from tests.team_server import FILES, TeamServer, team_server
from tests.unit.test_credentials import MemoryKeychain

SECRET = "correct horse"
FIELDS = ("Name", "Address", "User", "Password, kept in the keychain", "Certificate of the server's authority")
STORE = "https://store.example.org/office"
DRIVE = "Drive with its files, to see pages"


@pytest.fixture
def keychain() -> Iterator[MemoryKeychain]:
    before, chain = keyring.get_keyring(), MemoryKeychain()
    keyring.set_keyring(chain)
    yield chain
    keyring.set_keyring(before)


@pytest.fixture
def server() -> Iterator[TeamServer]:
    with team_server(SECRET) as server:
        yield server


@pytest.fixture
def libraries(own_data_home: Path) -> Libraries:
    return Libraries(own_data_home)


@pytest.fixture
def control(libraries: Libraries, keychain: MemoryKeychain, qtbot: QtBot) -> Iterator[TeamControl]:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    control = TeamControl(libraries, window)
    control.open()
    yield control
    for dialog in window.findChildren(TeamLibraryDialog):
        dialog.reject()
    if shiboken6.isValid(control):
        leave(control)


def leave(control: TeamControl) -> None:
    """Close the control, which waits for its thread."""
    control.close()
    control.deleteLater()
    QApplication.sendPostedEvents(control, QEvent.Type.DeferredDelete)


def dialog_of(control: TeamControl) -> TeamLibraryDialog:
    (dialog,) = (w for w in QApplication.topLevelWidgets() if isinstance(w, TeamLibraryDialog) and w.isVisible())
    return dialog


def fill(dialog: TeamLibraryDialog, *texts: str) -> None:
    fields = {field.accessibleName(): field for field in dialog.findChildren(QLineEdit)}
    for name, text in zip(FIELDS, texts, strict=False):
        fields[name].setText(text)


def says(dialog: TeamLibraryDialog, words: str) -> bool:
    return any(words in label.text() for label in dialog.findChildren(PlainLabel) if label.isVisible())


def wait_for(dialog: TeamLibraryDialog, words: str, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: says(dialog, words))
    assert dialog.act.isEnabled()


def add(control: TeamControl, qtbot: QtBot, *texts: str) -> KnownLibrary:
    fill(dialog_of(control), *texts)
    with qtbot.waitSignal(control.added, timeout=60_000) as added:
        QTest.keyClick(dialog_of(control), Qt.Key.Key_Return)
    known = added.args[0] if added.args else None
    assert isinstance(known, KnownLibrary)
    return known


def test_a_wrong_password_is_told_and_the_right_one_is_kept_in_the_keychain_only(
    control: TeamControl, server: TeamServer, libraries: Libraries, keychain: MemoryKeychain, qtbot: QtBot
) -> None:
    dialog = dialog_of(control)
    assert not dialog.act.isEnabled()
    fill(dialog, "Office", server.url, "ada", "wrong")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    wait_for(dialog, "does not accept this user", qtbot)
    assert [known.name for known in libraries.all()] == ["My library"]
    assert not keychain.passwords
    known = add(control, qtbot, "Office", server.url, "ada", SECRET)
    assert libraries.named("Office") == known
    assert list(keychain.passwords.items()) == [((SERVICE, f"team library {server.url} ada"), SECRET)]
    status = team_library_status(known.library)
    assert [(folder.path, folder.ready) for folder in status.folders] == [(server.url.encode(), FILES)]
    assert not [file for file in known.folder.rglob("*") if file.is_file() and SECRET.encode() in file.read_bytes()]
    assert SECRET not in repr(known)


def sign_in_with(dialog: TeamLibraryDialog, way: str) -> None:
    (box,) = dialog.findChildren(QComboBox)
    box.setCurrentText(way)


def shown_fields(dialog: TeamLibraryDialog) -> list[str]:
    return [field.accessibleName() for field in dialog.findChildren(QLineEdit) if field.isVisible()]


def test_one_signs_in_with_a_token_that_the_keychain_keeps(
    control: TeamControl, server: TeamServer, keychain: MemoryKeychain, qtbot: QtBot
) -> None:
    dialog = dialog_of(control)
    fill(dialog, "Office", server.url, "ada", "a password")
    sign_in_with(dialog, "Token")
    assert "User" not in shown_fields(dialog)
    fields = {field.accessibleName(): field for field in dialog.findChildren(QLineEdit)}
    token = fields["Token, kept in the keychain"]
    assert token.text() == ""  # a password is not sent as a token
    token.setText("wrong")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    wait_for(dialog, "does not accept this user", qtbot)
    token.setText(SECRET)
    fields[DRIVE].setText("no drive")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    wait_for(dialog, "SERVER=HERE", qtbot)
    fields[DRIVE].setText("//server/share = /mnt/share")
    fields["Or a store (S3) with its files"].setText(STORE)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    wait_for(dialog, "id of an access key", qtbot)
    fields["Access key"].setText("ADA")
    fields["Its secret"].setText("of ada")
    known = add(control, qtbot)
    assert keychain.passwords == {
        (SERVICE, f"team library {server.url} token"): SECRET,
        (SERVICE, f"team files {STORE} ADA"): "of ada",
    }
    address = team_address(known.library)
    assert address is not None
    assert (address.user, address.token, address.mounts) == ("", True, (("//server/share", "/mnt/share"),))
    assert (address.files_url, address.files_key) == (STORE, "ADA")
    assert "of ada" not in known.library.team.read_text(encoding="utf-8")


def test_one_signs_in_with_a_certificate_which_is_read_first(
    control: TeamControl, server: TeamServer, libraries: Libraries, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog = dialog_of(control)
    sign_in_with(dialog, "Certificate")
    fill(dialog, "Office", server.url.replace("http:", "https:"))
    assert not dialog.act.isEnabled()  # the certificate is needed
    fields = {field.accessibleName(): field for field in dialog.findChildren(QLineEdit)}
    broken = tmp_path / "ada.pem"
    broken.write_text("no certificate", encoding="ascii")
    fields["Your certificate and its key"].setText(str(broken))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    wait_for(dialog, f"The certificate {broken} cannot be used", qtbot)
    assert server.paths == []
    assert len(libraries.all()) == 1


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://127.0.0.1:9/team", "does not answer"),
        ("search.example.org", "is written https://SERVER:9200/NAME"),
        ("https://ada:secret@127.0.0.1/team", "are not part of the address"),
        ("http://search.example.org:9200/team", "sent over https:// only"),
        ("https://127.0.0.1:9/team", "The CA file /no/such.pem cannot be used"),
    ],
)
def test_an_address_that_cannot_be_used_is_told(
    control: TeamControl, libraries: Libraries, keychain: MemoryKeychain, qtbot: QtBot, address: str, words: str
) -> None:
    dialog = dialog_of(control)
    fill(dialog, "Office", address, "ada", SECRET, "/no/such.pem" if "CA file" in words else "")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    wait_for(dialog, words, qtbot)
    assert len(libraries.all()) == 1
    assert not keychain.passwords


@pytest.mark.parametrize(
    ("library_format", "status", "words"),
    [
        (FORMAT + 1, 200, "Update Desktop RAG on this computer"),
        (1, 404, "There is no such team library"),
        (1, 403, "This user may not do that"),
        (1, 500, "refused a request (500: no)"),
    ],
)
def test_an_answer_that_is_no_library_of_this_user_is_told(
    control: TeamControl, libraries: Libraries, qtbot: QtBot, library_format: int, status: int, words: str
) -> None:
    with team_server() as server:
        server.format, server.status = library_format, status
        fill(dialog_of(control), "Office", server.url)
        QTest.keyClick(dialog_of(control), Qt.Key.Key_Return)
        wait_for(dialog_of(control), words, qtbot)
    assert len(libraries.all()) == 1


def test_what_went_wrong_is_seen_without_scrolling(control: TeamControl, qtbot: QtBot) -> None:
    dialog = dialog_of(control)
    fill(dialog, "Office", "https://server/team/more")
    qtbot.waitExposed(dialog)
    parts = dialog.findChild(ScrolledParts)
    assert parts is not None
    qtbot.waitUntil(lambda: parts.verticalScrollBar().maximum() == 0)  # a screen as large as needed
    dialog.resize(dialog.width(), 350)  # a small one
    dialog.act.click()
    wait_for(dialog, "https://SERVER:9200/NAME", qtbot)
    dialog.resize(dialog.width(), 350)
    said = next(label for label in dialog.findChildren(PlainLabel) if "SERVER:9200" in label.text())
    qtbot.waitUntil(lambda: said.visibleRegion().boundingRect().height() == said.height() > 0)


def test_a_keychain_that_fails_leaves_nothing(
    control: TeamControl, server: TeamServer, libraries: Libraries, keychain: MemoryKeychain, qtbot: QtBot
) -> None:
    keychain.broken = RuntimeError("locked")
    fill(dialog_of(control), "Office", server.url, "ada", SECRET)
    QTest.keyClick(dialog_of(control), Qt.Key.Key_Return)
    wait_for(dialog_of(control), "could not be stored (locked)", qtbot)
    assert len(libraries.all()) == 1
    assert not list(libraries.usual().folder.parent.glob("office*"))


def test_without_a_keychain_a_password_is_refused_before_anything_is_sent(
    control: TeamControl, server: TeamServer, libraries: Libraries, keychain: MemoryKeychain, qtbot: QtBot
) -> None:
    keyring.set_keyring(fail.Keyring())  # type: ignore[no-untyped-call]  # keyring left it without annotations
    fill(dialog_of(control), "Office", server.url, "ada", SECRET)
    QTest.keyClick(dialog_of(control), Qt.Key.Key_Return)
    wait_for(dialog_of(control), "This computer offers no keychain", qtbot)
    assert server.paths == []
    assert len(libraries.all()) == 1


def test_that_there_is_no_keychain_is_told_before_a_password_is_typed(
    control: TeamControl, keychain: MemoryKeychain, qtbot: QtBot
) -> None:
    dialog_of(control).reject()
    keyring.set_keyring(fail.Keyring())  # type: ignore[no-untyped-call]  # keyring left it without annotations
    control.open()
    dialog = dialog_of(control)
    qtbot.waitUntil(lambda: says(dialog, "This computer offers no keychain"))
    (secret,) = (f for f in dialog.findChildren(QLineEdit) if f.accessibleName().startswith("Password"))
    assert not secret.isEnabled()


def test_an_address_is_edited_and_the_password_stays_or_is_another(
    control: TeamControl, server: TeamServer, libraries: Libraries, keychain: MemoryKeychain, qtbot: QtBot
) -> None:
    known = add(control, qtbot, "Office", server.url, "ada", SECRET)
    control.edit(known)
    windows = QApplication.topLevelWidgets
    qtbot.waitUntil(lambda: any(isinstance(w, TeamLibraryDialog) and w.isVisible() for w in windows()))
    dialog = dialog_of(control)
    fields = {field.accessibleName(): field for field in dialog.findChildren(QLineEdit)}
    assert [fields[name].text() for name in FIELDS[:4]] == ["Office", server.url, "ada", ""]
    assert not fields["Name"].isEnabled()
    assert fields[FIELDS[3]].placeholderText() == "As before"
    fields["Address"].setText("http://127.0.0.1:9/team")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    wait_for(dialog, "needs its password", qtbot)
    fields["Address"].setText(server.url)
    fields[DRIVE].setText("//server/share = /mnt/share")
    with qtbot.waitSignal(control.changed, timeout=60_000):
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    address = team_address(known.library)
    assert address is not None
    assert (address.user, address.mounts) == ("ada", (("//server/share", "/mnt/share"),))
    assert list(keychain.passwords.values()) == [SECRET]
    assert [each.name for each in libraries.all()] == ["My library", "Office"]


def test_what_is_no_team_library_is_not_edited(control: TeamControl, libraries: Libraries, qtbot: QtBot) -> None:
    dialog_of(control).reject()
    with qtbot.waitSignal(control.trouble) as told:
        control.edit(libraries.usual())
    assert "is no team library" in str((told.args or [""])[0])


def test_cancel_ends_a_check_that_hangs_while_the_window_goes_on(
    control: TeamControl, server: TeamServer, libraries: Libraries, keychain: MemoryKeychain, qtbot: QtBot
) -> None:
    server.may_answer.clear()
    ticks: list[float] = []
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(time.monotonic()))
    timer.start(5)
    dialog = dialog_of(control)
    fill(dialog, "Office", server.url, "ada", SECRET)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert says(dialog, "Asking the server…")
    assert not dialog.act.isEnabled()
    qtbot.waitUntil(server.asked.is_set)
    before = len(ticks)
    qtbot.waitUntil(lambda: len(ticks) > before + 10)  # the window's thread does not wait for the server
    timer.stop()
    dialog.reject()
    started = time.monotonic()
    leave(control)
    assert time.monotonic() - started < 5
    assert len(libraries.all()) == 1
    assert not keychain.passwords


@pytest.fixture
def team_window(
    control: TeamControl, server: TeamServer, keychain: MemoryKeychain, qtbot: QtBot
) -> Iterator[MainWindow]:
    known = add(control, qtbot, "Office", server.url, "ada", SECRET)
    shown = ShownStatus()
    window = MainWindow(QPlainTextEdit(), QWidget(), shown)
    qtbot.addWidget(window)
    window.show()
    shown.update(team_library_status(known.library))
    yield window
    window.close()


def test_a_team_library_offers_no_adding_and_says_why(team_window: MainWindow, tmp_path: Path) -> None:
    window = team_window
    (button,) = (b for b in window.library.findChildren(IconButton) if b.accessibleName() == "Add folder…")
    assert not button.isEnabled()
    assert NOT_ADDED in button.toolTip()
    for action in (window.menus.add_folder, window.menus.add_files, *window.library.switch.work.commands()):
        assert not action.isEnabled()
        assert action.whatsThis() == NOT_ADDED
    rows = window.library.findChild(QListView)
    assert isinstance(rows, QListView)
    rows.setCurrentIndex(rows.model().index(0, 0))
    possible = [action.text().partition("\t")[0] for action in window.library.commands().actions if action.isEnabled()]
    assert possible == ["Copy path"]
    window.choose_folder()  # as the page of an empty conversation offers it
    toast = window.findChild(Toast)
    assert isinstance(toast, Toast)
    assert NOT_ADDED in toast.accessibleName()


def test_what_is_dragged_over_a_team_library_is_refused_with_the_reason(
    team_window: MainWindow, tmp_path: Path
) -> None:
    zone = team_window.findChild(DropZone)
    assert isinstance(zone, DropZone)
    dropped: list[object] = []
    for signal in (team_window.library.folders_dropped, zone.asked_about):
        signal.connect(dropped.append)
    data = QMimeData()
    data.setUrls([QUrl(tmp_path.as_uri())])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    point = QPoint(300, 300)
    QApplication.sendEvent(team_window, QDragEnterEvent(point, copy, data, left, none))
    assert zone.isVisible()
    move = QDragMoveEvent(point, copy, data, left, none)
    drop = QDropEvent(QPointF(point), copy, data, left, none)
    for event in (move, drop):
        QApplication.sendEvent(team_window, event)
        assert not event.isAccepted()
    assert not zone.isVisible()
    assert dropped == []


def test_the_row_of_a_team_library_is_translated(qapp: QApplication) -> None:
    before = QLocale()
    install_catalogues(qapp, "de")
    try:
        assert sentence("on the team's server") == "auf dem Server des Teams"
        assert sentence(NOT_ADDED).startswith("Die Dokumente einer Team-Bibliothek liegen auf ihrem Server")
    finally:
        for translator in qapp.findChildren(QTranslator):
            qapp.removeTranslator(translator)
            translator.deleteLater()
        QLocale.setDefault(before)
