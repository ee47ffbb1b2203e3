"""What a window shows of a team's library: its searcher notes it in the library's folder, the window only reads it."""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.index.indexer_api import FolderStatus, IndexingPhase, LibraryStatus
from desktop_rag.index.library import Library
from desktop_rag.index.records import FolderId, FolderRules, FolderState
from desktop_rag.paths import private_opener

NOT_ADDED = (
    "The documents of a team library are on its server, which reads them. Add folders to a library on this computer."
)
ON_SERVER = "on the team's server"
# Environment variables with the secret of team libraries, where there is no keychain.
TEAM_PASSWORD, TEAM_TOKEN = "DESKTOP_RAG_TEAM_PASSWORD", "DESKTOP_RAG_TEAM_TOKEN"
STORE_SECRET = "DESKTOP_RAG_STORE_SECRET"
NO_KEYCHAIN = (
    "This computer offers no keychain, so the password of a team library cannot be kept for its searches. "
    "Install one, such as GNOME Keyring or KWallet, or start the program with the password in "
    "DESKTOP_RAG_TEAM_PASSWORD."
)


@dataclass(frozen=True, slots=True)
class TeamStatus:
    """The address of a team library, how many files it has, and what is wrong with it now, if anything."""

    place: str
    files: int
    trouble: str = ""


def note_team_status(library: Library, status: TeamStatus) -> None:
    """Write the status for the windows of this user; a disk that is full is no reason to stop searching."""
    scratch = library.team_status.with_name(library.team_status.name + f".{os.getpid()}-0.new")
    with suppress(OSError):
        with open(scratch, "wb", opener=private_opener) as file:
            file.write(msgspec.json.encode(status))
        scratch.replace(library.team_status)


def note_trouble(library: Library, sentences: Iterable[str]) -> None:
    """Note what is wrong with the library now, if it has changed."""
    known, trouble = noted_team_status(library), " ".join(sentences)
    if known.trouble != trouble:
        note_team_status(library, replace(known, trouble=trouble))


def noted_team_status(library: Library) -> TeamStatus:
    """Return the status that was noted last."""
    try:
        return decode_json(library.team_status.read_bytes(), TeamStatus)
    except (OSError, msgspec.DecodeError):
        return TeamStatus("", 0)


def team_library_status(library: Library) -> LibraryStatus:
    """Return the noted status as that of a library with one folder: the server."""
    known = noted_team_status(library)
    row = FolderStatus(
        folder=FolderId(0),
        path=os.fsencode(known.place),
        is_file=False,
        state=FolderState.ACTIVE,
        rules=FolderRules(),
        found=known.files,
        searchable=known.files,
        ready=known.files,
        skipped=0,
        failed=0,
        scanning=False,
        note=ON_SERVER,
    )
    return LibraryStatus((row,) if known.place else (), IndexingPhase.IDLE, trouble=known.trouble, not_added=NOT_ADDED)
