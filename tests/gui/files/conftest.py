"""The page of all files over rows in memory."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.gui.files.files_control import FilesControl
from desktop_rag.gui.files.files_page import FilesPage
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.viewer_requests import ViewerRequests
from tests.gui.files.browser import MemoryBrowser, problem_rows
from tests.gui.library_values import folder, library


@pytest.fixture
def browser() -> MemoryBrowser:
    return MemoryBrowser(problem_rows())


@pytest.fixture
def status() -> ShownStatus:
    status = ShownStatus()
    status.update(library(folder(7)))
    return status


@pytest.fixture
def viewer() -> ViewerRequests:
    return ViewerRequests()


@pytest.fixture
def page(qtbot: QtBot) -> FilesPage:
    page = FilesPage()
    qtbot.addWidget(page)
    page.resize(1060, 600)
    return page


@pytest.fixture
def control(
    page: FilesPage, browser: MemoryBrowser, status: ShownStatus, viewer: ViewerRequests, qtbot: QtBot
) -> Iterator[FilesControl]:
    control = FilesControl(page, browser, status, viewer)
    yield control
    page.hide()
    control.close()
