"""A minimal binding of inotify(7), the change notifications of the Linux kernel.

Packages that watch whole trees would also watch folders that are never read (a `node_modules` can have more folders
than all documents of the user), and do not report which folders they could not watch.
"""

import contextlib
import ctypes
import os
import select
import struct
import sys
from typing import NamedTuple

_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE, _DELETE_SELF, _MOVE_SELF = 0x40, 0x80, 0x100, 0x200, 0x400, 0x800
_UNMOUNT, _OVERFLOW, _IGNORED, _ONLY_FOLDER, _FOLDER = 0x2000, 0x4000, 0x8000, 0x1000000, 0x40000000
# Without opening and closing read-only: our own reading is no change.
_CHANGES = _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
_HEAD = struct.Struct("iIII")
_BUFFER = 1 << 18


class InotifyReport(NamedTuple):
    """A change in a watched folder, of the entry `name` (empty: of the folder itself)."""

    watch: int
    mask: int
    name: bytes

    @property
    def lost_some(self) -> bool:
        """Return whether the kernel's queue overflowed and lost reports."""
        return bool(self.mask & _OVERFLOW)

    @property
    def ends(self) -> bool:
        """Return whether the watch was removed."""
        return bool(self.mask & _IGNORED)

    @property
    def to_folder(self) -> bool:
        """Return whether the entry is a folder."""
        return bool(self.mask & _FOLDER)

    @property
    def appeared(self) -> bool:
        """Return whether the entry was created or moved here."""
        return bool(self.mask & (_CREATE | _MOVED_TO))

    @property
    def left(self) -> bool:
        """Return whether the entry was moved away or deleted."""
        return bool(self.mask & (_MOVED_FROM | _DELETE))

    @property
    def to_itself(self) -> bool:
        """Return whether the watched folder itself was deleted, moved or unmounted."""
        return bool(self.mask & (_DELETE_SELF | _MOVE_SELF | _UNMOUNT))


class Inotify:
    """An inotify instance; any thread may add and remove watches, one thread reads the reports."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._handle = self._checked(self._libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK))
        self._wake, self._waker = os.pipe()
        self._poll = select.poll()
        self._poll.register(self._handle, select.POLLIN)
        self._poll.register(self._wake, select.POLLIN)

    @staticmethod
    def exists() -> bool:
        """Return whether this system has inotify."""
        return sys.platform == "linux"

    def add(self, folder: bytes) -> int:
        """Watch a folder and return the number of its watch, the same one if it is watched already; raise `OSError`."""
        return self._checked(self._libc.inotify_add_watch(self._handle, folder, _CHANGES | _ONLY_FOLDER))

    def remove(self, watch: int) -> None:
        """Stop watching a folder; deleted ones are ignored."""
        self._libc.inotify_rm_watch(self._handle, watch)

    def read(self) -> list[InotifyReport]:
        """Wait for reports and return them, or an empty list after `close`."""
        while True:
            ready = {handle for handle, _ in self._poll.poll()}
            if self._wake in ready:
                return []
            with contextlib.suppress(BlockingIOError):
                return _reports(os.read(self._handle, _BUFFER))

    def close(self) -> None:
        """Make `read` return; `free` closes the handles."""
        os.write(self._waker, b"!")

    def free(self) -> None:
        """Close the handles, after `read` has returned."""
        for handle in (self._handle, self._wake, self._waker):
            os.close(handle)

    def _checked(self, result: int) -> int:
        if result < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        return result


def _reports(data: bytes) -> list[InotifyReport]:
    reports: list[InotifyReport] = []
    at = 0
    while at < len(data):
        watch, mask, _, length = _HEAD.unpack_from(data, at)
        name = data[at + _HEAD.size : at + _HEAD.size + length].rstrip(b"\0")
        reports.append(InotifyReport(watch, mask, name))
        at += _HEAD.size + length
    return reports
