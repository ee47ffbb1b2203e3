"""The requests of the indexer, as a protocol, and the values it returns."""

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from desktop_rag.index.records import ChunkId, ContentId, FileState, FolderId, FolderRules, FolderState
from desktop_rag.stop import Stop


@dataclass(frozen=True, slots=True)
class FoldersAdded:
    """The ids of the added folders; `refused` are (path, reason)."""

    folders: tuple[FolderId, ...]
    refused: tuple[tuple[bytes, str], ...]


@dataclass(frozen=True, slots=True)
class Relocated:
    """The number of moved folders, of their files, and of files proven unchanged."""

    folders: int
    files: int
    known: int


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that is not searchable, and why."""

    path: bytes
    state: FileState
    reason: str
    content: ContentId | None
    set_aside: bool = False  # not read again until it changes or a user retries it


@dataclass(frozen=True, slots=True)
class Problems:
    """Skipped and failed files, at most a limit; `total` counts all."""

    problems: tuple[Problem, ...]
    total: int


@dataclass(frozen=True, slots=True)
class LineEffect:
    """The files that one line decides about; `examples` are paths relative to the folder."""

    hidden: int = 0
    included: int = 0
    examples: tuple[bytes, ...] = ()
    trouble: str = ""  # why the line has no effect: it is no valid pattern


@dataclass(frozen=True, slots=True)
class RulePreview:
    """What rules would do to the files that are in a folder now; `lines` has one effect for each of their lines."""

    before: int  # files that are read with the rules in use …
    after: int  # … and with those previewed
    lines: tuple[LineEffect, ...] = ()
    lost: int = 0  # files that are read now and would be left out
    lost_examples: tuple[tuple[bytes, str], ...] = ()  # with the reason
    gained: int = 0
    gained_examples: tuple[bytes, ...] = ()
    capped: bool = False  # the folder has more files than were looked at
    missing: bool = False  # the folder is not there now
    suffixes: tuple[tuple[str, int], ...] = ()  # of the files that would be read, most frequent first
    complete: bool = True  # the folder has been walked to its end, or as far as the limit


@dataclass(frozen=True, slots=True)
class PartCheck:
    """The result of checking one part of a library; `invariant` is its name in `integrity_check`."""

    invariant: str
    holds: bool
    detail: str = ""


class IndexingPhase(StrEnum):
    """What the indexer is doing right now."""

    IDLE = "idle"
    SCANNING = "scanning"
    READING = "reading"
    LINKING = "linking"  # names in passages with documents, for link boosts
    ENCODING = "encoding"
    RECOGNISING = "recognising"  # OCR of pages without text
    PAUSED = "paused"


class WorkTime(StrEnum):
    """When files are read and encoded in the background."""

    ALWAYS = "always"
    IDLE = "idle"  # only while nobody uses the computer
    MAINS = "mains"  # not on battery


class Hold(StrEnum):
    """What holds the background work back."""

    NONE = ""
    PAUSED = "paused"  # until a moment the user chose
    IDLE = "idle"
    MAINS = "mains"


@dataclass(frozen=True, slots=True)
class Schedule:
    """The user's choice for one library; `paused_until` is in seconds since the epoch."""

    when: WorkTime = WorkTime.ALWAYS
    paused_until: float = 0.0


@dataclass(frozen=True, slots=True)
class FolderStatus:
    """One row of the library panel; counts are files, `ready` is part of `searchable`, which is part of `found`."""

    folder: FolderId
    path: bytes
    is_file: bool
    state: FolderState
    rules: FolderRules
    found: int
    searchable: int
    ready: int
    skipped: int
    failed: int
    scanning: bool
    note: str = ""  # e.g. why changes are polled for instead of watched
    set_aside: int = 0  # part of `failed`: too many readers crashed on them
    offline_since: float = 0.0  # seconds since the epoch; 0 while it is there, or unknown
    pictures: int = 0  # of text: they wait for OCR, or it found no words; not searchable

    @property
    def left_out(self) -> int:
        """Return how many files are not searchable and will not be by reading them."""
        return self.skipped + self.failed + self.pictures

    @property
    def unread(self) -> int:
        """Return how many files wait to be read."""
        return self.found - self.searchable - self.left_out


@dataclass(frozen=True, slots=True)
class LibraryStatus:
    """The status of a library at one moment; `eta_seconds` is None while unknown, and while linking that of links."""

    folders: tuple[FolderStatus, ...]
    phase: IndexingPhase
    current_file: bytes = b""
    files_per_second: float = 0.0
    sentences_per_second: float = 0.0
    sentences_ready: int = 0
    sentences_total: int = 0
    eta_seconds: float | None = None
    trouble: str = ""  # e.g. a full disk: what happened and what to do; empty when all is well
    forgetting: bool = False  # the text of a forgotten folder is being overwritten
    unread_pages: int = 0  # pages without text before OCR; without an `engine` they stay so
    engine: str = ""
    missing: bool = False  # the library itself is missing; the folders are the last known
    schedule: Schedule = Schedule()
    hold: Hold = Hold.NONE  # what the work waits for, while there is some; a chosen pause always
    links_left: int = 0  # passages whose links are not extracted yet
    waiting_files: int = 0  # whose words cannot be found yet, in folders that are not paused
    not_added: str = ""  # why folders cannot be added or changed here; empty where they can


class IndexerCommands(Protocol):
    """The requests of the indexer; paths are absolute. A command is durable when its method returns."""

    def add_folders(self, paths: tuple[bytes, ...], stop: Stop) -> FoldersAdded:
        """Index these folders or single files."""

    def remove(self, folder: FolderId, stop: Stop) -> None:
        """Hide a folder from search at once; its data is erased later."""

    def restore(self, folder: FolderId, stop: Stop) -> None:
        """Undo `remove`."""

    def pause(self, folder: FolderId | None, stop: Stop) -> None:
        """Stop work on one folder, or on all with None."""

    def resume(self, folder: FolderId | None, stop: Stop) -> None:
        """Resume work on one folder, or on all with None."""

    def set_schedule(self, schedule: Schedule, stop: Stop) -> None:
        """Choose when to work in the background; `resume` of all folders works at once all the same."""

    def rescan(self, folder: FolderId | None, stop: Stop) -> None:
        """Compare a folder, or all with None, with the disk now."""

    def try_again(self, paths: tuple[bytes, ...], stop: Stop) -> None:
        """Retry files that could not be read, or only in part; without `paths` all quarantined files."""

    def change_rules(self, folder: FolderId, rules: FolderRules, stop: Stop) -> None:
        """Replace the rules of a folder and rescan it."""

    def preview_rules(self, folder: FolderId, rules: FolderRules, stop: Stop) -> Generator[RulePreview]:
        """Yield what other rules would do to the files that are in a folder now, as they are counted."""

    def check(self, stop: Stop) -> Generator[PartCheck]:
        """Yield the result for each part of the library; damage is then repaired when nothing else is to do."""

    def forget(self, folder: FolderId, also: tuple[bytes, ...], stop: Stop) -> None:
        """Erase a folder for good; its text is overwritten while `LibraryStatus.forgetting` is true.

        `also` are contents (by SHA-256) that stored answers cite from it: they are erased, too, unless a file
        elsewhere holds them.
        """

    def relocate(self, old: bytes, new: bytes, stop: Stop) -> Relocated:
        """Move the folders at and below `old` to `new`; raises `LibraryRefused` if their files are not found there."""

    def keep_cited(self, contents: tuple[bytes, ...], stop: Stop) -> None:
        """Keep these contents (by SHA-256), all that stored answers cite, even without a file."""

    def keep_attached(self, paths: tuple[bytes, ...], stop: Stop) -> FoldersAdded:
        """Index these files and folders, all that conversations have attached, apart from the library.

        Others that were attached before are removed; `FoldersAdded` names the new ones.
        """

    def keep_vectors(self, chunk: ChunkId, encoder: str, vectors: bytes, stop: Stop) -> None:
        """Store vectors of some sentences of a chunk that were encoded on demand, as rows of the catalog."""

    def user_is_active(self, stop: Stop) -> None:
        """Slow indexing down for some seconds because the user works with the computer."""

    def contents(self, folder: FolderId, stop: Stop) -> tuple[bytes, ...]:
        """Return the contents (by SHA-256) that only this folder holds."""

    def problems(self, folder: FolderId, limit: int, stop: Stop) -> Problems:
        """Return the skipped and failed files of a folder, newest first."""

    def follow_status(self, stop: Stop) -> Generator[LibraryStatus]:
        """Yield the status at once, then after each change, at most five times a second."""
