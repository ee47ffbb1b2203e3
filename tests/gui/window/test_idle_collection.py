"""Full garbage collections wait until the user does nothing."""

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from desktop_rag.gui.window.desktop_application import IdleCollection, UserActivity
from desktop_rag.processes.serving import DUE, LATEST


@pytest.fixture
def full() -> Iterator[list[int]]:
    """Return the full collections made."""
    made: list[int] = []

    def note(phase: str, about: dict[str, int]) -> None:
        if phase == "stop" and about["generation"] == 2:
            made.append(1)

    usual = gc.get_threshold()
    gc.collect()
    gc.callbacks.append(note)
    yield made
    gc.callbacks.remove(note)
    gc.set_threshold(*usual)


def _age() -> None:
    """Let as many collections of the middle generation pass as make a full one due."""
    gc.collect()
    for _ in range(DUE + 1):
        gc.collect(1)


def test_a_full_collection_waits_for_the_user_to_rest(qtbot: QtBot, full: list[int]) -> None:
    line = QLineEdit()
    qtbot.addWidget(line)
    line.show()
    activity = UserActivity(line)
    line.windowHandle().installEventFilter(activity)
    collection = IdleCollection(activity)
    assert gc.get_threshold()[2] == LATEST
    QTest.keyClick(line.windowHandle(), Qt.Key.Key_A)
    _age()
    full.clear()
    collection.collect_if_due()
    assert not full
    kept: list[list[int]] = [[] for _ in range(20_000)]  # at which Python would collect
    assert not full
    activity._quiet.stop()
    collection.collect_if_due()
    assert len(full) == 1
    collection.collect_if_due()
    assert len(full) == 1, kept
