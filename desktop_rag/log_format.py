"""Formats log records so that no text of a document or question gets into a file.

The message of a foreign exception may quote what it failed on: only its type and places are written, and what the
operating system says.
"""

import logging
import traceback
from types import TracebackType


class LogFormatter(logging.Formatter):
    """Formats exceptions by type and place."""

    def formatException(  # noqa: N802 - of the base class
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """Return the frames and the types of an exception and of those that led to it, the first one first."""
        parts: list[str] = []
        error, seen = ei[1], set[int]()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            frames = traceback.extract_tb(error.__traceback__)
            places = [f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}' for frame in frames]
            said = f": {error}" if isinstance(error, OSError) else ""
            parts.insert(0, "\n".join((*places, f"{type(error).__qualname__}{said}")))
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n\n".join(("Traceback (most recent call last):\n" + parts[0], *parts[1:])) if parts else ""


def log_without_texts() -> None:
    """Format so what a process without a log of its own writes to standard error, which may be the log of another."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(LogFormatter())
