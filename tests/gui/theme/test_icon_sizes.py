"""Icons that rows paint themselves grow with the text, live, and leave it the room it needs."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QListView, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.conversation.composer.composer import ChoiceButton
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.timeline.run_story import StoryEntry
from desktop_rag.gui.conversation.timeline.timeline_rows import EntryRow, icon_column
from desktop_rag.gui.library.library_panel import LibraryPanel
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.theme.theme import Look, scaled
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.chips import Chip
from desktop_rag.settings import Theme
from tests.gui.library_values import folder, library


def change(qtbot: QtBot, look: Look, percent: int) -> None:
    with qtbot.waitSignal(look.changed):
        look.use(Theme.LIGHT, percent)
    QApplication.processEvents()


def ink(widget: QWidget, area: QRect) -> tuple[int, int]:
    """Return width and height of what is painted on the ground in an area of a widget."""
    image = widget.grab(area).toImage()
    ground = image.pixel(0, 0)
    dots = [(x, y) for x in range(image.width()) for y in range(image.height()) if image.pixel(x, y) != ground]
    return max(x for x, _ in dots) - min(x for x, _ in dots) + 1, max(y for _, y in dots) - min(y for _, y in dots) + 1


def test_icon_of_a_folder(look: Look, qtbot: QtBot) -> None:
    status = ShownStatus()
    panel = LibraryPanel(status)
    qtbot.addWidget(panel)
    panel.resize(360, 400)
    panel.show()
    status.update(library(folder(1)))
    rows = panel.findChild(QListView)
    assert rows is not None

    def icon() -> tuple[int, int]:
        row = rows.visualRect(rows.model().index(0, 0))
        return ink(rows.viewport(), QRect(row.left() + 8 + scaled(12), row.top() + 8, scaled(18) + 4, scaled(22)))

    usual = icon()
    for percent in (200, 100):
        change(qtbot, look, percent)
        assert icon() == pytest.approx([side * percent / 100 for side in usual], abs=2)


def test_icon_of_a_step(look: Look, qtbot: QtBot) -> None:
    entry = StoryEntry("1", 1, tool="search", summary="Searching “rent”")
    row = EntryRow(entry, ConversationRequests(ViewerRequests()))
    row.show_entry(counts_tokens=False)
    qtbot.addWidget(row)
    row.resize(400, 60)
    row.show()
    for percent, disc in ((150, 33), (200, 44), (100, 22)):
        change(qtbot, look, percent)
        row.resize(400, row.sizeHint().height())
        assert ink(row, QRect(0, 0, icon_column(), row.height())) == pytest.approx((disc, disc), abs=1)
        layout = row.layout()
        assert layout is not None
        assert layout.contentsMargins().left() > disc + 3


@pytest.mark.parametrize("made", [lambda: Chip("Contracts", icon="folder"), lambda: ChoiceButton("endpoint")])
def test_buttons_with_an_icon_leave_it_room(look: Look, qtbot: QtBot, made: type[QWidget]) -> None:
    button = made()
    if isinstance(button, ChoiceButton):
        button.set_choice("Built-in", "Model: Built-in")
    qtbot.addWidget(button)
    button.show()
    change(qtbot, look, 200)
    button.resize(button.sizeHint())
    width, height = ink(button, QRect(12, button.height() // 2 - 12, scaled(14), 24))  # inside the border
    assert height >= 18
    assert width < scaled(14)  # the text begins after it
