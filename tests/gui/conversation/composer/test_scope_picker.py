"""An @ in the question, and files dropped on it, limit what is searched."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QObject, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import WHOLE_LIBRARY, ChosenScope
from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.conversation.composer.scope_picker import ScopeChoice, ScopePicker, mention
from desktop_rag.gui.conversation.composer.scope_row import RestrictionChip, ScopeRow
from desktop_rag.gui.widgets.chips import Chip
from desktop_rag.gui.widgets.drop_zone import DropZone
from desktop_rag.index.records import FolderId
from desktop_rag.retrieval.api import DocumentQuery
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop
from tests.gui.conversation.conversation_table import Table

BOAT = "# Boat\n\nThe mast of the boat is made of spruce.\n"


@pytest.fixture
def field(table: Table) -> QuestionField:
    table.library.add({"boat.md": BOAT, "sail.txt": "The sail is made of linen."}, root="water")
    table.pane.activateWindow()
    field = table.pane.composer.field
    field.setFocus()
    return field


def type_and_wait(field: QuestionField, table: Table, qtbot: QtBot, text: str) -> ScopePicker:
    QTest.keyClicks(field, text)
    picker = table.pane.composer.picker
    qtbot.waitUntil(picker.isVisible, timeout=60_000)
    return picker


def labels(picker: ScopePicker) -> list[str]:
    return [picker.item(row).text() for row in range(picker.count())]


def chips(table: Table) -> list[RestrictionChip]:
    return [chip for chip in table.pane.composer.findChildren(RestrictionChip) if not chip.isHidden()]


@pytest.mark.parametrize(
    ("text", "letters"),
    [("Who @bo", "bo"), ("@", ""), ("a@b", None), ("Who @bo at", None), ("", None), ("@x" * 40, None), ("@@a", "@a")],
)
def test_only_a_word_that_begins_with_an_at_sign_opens_the_list(text: str, letters: str | None) -> None:
    assert mention(text) == letters


@pytest.mark.processes
def test_a_document_is_chosen_by_a_few_letters_and_searched_alone(
    field: QuestionField, table: Table, qtbot: QtBot
) -> None:
    table.settings = Settings()
    picker = type_and_wait(field, table, qtbot, "Of what is it made @boat")
    qtbot.waitUntil(lambda: any(label.startswith("boat.md") for label in labels(picker)), timeout=60_000)
    picker.setCurrentRow(next(row for row, label in enumerate(labels(picker)) if label.startswith("boat.md")))
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.toPlainText() == "Of what is it made "
    assert not picker.isVisible()
    assert table.pane.composer.scope_row.scope().names == ("boat.md",)
    assert [chip.accessibleName() for chip in chips(table)] == ["Only in boat.md; remove it"]
    with qtbot.waitSignal(table.control.answered, timeout=60_000) as ended:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert {citation.path.rpartition(os.sep)[2] for citation in ended.args[0].citations} <= {"boat.md"}
    (number,) = table.wait_until_listed("Of what is it made")
    qtbot.waitUntil(lambda: table.stored(number).scope.names == ("boat.md",), timeout=60_000)
    chips(table)[0].click()
    assert table.pane.composer.scope_row.scope() == WHOLE_LIBRARY


@pytest.mark.processes
def test_a_type_keeps_other_files_out_of_the_answer(field: QuestionField, table: Table, qtbot: QtBot) -> None:
    table.settings = Settings()
    picker = type_and_wait(field, table, qtbot, "@txt")
    qtbot.waitUntil(lambda: labels(picker)[:1] == ["Text (TXT)  ·  1 document"], timeout=60_000)
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert table.pane.composer.scope_row.scope().filters == (Filter(FileField.EXT, ".txt"),)
    with qtbot.waitSignal(table.control.answered, timeout=60_000) as ended:
        table.ask("Of what is the mast made?")
    assert "spruce" not in ended.args[0].text


@pytest.mark.processes
def test_a_tag_of_a_note_limits_the_question(field: QuestionField, table: Table, qtbot: QtBot) -> None:
    table.settings = Settings()
    table.library.add({"mast.md": "# Mast\n\nThe mast is of carbon. #yard/new\n"}, root="notes")
    picker = type_and_wait(field, table, qtbot, "@#yar")
    qtbot.waitUntil(lambda: labels(picker) == ["#yard/new  ·  1 document"], timeout=60_000)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert table.pane.composer.scope_row.scope().filters == (Filter(FileField.TAG, "yard/new"),)
    assert [chip.accessibleName() for chip in chips(table)] == ["Only in #yard/new; remove it"]
    with qtbot.waitSignal(table.control.answered, timeout=60_000) as ended:
        table.ask("Of what is the mast made?")
    assert {citation.path.rpartition(os.sep)[2] for citation in ended.args[0].citations} == {"mast.md"}


def test_escape_closes_the_list_until_the_next_at_sign(field: QuestionField, table: Table, qtbot: QtBot) -> None:
    picker = type_and_wait(field, table, qtbot, "@b")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert not picker.isVisible()
    QTest.keyClicks(field, "o")
    qtbot.wait(50)
    assert not picker.isVisible()
    assert field.toPlainText() == "@bo"
    type_and_wait(field, table, qtbot, " or @md")


def test_a_date_is_written_out(field: QuestionField, table: Table, qtbot: QtBot) -> None:
    picker = type_and_wait(field, table, qtbot, "@1999..2003-04")
    qtbot.waitUntil(lambda: picker.count() == 1, timeout=60_000)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert table.pane.composer.scope_row.scope().filters == (Filter(FileField.DATE, "1999 TO 2003-04"),)


def test_files_and_folders_of_the_library_are_dropped_on_the_question(
    field: QuestionField, table: Table, qtbot: QtBot, tmp_path: Path
) -> None:
    (boat,) = (card.path for card in table.engine.documents(DocumentQuery("boat"), Stop()).cards)
    assert boat is not None
    with qtbot.waitSignal(table.pane.composer.scope_changed, timeout=60_000):
        table.control.limit_to((os.fsencode(boat),))
    assert table.pane.composer.scope_row.scope().names == ("boat.md",)
    with qtbot.waitSignal(table.pane.composer.scope_changed, timeout=60_000):
        table.control.limit_to((os.fsencode(boat.parent),))
    assert [chosen.text for chosen in table.pane.composer.scope_row.scope().filters] == [str(boat.parent)]
    with qtbot.waitSignal(table.control.refused, timeout=60_000) as refused:
        table.control.limit_to((os.fsencode(tmp_path / "strange.pdf"),))
    assert refused.args[0] == "“strange.pdf” cannot be opened, and was not attached."
    assert table.pane.composer.scope_row.scope().attached == ()


def test_a_drop_on_the_question_is_not_added_to_the_library(qtbot: QtBot) -> None:
    window, data = QWidget(), QMimeData()
    qtbot.addWidget(window)
    question = QWidget(window)
    window.resize(400, 300)
    question.setGeometry(50, 200, 300, 80)
    zone = DropZone(window)
    zone.set_question(question)
    window.show()
    data.setUrls([QUrl.fromLocalFile("/home/anna/lease.pdf")])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    zone.dragEnterEvent(QDragEnterEvent(QPoint(10, 10), copy, data, left, none))
    zone.grab()  # paints both areas
    for place, signal in ((QPointF(100, 220), zone.asked_about), (QPointF(100, 100), zone.folders_dropped)):
        with qtbot.waitSignal(signal) as dropped:
            zone.dropEvent(QDropEvent(place, copy, data, left, none))
        assert dropped.args == [(b"/home/anna/lease.pdf",)]
    assert zone.question_words() == "Drop here to use it in this conversation only"
    zone.dragEnterEvent(_FromInside(QPoint(10, 10), copy, data, left, none))
    assert zone.question_words() == "Drop here to search only in it"


class _FromInside(QDragEnterEvent):
    """Something of this program that is dragged, such as a citation."""

    def source(self) -> QObject:
        return self._origin

    _origin = QObject()


def test_a_chosen_document_takes_the_place_of_what_a_search_found() -> None:
    found = ChosenScope(documents=("ab", "cd"), about="rent")
    lease = ScopeChoice("lease.pdf", sha256="ef")
    assert lease.added_to(found) == ChosenScope(documents=("ef",), names=("lease.pdf",))
    both = ScopeChoice("boat.md", sha256="gh").added_to(lease.added_to(found))
    assert (both.documents, both.names) == (("ef", "gh"), ("lease.pdf", "boat.md"))
    assert lease.added_to(both) == both


def test_many_folders_stand_behind_one_chip_and_chosen_ones_never_do(qtbot: QtBot) -> None:
    row = ScopeRow()
    qtbot.addWidget(row)
    row.resize(400, 200)
    row.show()
    row.set_folders([(FolderId(number), f"Folder {number}") for number in range(9)])
    assert [chip.isVisible() for chip in row.chips()] == [True] * 4 + [False] * 5
    row.show_scope(ChosenScope(folders=("Folder 7",)))
    assert [chip.isVisible() for chip in row.chips()] == [True] * 4 + [False] * 3 + [True, False]
    row.chips()[7].click()  # what was seen stays
    assert row.chips()[7].isVisible()
    more = next(chip for chip in row.findChildren(Chip) if chip.accessibleName() == "Show 4 more folders")
    more.click()
    assert all(chip.isVisible() for chip in row.chips())
    row.set_folders([(FolderId(number), f"Folder {number}") for number in range(5)])
    assert all(chip.isVisible() for chip in row.chips())


def test_a_chip_has_a_menu(qtbot: QtBot) -> None:
    row = ScopeRow()
    qtbot.addWidget(row)
    row.resize(400, 200)
    row.show()
    row.set_folders([(FolderId(number), f"Folder {number}") for number in range(3)])
    row.show_scope(ChosenScope(folders=("Folder 0", "Folder 1"), filters=(Filter(FileField.EXT, ".md"),)))

    def choose(chip: Chip, text: str) -> None:
        at = chip.geometry().center()
        row.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, row.mapToGlobal(at)))
        menu = row.findChildren(QMenu)[-1]
        next(action for action in menu.actions() if action.text() == text).trigger()
        menu.close()

    choose(row.chips()[1], "Search only this folder")
    assert row.scope().folders == ("Folder 1",)
    limit = row.findChildren(RestrictionChip)[-1]  # others are about to go
    with qtbot.waitSignal(row.changed):
        choose(limit, "Remove")
    assert row.scope() == ChosenScope(folders=("Folder 1",))
    choose(row.chips()[0], "Search the whole library")
    assert row.scope() == WHOLE_LIBRARY
    assert not any(chip.isChecked() for chip in row.chips())
