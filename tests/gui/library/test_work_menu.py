"""When the background work runs is chosen in a menu, and the footer says what it waits for."""

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QDateTime
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library.library_footer import WorkMenu
from desktop_rag.gui.library.library_panel import LibraryPanel
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.index.indexer_api import (
    Hold,
    IndexingPhase,
    Schedule,
    WorkTime,
)
from tests.gui.library_values import folder, library


def _entry(menu: WorkMenu, text: str) -> QAction:
    return next(action for action in menu.actions() if text in action.text())


def test_the_work_is_scheduled_and_paused_for_a_while(panel: LibraryPanel, qtbot: QtBot, status: ShownStatus) -> None:
    mains = Schedule(WorkTime.MAINS)
    status.update(replace(library(folder(1)), schedule=mains))
    menu = panel.switch.work
    assert _entry(menu, "mains power").isChecked()
    with qtbot.waitSignal(panel.schedule_chosen) as chosen:
        _entry(menu, "computer is idle").trigger()
    assert chosen.args == [Schedule(WorkTime.IDLE)]
    before = time.time()
    with qtbot.waitSignal(panel.schedule_chosen) as chosen:
        _entry(menu, "for an hour").trigger()
    until = chosen.args[0].paused_until
    assert chosen.args[0].when is WorkTime.MAINS
    assert before + 3_598 <= until <= time.time() + 3_602
    with qtbot.waitSignal(panel.schedule_chosen) as chosen:
        _entry(menu, "tomorrow").trigger()
    morning = QDateTime.fromSecsSinceEpoch(int(chosen.args[0].paused_until))
    assert (morning.date(), morning.time().hour()) == (QDateTime.currentDateTime().date().addDays(1), 6)


@pytest.mark.parametrize(
    ("hold", "said"),
    [
        (Hold.MAINS, "Waiting for mains power"),
        (Hold.IDLE, "Waiting until the computer is idle"),
        (Hold.PAUSED, "Paused until "),
    ],
)
def test_what_the_work_waits_for_and_what_is_missing_is_said(
    panel: LibraryPanel, status: ShownStatus, hold: Hold, said: str
) -> None:
    soon = Schedule(WorkTime.ALWAYS, paused_until=time.time() + 600)
    held = replace(library(folder(1), phase=IndexingPhase.PAUSED), hold=hold, schedule=soon, waiting_files=120)
    status.update(held)
    text = panel.status_text()
    assert text.startswith(said)
    assert text.endswith("The words of 120 files cannot be found yet")
    status.update(replace(held, waiting_files=0, sentences_total=9))
    assert panel.status_text().endswith("Words can be found, meaning follows")
    label = "Resume reading" if hold is Hold.PAUSED else "Work now all the same"
    assert [b for b in panel.findChildren(IconButton) if b.accessibleName() == label and b.isVisible()]
