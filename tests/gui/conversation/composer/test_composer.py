from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import ChosenScope
from desktop_rag.agent.toolkits.registry import toolkit_names
from desktop_rag.gui.answer_methods import method_name, plain_methods, research_methods
from desktop_rag.gui.conversation.composer.composer import ChoiceButton, Composer, SendButton
from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.conversation.composer.scope_row import DocumentsChip, FolderChip, MissingChip, ScopeRow
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.index.records import FolderId
from tests.gui.library_values import folder, library


@pytest.fixture
def status() -> ShownStatus:
    return ShownStatus()


@pytest.fixture
def composer(status: ShownStatus, qtbot: QtBot) -> Composer:
    composer = Composer(status)
    qtbot.addWidget(composer)
    composer.resize(700, 120)
    composer.show()
    qtbot.waitExposed(composer)
    return composer


def _field(composer: Composer) -> QPlainTextEdit:
    return composer.findChildren(QuestionField)[0]


def _send(composer: Composer) -> SendButton:
    return composer.findChildren(SendButton)[0]


def test_enter_asks_and_empties_the_field(composer: Composer, qtbot: QtBot) -> None:
    QTest.keyClicks(_field(composer), "  When is rent due? ")
    with qtbot.waitSignal(composer.question_asked) as caught:
        QTest.keyClick(_field(composer), Qt.Key.Key_Return)
    assert caught.args == ["When is rent due?"]
    assert composer.question == ""


def test_shift_enter_starts_a_new_line(composer: Composer, qtbot: QtBot) -> None:
    QTest.keyClicks(_field(composer), "one")
    with qtbot.assertNotEmitted(composer.question_asked):
        QTest.keyClick(_field(composer), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(_field(composer), "two")
    assert composer.question == "one\ntwo"


def test_an_empty_question_is_not_asked(composer: Composer, qtbot: QtBot) -> None:
    composer.set_question("   ")
    assert not _send(composer).isEnabled()
    with qtbot.assertNotEmitted(composer.question_asked):
        QTest.keyClick(_field(composer), Qt.Key.Key_Return)


def test_the_field_grows_to_six_lines(composer: Composer) -> None:
    field = _field(composer)
    one = field.height()
    composer.set_question("a\nb\nc")
    three = field.height()
    composer.set_question("\n".join("abcdefghijkl"))
    six = field.height()
    line = field.document().firstBlock().layout().lineAt(0).height()
    assert (three - one, six - one) == pytest.approx((2 * line, 5 * line), abs=1)


def test_send_becomes_stop_during_a_run(composer: Composer, qtbot: QtBot) -> None:
    composer.set_running(True)
    assert _send(composer).accessibleName() == "Stop"
    with qtbot.waitSignal(composer.stop_requested):
        QTest.mouseClick(_send(composer), Qt.MouseButton.LeftButton)
    composer.set_running(False)
    assert _send(composer).accessibleName() == "Send"


def test_escape_stops_a_run(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(composer.stop_requested):
        QTest.keyClick(_field(composer), Qt.Key.Key_Escape)
    composer.set_running(True)
    with qtbot.waitSignal(composer.stop_requested):
        QTest.keyClick(_field(composer), Qt.Key.Key_Escape)


def test_enter_does_not_send_during_a_run(composer: Composer, qtbot: QtBot) -> None:
    composer.set_running(True)
    composer.set_question("And the pets?")
    with qtbot.assertNotEmitted(composer.question_asked):
        QTest.keyClick(_field(composer), Qt.Key.Key_Return)
    assert composer.question == "And the pets?"


def test_a_failed_question_is_restored(composer: Composer, qtbot: QtBot) -> None:
    composer.set_question("When is rent due?")
    QTest.keyClick(_field(composer), Qt.Key.Key_Return)
    composer.restore_question("When is rent due?")
    assert composer.question == "When is rent due?"


def test_restoring_does_not_overwrite_a_new_question(composer: Composer, qtbot: QtBot) -> None:
    composer.set_question("When is rent due?")
    QTest.keyClick(_field(composer), Qt.Key.Key_Return)
    composer.set_question("Something new")
    composer.restore_question("When is rent due?")
    assert composer.question == "Something new"


def test_up_and_down_recall_earlier_questions(composer: Composer, qtbot: QtBot) -> None:
    for question in ("first", "second"):
        composer.set_question(question)
        QTest.keyClick(_field(composer), Qt.Key.Key_Return)
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(_field(composer), key)
        seen.append(composer.question)
    assert seen == ["second", "first", "first", "second", ""]


def choice(composer: Composer, name: str) -> ChoiceButton:
    return next(button for button in composer.findChildren(ChoiceButton) if button.accessibleName() == name)


@pytest.fixture
def inner(status: ShownStatus, qtbot: QtBot) -> Composer:
    """Return a composer inside a window, which may be narrower than it would like."""
    window = QWidget()
    qtbot.addWidget(window)
    composer = Composer(status, window)
    window.show()
    return composer


def in_every_width(composer: Composer) -> Iterator[int]:
    for width in range(composer.minimumSizeHint().width(), 700, 7):
        composer.resize(width, 160)
        QApplication.processEvents()
        yield width


@pytest.mark.parametrize("running", [False, True])
def test_the_name_of_the_model_is_whole_or_hidden_in_any_width(inner: Composer, *, running: bool) -> None:
    """The name of the model says where texts go: the arrows and the word for the method give way before it."""
    model, method = choice(inner, "Model: Built-in (no model)"), choice(inner, "Method: Thorough")
    inner.set_running(running)
    seen: list[tuple[str, str]] = []
    for _ in in_every_width(inner):
        shown = model.shown_text(), method.shown_text()
        if not seen or seen[-1] != shown:
            seen.append(shown)
        assert model.geometry().right() < method.x()
        assert inner.rect().contains(method.geometry())
    hidden = [("", "")] if running else []
    assert seen == [*hidden, ("Built-in", ""), ("Built-in", "Thorough"), ("Built-in (no model)", "Thorough")]


def test_a_short_name_of_a_model_is_never_cut(inner: Composer) -> None:
    inner.resize(650, 160)
    for name in ("Slow", "Fast", "Ollama", "Gateway", "llama", "Qwen 3", "模型", "Will", "Tiny"):
        inner.set_profiles([name], name)
        QApplication.processEvents()
        assert choice(inner, f"Model: {name}").shown_text() == name


def test_a_long_name_of_a_model_is_cut_only_where_enough_of_it_is_left(inner: Composer) -> None:
    name = "A large language model in the cellar"
    inner.set_profiles([name], name)
    model = choice(inner, f"Model: {name}")
    for _ in in_every_width(inner):
        assert not model.shown_text() or len(model.shown_text()) > len("A large")


def test_a_method_is_chosen_by_its_plain_name(composer: Composer, qtbot: QtBot) -> None:
    button = choice(composer, "Method: Thorough")
    assert button.isVisible()
    assert button.menu is not None
    names = [action.text().partition("\t")[0] for action in button.menu.actions()]
    assert names == ["Thorough", "Quick", "Automatic", "Literal", "Direct", "", "Research"]
    with qtbot.waitSignal(composer.toolkit_chosen) as caught:
        button.menu.actions()[1].trigger()
    assert caught.args == ["quick"]
    assert choice(composer, "Method: Quick").isVisible()


def test_the_systems_of_the_papers_stand_under_research(composer: Composer, qtbot: QtBot) -> None:
    composer.set_methods("a-rag-naive")
    button = choice(composer, "Method: a-rag-naive")
    assert button.menu is not None
    research = button.menu.actions()[-1].menu()
    assert isinstance(research, QMenu)
    shown = [action.text().partition("\t")[0] for action in research.actions()]
    assert shown == ["AgenticRAG", "A-RAG", "LogicalRAG", "Agentic Hybrid", "Naive RAG", "a-rag-naive"]
    assert research.actions()[-1].isChecked()
    with qtbot.waitSignal(composer.toolkit_chosen) as caught:
        research.actions()[1].trigger()
    assert caught.args == ["a-rag"]


def test_every_method_is_a_toolkit_with_a_line_about_it() -> None:
    methods = (*plain_methods(), *research_methods())
    assert {method.toolkit for method in methods} <= set(toolkit_names())
    assert all(method.line and method.name != method.toolkit for method in methods)
    assert method_name("gone") == "gone"


def test_the_built_in_model_is_listed_first(composer: Composer, qtbot: QtBot) -> None:
    composer.set_profiles(["Ollama & co", "Gateway"], "Gateway")
    button = choice(composer, "Model: Gateway")
    assert button.menu is not None
    actions = button.menu.actions()
    names = ["Built-in (no model)", "Ollama && co", "Gateway", "", "Connect a model…"]
    assert [action.text() for action in actions] == names
    with qtbot.waitSignal(composer.connect_requested):
        actions[4].trigger()
    with qtbot.waitSignal(composer.profile_chosen) as caught:
        actions[1].trigger()
    assert caught.args == ["Ollama & co"]
    with qtbot.waitSignal(composer.profile_chosen) as caught:
        actions[0].trigger()
    assert caught.args == [""]


def test_folders_are_offered_from_two_on(composer: Composer, status: ShownStatus) -> None:
    status.update(library(folder(1, b"/home/anna/Flat")))
    assert composer.findChildren(FolderChip) == []
    status.update(library(folder(1, b"/home/anna/Flat"), folder(2, b"/home/anna/Work")))
    assert composer.scope_row.folders() == ()
    QTest.mouseClick(composer.findChildren(FolderChip)[1], Qt.MouseButton.LeftButton)
    assert composer.scope_row.folders() == (FolderId(2),)
    status.update(library(folder(2, b"/home/anna/Work"), folder(3, b"/home/anna/New")))
    assert composer.scope_row.folders() == (FolderId(2),)


def test_a_removed_folder_stays_in_the_scope_until_the_user_drops_it(composer: Composer, status: ShownStatus) -> None:
    names = {1: b"/home/anna/Flat", 2: b"/home/anna/Work", 3: b"/home/anna/Boat"}
    status.update(library(*(folder(number, path) for number, path in names.items())))
    for place in (1, 2):
        QTest.mouseClick(composer.findChildren(FolderChip)[place], Qt.MouseButton.LeftButton)
    status.update(library(folder(1, names[1]), folder(3, names[3])))
    assert composer.scope_row.folders() == (FolderId(3),)
    status.update(library(folder(1, names[1])))
    assert composer.scope_row.folders() != ()  # nothing is found, rather than everything
    assert FolderId(1) not in composer.scope_row.folders()
    assert composer.scope_row.scope() == ChosenScope(("Work", "Boat"))
    (chip,) = (chip for chip in composer.findChildren(MissingChip) if chip.isVisibleTo(composer))
    assert chip.accessibleName() == "2 chosen folders are gone – search all?"
    assert "Work, Boat" in chip.toolTip()
    chip.click()
    assert (composer.scope_row.scope(), composer.scope_row.folders()) == (ChosenScope(), ())
    assert not any(chip.isVisibleTo(composer) for chip in composer.findChildren(MissingChip))


def test_another_folder_can_be_chosen_beside_a_missing_one(composer: Composer, status: ShownStatus) -> None:
    composer.scope_row.show_scope(ChosenScope(("Work",)))
    status.update(library(folder(1, b"/home/anna/Flat"), folder(3, b"/home/anna/Boat")))
    composer.findChildren(FolderChip)[0].click()
    assert composer.scope_row.folders() == (FolderId(1),)
    assert composer.scope_row.scope() == ChosenScope(("Flat", "Work"))
    status.update(library(folder(1, b"/home/anna/Flat"), folder(4, b"/home/anna/Work")))
    assert composer.scope_row.folders() == (FolderId(1), FolderId(4))  # it is back


def test_a_scope_is_shown_before_and_after_the_folders_are_known(composer: Composer, status: ShownStatus) -> None:
    composer.scope_row.show_scope(ChosenScope(("Work",), ("ab", "cd"), "rent"))
    status.update(library(folder(1, b"/home/anna/Flat"), folder(2, b"/home/anna/Work")))
    assert composer.scope_row.folders() == (FolderId(2),)
    (chip,) = composer.findChildren(DocumentsChip)
    assert chip.accessibleName() == "2 documents: rent"
    seen: list[ChosenScope] = []
    composer.scope_changed.connect(lambda: seen.append(composer.scope_row.scope()))
    composer.scope_row.show_scope(ChosenScope(documents=("ab",)))
    assert (composer.scope_row.folders(), seen) == ((), [])
    composer.findChildren(FolderChip)[0].click()
    next(chip for chip in composer.findChildren(DocumentsChip) if chip.isVisibleTo(composer)).click()
    assert seen == [ChosenScope(("Flat",), ("ab",)), ChosenScope(("Flat",))]


def test_unchanged_folders_keep_their_chips_during_a_click(composer: Composer, status: ShownStatus) -> None:
    folders = library(folder(1, b"/home/anna/Flat"), folder(2, b"/home/anna/Work"))
    status.update(folders)
    chip = composer.findChildren(FolderChip)[1]
    QTest.mousePress(chip, Qt.MouseButton.LeftButton)
    status.update(replace(folders, files_per_second=1.0))
    QTest.mouseRelease(chip, Qt.MouseButton.LeftButton)
    assert composer.scope_row.folders() == (FolderId(2),)


def test_a_new_hint_replaces_the_old_one_in_the_whole_field(composer: Composer) -> None:
    field = _field(composer)
    field.clearFocus()
    composer.set_running(True, takes_notes=True)
    QApplication.processEvents()
    painted: list[QRect] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if isinstance(event, QPaintEvent):
                painted.append(event.rect())
            return False

    watch = Watch()
    field.viewport().installEventFilter(watch)
    composer.set_running(False)
    QApplication.processEvents()
    assert field.viewport().rect() in painted


def test_folders_that_do_not_fit_on_one_line_get_a_row_of_their_own(
    composer: Composer, status: ShownStatus, qtbot: QtBot
) -> None:
    composer.resize(800, 160)
    composer.show()
    few = library(folder(1, b"/home/ada/a"), folder(2, b"/home/ada/b"))
    long = library(*(folder(number, b"/home/ada/a long name of a folder %d" % number) for number in range(1, 5)))
    status.update(few)
    row = composer.findChild(ScopeRow)
    assert isinstance(row, ScopeRow)
    left = min(button.x() for button in composer.findChildren(ChoiceButton))
    qtbot.waitUntil(lambda: row.x() > left)
    status.update(long)
    qtbot.waitUntil(lambda: row.x() < left)
    status.update(few)
    qtbot.waitUntil(lambda: row.x() > left)


def test_of_two_folders_with_one_name_the_chosen_one_is_searched(composer: Composer, status: ShownStatus) -> None:
    status.update(library(folder(1, b"/home/ada/docs"), folder(2, b"/media/old/docs")))
    first, second = composer.findChildren(FolderChip)
    second.click()
    assert composer.scope_row.scope().folders == ("old/docs",)
    assert composer.scope_row.folders() == (FolderId(2),)
    assert not first.isChecked()


def test_the_keys_stay_in_the_field_after_a_click_on_stop(composer: Composer) -> None:
    """The button is disabled where the field is empty; Qt would move the focus to whatever comes next."""
    composer.activateWindow()
    composer.set_running(True)
    send = _send(composer)
    send.setFocus()
    QTest.mouseClick(send, Qt.MouseButton.LeftButton)
    composer.set_running(False)
    assert not send.isEnabled()
    assert _field(composer).hasFocus()
