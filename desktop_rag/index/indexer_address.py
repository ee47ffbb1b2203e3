"""How clients and the indexer find and understand each other: the address file and the two wires."""

from dataclasses import dataclass

from desktop_rag.index.indexer_messages import (
    AddFolders,
    ChangeRules,
    Done,
    FolderContents,
    FoldersAdded,
    FollowStatus,
    ForgetFolder,
    KeepCited,
    KeepVectors,
    LibraryStatus,
    ListContents,
    ListProblems,
    PauseIndexing,
    PersonActive,
    Problems,
    Relocated,
    RelocateFolders,
    RemoveFolder,
    RescanFolder,
    RestoreFolder,
    ResumeIndexing,
    TryAgain,
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
    PersonActive,
    KeepVectors,
    KeepCited,
    ListContents,
    ForgetFolder,
    RelocateFolders,
    TryAgain,
)
REPLIES = Wire(Done, FoldersAdded, Problems, LibraryStatus, FolderContents, Relocated)


@dataclass(frozen=True, slots=True)
class Address:
    """Where an indexer listens (as bytes of the file system), and the secret that opens it; lies in a 0600 file."""

    address: bytes
    secret: str
    pid: int
