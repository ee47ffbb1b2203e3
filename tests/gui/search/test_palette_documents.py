"""The palette finds every document of the library by its name, also one that was never opened."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.command_palette import CommandPalette, _find
from desktop_rag.gui.widgets.fields import FilterField
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.libraries import Libraries
from desktop_rag.stop import Stop
from tests.gui.opened_app import opened
from tests.gui.test_end_to_end import wait_until_ready

pytestmark = pytest.mark.processes

MILLISECONDS = 60_000


@pytest.fixture
def app(qapp: QApplication, qtbot: QtBot, own_data_home: Path, documents: Path) -> Iterator[App]:
    with opened(App(qapp, Libraries(own_data_home).usual().library), qtbot) as app:
        wait_until_ready(app, qtbot)
        yield app


def test_a_document_is_found_by_name_and_opened(app: App, qtbot: QtBot, documents: Path) -> None:
    qtbot.waitUntil(app.window.isActiveWindow)
    app.window.menus.palette.trigger()
    palette = next(each for each in app.window.findChildren(CommandPalette) if each.isVisible())
    field, rows, hint = (palette.findChild(kind) for kind in (FilterField, QListView, PlainLabel))
    assert isinstance(field, FilterField)
    assert isinstance(rows, QListView)
    assert isinstance(hint, PlainLabel)

    def said() -> list[str]:
        model = rows.model()
        return [str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(model.rowCount())]

    field.setText("zzyzx")
    qtbot.waitUntil(hint.isVisible, timeout=MILLISECONDS)
    field.setText("flut")
    assert not hint.isVisible()  # it is not known yet
    qtbot.waitUntil(lambda: "flutes.txt, Document · wood" in said(), timeout=MILLISECONDS)
    while not str(rows.currentIndex().data()).startswith("flutes"):
        QTest.keyClick(field, Qt.Key.Key_Down)
    QTest.keyClick(field, Qt.Key.Key_Return)
    path = str(documents / "wood" / "flutes.txt")
    qtbot.waitUntil(lambda: [each.path for each in app.documents_open.recent.documents] == [path], timeout=MILLISECONDS)


@pytest.mark.slow
def test_a_document_is_found_by_its_name_with_the_ending(app: App) -> None:
    def found(text: str) -> list[str]:
        (event,) = _find(text, app.sessions.current.urgent_retriever, Stop())
        return [card.path.name for card in event.cards if card.path]

    assert found("flutes.txt") == found("FLUTES.TX") == ["flutes.txt"]
    assert found("flutes.tex") == found("zzyzx.txt") == found("flutes zzyzx.txt") == []
