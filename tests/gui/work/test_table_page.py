"""The page of tables: made, filled, sorted, corrected, exported; its model scrolls over thousands of cells."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.gui.viewer.viewer_events import Target
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.chips import Chip
from desktop_rag.gui.work.table_control import BudgetDialog, TableControl, TableDialog, WordsDialog
from desktop_rag.gui.work.table_model import TableModel
from desktop_rag.gui.work.table_page import TablePage
from desktop_rag.gui.work.work_control import ChosenDocuments
from desktop_rag.settings import Profile, Settings
from desktop_rag.work.arrangement import Arrangement
from desktop_rag.work.columns import Column, Kind
from desktop_rag.work.table import Row, Table, TableHead, TableId
from desktop_rag.work.work_store import WorkStore
from tests.endpoint import ScriptedEndpoint, Turn
from tests.gui.library_values import folder
from tests.gui.library_values import library as status_of
from tests.gui.work.conftest import Opened
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.work.conftest import by_document
from tests.unit.work.tables import a_table, found


def dialog_of(kind: type[QWidget], qtbot: QtBot) -> QWidget:
    def shown() -> list[QWidget]:
        return [each for each in QApplication.topLevelWidgets() if isinstance(each, kind) and each.isVisible()]

    qtbot.waitUntil(lambda: bool(shown()))
    return shown()[0]


def texts(page: TablePage) -> list[list[str]]:
    model = page.model
    rows = range(model.rowCount())
    return [[str(model.index(row, column).data() or "") for column in range(model.columnCount())] for row in rows]


def make(page: TablePage, qtbot: QtBot, *columns: Column) -> None:
    """Make a table of all documents with the dialog."""
    page.new.click()
    dialog = dialog_of(TableDialog, qtbot)
    assert isinstance(dialog, TableDialog)
    assert dialog.focusWidget() is dialog.name
    for column in columns:
        dialog._add_question(Column(column.name))
        dialog.questions()[-1].kind.setCurrentIndex(list(Kind).index(column.kind))
    dialog.act.click()
    qtbot.waitUntil(lambda: page.model.columnCount() == 1 + len(columns))


def fill(page: TablePage, control: TableControl, qtbot: QtBot) -> None:
    page.fill.click()
    qtbot.waitUntil(lambda: page.fill.text() == "Fill" and control._filling is None)
    qtbot.waitUntil(lambda: not control._worker.is_running())


def test_a_table_is_made_and_filled_without_a_model(page: TablePage, control: TableControl, qtbot: QtBot) -> None:
    control.load()
    qtbot.waitUntil(lambda: page.placeholder.isVisible())
    make(page, qtbot, Column("Landlord"), Column("Rent", Kind.AMOUNT))
    assert page.kept.currentText() == "Landlord, Rent"
    fill(page, control, qtbot)
    qtbot.waitUntil(lambda: page._said.text() == "6 of 6 cells · 1 not found without a model" and len(texts(page)) == 4)
    assert texts(page) == [
        ["a.md: Lease of the mill", "Anna Meier", "900 euros"],
        ["b.md: Lease of the barn", "Kestrel Ltd", "1,200 euros"],
        ["c.md: Lease of the pier", "Oskar Adler", "not found"],
        ["3", "", "Σ 2,100 EUR"],
    ]


def test_labels_that_documents_share_are_offered_as_questions(
    page: TablePage, control: TableControl, qtbot: QtBot
) -> None:
    control.new_table()
    dialog = dialog_of(TableDialog, qtbot)
    assert isinstance(dialog, TableDialog)
    qtbot.waitUntil(lambda: dialog._offered.isVisible())
    chip = next(each for each in dialog._offered.findChildren(QWidget) if each.accessibleName() == "Landlord")
    assert isinstance(chip, Chip)
    chip.click()
    assert [each.column().name for each in dialog.questions()] == ["Landlord"]
    dialog.reject()


def test_a_table_that_cannot_be_made_says_why_and_the_dialog_stays(
    page: TablePage, control: TableControl, qtbot: QtBot
) -> None:
    control.new_table(ChosenDocuments(hashes=("0" * 64,)))
    dialog = dialog_of(TableDialog, qtbot)
    assert isinstance(dialog, TableDialog)
    assert dialog.chosen.where.currentText() == "1 chosen document"
    dialog.questions()[0].name.setText("Rent")
    dialog.act.click()
    qtbot.waitUntil(lambda: "No document fulfils" in dialog._error.text())
    assert dialog.act.isEnabled()
    dialog.reject()


def test_a_click_opens_the_line_and_the_proof_stands_below(
    page: TablePage, control: TableControl, viewer: ViewerRequests, qtbot: QtBot
) -> None:
    make(page, qtbot, Column("Landlord"), Column("Rent", Kind.AMOUNT))
    fill(page, control, qtbot)
    qtbot.waitUntil(lambda: texts(page)[1][2] == "1,200 euros")
    with qtbot.waitSignal(viewer.target_requested) as asked:
        page.view.setCurrentIndex(page.model.index(1, 2))
        page.view.clicked.emit(page.model.index(1, 2))
    target = asked.args[0] if asked.args else None
    assert isinstance(target, Target)
    assert (target.first_line, target.path.endswith("b.md")) == (5, True)
    assert "“The rent is 1,200 euros a month.” – line 5" in page._proof.text()


def test_a_correction_is_kept_apart_and_can_be_taken_back(page: TablePage, control: TableControl, qtbot: QtBot) -> None:
    make(page, qtbot, Column("Rent", Kind.AMOUNT))
    fill(page, control, qtbot)
    qtbot.waitUntil(lambda: texts(page)[0][1] == "900 euros")
    page.view.setCurrentIndex(page.model.index(0, 1))
    page.correct_requested.emit((1, 1))
    dialog = dialog_of(WordsDialog, qtbot)
    assert isinstance(dialog, WordsDialog)
    assert dialog.field.text() == "900 euros"
    dialog.field.setText("950 euros")
    dialog.act.click()
    qtbot.waitUntil(lambda: texts(page)[0][1] == "950 euros")
    assert texts(page)[-1][1] == "Σ 2,150 EUR"
    assert "found: 900 euros" in str(page.model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole))
    page.restore_requested.emit(((1, 1),))
    qtbot.waitUntil(lambda: texts(page)[0][1] == "900 euros")


def test_cells_of_a_document_that_has_changed_are_marked_without_filling(
    page: TablePage, control: TableControl, small: SmallLibrary, qtbot: QtBot
) -> None:
    make(page, qtbot, Column("Rent", Kind.AMOUNT))
    fill(page, control, qtbot)
    qtbot.waitUntil(lambda: texts(page)[0][1] == "900 euros")
    small.add({"a.md": "# Lease of the mill\n\nThe rent is 950 euros a month.\n"})
    control._checked = None
    control._status.update(status_of(folder(7)))
    row, column = page.model.table.rows[0], page.model.table.columns[0]
    qtbot.waitUntil(lambda: page.model.table.is_stale(page.model.table.rows[0], column.id))
    assert page.model.table.cell(row.number, column.id).value == "900 euros"


def test_the_proof_of_a_cell_is_saved_to_the_notes(
    page: TablePage, control: TableControl, viewer: ViewerRequests, qtbot: QtBot
) -> None:
    make(page, qtbot, Column("Rent", Kind.AMOUNT))
    fill(page, control, qtbot)
    qtbot.waitUntil(lambda: texts(page)[0][1] == "900 euros")
    page.view.setCurrentIndex(page.model.index(0, 1))
    with qtbot.waitSignal(viewer.note_requested) as asked:
        next(action for action in page._actions if action.text() == "Save to notes").trigger()
    assert asked.args is not None
    assert asked.args[0].quote == "The rent is 900 euros a month."


def test_a_model_is_asked_only_after_the_budget_was_agreed_to(page: TablePage, opened: Opened, qtbot: QtBot) -> None:
    with ScriptedEndpoint([by_document] * 3) as endpoint:
        profile = Profile("mine", endpoint.base_url, "scripted", price_in=1.0, price_out=2.0)
        control = opened(Settings(profiles=(profile,), active_profile="mine", second_look=False))
        make(page, qtbot, Column("Rent", Kind.AMOUNT))
        page.fill.click()
        dialog = dialog_of(BudgetDialog, qtbot)
        assert isinstance(dialog, BudgetDialog)
        assert not endpoint.requests
        dialog.act.click()
        qtbot.waitUntil(lambda: control._filling is None and page.fill.text() == "Fill")
        assert len(endpoint.requests) == 3
    qtbot.waitUntil(lambda: page._said.text() == "3 of 3 cells")
    assert [row[1] for row in texts(page)[:3]] == ["900 euros", "1,200 euros", "not in this document"]


def test_an_endpoint_that_fails_is_told_and_stop_is_offered_meanwhile(
    page: TablePage, opened: Opened, qtbot: QtBot
) -> None:
    refused = Turn(status=401, body='{"error": {"message": "no", "code": "invalid_api_key"}}')
    with ScriptedEndpoint([refused] * 6) as endpoint:
        profile = Profile("mine", endpoint.base_url, "scripted")
        control = opened(Settings(profiles=(profile,), active_profile="mine"))
        make(page, qtbot, Column("Rent", Kind.AMOUNT))
        with qtbot.waitSignal(control.trouble, timeout=20_000) as told:
            control._fill(TableId(1), None)
            assert page.fill.text() == "Stop"
        assert told.args is not None
        assert told.args[0] == "The model asks for a key"
        qtbot.waitUntil(lambda: page.fill.text() == "Fill")


def test_what_another_program_writes_is_shown(
    page: TablePage, control: TableControl, small: SmallLibrary, qtbot: QtBot
) -> None:
    make(page, qtbot, Column("Rent"))
    other = WorkStore(small.layout)
    other.correct(TableId(1), (1, 1), "by another program")
    other.close()
    control._look()
    qtbot.waitUntil(lambda: texts(page)[0][1] == "by another program")


def test_the_table_is_exported_as_it_is_looked_at(
    page: TablePage, control: TableControl, tmp_path: Path, qtbot: QtBot
) -> None:
    make(page, qtbot, Column("Rent", Kind.AMOUNT))
    fill(page, control, qtbot)
    qtbot.waitUntil(lambda: texts(page)[0][1] == "900 euros")
    page.model.sort(1, Qt.SortOrder.DescendingOrder)
    assert [row[1] for row in texts(page)][:2] == ["1,200 euros", "900 euros"]
    page.export_requested.emit("md")
    dialog = dialog_of(QFileDialog, qtbot)
    assert isinstance(dialog, QFileDialog)
    with qtbot.waitSignal(control.saved):
        dialog.filesSelected.emit([str(tmp_path / "out.md")])
    text = (tmp_path / "out.md").read_text(encoding="utf-8")
    assert text.index("1,200 euros") < text.index("900 euros")
    dialog.close()


def test_rows_are_filtered_grouped_and_their_states_visible(page: TablePage, qtbot: QtBot) -> None:
    page.show_table(a_table())
    assert texts(page)[0] == ["Lease 1", "Anna Meier", "1,200 euros", "3 Mar 2021", "yes"]
    assert texts(page)[1][3:] == ["not in this document", "no answer"]
    assert texts(page)[4][1] == "the document is gone"
    page.model.arrange(Arrangement(group=4, sort=2))
    page._span_headings()
    assert [row[0] for row in texts(page)] == ["yes", "Lease 1", "–", "Lease 4", "Lease 2", "Lease 3", "Lease 5", "5"]
    page.model.arrange(Arrangement(words="meier"))
    assert [row[0] for row in texts(page)] == ["Lease 1", "1"]


@pytest.fixture
def large() -> Table:
    columns = tuple(
        Column(f"Question {number}", Kind.AMOUNT if number % 2 else Kind.TEXT, id=number) for number in range(1, 11)
    )
    rows = tuple(Row(number, f"{number:064x}", f"/d/{number}.md", f"Document {number}") for number in range(1, 1_001))
    cells = {
        (row.number, column.id): found(column, f"{row.number * column.id:,} euros", row.number)
        for row in rows
        for column in columns
    }
    return Table(TableId(9), "Large", columns, rows, cells)


def test_painting_a_thousand_rows_asks_for_those_in_sight_only(page: TablePage, large: Table, qtbot: QtBot) -> None:
    page.show_tables((TableHead(large.id, large.name, 1_000, 10_000, 10_000, 0),), large.id)
    page.show_table(large)
    page.grab()
    assert 0 < len(page.model._texts) < 60 * 10
    bar = page.view.verticalScrollBar()
    for step in range(10):
        bar.setValue(bar.maximum() * step // 10)
        page.grab()
    assert len(page.model._texts) < 10 * 60 * 10


def test_a_cell_that_comes_changes_one_index(page: TablePage, large: Table, qtbot: QtBot) -> None:
    model = TableModel()
    model.show_table(large, Arrangement())
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), first.column())))
    model.note_asked((500, 3))
    assert model.index(499, 3).data() == "asking…"
    model.put((500, 3), found(large.columns[2], "7 euros"))
    assert changed == [(499, 3), (499, 3)]
    assert model.index(499, 3).data() == "7 euros"
