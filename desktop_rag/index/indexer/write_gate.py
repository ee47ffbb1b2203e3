"""Who writes the catalog next: a person's command comes before the next step of the loop."""

import threading
from collections.abc import Generator
from contextlib import contextmanager

PATIENCE_SECONDS = 1.0  # a command that takes longer works beside the loop


class WriteGate:
    """SQLite lets in whoever happens to ask in the right moment, which is nearly always the loop."""

    def __init__(self) -> None:
        self._commands = 0
        self._changed = threading.Condition()

    @contextmanager
    def command(self) -> Generator[None]:
        """Let the loop wait before its next step while the block runs."""
        with self._changed:
            self._commands += 1
        try:
            yield
        finally:
            with self._changed:
                self._commands -= 1
                self._changed.notify_all()

    def give_way(self) -> None:
        """Wait, but not for long, until no command is being carried out."""
        with self._changed:
            self._changed.wait_for(lambda: not self._commands, PATIENCE_SECONDS)
