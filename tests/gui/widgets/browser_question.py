"""Answers the question that comes before an address is opened."""

from PySide6.QtWidgets import QMenu, QWidget

from desktop_rag.gui.widgets.bounded_dialog import BrowserDialog
from tests.gui.conftest import Browser


def choose_browser(view: QWidget) -> BrowserDialog:
    """Click “Open in browser” in the open menu of a view, and return the question that came."""
    (menu,) = (each for each in view.findChildren(QMenu) if each.isVisible())
    next(each for each in menu.actions() if each.text() == "Open in browser").trigger()
    menu.close()
    return question_of(view)


def question_of(view: QWidget) -> BrowserDialog:
    """Return the question that a view asks."""
    (question,) = (each for each in view.findChildren(BrowserDialog) if each.isVisible())
    return question


def refuse(question: BrowserDialog, browser: Browser) -> None:
    """Say no to a question that nothing was opened before; nothing is opened then either."""
    assert browser.opened == []
    question._cancel.click()
    assert not question.isVisible()
    assert browser.opened == []


def agree(question: BrowserDialog, browser: Browser, address: str) -> None:
    """Say yes to a question; its address is opened once."""
    assert browser.opened == []
    question.act.click()
    assert browser.opened == [address]
