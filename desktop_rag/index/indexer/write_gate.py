"""Write priority: a user's command gets the catalog before the next step of the indexer loop."""

import threading
from collections.abc import Generator
from contextlib import contextmanager

MAX_WAIT_SECONDS = 1.0  # a longer command runs concurrently with the loop


class WriteGate:
    """Makes the loop wait for commands: SQLite grants its lock to nearly always the loop, which asks so often."""

    def __init__(self) -> None:
        self._commands = 0
        self._changed = threading.Condition()

    @contextmanager
    def command(self) -> Generator[None]:
        """Make the loop wait before its next step while the block runs."""
        with self._changed:
            self._commands += 1
        try:
            yield
        finally:
            with self._changed:
                self._commands -= 1
                self._changed.notify_all()

    def wait_for_commands(self) -> None:
        """Wait until no command is running, at most `MAX_WAIT_SECONDS`."""
        with self._changed:
            self._changed.wait_for(lambda: not self._commands, MAX_WAIT_SECONDS)
