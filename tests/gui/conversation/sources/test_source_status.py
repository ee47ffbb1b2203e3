from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from tests.gui.test_end_to_end import READY_MILLISECONDS, ask, drop, wait_until_ready

pytestmark = pytest.mark.processes


@pytest.mark.slow
def test_sources_of_a_folder_say_so_when_it_is_removed_and_no_longer_when_it_is_back(
    app: App, qtbot: QtBot, sample: Path
) -> None:
    app.window.show()
    drop(app, sample)
    wait_until_ready(app, qtbot)
    ask(app, qtbot, "When does the lease end?")
    panel, view = app.window.library, app.pane.view
    (folder,) = [each.folder for each in app.status.current.folders]

    def notes() -> set[str]:
        return set(view._notes.values())

    assert notes() == set()
    panel.remove_requested.emit(folder)
    qtbot.waitUntil(lambda: notes() == {"no longer in your library"}, timeout=READY_MILLISECONDS)
    panel.restore_requested.emit(folder)
    qtbot.waitUntil(lambda: notes() == set(), timeout=READY_MILLISECONDS)
