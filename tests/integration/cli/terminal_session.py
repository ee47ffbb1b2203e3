"""A program in a terminal of its own, as a person uses it."""

import codecs
import ctypes
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

import psutil

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")


class TerminalSession:
    """Types into a program and waits for what it shows."""

    def __init__(self, command: list[str], environment: dict[str, str], width: int = 100, height: int = 30) -> None:
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            os.execvpe(command[0], command, {**environment, "TERM": "xterm-256color"})
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.shown = ""
        self.raw = ""  # all that was written, with its control sequences
        self.echoed_at_end = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

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

    @property
    def echoes(self) -> bool:
        """Return whether the terminal shows what is typed, as it does until a program takes each key."""
        return bool(termios.tcgetattr(self._terminal)[3] & termios.ECHO)

    def send(self, number: int) -> None:
        """Send a signal to the program."""
        os.kill(self._pid, number)

    def send_to_a_thread(self, number: int) -> None:
        """Send a signal so that another thread than the main one takes it, as the system may choose."""
        threads = [each.id for each in psutil.Process(self._pid).threads() if each.id != self._pid]
        assert ctypes.CDLL(None).tgkill(self._pid, threads[0], number) == 0

    def resize(self, width: int, height: int) -> None:
        """Give the terminal another size."""
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def children(self) -> list[int]:
        """Return the processes that the program has started."""
        return [child.pid for child in psutil.Process(self._pid).children(recursive=True)]

    def settle(self, seconds: float = 0.5) -> None:
        """Read until nothing is written for some time."""
        while self._read(seconds):
            pass

    def end(self) -> int:
        """Wait for the end of the program and return its exit code."""
        while self._read(60.0):
            pass
        self.echoed_at_end = self.echoes
        code = psutil.Process(self._pid).wait(60.0)
        self._pid = 0
        assert code is not None
        return code

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._terminal], [], [], max(0.0, seconds))
        try:
            data = os.read(self._terminal, 65536) if ready else b""
        except OSError:  # the program has ended
            data = b""
        text = self._decoder.decode(data)
        self.raw += text
        self.shown += _CONTROL.sub("", text)
        return bool(data)
