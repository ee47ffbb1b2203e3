"""A library for Python programs, which import it as `desktop_rag.Library`; it works beside an open window, too."""

import os
import time
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Self

from desktop_rag.agent.run.cited_text import CheckedText, check_cited_text
from desktop_rag.agent.run.usual_run import usual_run
from desktop_rag.errors import LibraryError, LibraryRefused, QueryError
from desktop_rag.index.indexer_api import FolderStatus, Hold, IndexingPhase, LibraryStatus
from desktop_rag.index.libraries import Libraries, present
from desktop_rag.index.library import Library, require_catalog
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderState
from desktop_rag.paths import data_home, valid_text
from desktop_rag.python_api.api_values import (
    FoundText,
    LibraryDocument,
    LibraryFolder,
    LibraryRun,
    LinesRead,
    PassageHit,
    PassageHits,
    SyncProgress,
    TextlessHit,
)
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Filter, Hit, Mode, Order, SearchRequest, Sort
from desktop_rag.retrieval.api import Scope as SearchScope
from desktop_rag.retrieval.query.tree import FileField
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.settings import NOTHING_WITHHELD, privacy
from desktop_rag.stop import Stop

Scope = Mapping[str, str | Sequence[str]]  # conditions of the query language: {"folder": "contracts", "ext": ["pdf"]}
PAGE = 500  # documents that are asked for at a time
MOST_LINES = 5_000  # that are read at a time
MOST_HITS = 1_000
PATIENCE_SECONDS = 15.0  # with trouble that may pass


class OpenedLibrary:
    """A library; its methods block, and any thread may call them. A `stop` ends a call with `Stopped`.

    Searching and reading run in a process of their own; the indexer is started by the first method that needs it.
    Every method may raise `DesktopRagError`, whose message is a sentence to act on.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._searcher = SearcherClient(library.folder)
        self._indexer = LibraryClient(library)
        self._closed = False

    @classmethod
    def open(cls, library: str | os.PathLike[str] | None = None) -> Self:
        """Open the default library, or the one with this name or in this folder; `add` creates a missing one."""
        known = Libraries(data_home())
        try:
            return cls(present(known.usual() if library is None else known.find(os.fspath(library))))
        except OSError as error:
            raise LibraryError(f"The library cannot be opened: {error.strerror or error}.") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the library; its indexer ends after its last client."""
        self._closed = True
        self._searcher.close()
        self._indexer.close()

    @property
    def path(self) -> Path:
        """The folder of the library's own files."""
        return self._library.folder

    @property
    def folders(self) -> tuple[LibraryFolder, ...]:
        """The folders and files that were added."""
        with closing(self._indexer.follow(Stop())) as statuses:
            for status in statuses:
                if status.trouble and not status.folders:
                    raise LibraryError(status.trouble)
                return tuple(map(_folder, _present_folders(status)))
        raise LibraryError("The indexer does not answer. Please try again.")

    def add(self, *paths: str | os.PathLike[str], stop: Stop | None = None) -> None:
        """Add folders or files, which are read in the background; raises `LibraryRefused` with the reasons."""
        answer = self._indexer.add([Path(path) for path in paths], stop or Stop())
        if answer.refused:
            reasons = (f"{os.fsdecode(path)}: {reason}" for path, reason in answer.refused)
            raise LibraryRefused(" ".join(reasons))

    def remove(self, path: str | os.PathLike[str], *, stop: Stop | None = None) -> None:
        """Remove a folder or file that was added: it cannot be found any more, its index data is erased soon."""
        wanted = os.fsencode(Path(path).absolute())
        with closing(self._indexer.follow(stop or Stop())) as statuses:
            for status in statuses:
                for folder in _present_folders(status):
                    if folder.path == wanted:
                        self._indexer.remove(folder.folder, stop or Stop())
                        return
                break
        raise LibraryRefused(f"{path} is not a folder of the library.")

    def sync(self, *, stop: Stop | None = None) -> SyncProgress:
        """Look for changes and wait until everything is ready; return the last progress."""
        last = deque(self.progress(stop=stop), maxlen=1)
        if not last:
            raise LibraryError("The indexer does not answer. Please try again.")
        return last[0]

    def progress(self, *, stop: Stop | None = None) -> Generator[SyncProgress]:
        """Look for changes and yield the progress until everything is ready, or paused by the user.

        Raises `LibraryError` if trouble, such as a full disk, does not pass.
        """
        stop, trouble, since = stop or Stop(), "", 0.0
        self._indexer.rescan(None, stop)
        with closing(self._indexer.follow(stop)) as statuses:
            for status in statuses:
                progress = _progress(status)
                yield progress
                if progress.done:
                    return
                if status.trouble != trouble:
                    trouble, since = status.trouble, time.monotonic()
                if status.missing or (trouble and time.monotonic() - since > PATIENCE_SECONDS):
                    raise LibraryError(trouble)
        stop.check()

    def search(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        limit: int = 10,
        sort: str = "relevance",
        reverse: bool = False,
        scope: Scope | None = None,
        sendable: bool = False,
        stop: Stop | None = None,
    ) -> PassageHits:
        """Return the best passages; modes: keyword, exact, semantic, hybrid, linked, hybrid+rerank, linked+rerank.

        `sort` is relevance, date (newest first), name, size (largest first) or folder; `reverse` turns the order.
        `sendable`: without the documents that the user never sends to a model.
        """
        if mode not in tuple(Mode):
            raise QueryError(f"There is no mode “{mode}”. Choose one of: {', '.join(Mode)}.")
        if sort not in tuple(Sort):
            raise QueryError(f"There is no order “{sort}”. Choose one of: {', '.join(Sort)}.")
        if limit not in range(1, MOST_HITS + 1):
            raise QueryError(f"The limit must be from 1 to {MOST_HITS}.")
        within = SearchScope(withheld=privacy().withheld() if sendable else NOTHING_WITHHELD)
        filters = scope_filters_of(scope)
        request = SearchRequest(
            _text(query), Mode(mode), limit, within, filters=filters, sort=Sort(sort), reverse=reverse
        )
        result = self._reader.search(request, stop or Stop())
        named = tuple(TextlessHit(each.path, _date(each.dated_ns), each.size, each.reason) for each in result.named)
        return PassageHits(query, tuple(map(_hit, result.hits)), result.note, result.suggestion, named)

    def documents(
        self, words: str = "", *, scope: Scope | None = None, stop: Stop | None = None
    ) -> Iterator[LibraryDocument]:
        """Yield the documents whose names, titles, authors or folders have the words; without words all, by name."""
        reader, filters, skip, words = self._reader, scope_filters_of(scope), 0, _text(words)
        order = Order.FIT if words else Order.NAME
        while cards := reader.documents(
            DocumentQuery(words, filters=filters, order=order, skip=skip, limit=PAGE), stop or Stop()
        ).cards:
            yield from map(_document, cards)
            skip += len(cards)

    def document(self, document: str | os.PathLike[str], *, stop: Stop | None = None) -> LibraryDocument:
        """Return the document with this id or at this path."""
        return _document(self._card(document, stop or Stop()))

    def read(
        self,
        document: str | os.PathLike[str],
        *,
        lines: tuple[int, int] | None = None,
        stop: Stop | None = None,
    ) -> LinesRead:
        """Return lines (first, last) of the document with this id or at this path; by default all."""
        stop = stop or Stop()
        card = self._card(document, stop)
        first, last = lines or (1, card.lines)
        if not 1 <= first <= max(last, 1):
            raise QueryError(f"Lines {first} to {last} are no lines: give the first, from 1, and the last.")
        last, read = min(last, card.lines), list[str]()
        while len(read) < last - first + 1:
            part = self._searcher.read_lines(
                card.content, first + len(read), min(MOST_LINES, last - first + 1 - len(read)), stop
            )
            if not part.lines:
                break
            read += part.lines
        return LinesRead(card.sha256, first, tuple(read), card.lines)

    def find(
        self,
        document: str | os.PathLike[str],
        *patterns: str,
        limit: int = 20,
        stop: Stop | None = None,
    ) -> tuple[FoundText, ...]:
        """Return where one document has these words, ignoring case; at most `limit` passages for each."""
        stop = stop or Stop()
        wanted = tuple(map(_text, patterns))
        if not wanted or not all(pattern.strip() for pattern in wanted):
            raise QueryError("Give the words to look for.")
        found = self._searcher.find(self._card(document, stop).content, wanted, max(1, min(limit, MOST_HITS)), stop)
        return tuple(FoundText(each.pattern, each.page, each.first, each.lines, each.marks) for each in found)

    def ask(
        self,
        question: str,
        *,
        profile: str | None = None,
        toolkit: str | None = None,
        scope: Scope | None = None,
        stop: Stop | None = None,
    ) -> LibraryRun:
        """Let the agent answer: iterate over the run's events, or call its `answer()`.

        `profile` is the name of an endpoint of the settings, or “built-in”; by default both are as in the settings.
        """
        stop = stop or Stop()
        question = _text(question)
        if not question.strip():
            raise QueryError("The question is empty.")
        events = usual_run(
            question,
            self._reader,
            stop,
            profile=profile,
            toolkit_name=toolkit,
            filters=scope_filters_of(scope),
        )
        return LibraryRun(question, events, stop)

    def verify(self, text: str, *, stop: Stop | None = None) -> CheckedText:
        """Compare each statement of a text with the lines that it cites, such as `[lease.md, lines 4–6]`."""
        try:
            return check_cited_text(_text(text), self._reader, stop or Stop())
        except ValueError as error:
            raise QueryError(str(error)) from error

    @property
    def _reader(self) -> SearcherClient:
        if self._closed:
            raise LibraryRefused("This library was closed. Open it again.")
        require_catalog(self._library)
        return self._searcher

    def _card(self, document: str | os.PathLike[str], stop: Stop) -> DocumentCard:
        name = os.fspath(document)
        is_hash = len(name) == 64 and not set(name) - set("0123456789abcdef")
        card: DocumentCard | None = None
        if is_hash:
            card = self._reader.lookup(name, None, stop)
        elif "\0" not in name and _is_name_of_file(name):
            card = self._reader.lookup("", Path(name).expanduser().absolute(), stop)
        if card is None:
            raise LibraryRefused(f"The library has no document {valid_text(name)}.")
        return card


def _is_name_of_file(name: str) -> bool:
    try:
        return bool(os.fsencode(name))
    except UnicodeEncodeError:
        return False


def scope_filters_of(scope: Scope | None) -> tuple[Filter, ...]:
    """Return conditions as filters; raises `QueryError` for an unknown field."""
    filters = list[Filter]()
    for field, values in (scope or {}).items():
        if field not in tuple(FileField):
            raise QueryError(f"There is no condition “{field}”. Choose of: {', '.join(FileField)}.")
        texts = [values] if isinstance(values, str) else values
        filters += [Filter(FileField(field), valid_text(text)) for text in texts]
    return tuple(filters)


def _present_folders(status: LibraryStatus) -> tuple[FolderStatus, ...]:
    return tuple(each for each in status.folders if each.state is not FolderState.REMOVED)


def _text(given: object) -> str:
    """Return a text, with characters that no file can have replaced."""
    if not isinstance(given, str):
        raise TypeError(f"A text is needed, not {type(given).__name__}.")
    return valid_text(given)


def _folder(status: FolderStatus) -> LibraryFolder:
    path = Path(os.fsdecode(status.path))
    return LibraryFolder(path, status.state.value, status.found, status.searchable, status.unread)


def _progress(status: LibraryStatus) -> SyncProgress:
    is_idle = status.phase in (IndexingPhase.IDLE, IndexingPhase.PAUSED)
    settled = is_idle and not status.trouble and not any(folder.scanning for folder in status.folders)
    return SyncProgress(
        status.phase.value,
        sum(folder.found - folder.left_out for folder in status.folders),
        sum(folder.searchable for folder in status.folders),
        status.sentences_total,
        status.sentences_ready,
        status.eta_seconds,
        status.trouble,
        settled or status.hold is Hold.PAUSED,
    )


def _document(card: DocumentCard) -> LibraryDocument:
    return LibraryDocument(
        *(card.sha256, card.path, card.title, card.format, card.author, card.language),
        *(card.lines, card.words, card.pages),
    )


def _hit(hit: Hit) -> PassageHit:
    span, snippet = hit.snippet.span, hit.snippet
    return PassageHit(
        *(hit.rank, hit.sha256, hit.path, hit.title, hit.page, hit.section, span.first_line, span.last_line),
        *(snippet.text, snippet.marks, hit.score, _date(hit.dated_ns), hit.size),
    )


def _date(dated_ns: int) -> datetime | None:
    try:
        return datetime.fromtimestamp(dated_ns / 1e9)
    except (OverflowError, OSError, ValueError):
        return None  # no date of a calendar
