"""What a reader may still touch: the program's own files, to read them, and the pipes to its parent.

On Linux the kernel sees to it (`landlock`, `seccomp`); both are used as far as the kernel has them. On macOS and
Windows a child has its limits, no secrets in its environment and no reason to open a file, but nothing holds it back.
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
_TIME_AND_CHANCE = ("/etc/localtime", "/usr/share/zoneinfo", "/dev/null", "/dev/zero", "/dev/urandom")
_MACHINE = ("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu")  # what numerical libraries ask at their start


def confine_this_process() -> None:
    """Give up, for the rest of this process, everything but reading the program's own files; see the module."""
    files = read_only_below(_readable())
    calls = refuse_dangerous_calls()
    logger.debug("files confined: %s, system calls confined: %s", files, calls)


def confine_engine(program: str, data: Iterable[str]) -> None:
    """Let this process become `program`, which reads its libraries and what lies below `data`, and nothing else."""
    files = read_only_below((*_TIME_AND_CHANCE, *_MACHINE, *data), (program, *_LIBRARIES))
    calls = refuse_dangerous_calls(may_run=True)
    logger.debug("files confined: %s, system calls confined: %s", files, calls)


def _readable() -> set[str]:
    """Return where Python, its libraries and this program lie: readers are imported when their first file comes."""
    package = Path(__file__).resolve().parents[2]
    named = sysconfig.get_paths()
    places = {named[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    places |= {os.path.realpath(path) for path in sys.path if path}
    places |= {str(package), str(resources()), str(Path(sys.base_prefix) / "lib")}
    places -= {str(package.parent)} if (package.parent / "pyproject.toml").is_file() else set()  # a checkout
    if getattr(sys, "frozen", False):
        places.add(str(Path(sys.executable).parent))
    home = _home()
    places = {place for place in places if not home.startswith(place.rstrip(os.sep) + os.sep) and place != home}
    return places.union(_LIBRARIES, _TIME_AND_CHANCE, _MACHINE, map(str, mimetypes.knownfiles), zoneinfo.TZPATH)


def _home() -> str:
    if os.name != "posix":
        return ""
    import pwd

    with suppress(KeyError):  # a user without a name
        return os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir)
    return ""
