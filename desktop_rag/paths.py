"""The locations of the program's resources and the user's data; no other module knows a location."""

import errno
import os
import re
import stat
import sys
import threading
import warnings
from contextlib import suppress
from pathlib import Path

APP_NAME = "desktop-rag"
_SURROGATE = re.compile("[\ud800-\udfff]")


def resources() -> Path:
    """Return the folder of icons, prompts, sample and models: in a checkout, a wheel or a frozen program."""
    if getattr(sys, "frozen", False):
        return Path(getattr(sys, "_MEIPASS", Path(sys.executable).parent)) / "resources"
    package = Path(__file__).resolve().parent
    checkout = package.parent / "resources"
    return checkout if (package.parent / "pyproject.toml").is_file() else package / "resources"


def guides() -> Path:
    """Return the folder of the user guide and the pages it links to: `docs` in a checkout, else among the resources."""
    delivered = resources() / "docs"
    return delivered if delivered.is_dir() else resources().parent / "docs"


def data_home() -> Path:
    """Return the folder of settings, libraries and conversations; `DESKTOP_RAG_HOME` overrides it."""
    if override := os.environ.get("DESKTOP_RAG_HOME"):
        return Path(override)
    import platformdirs  # not in a child process, which knows no such folder

    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))


def is_portable() -> bool:
    """Return whether all data is kept in the folder beside the program."""
    return os.environ.get("DESKTOP_RAG_HOME") == str(_portable_home())


def _portable_home() -> Path:
    program = Path(sys.executable).parent if getattr(sys, "frozen", False) else Path(sys.prefix)
    return program / f"{APP_NAME}-data"


def use_portable_home() -> bool:
    """Keep all data in a folder beside the program, also in child processes; return False if it is not writable."""
    home = _portable_home()
    try:
        private_folder(home)
        (home / "writable").touch()
        (home / "writable").unlink()
    except OSError as error:
        sys.stderr.write(f"With --portable the data is kept in {home}, which cannot be written ({error.strerror}).\n")
        return False
    os.environ["DESKTOP_RAG_HOME"] = str(home)
    return True


def stat_of(path: bytes | Path, *, links: bool = False) -> os.stat_result | None:
    """Return what the system knows of a path (with `links` of a link itself), or None if it is not told."""
    try:
        return os.stat(path, follow_symlinks=not links)  # noqa: PTH116 (names need not be valid text)
    except OSError:
        return None


def settings_file() -> Path:
    """Return the settings file."""
    return data_home() / "settings.json"


def spending_file() -> Path:
    """Return the file of the money spent by day."""
    return data_home() / "spending.json"


def endpoints_file() -> Path:
    """Return the file of what was learned about endpoints."""
    return data_home() / "endpoints.json"


def ignore_file() -> Path:
    """Return the file of ignore patterns (as in .gitignore) for all folders; it need not exist."""
    return data_home() / "ignore"


def runtime_folder() -> Path:
    """Return the folder of locks and sockets, which need not survive a restart of the computer."""
    if os.environ.get("DESKTOP_RAG_HOME"):
        return data_home() / "run"
    import platformdirs

    with warnings.catch_warnings(action="ignore"):  # that the system names no such folder
        return Path(platformdirs.user_runtime_dir(APP_NAME, appauthor=False))


def log_folder() -> Path:
    """Return the folder of the log files."""
    return data_home() / "logs"


def encoder_folder() -> Path:
    """Return the folder with the sentence encoder's `model.onnx` and `tokenizer.json`."""
    return resources() / "models" / "all-MiniLM-L6-v2"


def added_encoders() -> Path:
    """Return the folder of the sentence encoders that the user has added, one folder each; it need not exist."""
    return data_home() / "encoders"


def valid_text(name: str) -> str:
    """Return a name or text with "\ufffd" for bytes that are not text, which SQLite and the wire refuse."""
    return _SURROGATE.sub("\ufffd", name)


def written_path(name: str | Path) -> Path:
    """Return the absolute path of a name as a user writes it, with `~` and `..`; links stay."""
    return Path(os.path.abspath(os.path.expanduser(name)))  # noqa: PTH100, PTH111 (Path keeps “..”)


def private_folder(path: Path) -> Path:
    """Create `path` and its missing parents with mode 0700, set that of an existing `path`, and return it."""
    if not path.is_dir():
        for folder in (*reversed(path.parents), path):
            if not folder.is_dir():
                folder.mkdir(mode=stat.S_IRWXU, exist_ok=True)
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) != stat.S_IRWXU:
        path.chmod(stat.S_IRWXU)
    return path


def durable_folder(path: Path) -> Path:
    """Create a folder as `private_folder` does, so that it survives a power loss, and return it."""
    missing = [folder for folder in (path, *path.parents) if not folder.is_dir()]
    private_folder(path)
    for folder in missing:
        with suppress(PermissionError):  # a parent that may be entered but not listed
            sync_folder(folder.parent)
    return path


def private_opener(path: str, flags: int) -> int:
    """Open a file for the built-in `open` so that only its owner may read it, whatever the umask is."""
    descriptor = os.open(path, flags, 0o600)
    if os.name == "posix" and stat.S_IMODE(os.fstat(descriptor).st_mode) != 0o600:
        os.fchmod(descriptor, 0o600)  # an older version may have made it
    return descriptor


def write_durably(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file atomically and durably: after a power loss it is the old or the new one.

    A link stays one; the umask may take from `mode`. Raises `OSError`, also for a device, which a rename would replace.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no regular file")
    # Two writers never share it; its name is cut, for that of the file may be as long as names can be.
    fresh = path.with_name(f"{path.name[:40]}.{os.getpid()}-{threading.get_native_id()}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Flush the directory entries of a folder to the disk, on systems that need it."""
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
