"""Sleep is detected by comparing a clock that excludes it with one that includes it."""

from desktop_rag.index.indexer.indexer_loop import GAP_SECONDS, POLL_GAP_SECONDS, SuspendDetector, boot_clock


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


def test_elapsed_time_is_not_sleep() -> None:
    clocks = Clocks()
    sleep = clocks.sleep()
    for _ in range(1000):
        clocks.pass_(POLL_GAP_SECONDS / 2, asleep=0.001)
        assert not sleep.take()


def test_sleep_is_reported_once() -> None:
    clocks = Clocks()
    sleep = clocks.sleep()
    clocks.pass_(1.0, asleep=GAP_SECONDS + 1)
    assert sleep.has_slept()
    assert sleep.has_slept()
    assert sleep.take()
    assert not sleep.take()
    clocks.pass_(1.0)
    assert not sleep.has_slept()


def test_a_process_that_was_stopped_has_slept() -> None:
    clocks = Clocks()
    sleep = clocks.sleep()
    clocks.pass_(POLL_GAP_SECONDS + 1)
    assert sleep.take()


def test_the_clocks_of_this_system_run() -> None:
    before = boot_clock()
    assert boot_clock() >= before
    assert not SuspendDetector().take()
