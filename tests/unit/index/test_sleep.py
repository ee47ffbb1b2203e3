"""Sleep is noticed by two clocks, of which one stands still meanwhile."""

from desktop_rag.index.indexer.suspend_detection import GAP_SECONDS, SILENCE_SECONDS, SuspendDetector, clock_of_all_time


class Clocks:
    """The clock of the time awake and that of all time."""

    def __init__(self) -> None:
        self.awake = 50.0
        self.all_time = 90.0

    def pass_(self, awake: float, asleep: float = 0.0) -> None:
        self.awake += awake
        self.all_time += awake + asleep

    def sleep(self) -> SuspendDetector:
        return SuspendDetector(lambda: self.awake, lambda: self.all_time)


def test_time_that_passes_is_no_sleep() -> None:
    clocks = Clocks()
    sleep = clocks.sleep()
    for _ in range(1000):
        clocks.pass_(SILENCE_SECONDS / 2, asleep=0.001)
        assert not sleep.has_ended()


def test_sleep_is_told_once() -> None:
    clocks = Clocks()
    sleep = clocks.sleep()
    clocks.pass_(1.0, asleep=GAP_SECONDS + 1)
    assert sleep.is_over()
    assert sleep.is_over()
    assert sleep.has_ended()
    assert not sleep.has_ended()
    clocks.pass_(1.0)
    assert not sleep.is_over()


def test_a_process_that_was_stopped_has_slept() -> None:
    clocks = Clocks()
    sleep = clocks.sleep()
    clocks.pass_(SILENCE_SECONDS + 1)
    assert sleep.has_ended()


def test_the_clocks_of_this_system_run() -> None:
    before = clock_of_all_time()
    assert clock_of_all_time() >= before
    assert not SuspendDetector().has_ended()
