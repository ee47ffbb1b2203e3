from collections.abc import Sequence

from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import LineWindow
from desktop_rag.retrieval.reading.find import AT_ONCE, MOST_CHARACTERS, Place, read_places, windows_of
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import FakeRetriever


class _Library(FakeRetriever):
    """Documents of one line, whose length is their id; counts the requests."""

    def __init__(self) -> None:
        super().__init__()
        self.requests = 0

    def read_windows(self, places: tuple[tuple[ContentId, int, int], ...], stop: Stop) -> tuple[LineWindow, ...]:
        self.requests += 1
        return read_places(_line, places, stop)


def _line(content: ContentId, first: int, _: int, __: Stop) -> LineWindow:
    return LineWindow(content, first, ("x" * content,), 1_000)


def _places(lengths: Sequence[int]) -> list[Place]:
    return [(ContentId(length), number, 1) for number, length in enumerate(lengths, 1)]


def test_a_reply_ends_with_the_place_that_makes_it_long() -> None:
    places = _places([10, MOST_CHARACTERS + 1, 20])
    assert [window.first for window in read_places(_line, places, Stop())] == [1, 2]
    assert [window.first for window in read_places(_line, places[1:], Stop())] == [2]
    assert read_places(_line, [], Stop()) == ()


def test_places_are_read_some_at_a_time_and_only_as_needed() -> None:
    library = _Library()
    windows = windows_of(library, _places([5] * (AT_ONCE + 2)), Stop())
    assert [next(windows).first for _ in range(AT_ONCE)] == list(range(1, AT_ONCE + 1))
    assert library.requests == 1
    assert [window.first for window in windows] == [AT_ONCE + 1, AT_ONCE + 2]
    assert library.requests == 2


def test_long_lines_come_in_requests_of_their_own() -> None:
    library = _Library()
    windows = windows_of(library, _places([MOST_CHARACTERS + 1] * 3), Stop())
    assert [window.first for window in windows] == [1, 2, 3]
    assert library.requests == 3
