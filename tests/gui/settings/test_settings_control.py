"""Settings are written on each change and never lost if the file is damaged."""

import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QThread, QTimer
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.app import App
from desktop_rag.credentials import Credentials
from desktop_rag.gui.background import StreamWorker
from desktop_rag.gui.control.insight_control import InsightControl
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.settings import settings_dialog
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.widgets.toast import Toast
from desktop_rag.index.encoding import encoder_child
from desktop_rag.settings import PrivacyOptions, Profile, Settings, Theme, load, save


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    return window


@pytest.mark.parametrize("damage", [b"", b"{", b'{"theme": "pink"}', b"\xff\xfe\x00"])
def test_a_damaged_file_is_reported_renamed_and_replaced_by_the_defaults(
    qtbot: QtBot, window: QWidget, tmp_path: Path, damage: bytes
) -> None:
    file = tmp_path / "settings.json"
    file.write_bytes(damage)
    control = SettingsControl(file, Credentials(), ShownStatus(), window)
    assert control.settings == Settings()
    with qtbot.waitSignal(control.trouble) as reported:
        control.start()
    assert str(file) in reported.args[1]
    assert file.read_bytes() == damage  # nothing is written before a change
    control.use(replace(control.settings, theme=Theme.DARK))
    aside = tmp_path / "settings.unreadable.json"
    qtbot.waitUntil(lambda: aside.exists() and file.exists())
    control.close()
    assert load(file).theme is Theme.DARK
    assert aside.read_bytes() == damage


def test_a_rule_that_another_process_added_survives_a_change_of_the_window(
    qtbot: QtBot, window: QWidget, tmp_path: Path
) -> None:
    file = tmp_path / "settings.json"
    save(file, Settings())
    control = SettingsControl(file, Credentials(), ShownStatus(), window)
    rules = PrivacyOptions(offline=True, never_send=("/private",))
    save(file, Settings(privacy=rules))
    control.use(replace(control.settings, theme=Theme.DARK))
    qtbot.waitUntil(lambda: control.settings.privacy == rules)
    control.confirm_host("llm.example")
    control.close()
    assert load(file) == Settings(privacy=replace(rules, confirmed_hosts=("llm.example",)), theme=Theme.DARK)


def test_the_dialog_is_built_in_several_turns_of_the_event_loop(
    qtbot: QtBot, window: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    control = SettingsControl(tmp_path / "settings.json", Credentials(), ShownStatus(), window)
    log: list[str] = []
    beat = QTimer(window, interval=0)
    beat.timeout.connect(lambda: log.append("beat"))
    beat.start()

    def logged(of: object, name: str) -> None:
        made = getattr(of, name)

        def called(*arguments: object) -> object:
            log.append(name)
            return made(*arguments)

        monkeypatch.setattr(of, name, called)

    logged(settings_dialog, "DesktopPage")
    logged(settings_dialog, "FoldersPage")
    control.open_dialog()
    (dialog,) = window.findChildren(SettingsDialog)
    logged(dialog, "_arrange")
    logged(dialog, "open")
    qtbot.waitUntil(dialog.isVisible)
    control.close()
    places = [log.index(name) for name in ("DesktopPage", "FoldersPage", "_arrange", "open")]
    assert all("beat" in log[before:after] for before, after in pairwise((0, *places)))


def test_the_room_for_the_answer_is_stored_with_the_active_profile(
    qtbot: QtBot, window: QWidget, tmp_path: Path
) -> None:
    file = tmp_path / "settings.json"
    control = SettingsControl(file, Credentials(), ShownStatus(), window)
    office, home = Profile("Office", "http://localhost/a", "large"), Profile("Home", "http://localhost/b", "small")
    control.use(replace(control.settings, profiles=(office, home), active_profile="Office"))
    control.choose_reserve(4_096)
    stored = (replace(office, max_output=4_096), home)
    qtbot.waitUntil(lambda: file.exists() and load(file).profiles == stored)
    without = replace(control.settings, active_profile="")
    control.use(without)
    control.choose_reserve(1_024)
    assert control.settings == without
    control.close()


@pytest.mark.processes
def test_settings_that_open_while_the_window_closes_leave_no_thread(app: App, qtbot: QtBot) -> None:
    app.window.settings_requested.emit()
    app.window.close()  # the dialog is built in events that come after this one
    [dialog] = app.window.findChildren(SettingsDialog)
    qtbot.waitUntil(dialog.isVisible)
    insight = app.settings._insight
    assert isinstance(insight, InsightControl)
    workers = insight.findChildren(StreamWorker)
    assert len(workers) > 2
    assert not any(thread.isRunning() for worker in workers for thread in worker.findChildren(QThread))
    dialog.close()


@pytest.mark.processes
def test_the_fetch_of_an_encoder_is_in_sight_when_its_page_is_closed_and_can_be_cancelled(
    app: App, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    says = "import sys, time; print('3 of 487 MB', file=sys.stderr, flush=True); time.sleep(600)"
    fetch = encoder_child.get_encoder
    command = [sys.executable, "-c", says]
    monkeypatch.setattr(encoder_child, "get_encoder", lambda name, stop: fetch(name, stop, command))
    insight = app.settings._insight
    assert isinstance(insight, InsightControl)
    insight.fetch_encoder("multilingual-e5-small")
    bar = app.window.statusBar()
    qtbot.waitUntil(lambda: "multilingual-e5-small: 3 of 487 MB fetched" in _words(bar))
    app.window.settings_requested.emit()
    qtbot.waitUntil(lambda: any(each.isVisible() for each in app.window.findChildren(SettingsDialog)))
    qtbot.waitUntil(lambda: "MB fetched" not in _words(bar))
    [dialog] = app.window.findChildren(SettingsDialog)
    assert "multilingual-e5-small: 3 of 487 MB fetched" in _words(dialog.encoders)
    dialog.close()
    qtbot.waitUntil(lambda: "3 of 487 MB fetched" in _words(bar))
    [cancel] = [each for each in bar.findChildren(QPushButton) if each.text() == "Cancel"]
    cancel.click()
    qtbot.waitUntil(lambda: "multilingual-e5-small was not added." in _words(app.window.findChildren(Toast)[0]))
    assert "MB fetched" not in _words(bar)


def _words(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget))
