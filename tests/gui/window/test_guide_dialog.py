"""The user guide in the program: pages, links between them, and the way back."""

import re
from itertools import pairwise

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.widgets.bounded_dialog import BrowserDialog
from desktop_rag.gui.window import help_dialogs
from desktop_rag.gui.window.help_dialogs import GuideDialog
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
    wait_for(guide)
    return guide


def wait_for(guide: GuideDialog) -> None:
    """Wait until all of a page is shown."""
    while not guide.is_complete:
        QApplication.processEvents()


def open_page(guide: GuideDialog, target: str) -> None:
    """Follow a link."""
    guide.text.anchorClicked.emit(QUrl(target))
    wait_for(guide)


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
        open_page(guide, target)
        expected = (guides() / QUrl(target).path()).read_text(encoding="utf-8").splitlines()[0]
        assert guide.text.toPlainText().splitlines()[0] == expected.lstrip("# ")
        guide.back.click()
        wait_for(guide)
        assert guide.text.verticalScrollBar().value() == place


def test_a_link_to_a_section_shows_its_heading(guide: GuideDialog) -> None:
    open_page(guide, "endpoints.md#a-model-file-without-a-server")
    assert guide.text.textCursor().block().text() == "A model file without a server"


def test_a_link_to_what_is_not_delivered_is_plain_text(guide: GuideDialog) -> None:
    open_page(guide, "security.md")
    assert "(../SECURITY.md)" in (guides() / "security.md").read_text(encoding="utf-8")
    assert not any("SECURITY" in target for target in links(guide))


def test_a_web_address_is_asked_about(guide: GuideDialog) -> None:
    guide.text.anchorClicked.emit(QUrl("https://example.org/a"))
    dialog = guide.findChild(BrowserDialog)
    assert isinstance(dialog, QDialog)
    assert dialog.isVisible()
    dialog.close()


@pytest.mark.parametrize("page", sorted(path.name for path in guides().glob("*.md")))
def test_a_long_page_is_shown_turn_by_turn_as_it_is_at_once(
    page: str, guide: GuideDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blocks() -> list[tuple[int, str]]:
        document, found = guide.text.document(), []
        block = document.begin()
        while block.isValid():
            found.append((block.blockFormat().headingLevel(), block.text()))
            block = block.next()
        return found

    guide.text.anchorClicked.emit(QUrl(page))
    counts = [0, len(blocks())]
    guide.text.document().blockCountChanged.connect(counts.append)
    wait_for(guide)
    in_turns = blocks()
    assert max(after - before for before, after in pairwise(counts)) < 800  # lines and cells
    monkeypatch.setattr(help_dialogs, "_PART", 1_000_000)
    open_page(guide, page)
    assert in_turns == blocks()
