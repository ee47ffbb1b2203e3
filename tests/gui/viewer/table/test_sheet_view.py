"""A workbook opened by a citation."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.gui.theme.theme import Look
from desktop_rag.gui.theme.theme_colors import DARK, LIGHT
from desktop_rag.gui.viewer.tabs.document_tab import DocumentTab
from desktop_rag.gui.viewer.viewer_events import ViewMode
from desktop_rag.settings import Theme
from tests.gui.viewer.conftest import Opened, cite
from tests.gui.viewer.memory_retriever import MemoryFile, MemoryRetriever
from tests.gui.viewer.table.test_sheets import BUDGET, NOTES, workbook


def add(retriever: MemoryRetriever, name: str = "budget.xlsx") -> MemoryFile:
    return retriever.add_document(Path("/offices") / name, workbook(NOTES, BUDGET), "cd" * 32)


def table(retriever: MemoryRetriever, folder: Path, rows: int = 20_000) -> MemoryFile:
    lines = [f"item {number},{number * 2},{'long words ' * (number % 5)}" for number in range(1, rows)]
    return retriever.add_text(folder / "prices.csv", "\n".join(("name,price,note", *lines)) + "\n")


def color_at(tab: DocumentTab, row: int, column: int) -> QColor:
    view = tab.body.sheet.table
    area = view.visualRect(view.model().index(row, column))
    return view.viewport().grab().toImage().pixelColor(area.right() - 3, area.top() + 2)


def test_a_citation_opens_its_sheet_and_shades_its_cells(retriever: MemoryRetriever, opened: Opened) -> None:
    tab = opened(cite(add(retriever), "Rent", lines=2))
    sheet = tab.body.sheet
    assert tab.body.mode is ViewMode.TABLE
    assert sheet.tabs.tabText(sheet.tabs.currentIndex()) == "Budget"
    assert sheet.reference() == "Budget!A2:B3"
    assert tab.highlighted_text() == "Rent\t840\nHeating\t12"
    assert color_at(tab, 2, 1) != QColor(LIGHT.surface)
    assert color_at(tab, 4, 1) == QColor(LIGHT.surface)


def test_the_quoted_cell_is_emphasised_in_the_cited_row(retriever: MemoryRetriever, opened: Opened) -> None:
    tab = opened(cite(add(retriever), "840"))
    assert color_at(tab, 1, 1) == QColor(LIGHT.mark)
    assert color_at(tab, 1, 0) not in (QColor(LIGHT.mark), QColor(LIGHT.surface))


def test_one_long_note_does_not_widen_the_column_of_sums(
    retriever: MemoryRetriever, opened: Opened, tmp_path: Path
) -> None:
    lines = [f"item {number},{number * 2}" for number in range(1, 30)]
    widths = []
    for note in ("60", "the sum of all the items above is not computed yet"):
        text = "\n".join(("name,price", *lines, f"sum,{note}")) + "\n"
        tab = opened(cite(retriever.add_text(tmp_path / f"{len(note)}.csv", text), "item 3"))
        widths.append(tab.body.sheet.table.columnWidth(1))
    assert widths[1] < 1.5 * widths[0]
    few = retriever.add_text(tmp_path / "few.csv", f"name,price\nitem,2\nsum,{note}\n")
    assert opened(cite(few, "item")).body.sheet.table.columnWidth(1) > 2 * widths[0]


def test_a_sheet_is_chosen_by_its_tab(retriever: MemoryRetriever, opened: Opened) -> None:
    tab = opened(cite(add(retriever), "Rent"))
    tab.body.sheet.tabs.setCurrentIndex(0)
    model = tab.body.sheet.table.model()
    assert model.index(0, 0).data() == "Written by Ada"
    assert model.headerData(0, Qt.Orientation.Vertical) == "2"


def test_the_current_cell_shows_its_reference_and_full_text(retriever: MemoryRetriever, opened: Opened) -> None:
    tab = opened(cite(add(retriever), "Rent"))
    sheet = tab.body.sheet
    sheet.table.setCurrentIndex(sheet.table.model().index(1, 1))
    assert sheet.reference() == "Budget!B2"
    QTest.keyClick(sheet.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "840"


def test_the_menu_copies_the_current_cell(retriever: MemoryRetriever, opened: Opened) -> None:
    tab = opened(cite(add(retriever), "Rent"))
    sheet = tab.body.sheet
    sheet.table.setCurrentIndex(sheet.table.model().index(1, 1))
    middle = sheet.table.visualRect(sheet.table.currentIndex()).center()
    QApplication.sendEvent(
        sheet.table.viewport(),
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, middle, sheet.table.viewport().mapToGlobal(middle)),
    )
    assert tab.actions_of.copy.isEnabled()
    tab.actions_of.copy.trigger()
    assert QGuiApplication.clipboard().text() == "840"
    popup = QApplication.activePopupWidget()
    assert popup is not None
    popup.close()


def test_selected_cells_are_copied_as_a_table(retriever: MemoryRetriever, opened: Opened) -> None:
    tab = opened(cite(add(retriever), "Rent"))
    sheet = tab.body.sheet
    sheet.table.setCurrentIndex(sheet.table.model().index(1, 0))
    shift = Qt.KeyboardModifier.ShiftModifier
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        QTest.keyClick(sheet.table, key, shift)
    assert sheet.selected().text == "Rent\t840\nHeating\t12"
    tab.copy_quote()
    assert QGuiApplication.clipboard().text().startswith("“Rent\t840\nHeating\t12”")


def test_a_long_table_opens_at_the_cited_row_with_column_names(
    retriever: MemoryRetriever, tmp_path: Path, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(table(retriever, tmp_path), "item 15000\t"))
    view = tab.body.sheet.table
    assert 0 < view.visualRect(view.model().index(15_000, 0)).top() < view.height() / 2
    qtbot.waitUntil(lambda: view.model().headerData(1, Qt.Orientation.Horizontal) == "B  price", timeout=60_000)
    assert sum(count for _, count in retriever.windows) < 5_000
    view.scrollToTop()  # where the names are the first row
    qtbot.waitUntil(lambda: view.model().headerData(1, Qt.Orientation.Horizontal) == "B")


def test_scrolling_loads_more_rows(retriever: MemoryRetriever, tmp_path: Path, opened: Opened, qtbot: QtBot) -> None:
    tab = opened(cite(table(retriever, tmp_path), "item 15000\t"))
    view = tab.body.sheet.table
    QTest.keyClick(view, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    view.scrollToTop()
    qtbot.waitUntil(lambda: view.model().index(5, 0).data() == "item 5", timeout=60_000)


def test_a_match_scrolls_to_its_cell(retriever: MemoryRetriever, tmp_path: Path, opened: Opened, qtbot: QtBot) -> None:
    tab = opened(cite(table(retriever, tmp_path), "item 15000\t"))
    tab.find_bar.open_search("item 777")
    view = tab.body.sheet.table
    qtbot.waitUntil(lambda: tab.find_bar._found.text().startswith("1 of"), timeout=60_000)
    tab.finding.step(-1)
    qtbot.waitUntil(lambda: bool(view.model().index(view.rowAt(view.height() // 3), 0).data()), timeout=60_000)
    seen = range(view.rowAt(0), view.rowAt(view.viewport().height() - 1) + 1)
    colors = [view.model().index(row, 0).data(Qt.ItemDataRole.BackgroundRole) for row in seen]
    assert QColor(LIGHT.accent) in colors
    qtbot.waitUntil(lambda: tab.body.sheet._cell.text().startswith("item 7779"), timeout=60_000)
    assert tab.body.sheet.reference().endswith("A7780")
    assert tab.find_bar.isAncestorOf(QApplication.focusWidget() or tab)


def test_the_lines_of_a_table_can_be_read_as_text_and_back(
    retriever: MemoryRetriever, opened: Opened, qtbot: QtBot
) -> None:
    tab = opened(cite(add(retriever), "Rent"))
    tab.tools.views.chosen.emit(ViewMode.TEXT)
    qtbot.waitUntil(lambda: "Rent\t840" in tab.body.text.editor.toPlainText(), timeout=60_000)
    tab.tools.views.chosen.emit(ViewMode.TABLE)
    assert tab.body.mode is ViewMode.TABLE
    assert color_at(tab, 1, 1) != QColor(LIGHT.surface)


def test_cells_follow_the_theme(retriever: MemoryRetriever, look: Look, opened: Opened, qtbot: QtBot) -> None:
    tab = opened(cite(add(retriever), "Rent"))
    with qtbot.waitSignal(look.changed):
        look.use(Theme.DARK)
    QApplication.processEvents()
    assert color_at(tab, 4, 1) == QColor(DARK.surface)


def test_zooming_grows_the_rows(retriever: MemoryRetriever, opened: Opened) -> None:
    tab = opened(cite(add(retriever), "Rent"))
    header = tab.body.sheet.table.verticalHeader()
    before = header.defaultSectionSize()
    tab.body.set_text_zoom(8)
    assert header.defaultSectionSize() > before * 1.4


def test_all_widgets_have_accessible_names(retriever: MemoryRetriever, opened: Opened) -> None:
    sheet = opened(cite(add(retriever), "Rent")).body.sheet
    assert sheet.table.accessibleName()
    assert sheet.tabs.accessibleName()


def test_a_quoted_cell_far_right_is_in_sight_and_its_row_is_named(
    retriever: MemoryRetriever, opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    names = ",".join(["Department", *(f"column number {number}" for number in range(1, 30))])
    rows = [",".join([f"Office {row}", *(str(1000 * row + number) for number in range(1, 30))]) for row in range(1, 9)]
    tab = opened(cite(retriever.add_text(tmp_path / "wide.csv", "\n".join((names, *rows)) + "\n"), "3029"))
    view = tab.body.sheet.table
    shown = view.viewport().rect()
    qtbot.waitUntil(lambda: shown.contains(view.visualRect(view.model().index(3, 29)).topLeft()))
    qtbot.waitUntil(lambda: "Office 3" in str(view.model().headerData(3, Qt.Orientation.Vertical)))
    view.horizontalScrollBar().setValue(0)
    assert "Office 3" not in str(view.model().headerData(3, Qt.Orientation.Vertical))
