"""The library for asyncio: the methods of `OpenedLibrary` in threads; cancelling a task stops its request."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Self, TypeVar

from desktop_rag.agent.events import AgentEvent
from desktop_rag.agent.run.cited_text import CheckedText
from desktop_rag.python_api.api_values import (
    FilledTable,
    FoundText,
    LibraryAnswer,
    LibraryDocument,
    LibraryFolder,
    LinesRead,
    PassageHits,
    SyncProgress,
)
from desktop_rag.python_api.opened_library import OpenedLibrary, Scope
from desktop_rag.stop import Stop

Returned = TypeVar("Returned")


class AsyncLibrary:
    """A library whose methods are coroutines; `sync_library` is the same library for other threads."""

    def __init__(self, sync: OpenedLibrary) -> None:
        self.sync_library = sync

    @classmethod
    async def open(cls, library: str | os.PathLike[str] | None = None) -> Self:
        """Open the default library, or the one with this name or in this folder."""
        return cls(await asyncio.to_thread(OpenedLibrary.open, library))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the library."""
        await asyncio.to_thread(self.sync_library.close)

    @property
    def path(self) -> Path:
        """The folder of the library's own files."""
        return self.sync_library.path

    async def folders(self) -> tuple[LibraryFolder, ...]:
        """Return the folders and files that were added."""
        return await asyncio.to_thread(lambda: self.sync_library.folders)

    async def add(self, *paths: str | os.PathLike[str]) -> None:
        """Add folders or files."""
        await _stoppable(lambda stop: self.sync_library.add(*paths, stop=stop))

    async def remove(self, path: str | os.PathLike[str]) -> None:
        """Remove a folder or file that was added."""
        await _stoppable(lambda stop: self.sync_library.remove(path, stop=stop))

    async def sync(self) -> SyncProgress:
        """Look for changes and wait until everything is ready."""
        return await _stoppable(lambda stop: self.sync_library.sync(stop=stop))

    async def progress(self) -> AsyncGenerator[SyncProgress]:
        """Look for changes and yield the progress until everything is ready."""
        stop = Stop()
        events = self.sync_library.progress(stop=stop)
        async for progress in _iterated(events, events.close, stop):
            yield progress

    async def search(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        limit: int = 10,
        sort: str = "relevance",
        reverse: bool = False,
        scope: Scope | None = None,
        sendable: bool = False,
    ) -> PassageHits:
        """Return the best passages; `sendable`: without the documents that the user never sends to a model."""
        search = partial(self.sync_library.search, query, mode=mode, limit=limit, sort=sort, reverse=reverse)
        return await _stoppable(lambda stop: search(scope=scope, sendable=sendable, stop=stop))

    async def documents(self, words: str = "", *, scope: Scope | None = None) -> tuple[LibraryDocument, ...]:
        """Return the documents whose names, titles, authors or folders have the words."""
        return await _stoppable(lambda stop: tuple(self.sync_library.documents(words, scope=scope, stop=stop)))

    async def document(self, document: str | os.PathLike[str]) -> LibraryDocument:
        """Return the document with this id or at this path."""
        return await _stoppable(lambda stop: self.sync_library.document(document, stop=stop))

    async def read(self, document: str | os.PathLike[str], *, lines: tuple[int, int] | None = None) -> LinesRead:
        """Return lines (first, last) of a document; by default all."""
        return await _stoppable(lambda stop: self.sync_library.read(document, lines=lines, stop=stop))

    async def find(self, document: str | os.PathLike[str], *patterns: str, limit: int = 20) -> tuple[FoundText, ...]:
        """Return where one document has these words."""
        return await _stoppable(lambda stop: self.sync_library.find(document, *patterns, limit=limit, stop=stop))

    async def ask(
        self, question: str, *, profile: str | None = None, toolkit: str | None = None, scope: Scope | None = None
    ) -> LibraryAnswer:
        """Let the agent answer, and return the answer."""
        return await _stoppable(
            lambda stop: self.sync_library.ask(
                question, profile=profile, toolkit=toolkit, scope=scope, stop=stop
            ).answer()
        )

    async def events(
        self, question: str, *, profile: str | None = None, toolkit: str | None = None, scope: Scope | None = None
    ) -> AsyncGenerator[AgentEvent]:
        """Let the agent answer, and yield the events of its run; the last one is the answer."""
        stop = Stop()
        run = self.sync_library.ask(question, profile=profile, toolkit=toolkit, scope=scope, stop=stop)
        async for event in _iterated(run, run.close, stop):
            yield event

    async def verify(self, text: str, *, look: bool = False, profile: str | None = None) -> CheckedText:
        """Compare each statement of a text with the lines that it cites; with `look`, a model compares them, too."""
        return await _stoppable(lambda stop: self.sync_library.verify(text, look=look, profile=profile, stop=stop))

    async def table(
        self,
        documents: Scope | Iterable[object] | None,
        columns: Sequence[str],
        *,
        name: str | None = None,
        profile: str | None = None,
    ) -> FilledTable:
        """Fill a table: a row for each document, a column for each question."""
        fill = partial(self.sync_library.table, documents, columns, name=name, profile=profile)
        return await _stoppable(lambda stop: fill(stop=stop))


async def _stoppable(work: Callable[[Stop], Returned], stop: Stop | None = None) -> Returned:
    """Run `work` in a thread; if the task is cancelled, stop it and wait until it has ended."""
    stop = stop or Stop()
    running = asyncio.ensure_future(asyncio.to_thread(work, stop))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.to_thread(stop.set)
        await asyncio.gather(running, return_exceptions=True)
        raise


async def _iterated(values: Iterator[Returned], close: Callable[[], None], stop: Stop) -> AsyncGenerator[Returned]:
    """Yield the values of an iterator whose every step runs in a thread."""
    try:
        while True:
            some = await _stoppable(lambda _: tuple(islice(values, 1)), stop)
            if not some:
                return
            yield some[0]
    finally:
        stop.set()
        await asyncio.to_thread(close)
