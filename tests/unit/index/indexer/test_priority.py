"""Indexing slows down during user activity (least while others work) and on battery; else it uses the whole machine."""

from desktop_rag.index.indexer.priority import (
    ACTIVE_SECONDS,
    BATTERY_SECONDS,
    LOAD_SECONDS,
    WAITING_SECONDS,
    Pace,
    Priority,
)

GENTLE = Pace(readers=1, threads=1, rest=1.0)
BESIDE = Pace(readers=1, threads=7, rest=0.0)
FULL = Pace(readers=4, threads=8, rest=0.0)


class Day:
    """A clock and a plug in the hands of the test."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.battery = False
        self.busy = True
        self.looks = 0
        self.load_looks = 0

    def on_battery(self) -> bool:
        self.looks += 1
        return self.battery

    def is_busy(self) -> bool:
        self.load_looks += 1
        return self.busy

    def priority(self) -> Priority:
        return Priority(self.on_battery, lambda: self.now, 8, self.is_busy)


def test_without_user_activity_the_whole_machine_is_used() -> None:
    assert Day().priority().pace() == FULL


def test_user_activity_slows_indexing_for_some_seconds() -> None:
    day = Day()
    priority = day.priority()
    priority.user_is_active()
    assert priority.pace() == GENTLE
    day.now += ACTIVE_SECONDS - 0.1
    assert priority.pace() == GENTLE
    priority.user_is_active()
    day.now += ACTIVE_SECONDS - 0.1
    assert priority.pace() == GENTLE
    day.now += 0.2
    assert priority.pace() == FULL


def test_somebody_waits_for_a_while_after_user_activity() -> None:
    day = Day()
    priority = day.priority()
    assert not priority.somebody_waits()
    priority.user_is_active()
    day.now += WAITING_SECONDS - 0.1
    assert priority.somebody_waits()
    day.now += 0.2
    assert not priority.somebody_waits()


def test_beside_the_user_of_an_idle_machine_one_core_is_left_free() -> None:
    day = Day()
    priority = day.priority()
    priority.user_is_active()
    assert priority.pace() == GENTLE  # other programs work
    day.busy = False
    assert priority.pace() == GENTLE  # not looked yet
    day.now += LOAD_SECONDS
    assert [priority.pace() for _ in range(9)] == [BESIDE] * 9
    assert day.load_looks == 2
    day.battery = True
    day.now += BATTERY_SECONDS
    priority.user_is_active()
    assert priority.pace() == GENTLE


def test_on_battery_little_is_used_until_plugged_in() -> None:
    day = Day()
    day.battery = True
    priority = day.priority()
    assert priority.pace() == GENTLE
    day.battery = False
    assert priority.pace() == GENTLE  # not looked yet
    day.now += BATTERY_SECONDS
    assert priority.pace() == FULL


def test_the_power_supply_is_queried_rarely() -> None:
    day = Day()
    priority = day.priority()
    for _ in range(100):
        priority.pace()
        day.now += 0.1
    assert day.looks == 1


def test_a_machine_with_one_core_still_reads() -> None:
    priority = Priority(lambda: False, cores=1, is_busy=lambda: False)
    pace = priority.pace()
    assert (pace.readers, pace.threads) == (2, 1)
    priority.user_is_active()
    assert priority.pace() == Pace(readers=1, threads=1, rest=0.0)
