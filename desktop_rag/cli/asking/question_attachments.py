"""Files that are searched for some questions only: `desktop-rag ask --attach`."""

import os
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.cli.output import Output, shown_path
from desktop_rag.errors import LibraryRefused
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId
from desktop_rag.retrieval.attachment import Attachment
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop

STALLED_SECONDS = 60.0  # without a file that was read: reading is paused, or held until the computer is idle
POLL_SECONDS = 0.1


@contextmanager
def attached(
    library: Library, engine: SearchEngine, files: Sequence[Path], output: Output, stop: Stop
) -> Generator[tuple[FolderId, ...]]:
    """Yield `files` as searchable attachments while the block runs, beside those of the conversations."""
    paths = tuple(os.fsencode(os.path.realpath(file)) for file in files)
    if not paths:
        yield ()
        return
    kept = _kept(library)
    with closing(LibraryClient(library, must_exist=True, foreground=True)) as client:
        refused = client.keep_attached((*kept, *paths), stop).refused
        try:
            for path, reason in refused:
                raise LibraryRefused(f"{shown_path(path)} cannot be attached. {reason}")
            yield tuple(each.folder for each in _read(engine, paths, output, stop) if each.folder is not None)
        finally:
            client.keep_attached(kept, Stop())  # even after Ctrl+C


def _kept(library: Library) -> tuple[bytes, ...]:
    """Return what the conversations have attached."""
    if not library.conversations.exists():
        return ()
    with closing(ConversationStore(library.conversations)) as store:
        return store.attached()


def _read(engine: SearchEngine, paths: tuple[bytes, ...], output: Output, stop: Stop) -> tuple[Attachment, ...]:
    """Wait until all files have been read, and print those that have no text."""
    left, stalled = -1, 0.0
    while True:
        states = engine.attachments(paths, stop)
        waiting = sum(state.waiting for state in states)
        stalled = stalled + POLL_SECONDS if waiting == left else 0.0
        left = waiting
        if not waiting or stalled > STALLED_SECONDS:
            break
        stop.wait(POLL_SECONDS)
        stop.check()
    for state in states:
        if state.waiting:
            output.note(f"{shown_path(state.path)} is not read completely yet.", "yellow")
        elif state.unread or not state.searchable:
            output.note(f"{shown_path(state.path)}: {state.reason or 'It has no text.'}", "yellow")
    return states
