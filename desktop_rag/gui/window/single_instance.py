"""One window per library: the lock it holds, and the address at which a second start finds it."""

import getpass
import hashlib
import logging
import os
import stat
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from filelock import FileLock, Timeout

from desktop_rag.index.library import Library
from desktop_rag.paths import private_folder, private_opener, runtime_folder

logger = logging.getLogger(__name__)

LONGEST_PLACE = 70  # bytes; systems limit socket paths to 104 or 108, and Qt appends to them


@dataclass(frozen=True, slots=True)
class InstanceRequest:
    """The request of a second start: folders to add (absolute paths), tokens to take the focus, a link to follow."""

    folders: tuple[bytes, ...] = ()
    tokens: tuple[tuple[str, str], ...] = ()
    link: str = ""


class WindowLock:
    """The lock of the one window of a library; the system releases it when the process ends."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock: FileLock | None = None

    def acquire(self) -> bool:
        """Return whether this window may show the library; true where locking is not possible."""
        if self._lock is not None:
            return True
        try:
            lock = FileLock(_place() / f"{_name(self._library)}.lock", mode=0o600)
            lock.acquire(timeout=0)
        except Timeout:
            return False
        except OSError as error:
            logger.warning("a second window would not be noticed: %s", error)
            return True
        self._lock = lock
        with suppress(OSError), open(self._process_file(), "w", encoding="ascii", opener=private_opener) as file:
            file.write(str(os.getpid()))
        return True

    def holder(self) -> int:
        """Return the number of the process that holds the lock, 0 if it is not known or was given to another one."""
        import psutil  # only a start that finds a window needs it

        try:
            file = self._process_file()
            process = psutil.Process(int(file.read_text(encoding="ascii")))
            return process.pid if process.create_time() <= file.stat().st_mtime + 1 else 0
        except (OSError, ValueError, psutil.Error):
            return 0

    def release(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _process_file(self) -> Path:
        return _place() / f"{_name(self._library)}.pid"


def _name(library: Library) -> str:
    return hashlib.sha256(os.fsencode(library.folder.resolve())).hexdigest()[:16]


def address_of(library: Library) -> str:
    """Return the address of a library's window: a socket in a private folder, or a pipe name on Windows."""
    name = _name(library)
    return f"desktop-rag-{name}" if sys.platform == "win32" else str(_place() / f"{name}.sock")


def _place() -> Path:
    """Return the private folder of locks and sockets, a temporary one if the default is not usable."""
    with suppress(OSError):
        usual = runtime_folder()
        if len(os.fsencode(usual)) <= LONGEST_PLACE and os.access(private_folder(usual), os.W_OK):
            return usual
    if sys.platform == "win32":
        return private_folder(Path(tempfile.gettempdir()) / f"desktop-rag-{getpass.getuser()}")
    return _temporary_place()


@cache
def _temporary_place() -> Path:
    """Return a folder of the user's own in the folder for all users; its usual name may be taken by another user."""
    folder = Path(tempfile.gettempdir()) / f"desktop-rag-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
    return folder if is_own else Path(tempfile.mkdtemp(prefix="desktop-rag-"))
