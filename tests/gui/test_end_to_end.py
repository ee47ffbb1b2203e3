"""The whole path with real parts: drop a folder on the window, wait, ask, click the citation, read the proof."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.transcript import ConversationId
from desktop_rag.agent.events import Answered, Citation, RunFailed, RunStopped
from desktop_rag.app import App
from desktop_rag.gui.conversation.composer.composer import ChoiceButton
from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.conversation.welcome_control import sample_questions
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.settings.shortcuts_page import ShortcutsPage
from desktop_rag.gui.viewer.tabs.banner import Banner
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.retrieval.api import SearchRequest
from desktop_rag.retrieval.service.hosted_search import hosted_search
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.child_processes import child_processes
from tests.endpoint import Call, ScriptedEndpoint, Turn

pytestmark = pytest.mark.processes

READY_MILLISECONDS = 60_000

Part = TypeVar("Part", bound=QWidget)


def drop(app: App, path: Path) -> None:
    """Drag a folder over the window and let it go, as a file manager would."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    place = QPointF(app.window.width() / 2, app.window.height() / 2)
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(place.toPoint(), Qt.DropAction.CopyAction, mime, buttons, keys)
    QApplication.sendEvent(app.window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(app.window, QDropEvent(place, Qt.DropAction.CopyAction, mime, buttons, keys))


def is_ready(status: LibraryStatus) -> bool:
    return (
        status.phase is IndexingPhase.IDLE
        and bool(status.folders)
        and all(folder.ready + folder.left_out == folder.found > 0 for folder in status.folders)
    )


def wait_until_ready(app: App, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: is_ready(app.status.current), timeout=READY_MILLISECONDS)


def ask(app: App, qtbot: QtBot, question: str) -> Answered:
    with qtbot.waitSignal(app.conversations.answered, timeout=READY_MILLISECONDS) as caught:
        app.pane.composer.set_question(question)
        QTest.keyClick(part(app.pane, QuestionField), Qt.Key.Key_Return)
    (last,) = caught.args
    assert isinstance(last, Answered), last
    return last


def click(app: App, qtbot: QtBot, citation: Citation) -> None:
    """Open a citation and wait until the lines that are marked hold the quoted words."""
    app.viewer_requests.citation_requested.emit(citation, (citation,))
    qtbot.waitUntil(
        lambda: squeezed(citation.quote) in squeezed(app.viewer.highlighted_text()), timeout=READY_MILLISECONDS
    )


def part(widget: QWidget, kind: type[Part]) -> Part:
    """Return the one child of that kind."""
    (found,) = widget.findChildren(kind)
    return found


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_a_dropped_folder_answers_and_every_citation_opens_at_its_words(app: App, qtbot: QtBot, sample: Path) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)
    answered = ask(app, qtbot, sample_questions()[0])
    assert answered.citations
    for citation in answered.citations:
        click(app, qtbot, citation)
    library = app.sessions.current.known.library
    hosted = hosted_search(library, SearchRequest(sample_questions()[0]), Stop())
    assert hosted is not None, "the command line is not answered by the searcher of the window"
    assert hosted.hits


def test_a_pdf_citation_marks_the_quoted_lines_on_the_page(app: App, qtbot: QtBot, sample: Path) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)
    answered = ask(app, qtbot, "How much heat is lost through the roof?")
    on_pages = [citation for citation in answered.citations if citation.page]
    assert on_pages
    click(app, qtbot, on_pages[0])


def test_an_endpoint_that_calls_tools_is_cited_the_same_way(app: App, qtbot: QtBot, sample: Path) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)
    turns = [
        Turn(calls=[Call("search", '{"queries": ["deposit three months rent"]}')]),
        Turn(text=["The deposit is ", "three months' rent [turn1search1 L1-60]."]),
    ]
    with ScriptedEndpoint(turns) as endpoint:
        profile = Profile("local", endpoint.base_url, "scripted")
        app.settings.use(app.settings.settings.with_profile(profile))
        app.pane.composer.profile_chosen.emit("local")
        answered = ask(app, qtbot, "How much is the deposit?")
    assert "[1](cite:1)" in answered.text
    click(app, qtbot, answered.citations[0])


@pytest.mark.slow
def test_a_wrong_address_says_what_to_do_and_keeps_the_question(app: App, qtbot: QtBot, sample: Path) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)
    app.settings.use(app.settings.settings.with_profile(Profile("gone", "http://127.0.0.1:9", "none")))
    app.pane.composer.profile_chosen.emit("gone")
    with qtbot.waitSignal(app.conversations.answered, timeout=READY_MILLISECONDS) as caught:
        app.pane.composer.question_asked.emit("Will this arrive?")
    (last,) = caught.args
    assert isinstance(last, RunFailed)
    assert "127.0.0.1" in last.message


def test_stop_ends_a_run_and_keeps_what_was_written(app: App, qtbot: QtBot, sample: Path) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)
    turn = Turn(text=["The beginning of an answer", " that never ends"], hold_text=threading.Event())
    with ScriptedEndpoint([turn]) as endpoint:
        app.settings.use(app.settings.settings.with_profile(Profile("slow", endpoint.base_url, "scripted")))
        app.pane.composer.profile_chosen.emit("slow")
        with qtbot.waitSignal(app.conversations.answered, timeout=READY_MILLISECONDS) as caught:
            app.pane.composer.question_asked.emit("Tell me everything.")
            qtbot.waitUntil(lambda: bool(endpoint.requests), timeout=READY_MILLISECONDS)
            app.pane.composer.stop_requested.emit()
    (last,) = caught.args
    assert isinstance(last, RunStopped)


def test_the_searcher_is_there_before_the_first_question(app: App, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: bool(child_processes("_searcher")), timeout=READY_MILLISECONDS)


@pytest.mark.slow
def test_a_killed_searcher_comes_back_by_itself(app: App, qtbot: QtBot, sample: Path) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)
    ask(app, qtbot, sample_questions()[0])
    assert child_processes("_searcher")
    for child in child_processes("_searcher"):
        child.kill()
    assert ask(app, qtbot, sample_questions()[1]).citations


@pytest.mark.slow
def test_a_conversation_is_kept_and_opens_again(app: App, qtbot: QtBot, sample: Path) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)
    ask(app, qtbot, sample_questions()[0])
    panel = app.window.conversations
    qtbot.waitUntil(lambda: panel.title_of(ConversationId(1)) != "", timeout=READY_MILLISECONDS)
    app.conversations.begin_new()
    assert app.pane.view.turns == ()
    panel.conversation_chosen.emit(ConversationId(1), 0)
    qtbot.waitUntil(lambda: len(app.pane.view.turns) == 1, timeout=READY_MILLISECONDS)


@pytest.mark.slow
def test_an_edited_file_is_shown_with_a_banner_and_the_passage_as_it_was(app: App, qtbot: QtBot, sample: Path) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)
    citation = ask(app, qtbot, sample_questions()[0]).citations[0]
    lease = sample / "Lease agreement.md"
    assert citation.path == str(lease)
    lease.write_text("# Lease agreement\n\nEverything was different from now on.\n")
    qtbot.waitUntil(lambda: _changed_on_disk(app, citation), timeout=READY_MILLISECONDS)
    app.viewer_requests.citation_requested.emit(citation, (citation,))
    qtbot.waitUntil(lambda: app.viewer.tab_count() == 1, timeout=READY_MILLISECONDS)
    banner = part(app.viewer, Banner)
    qtbot.waitUntil(lambda: "changed" in banner.message(), timeout=READY_MILLISECONDS)
    assert squeezed(citation.quote) in squeezed(banner.passage.highlighted_text())


def _changed_on_disk(app: App, citation: Citation) -> bool:
    card = app.retriever.lookup(citation.sha256, Path(citation.path), Stop())
    return card is not None and card.sha256 != citation.sha256


def test_the_method_is_chosen_beside_the_question(app: App) -> None:
    composer = app.pane.composer
    [button] = [button for button in composer.findChildren(ChoiceButton) if "Thorough" in button.accessibleName()]
    assert button.menu is not None
    button.menu.actions()[2].trigger()
    assert app.settings.settings.toolkit == "auto"
    assert button.accessibleName() == "Method: Automatic"


@pytest.mark.slow
def test_the_palette_reaches_documents_methods_and_pages_of_the_settings(app: App, sample: Path, qtbot: QtBot) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)
    click(app, qtbot, ask(app, qtbot, "What is the rent?").citations[0])
    qtbot.waitUntil(lambda: bool(app.documents_open.recent.documents))
    name = app.documents_open.recent.documents[0].path
    app.viewer.close_tab(0)

    def run(text: str, part: str) -> None:
        entries = app.window.palette_control.entries()
        next(entry for entry in entries if entry.title == text and entry.part == part).run()

    run(Path(name).name, "Document")
    qtbot.waitUntil(lambda: app.viewer.tab_count() == 1)
    run("Quick", "Method")
    assert app.settings.settings.toolkit == "quick"
    app.settings.use(replace(app.settings.settings, shortcuts={"edit.search": "Ctrl+Alt+S"}))
    assert app.window.menus.search.shortcut().toString() == "Ctrl+Alt+S"
    run("Shortcuts", "Settings")
    dialog = app.window.findChild(SettingsDialog)
    assert isinstance(dialog, SettingsDialog)
    qtbot.waitUntil(dialog.isVisible)
    page = dialog.findChild(ShortcutsPage)
    assert isinstance(page, ShortcutsPage)
    assert page.isVisible()
    dialog.close()
    app.viewer.close_folders((bytes(sample),))
    assert app.documents_open.recent.documents == ()


@pytest.mark.slow
def test_an_ignored_file_leaves_the_list_and_comes_back_on_undo(app: App, qtbot: QtBot, sample: Path) -> None:
    (sample / "broken.pdf").write_bytes(b"%PDF-1.4 and nothing more")
    drop(app, sample)
    wait_until_ready(app, qtbot)
    app.window.menus.files.trigger()
    files = app.files_page.list

    def names() -> list[str]:
        return [str(files.model.index(row, 0).data()) for row in range(files.model.rowCount())]

    qtbot.waitUntil(lambda: "broken.pdf" in names(), timeout=READY_MILLISECONDS)
    files.states.setCurrentIndex(1)
    qtbot.waitUntil(lambda: names() == ["broken.pdf"], timeout=READY_MILLISECONDS)
    files.table.selectRow(0)
    files.table.ignore_requested.emit()
    qtbot.waitUntil(lambda: names() == [], timeout=READY_MILLISECONDS)
    app.window.menus.undo_removal.trigger()
    qtbot.waitUntil(lambda: names() == ["broken.pdf"], timeout=READY_MILLISECONDS)
    files.clear_filters()
    qtbot.waitUntil(lambda: "Welcome.md" in names(), timeout=READY_MILLISECONDS)
    files.table.selectRow(names().index("Welcome.md"))
    files.table.open_requested.emit()
    qtbot.waitUntil(lambda: app.viewer.tab_count() == 1, timeout=READY_MILLISECONDS)
