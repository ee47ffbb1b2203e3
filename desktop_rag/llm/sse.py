"""Parses a byte stream of server-sent events.

Lines end only with LF, CRLF or CR: `str.splitlines` would also split at the Unicode separators that a model may write
inside its JSON text.
"""

import re
from collections.abc import Iterator

from desktop_rag.errors import StreamCut

MAX_EVENT_BYTES = 16 * 1024 * 1024  # far above any chat turn; an endless line must not fill the memory

_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")  # a CR at the very end may be half of a CRLF


class EventParser:
    """Incremental parser; comments, ids, retries and event names are dropped."""

    def __init__(self) -> None:
        self._buffer = b""
        self._data: list[bytes] = []

    def feed(self, block: bytes) -> Iterator[str]:
        """Yield the data of every event that `block` completes."""
        lines = _LINE_END.split(self._buffer + block)
        self._buffer = lines.pop()
        if len(self._buffer) > MAX_EVENT_BYTES:
            raise StreamCut("The endpoint sent an endless line. The answer ends here.")
        for line in lines:
            yield from self._take(line)

    def end(self) -> Iterator[str]:
        """Yield the last event if its blank line is missing."""
        yield from self._take(self._buffer.rstrip(b"\r"))
        yield from self._take(b"")
        self._buffer = b""

    def _take(self, line: bytes) -> Iterator[str]:
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
        elif not line and self._data:
            data = b"\n".join(self._data).decode("utf-8", "replace")
            self._data.clear()
            if data.strip():
                yield data
