"""Forgets a folder everywhere: its text in the index, its bookmarks, and on request its quotes in answers."""

from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from desktop_rag.agent.conversations.bookmarks import BookmarkStore
from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.erasing import Forgotten
from desktop_rag.index.indexer_api import FolderStatus
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.stop import Stop


@dataclass(frozen=True, slots=True)
class ForgetPreview:
    """What forgetting a folder would erase: documents of no other folder, turns that quote it, and bookmarks."""

    documents: int
    turns: int
    bookmarks: int = 0


def preview_forget(
    client: LibraryClient, store: ConversationStore | None, folder: FolderStatus, stop: Stop
) -> ForgetPreview:
    """Count what forgetting `folder` would erase."""
    forgotten = _forgotten(client, folder, stop)
    with _bookmarks(client) as bookmarks:
        marked = bookmarks.count_from(forgotten) if bookmarks else 0
    return ForgetPreview(len(forgotten.contents), store.turns_from(forgotten) if store else 0, marked)


def forget(
    client: LibraryClient,
    store: ConversationStore | None,
    folder: FolderStatus,
    stop: Stop,
    *,
    quotes: bool,
    erase_work: Callable[[Library, Forgotten], None],
) -> int:
    """Erase `folder` with its bookmarks, and its `quotes` in answers if asked; return the number of changed turns.

    `erase_work` erases it from tables and reports.

    The indexer then overwrites the erased data, while `LibraryStatus.forgetting` is true.
    """
    forgotten = _forgotten(client, folder, stop)
    cited = store.cited_from(forgotten) if store else ()
    with _bookmarks(client) as bookmarks:
        if bookmarks is not None:
            bookmarks.erase_from(forgotten)
    erase_work(client.library, forgotten)
    # The quotes first: if interrupted, the index can still tell which quotes belong to the folder.
    turns = store.erase_from(forgotten) if store and quotes else 0
    client.forget(folder.folder, cited, stop)
    return turns


@contextmanager
def _bookmarks(client: LibraryClient) -> Generator[BookmarkStore | None]:
    """Open the bookmarks if there are any; others may have them open too."""
    path = client.library.bookmarks
    if not path.exists():
        yield None
        return
    with closing(BookmarkStore(path)) as store:
        yield store


def _forgotten(client: LibraryClient, folder: FolderStatus, stop: Stop) -> Forgotten:
    contents = client.contents(folder.folder, stop)
    return Forgotten(folder.path, frozenset(sha256.hex() for sha256 in contents))
