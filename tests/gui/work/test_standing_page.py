"""The page of standing questions: kept, looked at when documents were read, and asked what has changed."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.work.standing_control import StandingControl, StandingDialog, StandingPage
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Settings
from desktop_rag.work.columns import Column
from desktop_rag.work.table import Row
from desktop_rag.work.work_store import WorkStore
from tests.gui.library_values import folder
from tests.gui.work.test_table_page import dialog_of
from tests.integration.retrieval.conftest import SmallLibrary


@pytest.fixture
def status() -> ShownStatus:
    return ShownStatus()


@pytest.fixture
def standing_page(viewer: ViewerRequests, qtbot: QtBot) -> StandingPage:
    page = StandingPage(viewer)
    qtbot.addWidget(page)
    page.resize(900, 700)
    page.show()
    return page


@pytest.fixture
def standing(
    standing_page: StandingPage, status: ShownStatus, small: SmallLibrary, engine: SearchEngine
) -> Iterator[StandingControl]:
    control = StandingControl(standing_page, status, Settings)
    control.show_library(small.layout, engine, ExtractiveModel())
    yield control
    standing_page.hide()
    control.close()


def keep(page: StandingPage, control: StandingControl, qtbot: QtBot, question: str) -> None:
    control.new_question()
    dialog = dialog_of(StandingDialog, qtbot)
    assert isinstance(dialog, StandingDialog)
    assert not dialog.act.isEnabled()
    dialog.question.setText(question)
    dialog.act.click()
    qtbot.waitUntil(lambda: page.standing.answered is not None and not page._waiting)


def test_what_is_new_is_found_without_asking_and_told_on_request(
    standing_page: StandingPage, standing: StandingControl, status: ShownStatus, small: SmallLibrary, qtbot: QtBot
) -> None:
    standing.load()
    qtbot.waitUntil(lambda: standing_page.placeholder.isVisible())
    keep(standing_page, standing, qtbot, "What is the rent of the mill?")
    assert standing_page._said.text().startswith("Nothing new since ")
    assert not standing_page.ask.isEnabled()
    small.add({"d.md": "# Amendment\n\nThe rent of the mill is 950 euros a month from May.\n"})
    small.encode()
    with qtbot.waitSignal(standing.noticed) as noticed:
        standing._settling.setInterval(0)
        status.update(LibraryStatus((folder(8),), IndexingPhase.IDLE))
    assert noticed.args is not None
    assert noticed.args[0] == "What is the rent of the mill?"
    assert noticed.args[1].startswith("1 new passage since ")
    qtbot.waitUntil(lambda: standing_page.standing.count == 1 and len(standing_page.views) == 2)
    assert "950 euros" in standing_page.views[0].answer.markdown
    assert standing_page.kept.currentText() == "What is the rent of the mill? · 1"
    [cited] = standing_page.standing.news
    shown = standing_page.views[0].section.answered
    assert shown is not None
    assert standing_page.views[0].answer._answer == shown.citations
    assert shown.citations[0].path == cited.path
    standing_page.ask.click()
    qtbot.waitUntil(lambda: bool(standing_page.standing.updates) and len(standing_page.views) == 2)
    assert standing_page.views[0]._heading.text().startswith("What changed from ")
    assert not standing_page.views[0].edit.isVisible()


def test_a_question_without_notices_is_quiet_and_can_be_removed(
    standing_page: StandingPage, standing: StandingControl, small: SmallLibrary, qtbot: QtBot
) -> None:
    keep(standing_page, standing, qtbot, "What is the rent of the mill?")
    standing_page.notify_chosen.emit(False)
    qtbot.waitUntil(lambda: not standing_page.standing.notify)
    noticed: list[str] = []
    standing.noticed.connect(lambda question, _: noticed.append(question))
    small.add({"d.md": "# Amendment\n\nThe rent of the mill is 950 euros a month from May.\n"})
    small.encode()
    standing_page.check_requested.emit()
    qtbot.waitUntil(lambda: standing_page.standing.count == 1)
    assert noticed == []
    standing._change(lambda store: store.delete_standing(store.all_standing()[0][0]))
    qtbot.waitUntil(lambda: standing_page.placeholder.isVisible())


def test_a_table_is_kept_and_leads_to_its_page(
    standing_page: StandingPage, standing: StandingControl, small: SmallLibrary, qtbot: QtBot
) -> None:
    store = WorkStore(small.layout)
    table = store.create("Leases", [Column("Landlord")], [Row(0, "0" * 64, "/gone.md")])
    store.close()
    standing.new_question()
    dialog = dialog_of(StandingDialog, qtbot)
    assert isinstance(dialog, StandingDialog)
    dialog.what.setCurrentIndex(1)
    assert dialog.act.text() == "Keep"
    assert not dialog.question.isVisible()
    dialog.act.click()
    qtbot.waitUntil(lambda: standing_page.standing.table == table)
    small.add({"d.md": "Landlord: Ida Berg\n"})
    standing.look()
    qtbot.waitUntil(lambda: standing_page.ask.isEnabled())
    assert "new or changed since" in standing_page._said.text()
    with qtbot.waitSignal(standing.table_requested) as wanted:
        standing_page.ask.click()
    assert wanted.args == [table]
    store = WorkStore(small.layout)
    store.delete(table)
    store.close()
    standing.look()
    qtbot.waitUntil(lambda: standing_page._said.text().startswith("The last look failed: "))
    assert standing_page.kept.currentText() == "Leases · the last look failed"
