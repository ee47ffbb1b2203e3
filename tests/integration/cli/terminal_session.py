"""A program in a terminal of its own, as a person uses it."""

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from types import TracebackType
from typing import Self

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")


class TerminalSession:
    """Types into a program and waits for what it shows."""

    def __init__(self, command: list[str], environment: dict[str, str], width: int = 100, height: int = 30) -> None:
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            os.execvpe(command[0], command, {**environment, "TERM": "xterm-256color"})
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._pid:
            os.kill(self._pid, 9)
            os.waitpid(self._pid, 0)
        os.close(self._terminal)

    def type(self, text: str) -> None:
        """Type keys."""
        os.write(self._terminal, text.encode())

    def wait_for(self, text: str, seconds: float = 60.0) -> str:
        """Wait until `text` appears, and return everything up to it since the last call."""
        until = time.monotonic() + seconds
        while text not in self.shown:
            assert self._read(until - time.monotonic()), self.shown
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def end(self) -> int:
        """Wait for the end of the program and return its exit code."""
        while self._read(60.0):
            pass
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        return os.waitstatus_to_exitcode(status)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._terminal], [], [], max(0.0, seconds))
        try:
            data = os.read(self._terminal, 65536) if ready else b""
        except OSError:  # the program has ended
            data = b""
        self.shown += _CONTROL.sub("", data.decode("utf-8", "replace"))
        return bool(data)
