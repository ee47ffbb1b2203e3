"""The schedule of a library holds the work back, and only what the user chose."""

from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from desktop_rag.index.indexer.indexer_loop import IDLE_AFTER_SECONDS, LOOK_SECONDS, WorkGate
from desktop_rag.index.indexer.priority import (
    LoadMeter,
    idle_seconds,
    logind_idle,
    milliseconds_in,
    nanoseconds_in,
)
from desktop_rag.index.indexer_api import Hold, Schedule, WorkTime


@dataclass
class Computer:
    """A computer in the hands of the test."""

    now: float = 1_000.0
    battery: bool = False
    window: float = float("inf")
    session: float | None = 0.0
    busy: bool = False
    questions: list[float] = field(default_factory=list)

    def gate(self, schedule: Schedule) -> WorkGate:
        def session() -> float | None:
            self.questions.append(self.now)
            return self.session

        return WorkGate(
            schedule,
            lambda: self.battery,
            lambda: self.window,
            session_idle=session,
            busy=lambda: self.busy,
            clock=lambda: self.now,
        )


def test_usually_nothing_is_held_back_and_nobody_is_asked() -> None:
    computer = Computer(battery=True)
    assert computer.gate(Schedule()).hold() is Hold.NONE
    assert not computer.questions


def test_on_mains_only_the_work_waits_for_the_plug() -> None:
    computer = Computer(battery=True)
    gate = computer.gate(Schedule(WorkTime.MAINS))
    assert gate.hold() is Hold.MAINS
    computer.battery = False
    assert gate.hold() is Hold.NONE


def test_when_idle_only_the_work_waits_until_nobody_uses_the_computer() -> None:
    computer = Computer(session=IDLE_AFTER_SECONDS - 1)
    gate = computer.gate(Schedule(WorkTime.IDLE))
    assert gate.hold() is Hold.IDLE
    computer.session = IDLE_AFTER_SECONDS + 1
    assert gate.hold() is Hold.IDLE  # asked a moment ago
    computer.now += LOOK_SECONDS
    assert gate.hold() is Hold.NONE
    computer.window = 3.0  # the user asks something
    assert gate.hold() is Hold.IDLE
    assert len(computer.questions) == 2


def test_without_a_session_the_load_decides() -> None:
    computer = Computer(session=None, busy=True)
    gate = computer.gate(Schedule(WorkTime.IDLE))
    assert gate.hold() is Hold.IDLE
    computer.busy, computer.now = False, computer.now + LOOK_SECONDS
    assert gate.hold() is Hold.NONE


def test_a_pause_ends_by_itself() -> None:
    computer = Computer()
    gate = computer.gate(Schedule(paused_until=computer.now + 3_600))
    assert gate.hold() is Hold.PAUSED
    computer.now += 3_600
    assert gate.hold() is Hold.NONE


def test_going_on_ends_a_pause_and_waives_the_condition_once() -> None:
    computer = Computer(battery=True)
    gate = computer.gate(Schedule(WorkTime.MAINS, paused_until=computer.now + 60))
    gate.go_on()
    assert gate.hold() is Hold.NONE
    assert gate.schedule == Schedule(WorkTime.MAINS)
    computer.battery = False
    assert gate.hold() is Hold.NONE
    computer.battery = True  # unplugged again: the condition was met meanwhile
    assert gate.hold() is Hold.MAINS
    gate.go_on()
    assert gate.hold() is Hold.NONE
    gate.end_waiver()  # nothing is left to do
    assert gate.hold() is Hold.MAINS


def test_a_new_schedule_ends_the_waiver() -> None:
    computer = Computer(battery=True)
    gate = computer.gate(Schedule(WorkTime.MAINS))
    gate.go_on()
    gate.set_schedule(Schedule(WorkTime.MAINS))
    assert gate.hold() is Hold.MAINS


def test_the_replies_of_desktop_sessions_are_understood() -> None:
    assert milliseconds_in("method return time=1.2 sender=:1.21 -> destination=:1.90\n   uint64 83000\n") == 83.0
    assert milliseconds_in("Error org.freedesktop.DBus.Error.ServiceUnknown") is None
    assert nanoseconds_in('  | |   "HIDIdleTime" = 83500000000\n') == 83.5
    assert nanoseconds_in("") is None
    assert logind_idle("IdleHint=yes\nIdleSinceHintMonotonic=100000000\n", 160.0) == 60.0
    assert logind_idle("IdleHint=no\nIdleSinceHintMonotonic=0\n", 160.0) == 0.0
    assert logind_idle("", 160.0) is None
    assert logind_idle("IdleHint=yes\nIdleSinceHintMonotonic=odd\n", 160.0) == 0.0


def test_a_session_that_does_not_answer_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "XDG_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_SESSION_TYPE", "wayland")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    asked: list[tuple[str, ...]] = []

    def silent(command: tuple[str, ...]) -> str:
        asked.append(command)
        return ""

    assert idle_seconds(silent) is None
    assert [command[0] for command in asked] == ["dbus-send"]
    monkeypatch.setenv("XDG_SESSION_ID", "7")
    assert idle_seconds(lambda command: "IdleHint=no" if command[-1] == "7" else "") == 0.0
    assert idle_seconds(lambda command: "uint64 90000" if command[0] == "dbus-send" else "") == 90.0


def test_a_display_that_cannot_be_opened_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("XDG_SESSION_TYPE", "XDG_SESSION_ID", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":987")
    assert idle_seconds() is None


class Times(NamedTuple):
    """Processor times as psutil gives them on Linux, in seconds."""

    user: float
    nice: float
    idle: float


def test_only_programs_of_normal_priority_count_as_load(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = iter((Times(0, 0, 0), Times(5, 90, 5), Times(55, 90, 55), Times(55, 90, 55)))
    monkeypatch.setattr("psutil.cpu_times", lambda: next(seen))
    meter = LoadMeter()
    assert not meter.is_busy()  # the indexer itself
    assert meter.is_busy()
    assert not meter.is_busy()  # no time has passed
