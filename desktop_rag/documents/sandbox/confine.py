"""Restricts a child process to reading the program's own files and to the pipes to its parent.

On Linux the kernel enforces it (`landlock`, `seccomp`); each is used if the kernel supports it. On macOS and Windows
a child has its resource limits and no secrets in its environment, but its file and network access is not blocked.
"""

import logging
import mimetypes
import os
import sys
import sysconfig
import zoneinfo
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from desktop_rag.documents.sandbox.landlock import read_only_below
from desktop_rag.documents.sandbox.seccomp import refuse_dangerous_calls
from desktop_rag.paths import resources

logger = logging.getLogger(__name__)

_LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_SYSTEM_DATA = ("/etc/localtime", "/usr/share/zoneinfo", "/dev/null", "/dev/zero", "/dev/urandom")
_HARDWARE_INFO = ("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu")  # read by numerical libraries at startup


def confine_this_process() -> None:
    """Restrict this process, irrevocably, to reading the program's own files; see the module docstring."""
    files = read_only_below(_readable())
    calls = refuse_dangerous_calls()
    logger.debug("files confined: %s, system calls confined: %s", files, calls)


def confine_engine(program: str, data: Iterable[str]) -> None:
    """Restrict this process, before it executes `program`, to its libraries and the folders `data`."""
    files = read_only_below((*_SYSTEM_DATA, *_HARDWARE_INFO, *data), (program, *_LIBRARIES))
    calls = refuse_dangerous_calls(may_run=True)
    logger.debug("files confined: %s, system calls confined: %s", files, calls)


def _readable() -> set[str]:
    """Return the folders of Python, its libraries and this program: readers are imported lazily."""
    package = Path(__file__).resolve().parents[2]
    named = sysconfig.get_paths()
    allowed = {named[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    allowed |= {os.path.realpath(path) for path in sys.path if path}
    allowed |= {str(package), str(resources()), str(Path(sys.base_prefix) / "lib")}
    allowed -= {str(package.parent)} if (package.parent / "pyproject.toml").is_file() else set()  # a checkout
    if getattr(sys, "frozen", False):
        allowed.add(str(Path(sys.executable).parent))
    home = _home()
    allowed = {path for path in allowed if not home.startswith(path.rstrip(os.sep) + os.sep) and path != home}
    return allowed.union(_LIBRARIES, _SYSTEM_DATA, _HARDWARE_INFO, map(str, mimetypes.knownfiles), zoneinfo.TZPATH)


def _home() -> str:
    if os.name != "posix":
        return ""
    import pwd

    with suppress(KeyError):  # a user that is not in the password database
        return os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir)
    return ""
