"""One window a library: the lock that its window holds, and where a second start finds that window."""

import getpass
import hashlib
import logging
import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from desktop_rag.index.library import Library
from desktop_rag.paths import private_folder, runtime_folder

logger = logging.getLogger(__name__)

LONGEST_PLACE = 70  # bytes; the systems' limits for a socket are 104 and 108, and Qt needs some for itself


@dataclass(frozen=True, slots=True)
class InstanceRequest:
    """What a second start wants: folders to add (absolute paths), and the tokens that let the window come forward."""

    folders: tuple[bytes, ...] = ()
    tokens: tuple[tuple[str, str], ...] = ()


class WindowLock:
    """Held by the one window of a library; the system lets go of it when the process ends, however it ends."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock: FileLock | None = None

    def acquire(self) -> bool:
        """Return whether no other window shows the library; where nothing can be locked, none is known of."""
        if self._lock is not None:
            return True
        try:
            lock = FileLock(_place() / f"{_name(self._library)}.lock")
            lock.acquire(timeout=0)
        except Timeout:
            return False
        except OSError as error:
            logger.warning("a second window would not be noticed: %s", error)
            return True
        self._lock = lock
        return True

    def release(self) -> None:
        """Let another window show the library."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def _name(library: Library) -> str:
    return hashlib.sha256(os.fsencode(library.folder.resolve())).hexdigest()[:16]


def address_of(library: Library) -> str:
    """Return where the window of a library listens: a socket in a private folder, or a pipe of that name."""
    name = _name(library)
    return f"desktop-rag-{name}" if sys.platform == "win32" else str(_place() / f"{name}.sock")


def _place() -> Path:
    """Return the private folder of locks and sockets, a temporary one where the usual one cannot be used."""
    usual = runtime_folder()
    with suppress(OSError):
        if len(os.fsencode(usual)) <= LONGEST_PLACE and os.access(private_folder(usual), os.W_OK):
            return usual
    owner = os.getuid() if sys.platform != "win32" else getpass.getuser()
    return private_folder(Path(tempfile.gettempdir()) / f"desktop-rag-{owner}")
