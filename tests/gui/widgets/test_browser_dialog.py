"""An address from a document or an answer is opened only after it was shown whole and confirmed."""

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.widgets import bounded_dialog
from desktop_rag.gui.widgets.bounded_dialog import BrowserDialog, ask_to_browse


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[QUrl]:
    urls: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", urls.append)
    return urls


def dialogs(window: QWidget, address: str) -> list[BrowserDialog]:
    ask_to_browse(address, window)
    return window.findChildren(BrowserDialog)


def test_it_is_opened_only_after_it_was_confirmed(qtbot: QtBot, opened: list[QUrl]) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    address = "https://evil.example/collect?data=the+rent+is+12+euros"
    [dialog] = dialogs(window, address)
    shown = [label.text().replace("\u200b", "") for label in dialog.findChildren(QLabel)]
    assert "evil.example" in dialog.windowTitle()
    assert address in shown
    assert opened == []
    assert dialog._cancel.isDefault()
    dialog.act.click()
    assert opened == [QUrl(address)]


def test_cancel_opens_nothing(qtbot: QtBot, opened: list[QUrl]) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    [dialog] = dialogs(window, "https://evil.example/")
    dialog._cancel.click()
    assert opened == []


@pytest.mark.parametrize("address", ["file:///etc/passwd", "javascript:alert(1)", "desktop-rag://ask?q=x", "smb://a/b"])
def test_only_web_addresses_are_asked_about(qtbot: QtBot, opened: list[QUrl], address: str) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    assert dialogs(window, address) == []
    assert opened == []


def test_another_alphabet_does_not_pass_for_a_known_host(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    [dialog] = dialogs(window, "https://\u0430pple.com/")  # a Cyrillic а
    assert "xn--" in dialog.windowTitle()


def test_no_other_part_of_the_window_opens_addresses() -> None:
    gui = Path(bounded_dialog.__file__).parents[1]
    opening = {str(file.relative_to(gui)) for file in gui.rglob("*.py") if "openUrl" in file.read_text("utf-8")}
    assert opening == {"widgets/bounded_dialog.py", "os_services.py"}  # the latter opens files of this computer
