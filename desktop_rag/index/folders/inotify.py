"""The Linux kernel's reports about folders: inotify(7), called without a detour.

A library that watches whole trees would also watch what is never read (a `node_modules` has more folders than all the
documents of a person), and would not tell which folders it had to leave unwatched.
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
# Not opening and closing without writing: reading the files ourselves is no change.
_CHANGES = _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
_HEAD = struct.Struct("iIII")
_BUFFER = 1 << 18


class InotifyReport(NamedTuple):
    """What happened in the folder of a watch, to the entry `name` (empty: to the folder itself)."""

    watch: int
    mask: int
    name: bytes

    @property
    def lost_some(self) -> bool:
        """Return whether reports were lost because nobody took them in time."""
        return bool(self.mask & _OVERFLOW)

    @property
    def ends(self) -> bool:
        """Return whether nothing more comes of this watch."""
        return bool(self.mask & _IGNORED)

    @property
    def to_folder(self) -> bool:
        """Return whether the entry is a folder."""
        return bool(self.mask & _FOLDER)

    @property
    def appeared(self) -> bool:
        """Return whether the entry was made or moved here."""
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
    """One handle of the kernel; watches may be added and removed by any thread, reports are read by one."""

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
        """Watch a folder; return the number of its watch, for one that is watched already the same; raise `OSError`."""
        return self._checked(self._libc.inotify_add_watch(self._handle, folder, _CHANGES | _ONLY_FOLDER))

    def remove(self, watch: int) -> None:
        """Watch a folder no longer; one that is gone is passed over."""
        self._libc.inotify_rm_watch(self._handle, watch)

    def read(self) -> list[InotifyReport]:
        """Wait for reports and return them; an empty list says that `close` was called."""
        while True:
            ready = {handle for handle, _ in self._poll.poll()}
            if self._wake in ready:
                return []
            with contextlib.suppress(BlockingIOError):
                return _reports(os.read(self._handle, _BUFFER))

    def close(self) -> None:
        """Let `read` return; the handles are freed by `free`."""
        os.write(self._waker, b"!")

    def free(self) -> None:
        """Give the handles back, when nobody reads any more."""
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
