"""What the page of all files shows in a test."""

from pytestqt.qtbot import QtBot

from desktop_rag.gui.files.files_model import COLUMNS
from desktop_rag.gui.files.files_page import FilesPage
from desktop_rag.index.file_rows import FileColumn

NAME, SIZE, REASON = (COLUMNS.index(column) for column in (FileColumn.NAME, FileColumn.SIZE, FileColumn.REASON))


def shown(page: FilesPage, column: int = NAME) -> list[str]:
    """Return the texts of a column of the first rows."""
    model = page.list.model
    return [str(model.index(number, column).data()) for number in range(min(model.rowCount(), 20))]


def open_page(page: FilesPage, qtbot: QtBot, rows: int = 6) -> None:
    page.show()
    page.activateWindow()
    qtbot.waitUntil(lambda: page.list.model.rowCount() == rows and page.list.model.is_loaded(0))
    page.list.table.setFocus()
    qtbot.waitUntil(page.list.table.hasFocus)
