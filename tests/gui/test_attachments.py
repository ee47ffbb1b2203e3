"""Files attached to one conversation: dropped, pasted or chosen, read apart, asked about, kept and forgotten."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Answered, Remark
from desktop_rag.app import App
from desktop_rag.gui.conversation.composer.attachment_control import AttachFolderDialog
from desktop_rag.gui.conversation.composer.scope_row import AttachmentChip
from desktop_rag.index.indexer_api import Hold, Schedule
from desktop_rag.index.library import Library
from desktop_rag.retrieval.api import Attachment
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.stop import Stop
from tests.gui.test_end_to_end import ask, click, drop, wait_until_ready

pytestmark = pytest.mark.processes

QUESTION = "What is the price of the mast?"


@pytest.fixture
def offer(tmp_path: Path) -> Path:
    file = tmp_path / "desk" / "offer.txt"
    file.parent.mkdir()
    file.write_text("Offer of the shipyard.\n\nThe price of the mast is 48,200 euros.\n")
    return file


def drop_on_question(app: App, path: Path) -> None:
    composer, mime = app.pane.composer, QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    place = QPointF(composer.mapTo(app.window, QPoint(composer.width() // 2, composer.height() // 2)))
    copy, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(app.window, QDragEnterEvent(place.toPoint(), copy, mime, buttons, keys))
    QApplication.sendEvent(app.window, QDropEvent(place, copy, mime, buttons, keys))


def chips(app: App) -> list[AttachmentChip]:
    return [chip for chip in app.pane.composer.findChildren(AttachmentChip) if not chip.isHidden()]


def wait_for_chip(app: App, qtbot: QtBot, words: str) -> AttachmentChip:
    qtbot.waitUntil(lambda: bool(chips(app)) and words in chips(app)[0].accessibleDescription(), timeout=15_000)
    return chips(app)[0]


def attached_files(app: App) -> tuple[bytes, ...]:
    """Return what the store of conversations says is attached; on its own thread, after what was asked before."""
    found: list[tuple[bytes, ...]] = []
    app.conversations.repository.run(lambda store, _: store.attached(), found.append)
    while not found:
        QApplication.processEvents()
    return found[0]


def test_a_file_dropped_on_the_question_answers_in_its_conversation_only(
    app: App, qtbot: QtBot, sample: Path, offer: Path
) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)
    app.window.show()
    drop_on_question(app, offer)
    wait_for_chip(app, qtbot, "in this conversation only")
    answered = ask(app, qtbot, QUESTION)
    assert "48,200 euros" in answered.text
    cited = next(citation for citation in answered.citations if citation.path == str(offer))
    click(app, qtbot, cited)
    scope = app.pane.composer.scope_row.scope()
    app.pane.composer.narrow(replace(scope, filters=(Filter(FileField.EXT, "docx"),)))
    assert "48,200 euros" in ask(app, qtbot, QUESTION).text  # what is chosen of the library does not hide it
    assert all(os.fsencode(offer) != folder.path for folder in app.status.current.folders)
    app.conversations.begin_new()
    assert chips(app) == []
    elsewhere = ask(app, qtbot, QUESTION)
    assert "48,200" not in elsewhere.text
    assert str(offer) not in {citation.path for citation in elsewhere.citations}


@pytest.mark.slow
def test_a_question_waits_for_a_file_that_was_just_attached(app: App, qtbot: QtBot, offer: Path) -> None:
    app.window.show()
    app.pane.composer.files_pasted.emit((os.fsencode(offer),))
    qtbot.waitUntil(lambda: bool(chips(app)))
    said: list[str] = []
    app.conversations.event_yielded.connect(
        lambda event: said.append(event.text) if isinstance(event, Remark) else None
    )
    answered = ask(app, qtbot, QUESTION)
    assert "48,200 euros" in answered.text
    assert said in ([], ["Reading 1 new file first"])


def test_attachments_come_back_after_a_restart_and_go_with_their_conversation(
    app: App, qapp: QApplication, qtbot: QtBot, offer: Path, home: Path
) -> None:
    app.window.show()
    app.pane.composer.files_pasted.emit((os.fsencode(offer),))
    wait_for_chip(app, qtbot, "in this conversation only")
    shown = app.conversations.repository
    assert attached_files(app) == (os.fsencode(offer),)
    app.window.close()
    app.close()
    again = App(qapp, Library(home / "library"))
    qtbot.addWidget(again.window)
    again.start()
    again.window.show()
    try:
        assert shown is not again.conversations.repository
        chip = wait_for_chip(again, qtbot, "in this conversation only")
        assert chip.path == os.fsencode(offer)
        (summary,) = again.window.conversations.conversations()
        assert summary.title == "offer.txt"
        again.window.conversations.delete_requested.emit(summary.id)
        again.window.conversations.delete_confirmed.emit(summary.id)
        assert attached_files(again) == ()
        retriever, stop = again.sessions.current.retriever, Stop()
        qtbot.waitUntil(lambda: retriever.attachments((os.fsencode(offer),), stop)[0].folder is None, timeout=15_000)
    finally:
        again.window.close()
        again.close()


@pytest.mark.slow
def test_a_click_opens_an_attachment_and_one_on_its_cross_removes_it(app: App, qtbot: QtBot, offer: Path) -> None:
    app.window.show()
    app.pane.composer.files_pasted.emit((os.fsencode(offer),))
    chip = wait_for_chip(app, qtbot, "in this conversation only")
    chip.click()
    qtbot.waitUntil(lambda: app.viewer.current_tab() is not None, timeout=60_000)
    assert attached_files(app) == (os.fsencode(offer),)
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton, pos=QPoint(chip.width() - 12, chip.height() // 2))
    assert chips(app) == []
    assert attached_files(app) == ()
    app.window.menus.undo_removal.trigger()
    assert wait_for_chip(app, qtbot, "in this conversation only").path == os.fsencode(offer)


@pytest.mark.slow
def test_a_removed_attachment_comes_back_to_its_own_conversation(app: App, qtbot: QtBot, offer: Path) -> None:
    app.window.show()
    app.pane.composer.files_pasted.emit((os.fsencode(offer),))
    wait_for_chip(app, qtbot, "in this conversation only")
    ask(app, qtbot, QUESTION)  # an empty conversation is not kept
    chips(app)[0].removed.emit()
    assert attached_files(app) == ()
    app.conversations.begin_new()
    app.window.menus.undo_removal.trigger()
    assert attached_files(app) == (os.fsencode(offer),)
    assert chips(app) == []  # the new conversation has nothing attached


@pytest.mark.slow
def test_a_file_that_cannot_be_read_says_so(app: App, qtbot: QtBot, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing follows")
    app.window.show()
    app.pane.composer.files_pasted.emit((os.fsencode(broken),))
    qtbot.waitUntil(
        lambda: bool(chips(app)) and "being read" not in chips(app)[0].accessibleDescription(), timeout=60_000
    )
    assert chips(app)[0].accessibleDescription()
    answered = ask(app, qtbot, QUESTION)
    assert isinstance(answered, Answered)
    assert "What you attached" in answered.text


@pytest.mark.slow
@pytest.mark.parametrize("attach", [True, False])
def test_a_folder_is_asked_about(app: App, qtbot: QtBot, offer: Path, attach: bool) -> None:
    app.window.show()
    drop_on_question(app, offer.parent)
    qtbot.waitUntil(lambda: bool(app.pane.composer.findChildren(AttachFolderDialog)), timeout=15_000)
    (dialog,) = app.pane.composer.findChildren(AttachFolderDialog)
    texts = {"Only this conversation": attach, "Add to the library": not attach}
    next(button for button in dialog.findChildren(QPushButton) if texts.get(button.text())).click()
    if attach:
        wait_for_chip(app, qtbot, "in this conversation only")
        assert app.status.current.folders == ()
    else:
        qtbot.waitUntil(lambda: len(app.status.current.folders) == 1, timeout=15_000)
        assert chips(app) == []


@pytest.mark.slow
def test_an_empty_folder_does_not_hold_up_the_questions(app: App, qtbot: QtBot, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    app.window.show()
    app.pane.composer.files_pasted.emit((os.fsencode(empty),))
    qtbot.waitUntil(lambda: bool(chips(app)))
    wait_for_chip(app, qtbot, "It has no files")
    began = time.monotonic()
    ask(app, qtbot, QUESTION)
    assert time.monotonic() - began < 20  # a file that is being read is waited for half a minute


@pytest.mark.slow
def test_while_reading_is_paused_an_attachment_says_so_and_no_question_waits(
    app: App, qtbot: QtBot, offer: Path, sample: Path
) -> None:
    drop(app, sample)
    wait_until_ready(app, qtbot)
    app.window.show()
    app.window.library.schedule_chosen.emit(Schedule(paused_until=time.time() + 3600))
    qtbot.waitUntil(lambda: app.status.current.hold is Hold.PAUSED, timeout=15_000)
    app.pane.composer.files_pasted.emit((os.fsencode(offer),))
    wait_for_chip(app, qtbot, "1 file is not read yet")
    said: list[str] = []
    app.conversations.event_yielded.connect(
        lambda event: said.append(event.text) if isinstance(event, Remark) else None
    )
    ask(app, qtbot, QUESTION)
    assert said[0] == "1 file not read yet: the answer does without"
    app.window.library.schedule_chosen.emit(Schedule())
    wait_for_chip(app, qtbot, "in this conversation only")


def test_an_attached_picture_without_text_shows_it(qtbot: QtBot) -> None:
    chip = AttachmentChip(b"/desk/scan.pdf")
    qtbot.addWidget(chip)
    chip.show_state(Attachment(b"/desk/scan.pdf", pictures=1))
    assert chip.accessibleDescription() == "1 file has only pictures, no text"
    chip.show_state(Attachment(b"/desk/scan.pdf", searchable=2, unread=1, pictures=3))
    assert "3 files have only pictures, no text" in chip.toolTip()
