"""The folder of one library: what lies where inside it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.errors import LibraryDamaged, LibraryError
from desktop_rag.paths import private_folder

# A database with its journals, backups, half-written backups and the damaged files that were set aside.
_DATABASE_FILE = r"{}(\.\d{{12}}\.backup|\.unfinished|\.damaged-[\d-]*\d)?(-wal|-shm|-journal)?"
_WRITTEN_FILE = r"{}(\.new)?"


@dataclass(frozen=True, slots=True)
class Library:
    """Names the parts of a library's folder; nothing else in the code joins these paths."""

    folder: Path

    @property
    def catalog(self) -> Path:
        """The truth."""
        return self.folder / "catalog.sqlite"

    @property
    def keywords(self) -> Path:
        """The keyword index, a copy."""
        return self.folder / "keyword"

    @property
    def vectors(self) -> Path:
        """The vector files, a copy."""
        return self.folder / "vectors"

    @property
    def folder_list(self) -> Path:
        """The list of the person's folders, should the catalog be lost."""
        return self.folder / "folders.json"

    @property
    def seal(self) -> Path:
        """What the files were like when the indexer ended; only there after a proper end."""
        return self.folder / "sealed.json"

    @property
    def distress(self) -> Path:
        """Left by an indexer that found the catalog damaged, for the next one to mend it."""
        return self.folder / "damaged.txt"

    @property
    def conversations(self) -> Path:
        """The person's own data: conversations and runs."""
        return self.folder / "conversations.sqlite"

    @property
    def bookmarks(self) -> Path:
        """The person's own data: bookmarks and notes."""
        return self.folder / "bookmarks.sqlite"

    @property
    def searches(self) -> Path:
        """The person's own data: recent and saved searches."""
        return self.folder / "searches.json"

    @property
    def lock(self) -> Path:
        """Held by the indexer as long as it runs."""
        return self.folder / "indexer.lock"

    @property
    def address(self) -> Path:
        """Where the running indexer listens, and its secret; mode 0600."""
        return self.folder / "indexer.json"

    @property
    def socket(self) -> Path:
        """Where it listens, on systems that have such sockets."""
        return self.folder / "indexer.sock"

    @property
    def log(self) -> Path:
        """What the indexer logs."""
        return self.folder / "indexer.log"

    def files(self) -> Iterator[Path]:
        """Yield every file in the folder that the program wrote, except the lock and the mark of a library."""
        databases = (self.catalog, self.conversations, self.bookmarks)
        written = (self.folder_list, self.seal, self.distress, self.searches, self.address, self.socket, self.log)
        patterns = [_DATABASE_FILE.format(re.escape(path.name)) for path in databases]
        patterns += [_WRITTEN_FILE.format(re.escape(path.name)) for path in written]
        ours = re.compile("|".join(patterns))
        for path in self.folder.iterdir():
            if ours.fullmatch(path.name) and (path.is_symlink() or not path.is_dir()):
                yield path

    def index_folders(self) -> tuple[Path, ...]:
        """Return the folders of the indexes, with those that a rebuilding left behind."""
        beside = (self.keywords.with_name(self.keywords.name + ending) for ending in (".new", ".old"))
        return (self.keywords, *beside, self.vectors)

    def is_there(self) -> bool:
        """Return whether a library was made in this folder and the folder is there."""
        return (self.folder / ".noindex").exists()

    def create(self) -> None:
        """Make the folder, readable by its owner only; it is never indexed itself, wherever it lies."""
        private_folder(self.folder)
        (self.folder / ".noindex").touch()


def expect_catalog(library: Library) -> None:
    """Raise `LibraryError` where there is nothing to read yet, `LibraryDamaged` where the catalog was lost."""
    if library.catalog.is_file() and library.catalog.stat().st_size:
        return
    if library.folder_list.exists():
        raise LibraryDamaged(
            f"The catalog in {library.folder} is gone. `desktop-rag index`, or opening the window, reads your folders "
            "again."
        )
    raise LibraryError(f"There is no library in {library.folder} yet. Make one: desktop-rag index FOLDER")
