"""How clients and the indexer find and understand each other: the address file and the two wires."""

from dataclasses import dataclass

from desktop_rag.index.messages import (
    AddFolders,
    ChangeRules,
    Done,
    FoldersAdded,
    FollowStatus,
    KeepVectors,
    LibraryStatus,
    ListProblems,
    PauseIndexing,
    Problems,
    RemoveFolder,
    RescanFolder,
    RestoreFolder,
    ResumeIndexing,
)
from desktop_rag.processes.wire import Wire

REQUESTS = Wire(
    AddFolders,
    RemoveFolder,
    RestoreFolder,
    PauseIndexing,
    ResumeIndexing,
    RescanFolder,
    ChangeRules,
    ListProblems,
    FollowStatus,
    KeepVectors,
)
REPLIES = Wire(Done, FoldersAdded, Problems, LibraryStatus)


@dataclass(frozen=True, slots=True)
class Address:
    """Where an indexer listens (as bytes of the file system), and the secret that opens it; lies in a 0600 file."""

    address: bytes
    secret: str
    pid: int
