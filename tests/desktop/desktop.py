"""A desktop of its own for a test: X server, message bus, accessibility bus, and the program in it."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

from tests.desktop.screen_reader import ScreenReader

NEEDED = ("Xvfb", "dbus-daemon", "xdotool")
SCREEN = "1366x768x24"
LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")
DRAG_SOURCE = Path(__file__).with_name("drag_source.py")
DROP_TARGET = Path(__file__).with_name("drop_target.py")


class Desktop:
    """A screen with a message bus on which programs are started, typed into and clicked on."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._started: list[subprocess.Popen[bytes]] = []
        number, display = os.pipe()
        self._start(
            "Xvfb", "-displayfd", str(display), "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset", keep=(display,)
        )
        os.close(display)
        with os.fdopen(number) as pipe:
            screen = pipe.readline().strip()
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        self.environment = {
            **kept,
            "HOME": str(home),
            "DESKTOP_RAG_HOME": str(home / "library"),
            "DISPLAY": f":{screen}",
            "LC_ALL": "C.UTF-8",
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        }
        number, address = os.pipe()
        self._start("dbus-daemon", "--session", "--nofork", f"--print-address={address}", keep=(address,))
        os.close(address)
        with os.fdopen(number) as pipe:
            self.environment["DBUS_SESSION_BUS_ADDRESS"] = pipe.readline().strip()
        self.reader = ScreenReader(self.environment["DBUS_SESSION_BUS_ADDRESS"])

    def close(self) -> None:
        """End everything that was started, the last one first."""
        self.reader.close()
        for process in reversed(self._started):
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start Python with these arguments in the background."""
        return self._start(sys.executable, *arguments)

    def start_program(self, *command: str) -> subprocess.Popen[bytes]:
        """Start another program in the background."""
        return self._start(*command)

    def run(self, *arguments: str) -> None:
        """Run the program with these arguments to its end."""
        subprocess.run([sys.executable, "-m", "desktop_rag", *arguments], env=self.environment, check=True)

    def input(self, *arguments: object) -> str:
        """Give xdotool's input events; return what it prints."""
        command = ["xdotool", *map(str, arguments)]
        done = subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def activate(self, title: str) -> None:
        """Give a window the keyboard, as a window manager does when it is clicked."""
        window = self.input("search", "--sync", "--onlyvisible", "--name", title).split()[-1]
        self.input("windowfocus", "--sync", window)

    def wait_for_focus(self, title: str, seconds: float = 30.0) -> None:
        """Wait until a window has the keyboard; raises `AssertionError`."""
        until = time.monotonic() + seconds
        while not re.search(title, name := self.input("getwindowfocus", "getwindowname")):
            assert time.monotonic() < until, f"the keyboard is at “{name}”"
            time.sleep(0.1)

    def middle_of(self, role: str, name: str) -> tuple[int, int]:
        """Return the middle of an element in pixels, once it has stopped moving."""
        before = (-1, -1)
        while (place := self.reader.middle(self.reader.find(role, name))) != before:
            before = place
            time.sleep(0.3)
        return place

    def click(self, x: int, y: int) -> None:
        """Click with the left button."""
        self.input("mousemove", x, y, "click", 1)

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Drag with the left button, in steps as a hand does."""
        self.input("mousemove", *start, "mousedown", 1)
        for step in range(1, 13):
            x, y = (int(a + (b - a) * step / 12) for a, b in zip(start, end, strict=True))
            self.input("mousemove", x, y, "sleep", 0.05)
        self.input("sleep", 0.4, "mouseup", 1)

    def _start(self, *command: str, keep: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
        environment = getattr(self, "environment", None)
        process = subprocess.Popen(
            command, env=environment, pass_fds=keep, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._started.append(process)
        return process
