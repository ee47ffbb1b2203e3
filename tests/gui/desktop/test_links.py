"""`desktop-rag://` links: a second start of the program passes them to the first window."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QUrl
from PySide6.QtGui import QFileOpenEvent, QGuiApplication
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.gui.window.desktop_application import DesktopApplication
from desktop_rag.gui.window.single_instance import InstanceRequest
from desktop_rag.text.desktop_links import OpenLink, link_to, parse_link
from tests.gui.test_end_to_end import drop, wait_until_ready
from tests.gui.test_libraries import ended, start_program, wait_for_note

pytestmark = pytest.mark.processes


def follow(qtbot: QtBot, link: str) -> None:
    """Start the program a second time with a link, as a browser does."""
    assert ended(qtbot, start_program(link)) == 0


def shown_path(app: App) -> str:
    tab = app.viewer.current_tab()
    return tab.path() if tab is not None and tab.found is not None else ""


def test_a_second_start_opens_the_line_in_the_first_window(app: App, qtbot: QtBot, documents: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    path = str(documents / "lease+1.txt")
    app.window.showMinimized()
    follow(qtbot, link_to(path, 200))
    qtbot.waitUntil(lambda: shown_path(app) == path)
    assert not app.window.isMinimized()
    tab = app.viewer.current_tab()
    assert tab is not None
    qtbot.waitUntil(lambda: app.viewer.highlighted_text() == "The rent is 940 euros.")

    tab.actions_of.link.trigger()
    copied = QGuiApplication.clipboard().text()
    wait_for_note(app, qtbot, "Link copied")
    link = parse_link(copied)
    assert link == type(link)(path, 200, 200, link.sha256)  # type: ignore[call-arg, union-attr]

    (documents / "lease+1.txt").rename(documents / "renamed.txt")
    app.viewer.close_tab(0)
    names = str(documents / "renamed.txt")
    qtbot.waitUntil(lambda: app.status.current.folders[0].found == 1)
    app.desktop.links.follow(copied)
    qtbot.waitUntil(lambda: shown_path(app) != "")
    qtbot.waitUntil(lambda: app.viewer.highlighted_text() == "The rent is 940 euros.")
    assert shown_path(app) in (path, names)


def test_a_file_outside_of_the_library_is_not_opened(app: App, qtbot: QtBot, documents: Path, tmp_path: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    secret = tmp_path / "secret.txt"
    secret.write_text("The password is swordfish.")
    follow(qtbot, link_to(str(secret), 1))
    wait_for_note(app, qtbot, "“secret.txt” is not in this library, so the link was not opened")
    assert app.viewer.tab_count() == 0


@pytest.mark.slow
def test_a_link_searches(app: App, qtbot: QtBot, documents: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    follow(qtbot, "desktop-rag://search?q=rent+euros")
    qtbot.waitUntil(lambda: app.search_page.results.results.rowCount() > 0)
    assert app.search_page.isVisible()
    assert app.search_page.row.query() == "rent euros"


@pytest.mark.slow
def test_a_question_is_only_written_down_and_a_draft_is_kept(app: App, qtbot: QtBot, documents: Path) -> None:
    drop(app, documents)
    wait_until_ready(app, qtbot)
    app.pane.composer.set_question("half a thought")
    follow(qtbot, "desktop-rag://ask?q=How+high+is+the+rent%3F")
    qtbot.waitUntil(lambda: app.pane.composer.question == "How high is the rent?")
    assert not app.conversations.is_busy()
    qtbot.waitUntil(lambda: [row.title for row in app.window.conversations.conversations()] == ["half a thought"])


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("desktop-rag://delete?file=/etc/passwd", "Desktop RAG does not do what this link asks for."),
        ("desktop-rag://ask?q=a%0Ab", "The words of this link"),
    ],
)
def test_a_hostile_link_brings_a_sentence(app: App, qtbot: QtBot, link: str, sentence: str) -> None:
    follow(qtbot, link)
    wait_for_note(app, qtbot, sentence)
    assert app.pane.composer.question == ""


def test_nothing_may_stand_beside_a_link(qtbot: QtBot, tmp_path: Path) -> None:
    second = start_program("desktop-rag://search?q=a", "--library", tmp_path / "another")
    _, said = second.communicate(timeout=60)
    assert second.returncode == 2
    assert "must be the only argument" in said
    assert not (tmp_path / "another").exists()


def test_what_the_system_asks_a_running_program_to_open_arrives(qtbot: QtBot, tmp_path: Path) -> None:
    taken: list[InstanceRequest] = []
    link = "desktop-rag://search?q=rent%20and%20deposit"
    for event in (QFileOpenEvent(QUrl(link)), QFileOpenEvent(str(tmp_path))):
        request = DesktopApplication.request_of(event)
        if request is not None:
            taken.append(request)
    assert taken == [InstanceRequest(link=link), InstanceRequest((str(tmp_path).encode(),))]


@pytest.mark.slow
def test_a_link_of_a_note_opens_the_note_it_names(app: App, qtbot: QtBot, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    (notes / "houses").mkdir(parents=True)
    (notes / "other").mkdir()
    (notes / "houses" / "start.md").write_text("[[lease old#Rent due|the rent]] [[nowhere]] [up](../lease%20old.md)\n")
    for folder in (notes, notes / "houses", notes / "other"):
        (folder / "lease old.md").write_text(
            f"# Lease in {folder.name}\n\n" + "Text.\n\n" * 60 + "# Rent due\n\nYes.\n"
        )
    drop(app, notes)
    wait_until_ready(app, qtbot)
    app.desktop.links.open(OpenLink(str(notes / "houses" / "start.md")))
    qtbot.waitUntil(lambda: shown_path(app).endswith("start.md"))

    def click(link: str) -> None:
        tab = app.viewer.current_tab()
        assert tab is not None
        tab.body.rendered.follow(link, QPoint())

    click("lease old#Rent due")  # the one in the same folder, at its heading
    qtbot.waitUntil(lambda: shown_path(app) == str(notes / "houses" / "lease old.md"))
    tab = app.viewer.current_tab()
    assert tab is not None
    qtbot.waitUntil(lambda: tab.body.first_visible_line() > 60)
    click("../lease%20old.md")
    qtbot.waitUntil(lambda: shown_path(app) == str(notes / "lease old.md"))
    click("nowhere")
    wait_for_note(app, qtbot, "“nowhere” is not in this library, so the link was not opened")
    click("../../../../../etc/passwd")
    wait_for_note(app, qtbot, "“../../../../../etc/passwd” is not in this library, so the link was not opened")
