"""What the desktop says about animations."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from desktop_rag.gui.desktop import system_motion
from desktop_rag.gui.desktop.system_motion import SystemMotion, system_is_still
from desktop_rag.stop import Stop

pytestmark = [pytest.mark.processes, pytest.mark.skipif(sys.platform != "linux", reason="a portal of Linux desktops")]


@pytest.mark.parametrize(
    ("values", "still"),
    [
        ({"org.gnome.desktop.interface": {"enable-animations": False, "cursor-size": 24}}, True),
        ({"org.gnome.desktop.interface": {"enable-animations": True}}, False),
        ({"org.kde.kdeglobals.KDE": {"AnimationDurationFactor": "0"}}, True),
        ({"org.kde.kdeglobals.KDE": {"AnimationDurationFactor": "0.5"}}, False),
        ({}, False),
    ],
)
def test_the_settings_portal_is_asked(bus: str, values: dict[str, object], still: bool) -> None:
    script = Path(__file__).with_name("portal_stand_in.py")
    command = [sys.executable, str(script), bus, json.dumps(values)]
    portal = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert portal.stdout is not None
    try:
        assert portal.stdout.readline() == "ready\n"
        assert list(system_is_still(Stop())) == [still]
    finally:
        portal.kill()
        portal.communicate()


def test_without_a_portal_or_a_bus_nothing_is_known(bus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(system_is_still(Stop())) == [False]
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    assert list(system_is_still(Stop())) == []


def test_nothing_is_asked_after_the_end(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_motion, "_LATER_MS", 10)
    owner = QObject()
    motion = SystemMotion(owner)
    motion.start()
    motion.close()
    qtbot.wait(100)
    assert not motion._worker.is_running()
