"""Check for updates: nothing is asked before the button, the address is kept, the answer is shown with checksums."""

import json
from collections.abc import Generator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag import __version__
from desktop_rag.errors import UpdateError
from desktop_rag.gui.desktop.update_control import UpdateControl
from desktop_rag.gui.desktop.update_dialog import UpdateDialog
from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.releases import UpdateTrouble, parse_feed
from desktop_rag.settings import Settings, Theme
from tests.gui.conftest import Browser
from tests.gui.picture_checks import PictureCheck
from tests.gui.pseudo_language import PseudoLanguage
from tests.gui.widgets.browser_question import agree, question_of, refuse
from tests.unit.test_releases import FEED, sends, server


class Kept:
    def __init__(self) -> None:
        self.settings = Settings()

    def use(self, settings: Settings) -> None:
        self.settings = settings


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def control(qtbot: QtBot, kept: Kept) -> Generator[UpdateControl]:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    control = UpdateControl(lambda: kept.settings, kept.use, window)
    yield control
    control.close()


def opened(control: UpdateControl) -> UpdateDialog:
    control.open()
    parent = control.parent()
    assert isinstance(parent, QWidget)
    (dialog,) = parent.findChildren(UpdateDialog)
    return dialog


def button(dialog: UpdateDialog, text: str) -> QPushButton:
    return next(each for each in dialog.findChildren(QPushButton) if each.text() == text)


def shown(dialog: UpdateDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(PlainLabel) if label.isVisible())


def test_the_button_asks_once_and_shows_the_release_with_its_checksums(
    qtbot: QtBot, control: UpdateControl, kept: Kept, browser: Browser
) -> None:
    with server(sends(json.dumps(FEED).encode())) as (address, asked):
        dialog = opened(control)
        check = button(dialog, "Check now")
        assert not check.isEnabled(), "no address is known"
        dialog.findChildren(QLineEdit)[0].setText(f"{address} ")
        assert asked == []
        check.click()
        qtbot.waitUntil(lambda: "Version 7.1.0 of" in shown(dialog))
        assert len(asked) == 1
    details = dialog.findChildren(QPlainTextEdit)[0]
    assert "Faster." in details.toPlainText()
    assert f"SHA-256 {'ab' * 32}" in details.toPlainText()
    assert str(FEED["page"]) in button(dialog, "Open its page").toolTip()
    for end in (refuse, partial(agree, address=str(FEED["page"]))):
        button(dialog, "Open its page").click()
        end(question_of(dialog), browser)
    assert kept.settings.update_address == address
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()
    again = opened(control)
    assert again.findChildren(QLineEdit)[0].text() == address
    assert not button(again, "Open its page").isVisible()


def test_the_newest_version_is_called_so(qtbot: QtBot, control: UpdateControl) -> None:
    with server(sends(json.dumps(FEED | {"version": __version__}).encode())) as (address, _):
        dialog = opened(control)
        dialog.findChildren(QLineEdit)[0].setText(address)
        button(dialog, "Check now").click()
        qtbot.waitUntil(lambda: "You have the newest version" in shown(dialog))
    assert not button(dialog, "Open its page").isVisible()


def test_an_address_with_a_password_is_neither_asked_nor_kept(control: UpdateControl, kept: Kept) -> None:
    dialog = opened(control)
    dialog.findChildren(QLineEdit)[0].setText("https://me:secret@example.org/latest.json")
    button(dialog, "Check now").click()
    assert "no usable address" in shown(dialog)
    assert button(dialog, "Check now").isEnabled()
    assert kept.settings.update_address == ""


@pytest.mark.parametrize("trouble", [*UpdateTrouble])
def test_every_trouble_has_its_sentence(qtbot: QtBot, trouble: UpdateTrouble) -> None:
    dialog = UpdateDialog("https://example.org")
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_error(UpdateError(trouble, "<b>x</b>"))
    sentence = shown(dialog).splitlines()[0]
    assert sentence.endswith((".", "<b>x</b>"))
    assert len(sentence) > 20
    assert "{0}" not in sentence


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK, None], ids=["light", "dark", "pseudo"])
def test_the_dialog_in_pictures(qapp: QApplication, qtbot: QtBot, tmp_path: Path, theme: Theme | None) -> None:
    look, language = Look(qapp), PseudoLanguage()
    look.use(theme or Theme.LIGHT)
    if theme is None:
        qapp.installTranslator(language)
    check = PictureCheck(tmp_path / "pictures")
    dialog = UpdateDialog("https://example.org/desktop-rag/latest.json")
    qtbot.addWidget(dialog)
    dialog.show()
    check.check(dialog, "updates")
    dialog.show_release(parse_feed(json.dumps(FEED).encode()))
    check.check(dialog, "a newer version")
    dialog.show_error(UpdateError(UpdateTrouble.CONNECTION, "name or service not known"))
    check.check(dialog, "an address that cannot be reached")
    qapp.removeTranslator(language)
    check.report()
