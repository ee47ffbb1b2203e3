"""A library for Python programs, which import it as `desktop_rag.Library`; it works beside an open window, too."""

import os
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Self

from desktop_rag.agent.run.cited_text import CheckedText, check_cited_text
from desktop_rag.agent.run.text_judge import judge_of
from desktop_rag.agent.run.usual_run import usual_run
from desktop_rag.errors import LibraryError, LibraryRefused, QueryError, SettingsError
from desktop_rag.index.indexer_api import FolderStatus, Hold, IndexingPhase, LibraryStatus
from desktop_rag.index.libraries import Libraries, present
from desktop_rag.index.library import Library, require_catalog
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderState
from desktop_rag.paths import data_home, settings_file, valid_text
from desktop_rag.python_api import argument_checks
from desktop_rag.python_api.api_values import (
    FilledTable,
    FoundText,
    LibraryDocument,
    LibraryFolder,
    LibraryRun,
    LinesRead,
    PassageHit,
    PassageHits,
    PassagePlace,
    SyncProgress,
    TextlessHit,
    filled_table,
)
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, FurtherPlace, Hit, Mode, Order, SearchRequest, Sort
from desktop_rag.retrieval.api import Scope as SearchScope
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.settings import NOTHING_WITHHELD, load, privacy
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten
from desktop_rag.work.columns import Column, read_columns
from desktop_rag.work.filling import FillEnded, fill, usual_filler
from desktop_rag.work.row_reading import rows_of, rows_of_cards
from desktop_rag.work.table import Row
from desktop_rag.work.work_store import WorkStore

Scope = Mapping[str, str | Sequence[str]]  # conditions of the query language: {"folder": "contracts", "ext": ["pdf"]}
PAGE = 500  # documents that are asked for at a time
MOST_LINES = 5_000  # that are read at a time
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
        name = None if library is None else argument_checks.name_of_file(library, "library")
        try:
            return cls(present(known.usual() if name is None else known.find(name)))
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
        with closing(self._open_indexer.follow(Stop())) as statuses:
            for status in statuses:
                if status.trouble and not status.folders:
                    raise LibraryError(status.trouble)
                return tuple(map(_folder, _present_folders(status)))
        raise LibraryError("The indexer does not answer. Please try again.")

    def add(self, *paths: str | os.PathLike[str], stop: Stop | None = None) -> None:
        """Add folders or files, which are read in the background; raises `LibraryRefused` with the reasons."""
        wanted = [argument_checks.path(path, "paths") for path in paths]
        answer = self._open_indexer.add(wanted, argument_checks.stop_of(stop))
        if answer.refused:
            reasons = (f"{os.fsdecode(path)}: {reason}" for path, reason in answer.refused)
            raise LibraryRefused(" ".join(reasons))

    def remove(self, path: str | os.PathLike[str], *, stop: Stop | None = None) -> None:
        """Remove a folder or file that was added: it cannot be found any more, its index data is erased soon."""
        stop, written = argument_checks.stop_of(stop), os.fsencode(argument_checks.path(path, "path"))
        with closing(self._open_indexer.follow(stop)) as statuses:
            for status in statuses:
                for folder in _present_folders(status):
                    if folder.path in (written, os.path.realpath(written)):
                        self._indexer.remove(folder.folder, stop)
                        return
                break
        raise LibraryRefused(f"{os.fsdecode(written)} is not a folder of the library.")

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
        stop, trouble, since = argument_checks.stop_of(stop), "", 0.0
        self._open_indexer.rescan(None, stop)
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
        private = argument_checks.flag(sendable, "sendable")
        request = SearchRequest(
            argument_checks.text(query, "query"),
            Mode(argument_checks.choice(mode, "mode", Mode)),
            argument_checks.limit(limit),
            SearchScope(withheld=privacy().withheld() if private else NOTHING_WITHHELD),
            filters=argument_checks.filters(scope),
            sort=Sort(argument_checks.choice(sort, "order", Sort)),
            reverse=argument_checks.flag(reverse, "reverse"),
        )
        result = self._reader.search(request, argument_checks.stop_of(stop))
        named = tuple(TextlessHit(each.path, _date(each.dated_ns), each.size, each.reason) for each in result.named)
        return PassageHits(query, tuple(map(_hit, result.hits)), result.note, result.suggestion, named, result.more)

    def documents(
        self, words: str = "", *, scope: Scope | None = None, stop: Stop | None = None
    ) -> Iterator[LibraryDocument]:
        """Yield the documents whose names, titles, authors or folders have the words; without words all, by name."""
        filters, skip, words, stop = (
            argument_checks.filters(scope),
            0,
            argument_checks.text(words, "words"),
            argument_checks.stop_of(stop),
        )
        reader = self._reader
        order = Order.FIT if words else Order.NAME
        while cards := reader.documents(
            DocumentQuery(words, filters=filters, order=order, skip=skip, limit=PAGE), stop
        ).cards:
            yield from map(_document, cards)
            skip += len(cards)

    def document(self, document: str | os.PathLike[str], *, stop: Stop | None = None) -> LibraryDocument:
        """Return the document with this id or at this path."""
        return _document(self._card(document, argument_checks.stop_of(stop)))

    def read(
        self,
        document: str | os.PathLike[str],
        *,
        lines: tuple[int, int] | None = None,
        stop: Stop | None = None,
    ) -> LinesRead:
        """Return lines (first, last) of the document with this id or at this path; by default all."""
        stop, wanted = argument_checks.stop_of(stop), None if lines is None else argument_checks.lines(lines)
        card = self._card(document, stop)
        first, last = wanted or (1, card.lines)
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
        stop, most = argument_checks.stop_of(stop), argument_checks.limit(limit)
        wanted = tuple(argument_checks.text(each, "patterns") for each in patterns)
        if not wanted or not all(pattern.strip() for pattern in wanted):
            raise QueryError("Give the words to look for.")
        found = self._searcher.find(self._card(document, stop).content, wanted, most, stop)
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
        stop, question = argument_checks.stop_of(stop), argument_checks.text(question, "question")
        if not question.strip():
            raise QueryError("The question is empty.")
        events = usual_run(
            question,
            self._reader,
            stop,
            profile=argument_checks.optional_text(profile, "profile"),
            toolkit_name=argument_checks.optional_text(toolkit, "toolkit"),
            filters=argument_checks.filters(scope),
        )
        return LibraryRun(question, events, stop)

    def verify(
        self, text: str, *, look: bool = False, profile: str | None = None, stop: Stop | None = None
    ) -> CheckedText:
        """Compare each statement of a text with the lines that it cites, such as `[lease.md, lines 4–6]`.

        With `look`, the model of the endpoint called `profile`, by default that of the settings, compares them, too:
        statements and lines are sent to it. Raises `SettingsError` if there is none.
        """
        text, stop = argument_checks.text(text, "text"), argument_checks.stop_of(stop)
        profile = argument_checks.optional_text(profile, "profile")
        judge = judge_of(load(settings_file()), profile) if look else None
        if look and judge is None:
            raise SettingsError("No model is chosen, or the second look is switched off: no model can look.")
        try:
            checked = check_cited_text(text, self._reader, stop, judge=judge)
        except ValueError as error:
            raise QueryError(str(error)) from error
        return replace(checked, trouble=judge.trouble) if judge else checked

    def table(
        self,
        documents: Scope | Iterable[object] | None,
        columns: Sequence[str],
        *,
        name: str | None = None,
        profile: str | None = None,
        stop: Stop | None = None,
    ) -> FilledTable:
        """Fill a table: a row for each document, a column for each question such as “Landlord” or “Rent: amount”.

        `documents` are the conditions of a scope, ids, paths, hits or documents; None: all. A table of this name goes
        on where it was. Raises `WorkBusy` if another program fills it.
        """
        stop, asked = argument_checks.stop_of(stop), read_columns(argument_checks.texts(columns, "columns"))
        title = argument_checks.optional_text(name, "name")
        profile = argument_checks.optional_text(profile, "profile")
        rows = self._rows(documents, stop)
        from desktop_rag.agent.extractive.extractive_model import ExtractiveModel

        filler = usual_filler(self._reader, ExtractiveModel(), profile=profile)
        with closing(WorkStore(self._library)) as store:
            known = next((head.id for head in store.tables() if title and head.name == title), None)
            if known is None:
                known = store.create(title or ", ".join(column.name for column in asked[:3]), asked, rows)
            else:
                by_name = {column.name: column for column in store.load(known).columns}
                store.set_columns(known, [replace(each, id=_id_of(each, by_name)) for each in asked])
                store.add_rows(known, rows)
            ended = deque(fill(known, store, filler, stop), maxlen=1)[0]
            left, trouble = (ended.left, ended.trouble) if isinstance(ended, FillEnded) else (0, "")
            return filled_table(store.load(known), left, trouble)

    def _rows(self, documents: Scope | Iterable[object] | None, stop: Stop) -> tuple[Row, ...]:
        if documents is None or isinstance(documents, Mapping):
            return rows_of(self._reader, argument_checks.filters(documents), stop)
        return rows_of_cards(self._card(argument_checks.document_of(each), stop) for each in documents)

    @property
    def _reader(self) -> SearcherClient:
        self._check_open()
        require_catalog(self._library)
        return self._searcher

    @property
    def _open_indexer(self) -> LibraryClient:
        self._check_open()
        return self._indexer

    def _check_open(self) -> None:
        if self._closed:
            raise LibraryRefused("This library was closed. Open it again.")

    def _card(self, document: str | os.PathLike[str], stop: Stop) -> DocumentCard:
        name = argument_checks.name_of_file(document, "document")
        is_hash = len(name) == 64 and not set(name) - set("0123456789abcdef")
        path = None if is_hash else argument_checks.path(name, "document")
        card = self._reader.lookup(name if is_hash else "", path, stop)
        if card is None and path is not None:  # by a link
            card = self._reader.lookup("", Path(os.path.realpath(path)), stop)
        if card is None:
            raise LibraryRefused(f"The library has no document {shorten(valid_text(name), 200)}.")
        return card


def _id_of(column: Column, known: Mapping[str, Column]) -> int:
    return known[column.name].id if column.name in known else 0


def _present_folders(status: LibraryStatus) -> tuple[FolderStatus, ...]:
    return tuple(each for each in status.folders if each.state is not FolderState.REMOVED)


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
        *(snippet.text, snippet.marks, hit.score, _date(hit.dated_ns), hit.size, tuple(map(_place, hit.further))),
    )


def _place(place: FurtherPlace) -> PassagePlace:
    span, snippet = place.snippet.span, place.snippet
    return PassagePlace(place.page, place.section, span.first_line, span.last_line, snippet.text, snippet.marks)


def _date(dated_ns: int) -> datetime | None:
    try:
        return datetime.fromtimestamp(dated_ns / 1e9)
    except (OverflowError, OSError, ValueError):
        return None  # no date of a calendar
