"""Forgets a folder in the whole library: its text in the index and, if the person wants, its quotes in answers."""

from dataclasses import dataclass

from desktop_rag.agent.erasing import Forgotten
from desktop_rag.agent.store import ConversationStore
from desktop_rag.index.client import LibraryClient
from desktop_rag.index.messages import FolderStatus
from desktop_rag.stop import Stop


@dataclass(frozen=True, slots=True)
class Prospect:
    """What would go with a folder: documents that lie nowhere else, and turns of conversations that hold its words."""

    documents: int
    turns: int


def prospect(client: LibraryClient, store: ConversationStore | None, folder: FolderStatus, stop: Stop) -> Prospect:
    """Return what forgetting `folder` would erase."""
    forgotten = _forgotten(client, folder, stop)
    return Prospect(len(forgotten.contents), store.turns_from(forgotten) if store else 0)


def forget(
    client: LibraryClient, store: ConversationStore | None, folder: FolderStatus, stop: Stop, *, quotes: bool
) -> int:
    """Erase `folder` for good, with its `quotes` if asked; return how many turns lost something.

    The indexer then overwrites what was erased, while `LibraryStatus.forgetting` is true.
    """
    forgotten = _forgotten(client, folder, stop)
    cited = store.cited_from(forgotten) if store else ()
    # The quotes first: cut off between the two, nothing is lost of what tells them.
    turns = store.erase_from(forgotten) if store and quotes else 0
    client.forget(folder.folder, cited, stop)
    return turns


def _forgotten(client: LibraryClient, folder: FolderStatus, stop: Stop) -> Forgotten:
    contents = client.contents(folder.folder, stop)
    return Forgotten(folder.path, frozenset(sha256.hex() for sha256 in contents))
