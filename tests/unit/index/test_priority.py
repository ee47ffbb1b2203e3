"""Indexing steps back while the person works or the battery runs, and takes the machine when nobody is there."""

from desktop_rag.index.indexer.priority import ACTIVE_SECONDS, BATTERY_SECONDS, Pace, Priority

GENTLE = Pace(readers=1, threads=1, rest=1.0)
FULL = Pace(readers=4, threads=8, rest=0.0)


class Day:
    """A clock and a plug in the hands of the test."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.battery = False
        self.looks = 0

    def on_battery(self) -> bool:
        self.looks += 1
        return self.battery

    def priority(self) -> Priority:
        return Priority(self.on_battery, lambda: self.now, cores=8)


def test_nobody_there_means_the_whole_machine() -> None:
    assert Day().priority().pace() == FULL


def test_a_person_at_work_is_given_way_for_some_seconds() -> None:
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


def test_on_battery_little_is_used_until_the_plug_is_in() -> None:
    day = Day()
    day.battery = True
    priority = day.priority()
    assert priority.pace() == GENTLE
    day.battery = False
    assert priority.pace() == GENTLE  # not looked yet
    day.now += BATTERY_SECONDS
    assert priority.pace() == FULL


def test_the_plug_is_not_looked_at_all_the_time() -> None:
    day = Day()
    priority = day.priority()
    for _ in range(100):
        priority.pace()
        day.now += 0.1
    assert day.looks == 1


def test_a_machine_with_one_core_still_reads() -> None:
    pace = Priority(lambda: False, cores=1).pace()
    assert (pace.readers, pace.threads) == (2, 1)
