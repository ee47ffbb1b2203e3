"""Rows that are painted by hand are mirrored for those who read from the right: no text covers another."""

from collections.abc import Callable, Iterator
from datetime import datetime
from types import ModuleType

import pytest
from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QListView, QStyledItemDelegate, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary
from desktop_rag.gui.commands import command_palette
from desktop_rag.gui.commands.command_palette import PaletteDelegate, PaletteEntry, PaletteModel
from desktop_rag.gui.conversation import conversation_rows
from desktop_rag.gui.conversation.conversations_panel import ConversationsPanel
from desktop_rag.gui.widgets.row_painting import mirrored

ROW = QRect(0, 0, 600, 40)
NOW = datetime(2026, 3, 12, 15, 30)

Painted = dict[str, QRect]


@pytest.fixture(autouse=True)
def from_the_right(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType, QStyledItemDelegate, QModelIndex], Painted]:
    """Paint a row; return where each of its texts is."""

    def paint(module: ModuleType, delegate: QStyledItemDelegate, index: QModelIndex) -> Painted:
        places: Painted = {}
        draw = module.draw_text

        def note(painter: QPainter, rect: QRect, text: str, *args: object, within: QRect, **options: object) -> None:
            places[text] = mirrored(rect, within)
            draw(painter, rect, text, *args, within=within, **options)

        monkeypatch.setattr(module, "draw_text", note)
        option = QStyleOptionViewItem()
        option.rect = ROW  # type: ignore[attr-defined, unused-ignore]
        picture = QImage(ROW.size(), QImage.Format.Format_RGB32)
        painter = QPainter(picture)
        delegate.paint(painter, option, index)
        painter.end()
        return places

    return paint


def test_the_keys_of_a_command_are_at_the_left(painted: Callable[..., Painted]) -> None:
    model = PaletteModel([PaletteEntry("new", "New conversation", "File", int, "Ctrl+N")])
    places = painted(command_palette, PaletteDelegate(), model.index(0))
    title, part, keys = places["New conversation"], places["File"], places["Ctrl+N"]
    assert keys.right() < part.left() < part.right() < title.right()
    assert keys.right() < title.left()


def test_the_time_of_a_conversation_is_at_the_left(painted: Callable[..., Painted], qtbot: QtBot) -> None:
    panel = ConversationsPanel(now=lambda: NOW)
    qtbot.addWidget(panel)
    panel.show_conversations([ConversationSummary(ConversationId(1), "Rent", int(NOW.timestamp() * 1e9), 1)])
    view = panel.findChild(QListView)
    assert view is not None
    model = view.model()
    row = next(i for i in (model.index(n, 0) for n in range(model.rowCount())) if i.data() == "Rent")
    delegate = view.itemDelegate()
    assert isinstance(delegate, QStyledItemDelegate)
    places = painted(conversation_rows, delegate, row)
    [when] = [rect for text, rect in places.items() if text != "Rent"]
    assert when.right() < places["Rent"].left()
