"""Answers and quotations saved to the user's notes: plain Markdown that is searched, and links that survive edits."""

import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.conversation.conversation_requests import RunAction
from desktop_rag.gui.conversation.export.export_control import free_path
from desktop_rag.gui.conversation.welcome_control import sample_questions
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.retrieval.api import SearchRequest
from desktop_rag.stop import Stop
from desktop_rag.text.desktop_links import OpenLink, parse_link
from tests.gui.test_end_to_end import ask, drop, squeezed, wait_until_ready

LINK = re.compile(r"\]\((desktop-rag://open\?[^)]+)\)")


def saved(app: App, qtbot: QtBot, save: RunAction | None = None) -> Path:
    """Save the first answer, or the first citation that it has, and return the note."""
    with qtbot.waitSignal(app.conversations.saved) as said:
        if save is None:
            answer = app.conversations._shown.turns[0].events[-1]
            app.viewer_requests.note_requested.emit(answer.citations[0])  # type: ignore[union-attr]
        else:
            app.pane.requests.action_requested.emit(1, save)
    path = said.args[1]
    assert isinstance(path, Path)
    assert said.args[0] == f"Saved to your notes as {path.name}"
    return path


@pytest.mark.processes
def test_an_answer_is_saved_found_again_and_leads_to_its_lines(
    app: App, qtbot: QtBot, sample: Path, tmp_path: Path
) -> None:
    notes = tmp_path / "Notes"
    notes.mkdir()
    drop(app, sample)
    wait_until_ready(app, qtbot)
    citation = ask(app, qtbot, sample_questions()[0]).citations[0]
    app.pane.requests.action_requested.emit(1, RunAction.NOTE)
    qtbot.waitUntil(lambda: any(each.isVisible() for each in app.window.findChildren(FileDialog)))
    [dialog] = app.window.findChildren(FileDialog)
    with qtbot.waitSignal(app.conversations.saved) as said:
        dialog.fileSelected.emit(str(notes))
        dialog.reject()
    path = said.args[1]
    assert app.settings.settings.notes == str(notes)
    text = path.read_text(encoding="utf-8")
    assert re.match(r"---\ncreated: \d{4}-\d\d-\d\d \d\d:\d\d\ntags: \[desktop-rag\]\n---\n\n# ", text)
    assert sample_questions()[0] in text
    link = parse_link(LINK.findall(text)[0])
    assert isinstance(link, OpenLink)
    assert (link.path, link.sha256) == (citation.path, citation.sha256)
    assert squeezed(link.quote) in squeezed(citation.quote)

    qtbot.waitUntil(lambda: len(app.status.current.folders) == 2)
    wait_until_ready(app, qtbot)
    found = SearchRequest("tag:desktop-rag")
    qtbot.waitUntil(lambda: {hit.path for hit in app.retriever.search(found, Stop()).hits} == {path})

    lease = Path(citation.path)
    lease.write_text("# News\n\nTwo lines above.\n\n" + lease.read_text(encoding="utf-8"), encoding="utf-8")
    qtbot.waitUntil(lambda: _is_changed(app, citation.sha256, lease), timeout=60_000)
    app.desktop.links.follow(LINK.findall(text)[0])
    qtbot.waitUntil(lambda: squeezed(link.quote) in squeezed(app.viewer.highlighted_text()), timeout=60_000)


def _is_changed(app: App, sha256: str, path: Path) -> bool:
    card = app.retriever.lookup("", path, Stop())
    return card is not None and card.sha256 != sha256


@pytest.mark.processes
def test_a_quotation_is_saved_and_a_missing_folder_is_asked_for(
    app: App, qtbot: QtBot, sample: Path, tmp_path: Path
) -> None:
    notes = tmp_path / "Notes"
    notes.mkdir()
    app.settings.use(replace(app.settings.settings, notes=str(notes)))
    drop(app, sample)
    wait_until_ready(app, qtbot)
    citation = ask(app, qtbot, sample_questions()[0]).citations[0]
    first, second = saved(app, qtbot), saved(app, qtbot)
    assert first != second  # none is written twice
    text = first.read_text(encoding="utf-8")
    assert "\n> " in text
    assert squeezed(citation.quote)[:40] in squeezed(text.replace("> ", ""))
    assert len(LINK.findall(text)) == 1
    shutil.rmtree(notes)
    app.pane.requests.action_requested.emit(1, RunAction.NOTE)
    qtbot.waitUntil(lambda: any(each.isVisible() for each in app.window.findChildren(FileDialog)))
    [dialog] = app.window.findChildren(FileDialog)
    dialog.reject()
    assert not notes.exists()


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root writes anywhere")
@pytest.mark.processes
def test_a_folder_that_cannot_be_written_is_told(app: App, qtbot: QtBot, sample: Path, tmp_path: Path) -> None:
    notes = tmp_path / "Notes"
    notes.mkdir(mode=0o500)
    app.settings.use(replace(app.settings.settings, notes=str(notes)))
    drop(app, sample)
    wait_until_ready(app, qtbot)
    ask(app, qtbot, sample_questions()[0])
    with qtbot.waitSignal(app.conversations.repository.trouble) as trouble:
        app.pane.requests.action_requested.emit(1, RunAction.NOTE)
    assert "cannot be written" in trouble.args[1]


def test_a_note_has_a_name_of_its_own(tmp_path: Path) -> None:
    first = free_path(tmp_path, "What: is “A/B”?")
    first.touch()
    second = free_path(tmp_path, "What: is “A/B”?")
    assert (first.name, second.name) == ("What is “A B”.md", "What is “A B” (2).md")
