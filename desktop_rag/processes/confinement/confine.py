"""Restricts a child process to the files and system calls that its work needs: a function for each kind of child.

The kernel enforces it: on Linux by Landlock and seccomp, each used if the kernel supports it, on macOS by
`seatbelt`.
On Windows a child gives up rights (`windows_limits`), but may still read files and use the network.
"""

import logging
import mimetypes
import os
import sys
import sysconfig
import zoneinfo
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from desktop_rag.paths import resources
from desktop_rag.processes.confinement.seccomp import Access, Allowed, refuse_dangerous_calls, restrict

logger = logging.getLogger(__name__)

_LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_SYSTEM_DATA = ("/etc/localtime", "/usr/share/zoneinfo", "/dev/null", "/dev/zero", "/dev/urandom")
# Read by numerical libraries at startup; onnxruntime writes a warning where it cannot list the graphics cards.
_HARDWARE_INFO = (
    *("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
    *("/sys/bus/pci/devices", *map(str, Path("/sys/devices").glob("pci*"))),
)

_GRAPHICS_CARDS = (Path("/dev/dri"), Path("/dev/kfd"), Path("/dev/dxg"), *Path("/dev").glob("nvidia*"))


def confine_this_process(*data: Path) -> None:
    """Restrict this process, irrevocably, to reading the program's own files and the folders `data`."""
    _confine((path, Access.READ) for path in (*_readable(), *map(str, data)))


def confine_engine(program: str, data: Iterable[str]) -> None:
    """Restrict this process, before it executes `program`, to its libraries and the folders `data`."""
    readable = ((path, Access.READ) for path in (*_SYSTEM_DATA, *_HARDWARE_INFO, *data))
    runnable = ((path, Access.READ | Access.RUN) for path in (program, *_LIBRARIES))
    _confine((*readable, *runnable), Allowed.EXECUTE)


def confine_converter(work: str, *data: str, program: str = "") -> None:
    """Restrict this process to changing the folder `work`, and to reading the program's own files and `data`.

    It may execute `program`, if that is given.
    """
    readable = ((path, Access.READ) for path in (*_readable(), *data))
    changed = ((work, Access.READ | Access.CHANGE), (os.devnull, Access.CHANGE))
    if not program:
        _confine((*readable, *changed), Allowed.CHANGE_FILES)
        return
    runnable = ((path, Access.READ | Access.RUN) for path in (program, *_LIBRARIES))
    _confine((*readable, *changed, *runnable), Allowed.CHANGE_FILES | Allowed.EXECUTE)


def confine_searcher(library: Path, *data: Path) -> None:
    """Restrict this process to the files of a library, and to reading the program's own files and the folders `data`.

    Of sockets it may have those of this computer's file system, to reach the indexer.
    """
    _keep_temporary_files(library)
    readable = ((path, Access.READ) for path in (*_readable(), *map(str, data)))
    rules = (*readable, (str(library), Access.READ | Access.CHANGE))
    _confine(rules, Allowed.LOCAL_SOCKETS | Allowed.CHANGE_FILES)


def confine_team_searcher(library: Path, ports: Collection[int]) -> None:
    """Restrict this process to changing the files of a library, and to TCP connections to `ports`.

    It may read, as the keychain, the certificates and the look-up of names need, but neither change anything else nor
    start a process.
    """
    _keep_temporary_files(library)
    changed = ((str(library), Access.CHANGE), (os.devnull, Access.CHANGE))
    allowed = Allowed.LOCAL_SOCKETS | Allowed.TCP | Allowed.UDP | Allowed.CHANGE_FILES
    _confine(changed, allowed, read_anything=True, ports=ports)


def confine_indexer(library: Path, *also: Path) -> None:
    """Restrict this process and its children to changing the files of a library (and below `also`): no network.

    It may read everything: which folders the user will add is not known when the kernel fixes the limits.
    """
    _keep_temporary_files(library)
    changed = (str(library), os.devnull, *map(str, also))
    allowed = Allowed.LOCAL_SOCKETS | Allowed.LISTEN | Allowed.EXECUTE | Allowed.PROCESSES
    allowed |= Allowed.CHANGE_FILES | Allowed.WATCH
    _confine(((path, Access.CHANGE) for path in changed), allowed, read_anything=True)


def confine_model_server(model: Path, *, is_program: bool = False) -> None:
    """Restrict this process to reading a model file, and to answering at a TCP port that the system chooses.

    It connects to nothing and changes nothing. It may read everything if it executes a program next, or if there is a
    graphics card: their libraries and drivers are in many places.
    """
    cards = [(str(path), Access.DEVICE) for path in _GRAPHICS_CARDS if path.exists()]
    readable = ((path, Access.READ) for path in (*_readable(), str(model), "/proc", "/sys"))
    rules = (*readable, *cards, (os.devnull, Access.CHANGE))
    allowed = Allowed.TCP | Allowed.LISTEN
    if is_program:
        allowed |= Allowed.EXECUTE | Allowed.PROCESSES
    if cards:
        allowed |= Allowed.CHANGE_FILES  # as opening a device for writing is
    _confine(rules, allowed, read_anything=bool(cards) or is_program, listening=(0,))


def _keep_temporary_files(library: Path) -> None:
    """Have SQLite write what it sorts on disk into the library: it may write nowhere else."""
    os.environ["SQLITE_TMPDIR"] = str(library)


def _confine(
    rules: Iterable[tuple[str, Access]],
    allowed: Allowed = Allowed.NOTHING,
    *,
    read_anything: bool = False,
    ports: Collection[int] = (),
    listening: Collection[int] = (),
) -> None:
    """Restrict this process to `rules` (paths, what is allowed below) and `allowed`, as its system can."""
    if sys.platform == "darwin":
        from desktop_rag.processes.confinement import seatbelt

        text = seatbelt.profile(rules, allowed, read_anything=read_anything, ports=ports, listening=listening)
        logger.debug("confined by a profile: %s", seatbelt.enter(text))
    elif sys.platform == "win32":
        from desktop_rag.processes.confinement import windows_limits

        logger.debug("all rights given up: %s", windows_limits.limit(allowed))
    else:
        files = restrict(rules, read_anything=read_anything, ports=ports, listening=listening)
        logger.debug("files confined: %s, system calls confined: %s", files, refuse_dangerous_calls(allowed))


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
