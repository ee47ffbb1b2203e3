"""The folder of one library and the paths in it."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.errors import LibraryDamaged, LibraryError, LibraryRefused
from desktop_rag.paths import durable_folder

# A database with its journals, backups, unfinished backups and renamed damaged files.
_DATABASE_FILE = r"{}(\.\d{{12}}\.backup|\.unfinished|\.damaged-[\d-]*\d)?(-wal|-shm|-journal)?"
_WRITTEN_FILE = r"{}((\.\d+-\d+)?\.new)?"
_SEARCH_SOCKET = r"search-[0-9a-f]{16}\.sock"
_WORK_LOCK = r"(table|report)-\d+\.lock"


class _Inside:
    """The path of a file or folder in a library's folder."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, library: "Library", _: type["Library"] | None = None) -> Path:
        return library.folder / self._name


@dataclass(frozen=True, slots=True)
class Library:
    """The paths of a library's files; nothing else in the code builds them."""

    folder: Path

    catalog = _Inside("catalog.sqlite")  # from which the indexes can be rebuilt
    keywords = _Inside("keyword")
    vectors = _Inside("vectors")
    folder_list = _Inside("folders.json")  # the root folders, in case the catalog is lost
    seal = _Inside("sealed.json")  # sizes and times of the files at the last clean shutdown; exists only after one
    repair_request = _Inside("damaged.txt")  # of an indexer that found the catalog damaged: the next one repairs it
    # Data of the user, which cannot be rebuilt.
    conversations = _Inside("conversations.sqlite")
    bookmarks = _Inside("bookmarks.sqlite")
    work = _Inside("work.sqlite")  # tables and reports
    documents = _Inside("documents.json")  # those open in the window
    searches = _Inside("searches.json")  # recent and saved ones
    team = _Inside("team.json")  # the address of a team's library, whose documents are on a server
    team_status = _Inside("team-status.json")  # what its searcher last learned of it, for the window
    team_files = _Inside("team-files")  # copies of its files whose pages were shown; see `team.file_store`
    lock = _Inside("indexer.lock")  # held by a running indexer
    address = _Inside("indexer.json")  # of the running indexer, with its secret; mode 0600
    socket = _Inside("indexer.sock")  # of the indexer, on systems with Unix sockets
    log = _Inside("indexer.log")  # of the indexer
    marker = _Inside(".noindex")  # empty; makes a folder a library, and keeps it from being indexed itself

    def work_lock(self, what: str, number: int) -> Path:
        """The lock of whoever fills a table or writes a report."""
        return self.folder / f"{what}-{number}.lock"

    def has_own_data(self) -> bool:
        """Return whether there may be conversations, bookmarks, notes, tables or searches of the user."""
        return any(path.exists() for path in (self.conversations, self.bookmarks, self.work, self.searches))

    def is_team(self) -> bool:
        """Return whether the documents are in a team's library on a server."""
        return self.team.is_file()

    def new_search_socket(self, name: str) -> Path:
        """The socket at which a program with a searcher answers searches; `name` must be hard to guess."""
        return self.folder / f"search-{name}.sock"

    def search_sockets(self) -> tuple[Path, ...]:
        """Return the sockets of all programs that do, or did: killed ones leave theirs."""
        return tuple(self.folder.glob("search-*.sock"))

    def files(self) -> Iterator[Path]:
        """Yield every file written by the program, except the lock and the library marker."""
        databases = (self.catalog, self.conversations, self.bookmarks, self.work)
        written = (
            self.folder_list,
            self.seal,
            self.repair_request,
            self.searches,
            self.documents,
            self.team,
            self.team_status,
            self.address,
            self.socket,
            self.log,
        )
        patterns = [_DATABASE_FILE.format(re.escape(path.name)) for path in databases]
        patterns += [_WRITTEN_FILE.format(re.escape(path.name)) for path in written]
        patterns += [_SEARCH_SOCKET, _WORK_LOCK]
        ours = re.compile("|".join(patterns))
        for path in self.folder.iterdir():
            if ours.fullmatch(path.name) and (path.is_symlink() or not path.is_dir()):
                yield path

    def index_folders(self) -> tuple[Path, ...]:
        """Return the folders of the indexes, with leftovers of a rebuild."""
        beside = (self.keywords.with_name(self.keywords.name + ending) for ending in (".new", ".old"))
        return (self.keywords, *beside, self.vectors)

    def exists(self) -> bool:
        """Return whether this folder exists and contains a library."""
        return self.marker.exists()

    def create(self) -> None:
        """Create the folder, readable by its owner only."""
        durable_folder(self.folder)
        self.marker.touch()

    def remove_folder(self) -> None:
        """Remove the lock, and the folder unless it contains other files of the user."""
        self.lock.unlink(missing_ok=True)
        with suppress(OSError):
            self.folder.rmdir()

    def make_private(self) -> None:
        """Make all files readable by their owner only; files of other owners are left to `check`."""
        if os.name != "posix":
            return
        for path in (self.folder, *self.folder.rglob("*")):
            with suppress(OSError):
                if not path.is_symlink() and not path.is_socket() and path.stat().st_mode & 0o077:
                    path.chmod(path.stat().st_mode & 0o700)


def require_catalog(library: Library) -> None:
    """Raise `LibraryError` if there is no catalog yet, `LibraryDamaged` if it was lost."""
    if library.is_team() or (library.catalog.is_file() and library.catalog.stat().st_size):
        return
    if library.folder_list.exists():
        raise LibraryDamaged(
            f"The catalog in {library.folder} is missing. `desktop-rag index`, or opening the window, reads your "
            "folders again."
        )
    raise LibraryError(f"There is no library in {library.folder} yet. Make one: desktop-rag index FOLDER")


def require_local(library: Library) -> None:
    """Raise `LibraryRefused` for a team library: its files are read and checked where it is written."""
    if library.is_team():
        raise LibraryRefused(
            "This is a team library: its files are read, tried again and checked on the computer that writes it. Ask "
            "whoever runs it."
        )
