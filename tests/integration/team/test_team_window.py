"""The window over a team's library on the cluster: ask, open the citation, read its lines; say where the file is."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import Answered
from desktop_rag.app import App
from desktop_rag.credentials import Credentials
from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.conversation.sources.sources_model import SourcesModel
from desktop_rag.gui.search.results_model import DocumentRow, documents_of
from desktop_rag.index.libraries import Libraries
from desktop_rag.index.team_status import ON_SERVER
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from desktop_rag.team.access.team_joining import TeamAddress, join_team_library
from tests.endpoint import Call, ScriptedEndpoint, Turn
from tests.gui.opened_app import opened
from tests.integration.retrieval.conftest import FILES, SmallLibrary
from tests.integration.team.conftest import Nodes, copy_of

pytestmark = pytest.mark.slow

MILLISECONDS = 60_000


@pytest.fixture
def app(
    qapp: QApplication, qtbot: QtBot, nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[App]:
    home = tmp_path / "home"
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(home))
    library = SmallLibrary(tmp_path / "writer")
    library.add(FILES)
    copy = copy_of(library, nodes, "window")
    for each in (copy.local, copy.team, copy.connection, library):
        each.close()
    address = TeamAddress(nodes.place("window"), ca_file=nodes.ca, certificate=nodes.administrator)
    team = join_team_library(Libraries(home), "Office", address, "", Credentials(), Stop()).library
    with opened(App(qapp, team), qtbot) as app:
        yield app


def test_a_citation_of_a_team_library_opens_its_lines(app: App, qtbot: QtBot) -> None:
    turns = [
        Turn(calls=[Call("search", '{"queries": ["deposit"]}')]),
        Turn(text=["The deposit is ", "three months' rent [turn1search1 L1-60]."]),
    ]
    with ScriptedEndpoint(turns) as endpoint:
        profile = Profile("local", endpoint.base_url, "scripted")
        app.settings.use(app.settings.settings.with_profile(profile))
        app.pane.composer.profile_chosen.emit("local")
        with qtbot.waitSignal(app.conversations.answered, timeout=MILLISECONDS) as caught:
            app.pane.composer.set_question("How much is the deposit?")
            QTest.keyClick(app.pane.findChildren(QuestionField)[0], Qt.Key.Key_Return)
    (answered,) = caught.args
    assert isinstance(answered, Answered), answered
    citation = answered.citations[0]
    assert citation.path.endswith("lease.md")
    sources = app.pane.findChildren(SourcesModel)
    qtbot.waitUntil(lambda: ON_SERVER in {model.note(citation) for model in sources}, timeout=MILLISECONDS)
    app.viewer_requests.citation_requested.emit(citation, (citation,))
    quote = " ".join(citation.quote.split())
    qtbot.waitUntil(lambda: quote in " ".join(app.viewer.highlighted_text().split()), timeout=MILLISECONDS)
    tab = app.viewer.current_tab()
    assert tab is not None
    assert ON_SERVER in tab.header.texts()[1]
    assert not tab.actions_of.external.isEnabled()


def test_a_hit_says_that_its_file_is_on_the_server(app: App) -> None:
    found = app.sessions.current.retriever.search(SearchRequest("deposit", Mode.KEYWORD), Stop())
    assert found.hits[0].away
    row = documents_of(found.hits)[0].row
    assert isinstance(row, DocumentRow)
    assert row.folder.startswith(f"{ON_SERVER}  ·  ")
