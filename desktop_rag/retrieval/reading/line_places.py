"""Reads the lines of several places in one request: each request goes to another process and may wait for its turn."""

from collections.abc import Callable, Iterator, Sequence

from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import LineWindow, Retriever
from desktop_rag.stop import Stop

Place = tuple[ContentId, int, int]  # content, first line (from 1), number of lines
MOST_CHARACTERS = 1_000_000  # of a reply, beyond its first place: a single line can have 50 million
AT_ONCE = 10  # places


def read_places(
    read_lines: Callable[[ContentId, int, int, Stop], LineWindow], places: Sequence[Place], stop: Stop
) -> tuple[LineWindow, ...]:
    """Return the lines of the first places, as many as a reply may have."""
    windows = list[LineWindow]()
    characters = 0
    for content, first, count in places:
        windows.append(read_lines(content, first, count, stop))
        characters += sum(map(len, windows[-1].lines))
        if characters > MOST_CHARACTERS:
            break
    return tuple(windows)


def windows_of(retriever: Retriever, places: Sequence[Place], stop: Stop) -> Iterator[LineWindow]:
    """Yield the lines of each place, asking for some at once as they are needed; raises as `Retriever`."""
    given = 0
    while given < len(places):
        windows = retriever.read_windows(tuple(places[given : given + AT_ONCE]), stop)
        yield from windows
        given += len(windows)
