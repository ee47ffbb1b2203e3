"""The user guide in the program: pages, links between them, and the way back."""

import re

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.widgets.browser_dialog import BrowserDialog
from desktop_rag.gui.window.guide_dialog import GuideDialog
from desktop_rag.paths import guides


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def guide(window: QWidget) -> GuideDialog:
    guide = GuideDialog(window)
    guide.show()
    return guide


def links(guide: GuideDialog) -> list[str]:
    """Return the targets of the links of the page that is shown."""
    return re.findall(r'href="([^"]+)"', guide.text.toHtml())


def test_the_guide_is_shown_as_text_without_pictures(guide: GuideDialog) -> None:
    text = guide.text.toPlainText()
    assert text.startswith("User guide\n")
    assert "**" not in text
    assert "<img" not in guide.text.toHtml()
    assert not guide.back.isEnabled()


def test_every_link_leads_to_a_page_and_back_to_the_place(guide: GuideDialog) -> None:
    guide.text.moveCursor(QTextCursor.MoveOperation.End)
    place = guide.text.verticalScrollBar().value()
    assert place > 0
    targets = links(guide)
    assert len(targets) > 8
    for target in targets:
        guide.text.anchorClicked.emit(QUrl(target))
        expected = (guides() / QUrl(target).path()).read_text(encoding="utf-8").splitlines()[0]
        assert guide.text.toPlainText().splitlines()[0] == expected.lstrip("# ")
        guide.back.click()
        assert guide.text.verticalScrollBar().value() == place


def test_a_link_to_a_section_shows_its_heading(guide: GuideDialog) -> None:
    guide.text.anchorClicked.emit(QUrl("endpoints.md#a-model-file-without-a-server"))
    assert guide.text.textCursor().block().text() == "A model file without a server"


def test_a_link_to_what_is_not_delivered_is_plain_text(guide: GuideDialog) -> None:
    guide.text.anchorClicked.emit(QUrl("security.md"))
    assert "(../SECURITY.md)" in (guides() / "security.md").read_text(encoding="utf-8")
    assert not any("SECURITY" in target for target in links(guide))


def test_a_web_address_is_asked_about(guide: GuideDialog) -> None:
    guide.text.anchorClicked.emit(QUrl("https://example.org/a"))
    dialog = guide.findChild(BrowserDialog)
    assert isinstance(dialog, QDialog)
    assert dialog.isVisible()
    dialog.close()
