"""The page of tables over a small real library."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.work.table_control import TableControl
from desktop_rag.gui.work.table_page import TablePage
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Settings
from tests.gui.library_values import folder
from tests.gui.library_values import library as status_of
from tests.integration.agent.gated_runs import library_of
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.work.conftest import LEASES


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallLibrary]:
    with library_of(LEASES, tmp_path, monkeypatch) as library:
        library.layout.create()
        yield library


@pytest.fixture
def engine(small: SmallLibrary) -> Iterator[SearchEngine]:
    engine = SearchEngine(small.layout.folder)
    yield engine
    engine.close()


@pytest.fixture
def page(qtbot: QtBot) -> TablePage:
    page = TablePage()
    qtbot.addWidget(page)
    page.resize(1060, 600)
    page.show()
    return page


@pytest.fixture
def viewer() -> ViewerRequests:
    return ViewerRequests()


Opened = Callable[[Settings], TableControl]


@pytest.fixture
def opened(
    page: TablePage, viewer: ViewerRequests, small: SmallLibrary, engine: SearchEngine, qtbot: QtBot
) -> Iterator[Opened]:
    made: list[TableControl] = []

    def open_with(settings: Settings) -> TableControl:
        status = ShownStatus()
        status.update(status_of(folder(7)))
        control = TableControl(page, status, viewer, lambda: settings)
        control.show_library(small.layout, engine, ExtractiveModel())
        made.append(control)
        return control

    yield open_with
    page.hide()
    for control in made:
        control.close()


@pytest.fixture
def control(opened: Opened) -> TableControl:
    return opened(Settings())
