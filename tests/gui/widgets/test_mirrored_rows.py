"""Rows that are painted by hand are mirrored for those who read from the right: no text covers another."""

from collections.abc import Callable, Iterator
from datetime import datetime
from types import ModuleType

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPointF, QRect, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QListView, QStyledItemDelegate, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import ConversationId, ConversationSummary
from desktop_rag.gui import command_palette
from desktop_rag.gui.command_palette import PaletteDelegate, PaletteEntry, PaletteModel
from desktop_rag.gui.conversation import conversations_panel
from desktop_rag.gui.conversation.conversations_panel import ConversationsPanel
from desktop_rag.gui.conversation.sources import sources_list
from desktop_rag.gui.conversation.sources.sources_list import SourceDelegate
from desktop_rag.gui.conversation.sources.sources_model import SourcesModel
from desktop_rag.gui.library import library_delegate
from desktop_rag.gui.library.library_delegate import LibraryDelegate
from desktop_rag.gui.library.library_model import LibraryModel
from desktop_rag.gui.search import facet_list
from desktop_rag.gui.search.facet_list import FacetDelegate, FacetModel
from desktop_rag.gui.viewer.side import side_panel
from desktop_rag.gui.viewer.side.side_panel import RowDelegate, RowsModel, SideRow
from desktop_rag.gui.widgets.painted_button import mirrored
from desktop_rag.index.records import FolderState
from desktop_rag.retrieval.api import Facet, Facets
from desktop_rag.retrieval.query.tree import FileField, Filter
from tests.gui.conversation.conftest import CITATIONS
from tests.gui.library_values import folder

ROW = QRect(0, 0, 600, 40)
LEFT = Qt.MouseButton.LeftButton
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
    places = painted(conversations_panel, delegate, row)
    [when] = [rect for text, rect in places.items() if text != "Rent"]
    assert when.right() < places["Rent"].left()


def test_the_mark_and_the_name_of_a_source_change_sides(painted: Callable[..., Painted]) -> None:
    model = SourcesModel()
    model.set_citations(CITATIONS, 2)
    name, where, *_ = painted(sources_list, SourceDelegate(), model.index(0)).values()
    assert where.right() < name.left()
    assert name.center().x() > ROW.center().x()


def test_the_count_of_a_facet_is_at_the_left(painted: Callable[..., Painted]) -> None:
    model = FacetModel()
    pdf = Filter(FileField.EXT, "pdf")
    model.show_facets(Facets(7, types=(Facet("PDF", 7, pdf),)), [pdf])
    index = next(i for i in (model.index(n) for n in range(model.rowCount())) if (row := model.row(i)) and row.facet)
    places = painted(facet_list, FacetDelegate(), index)
    count = places.pop("7")
    [name] = places.values()
    assert count.right() < name.left()


def test_the_place_of_a_row_beside_a_document_is_at_the_left(painted: Callable[..., Painted], qtbot: QtBot) -> None:
    model, view = RowsModel(), QListView()
    qtbot.addWidget(view)
    model.set_rows([SideRow("Rent", "page 7")])
    places = painted(side_panel, RowDelegate(1, view), model.index(0))
    assert places["page 7"].right() < places["Rent"].left()


def test_the_state_of_a_folder_is_at_the_left(painted: Callable[..., Painted], qtbot: QtBot) -> None:
    model, view = LibraryModel(), QListView()
    qtbot.addWidget(view)
    status = folder(1, b"/papers", state=FolderState.PAUSED)
    model.show_folders([status])
    places = painted(library_delegate, LibraryDelegate(model, view), model.index(0))
    assert places[model.chip(status)].right() < places["papers"].left()


def test_the_menu_of_a_folder_opens_where_its_button_is(qtbot: QtBot) -> None:
    model, view = LibraryModel(), QListView()
    qtbot.addWidget(view)
    model.show_folders([folder(1, b"/papers")])
    delegate, opened = LibraryDelegate(model, view), list[int]()
    delegate.more_clicked.connect(lambda *_: opened.append(1))
    option = QStyleOptionViewItem()
    option.rect = ROW  # type: ignore[attr-defined, unused-ignore]
    for x in (ROW.right() - 24, ROW.left() + 24):
        point = QPointF(x, 20)
        event = QMouseEvent(QEvent.Type.MouseButtonRelease, point, point, LEFT, LEFT, Qt.KeyboardModifier.NoModifier)
        delegate.editorEvent(event, model, option, model.index(0))
        assert opened == ([] if x > 300 else [1])
