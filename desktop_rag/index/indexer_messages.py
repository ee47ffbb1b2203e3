"""What clients say to the indexer through the library's private socket, and what it answers."""

from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.index.records import ChunkId, ContentId, FileState, FolderId, FolderRules, FolderState


@dataclass(frozen=True, slots=True)
class AddFolders:
    """Index these absolute paths (folders or single files); answered by `FoldersAdded`."""

    paths: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class RemoveFolder:
    """Take a folder out of search at once; its data is erased after a while; answered by `Done`."""

    folder: FolderId


@dataclass(frozen=True, slots=True)
class RestoreFolder:
    """Undo `RemoveFolder`; answered by `Done`."""

    folder: FolderId


@dataclass(frozen=True, slots=True)
class PauseIndexing:
    """Stop work on one folder, or on all with None; answered by `Done`."""

    folder: FolderId | None


@dataclass(frozen=True, slots=True)
class ResumeIndexing:
    """Go on with one folder, or all with None; answered by `Done`."""

    folder: FolderId | None


@dataclass(frozen=True, slots=True)
class RescanFolder:
    """Compare a folder (all with None) with the catalog now; answered by `Done`."""

    folder: FolderId | None


@dataclass(frozen=True, slots=True)
class TryAgain:
    """Read these files (absolute paths; all that are set aside when empty) as if nothing had happened to them.

    They could not be read, or only in part; answered by `Done`.
    """

    paths: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Use these rules from now on and rescan; answered by `Done`."""

    folder: FolderId
    rules: FolderRules


@dataclass(frozen=True, slots=True)
class ListProblems:
    """Answered by `Problems`: skipped and failed files of one folder, newest first."""

    folder: FolderId
    limit: int


@dataclass(frozen=True, slots=True)
class FollowStatus:
    """Answered by a stream of `LibraryStatus`: one at once, then after each change, at most five a second."""


@dataclass(frozen=True, slots=True)
class PersonActive:
    """The person works with the computer just now: indexing takes little of it for some seconds; answered by `Done`."""


@dataclass(frozen=True, slots=True)
class KeepVectors:
    """Vectors of some sentences of a chunk, encoded on demand, as rows of the catalog; answered by `Done`."""

    chunk: ChunkId
    encoder: str
    vectors: bytes


@dataclass(frozen=True, slots=True)
class KeepCited:
    """Keep these contents (all that stored answers cite, by SHA-256) also without a file; answered by `Done`."""

    contents: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class ListContents:
    """Answered by `FolderContents`: what would be gone with this folder."""

    folder: FolderId


@dataclass(frozen=True, slots=True)
class ForgetFolder:
    """Erase a folder for good and overwrite its text wherever the library holds it; answered by `Done`.

    `also` are contents (by SHA-256) that answers cite from it: they go, too, unless a file elsewhere holds them.
    """

    folder: FolderId
    also: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class RelocateFolders:
    """The folders at and below `old` lie at and below `new` now (absolute paths); answered by `Relocated`."""

    old: bytes
    new: bytes


IndexerRequest = (
    AddFolders
    | RemoveFolder
    | RestoreFolder
    | PauseIndexing
    | ResumeIndexing
    | RescanFolder
    | TryAgain
    | ChangeRules
    | ListProblems
    | FollowStatus
    | PersonActive
    | KeepVectors
    | KeepCited
    | ListContents
    | ForgetFolder
    | RelocateFolders
)


@dataclass(frozen=True, slots=True)
class Done:
    """The request was carried out."""


@dataclass(frozen=True, slots=True)
class FoldersAdded:
    """The folders as the library knows them now; `refused` are (path, reason)."""

    folders: tuple[FolderId, ...]
    refused: tuple[tuple[bytes, str], ...]


@dataclass(frozen=True, slots=True)
class FolderContents:
    """Contents by SHA-256."""

    contents: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Relocated:
    """How many folders lie elsewhere now, how many files they have, and how many of these were proven unchanged."""

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
    set_aside: bool = False  # it is not read again until it changes, or somebody asks for it


@dataclass(frozen=True, slots=True)
class Problems:
    """Skipped and failed files, with how many there are in all."""

    problems: tuple[Problem, ...]
    total: int


class IndexingPhase(StrEnum):
    """What the indexer is doing right now."""

    IDLE = "idle"
    SCANNING = "scanning"
    READING = "reading"
    ENCODING = "encoding"
    RECOGNISING = "recognising"  # reading the text in pictures of pages
    PAUSED = "paused"


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
    set_aside: int = 0  # part of `failed`: they cost too many readers the life


@dataclass(frozen=True, slots=True)
class LibraryStatus:
    """The whole progress at one moment; `eta_seconds` is None while it cannot be told."""

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
    unread_pages: int = 0  # pictures of text that no engine has looked at; without an `engine` none will
    engine: str = ""
    missing: bool = False  # the library itself is not there; the folders are those that were known before


IndexerReply = Done | FoldersAdded | FolderContents | Relocated | Problems | LibraryStatus
