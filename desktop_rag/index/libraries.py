"""The list of the user's libraries: names, folders, and which one was used last.

A listed library was created once. If its folder is missing, its disk is not connected: no new one is created there.
"""

import contextlib
import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.errors import LibraryBusy, LibraryMissing, LibraryRefused
from desktop_rag.index.library import Library
from desktop_rag.paths import private_folder

FIRST_NAME = "My library"
LONGEST_NAME = 60
_LOCK_SECONDS = 5.0
_LEAVE_SECONDS = 30.0  # for an indexer without clients to end


@dataclass(frozen=True, slots=True)
class KnownLibrary:
    """A library of the list; `made` is false for one that may still be created."""

    name: str
    folder: Path
    made: bool = True

    @property
    def library(self) -> Library:
        """Return its folder as a library."""
        return Library(self.folder)

    def is_missing(self) -> bool:
        """Return whether it was created, but does not exist now."""
        try:
            return self.made and not self.library.exists()
        except OSError:  # no permission for its folder, or a failing disk
            return True


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    folder: str
    made: bool = True


@dataclass(frozen=True, slots=True)
class _List:
    libraries: tuple[_Entry, ...] = ()
    last: str = ""


class Libraries:
    """The list in `home`; each call reads the file, since several programs may use it at the same time."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._file = home / "libraries.json"

    def all(self) -> tuple[KnownLibrary, ...]:
        """Return the libraries in the order they were added; there is always one."""
        return self._known(self._read())

    def usual(self) -> KnownLibrary:
        """Return the default library: the first one."""
        return self.all()[0]

    def chosen(self, text: str | None) -> KnownLibrary:
        """Return the library of this name or folder, else the default one; raises `LibraryRefused`."""
        return self.usual() if text is None else self.find(text)

    def last(self) -> KnownLibrary:
        """Return the library that was used last in a window."""
        read = self._read()
        known = self._known(read)
        return next((library for library in known if library.name == read.last), known[0])

    def named(self, name: str) -> KnownLibrary | None:
        """Return a library by its name, ignoring case."""
        return next((library for library in self.all() if _same(library.name, name)), None)

    def at(self, folder: Path) -> KnownLibrary:
        """Return the library in a folder, which need not be on the list."""
        folder = folder.absolute()
        known = next((library for library in self.all() if library.folder == folder), None)
        return known or KnownLibrary(folder.name or str(folder), folder, made=False)

    def find(self, text: str) -> KnownLibrary:
        """Return a library by its name or folder; raises `LibraryRefused`."""
        folder = Path(text)
        if folder.is_dir() or len(folder.parts) > 1 or text.startswith("."):
            return self.at(folder)
        if (known := self.named(text)) is not None:
            return known
        names = ", ".join(f"“{library.name}”" for library in self.all())
        raise LibraryRefused(
            f"There is no library called “{text}”. There are: {names}. A folder is written like .{os.sep}{text}"
        )

    def use(self, library: KnownLibrary) -> KnownLibrary:
        """Create a library if necessary, add it to the list, and record it as the last used one."""
        present(library).create()
        made = replace(library, made=True)
        with self._changing() as read:
            entries = _with(_entries(self._known(read)), made)
            name = next(entry.name for entry in entries if entry.folder == str(made.folder))
            if _List(entries, name) != read:
                self._write(_List(entries, name))
        return replace(made, name=name)

    def create(self, name: str, folder: Path | None = None) -> KnownLibrary:
        """Create an empty library, in a new folder if none is given; raises `LibraryRefused`."""
        name = self._checked(name)
        place = (folder or self._free_folder(name)).absolute()
        with _readable(place):
            if Library(place).exists():
                raise LibraryRefused(f"There is a library in {place} already. Open it instead.")
            if place.is_dir() and any(place.iterdir()):
                raise LibraryRefused(f"{place} is not empty. Choose an empty folder for the library's own files.")
        library = KnownLibrary(name, place, made=False)
        try:
            library.library.create()
        except OSError as error:
            raise LibraryRefused(f"No library can be made in {place} ({error.strerror or error}).") from error
        return self._add(library)

    def left_folders(self) -> tuple[Path, ...]:
        """Return the folders of libraries among our own that were removed from the list."""
        folders, listed = self._home / "libraries", {library.folder for library in self.all()}
        with contextlib.suppress(OSError):
            return tuple(each for each in sorted(folders.iterdir()) if each not in listed and Library(each).exists())
        return ()

    def take_up(self, name: str, folder: Path) -> KnownLibrary:
        """Add the library in one of these folders to the list again, under this name; raises `LibraryRefused`."""
        return self._add(KnownLibrary(self._checked(name), folder))

    def open(self, folder: Path) -> KnownLibrary:
        """Add the existing library in `folder` to the list; raises `LibraryRefused`."""
        folder = folder.absolute()
        known = next((library for library in self.all() if library.folder == folder), None)
        if known is not None and known.made:
            return known
        _expect_library(folder)
        return self._add(KnownLibrary(folder.name or str(folder), folder))

    def move(self, name: str, folder: Path) -> KnownLibrary:
        """Change the folder of a library that was moved; raises `LibraryRefused`."""
        folder = folder.absolute()
        _expect_library(folder)
        return self._changed(name, lambda entry: replace(entry, folder=str(folder)))

    def rename(self, name: str, new: str) -> KnownLibrary:
        """Rename a library, but not its folder; raises `LibraryRefused`."""
        checked = new.strip() if _same(name, new.strip()) else self._checked(new)
        return self._changed(name, lambda entry: replace(entry, name=checked))

    def remove(self, name: str) -> None:
        """Remove a library from the list without deleting it; raises `LibraryRefused` for the last one."""
        self._expected(name)
        with self._changing() as read:
            left = [known for known in self._known(read) if not _same(known.name, name)]
            if not left:
                raise LibraryRefused("This is the only library. Make another one first.")
            self._write(_List(_entries(left), left[0].name))

    def delete(self, name: str) -> None:
        """Delete a library's own files and remove it from the list; raises `LibraryBusy` while it is in use."""
        library = self._expected(name).library
        if len(self.all()) == 1:
            raise LibraryRefused("This is the only library. Make another one first.")
        with _readable(library.folder):
            if library.exists():
                self._delete_library(library, name)
        self.remove(name)

    def _delete_library(self, library: Library, name: str) -> None:
        from filelock import FileLock, Timeout  # loaded when it is needed: the window starts without

        try:
            with FileLock(library.lock).acquire(timeout=_LEAVE_SECONDS):
                _delete_files(library)
                library.marker.unlink(missing_ok=True)  # an indexer that waits for the lock sees that it is gone
        except Timeout as error:
            raise LibraryBusy(f"“{name}” is open in another window or command. Close it first.") from error
        library.remove_folder()

    def _known(self, read: _List) -> tuple[KnownLibrary, ...]:
        if read.libraries:
            return tuple(KnownLibrary(entry.name, Path(entry.folder), entry.made) for entry in read.libraries)
        folders = self._home / "libraries"
        first = KnownLibrary(FIRST_NAME, folders / "default", made=Library(folders / "default").exists())
        others = sorted(folders.iterdir()) if folders.is_dir() else []
        found = (KnownLibrary(other.name, other) for other in others if other != first.folder)
        return (first, *(library for library in found if library.library.exists()))

    def _checked(self, name: str) -> str:
        name = " ".join(name.split())[:LONGEST_NAME]
        if not name:
            raise LibraryRefused("The library needs a name.")
        if os.sep in name or "/" in name or name.startswith("."):
            raise LibraryRefused("The name of a library has no slashes and does not begin with a dot.")
        if self.named(name) is not None:
            raise LibraryRefused(f"There is a library called “{name}” already.")
        return name

    def _expected(self, name: str) -> KnownLibrary:
        known = self.named(name)
        if known is None:
            raise LibraryRefused(f"There is no library called “{name}”.")
        return known

    def _free_folder(self, name: str) -> Path:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        short = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or "library"
        folder, number = self._home / "libraries" / short, 2
        while folder.exists():
            folder, number = folder.with_name(f"{short}-{number}"), number + 1
        return folder

    def _add(self, library: KnownLibrary) -> KnownLibrary:
        with self._changing() as read:
            others = (known for known in self._known(read) if known.folder != library.folder)
            entries = _with(_entries(others), library)
            self._write(_List(entries, read.last))
        name = next(entry.name for entry in entries if entry.folder == str(library.folder))
        return replace(library, name=name, made=True)

    def _changed(self, name: str, change: Callable[[_Entry], _Entry]) -> KnownLibrary:
        self._expected(name)
        with self._changing() as read:
            entries = list(_entries(self._known(read)))
            place = next(place for place, entry in enumerate(entries) if _same(entry.name, name))
            last = read.last
            fresh = change(entries[place])
            if _same(last, entries[place].name):
                last = fresh.name
            entries[place] = fresh
            self._write(_List(tuple(entries), last))
        return KnownLibrary(fresh.name, Path(fresh.folder))

    def _read(self) -> _List:
        try:
            read = decode_json(self._file.read_bytes(), _List)
        except FileNotFoundError:
            return _List()
        except (msgspec.DecodeError, OSError):  # the libraries in the default folder are found without it
            with contextlib.suppress(OSError):
                self._file.replace(self._file.with_name("libraries.unreadable.json"))
            return _List()
        # Libraries inside our own folder move with it.
        return _List(
            tuple(replace(entry, folder=str(self._home / entry.folder)) for entry in read.libraries), read.last
        )

    @contextlib.contextmanager
    def _changing(self) -> Generator[_List]:
        """Yield the current list while holding its lock."""
        from filelock import FileLock, Timeout

        try:
            private_folder(self._home)
            with FileLock(self._home / "libraries.lock", mode=0o600).acquire(timeout=_LOCK_SECONDS):
                yield self._read()
        except (OSError, Timeout) as error:
            raise LibraryRefused(f"The list of libraries in {self._home} cannot be changed ({error}).") from error

    def _write(self, whole: _List) -> None:
        content = _List(tuple(replace(one, folder=self._inside(one.folder)) for one in whole.libraries), whole.last)
        descriptor, name = tempfile.mkstemp(dir=self._home, prefix=self._file.name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(content), indent=2))
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(self._file)

    def _inside(self, folder: str) -> str:
        """Return a folder as stored in the list: relative if it is inside our own folder."""
        place = Path(folder)
        return str(place.relative_to(self._home)) if place.is_relative_to(self._home) else folder


def present(known: KnownLibrary) -> Library:
    """Return a library that exists or may be created; raises `LibraryMissing` for any other."""
    if known.is_missing():
        raise LibraryMissing(
            f"The folder of “{known.name}”, {known.folder}, does not exist. Connect its disk, or name another library."
        )
    return known.library


@contextlib.contextmanager
def _readable(folder: Path) -> Generator[None]:
    """Translate file system errors in the block to `LibraryRefused`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise LibraryRefused(
            f"{folder} cannot be used ({reason}). Check its permissions and its disk, or choose another folder."
        ) from error


def _expect_library(folder: Path) -> None:
    with _readable(folder):
        if not Library(folder).exists():
            raise LibraryRefused(f"There is no library in {folder}.")


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _entries(known: Iterable[KnownLibrary]) -> tuple[_Entry, ...]:
    return tuple(_Entry(library.name, str(library.folder), library.made) for library in known)


def _with(entries: tuple[_Entry, ...], library: KnownLibrary) -> tuple[_Entry, ...]:
    """Return the entries with a created library, updated or appended under a free name."""
    folder = str(library.folder)
    if any(entry.folder == folder for entry in entries):
        return tuple(replace(entry, made=True) if entry.folder == folder else entry for entry in entries)
    return (*entries, _Entry(_free_name(library.name, entries), folder))


def _free_name(name: str, entries: Iterable[_Entry]) -> str:
    taken = {entry.name.casefold() for entry in entries}
    free, number = name, 2
    while free.casefold() in taken:
        free, number = f"{name} {number}", number + 1
    return free


def _delete_files(library: Library) -> None:
    for folder in (*library.index_folders(), library.team_files):
        shutil.rmtree(folder, ignore_errors=True)
    for file in tuple(library.files()):
        file.unlink(missing_ok=True)
