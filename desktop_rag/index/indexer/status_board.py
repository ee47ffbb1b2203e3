"""The status of a library: counts from the catalog, and the activity the pipeline reports."""

import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from desktop_rag.documents.ocr.ocr_engine import installed_engine, with_remedy
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.library_statistics import (
    FolderCounts,
    folder_counts,
    partial_files,
    sentence_counts,
    unread_file_count,
    unread_files,
)
from desktop_rag.index.catalog.ocr_results import unread_pages
from desktop_rag.index.catalog.quarantine import is_forgetting
from desktop_rag.index.folders.relocation import absence_note
from desktop_rag.index.indexer_api import FolderStatus, Hold, IndexingPhase, LibraryStatus, Problem, Problems
from desktop_rag.index.records import FileState, FolderId, FolderState
from desktop_rag.stop import Stop

MIN_INTERVAL_SECONDS = 0.2
_KNOWN_SECONDS = 2.0  # before a rate of fewer is told: it would change at once
_REST = 20  # seconds between two statuses for each second of processor time that one takes
RATE_WINDOW_SECONDS = 60.0  # long enough that one large file does not turn the estimate over


@dataclass(frozen=True, slots=True)
class IndexingActivity:
    """What the indexer is doing now; until it is first idle, nothing is known to be complete."""

    phase: IndexingPhase = IndexingPhase.SCANNING
    current_file: bytes = b""
    scanning: frozenset[FolderId] = frozenset()
    notes: tuple[tuple[FolderId, str], ...] = ()
    trouble: str = ""
    hold: Hold = Hold.NONE
    links_left: int = 0
    links_per_second: float = 0.0


class Rate:
    """Units per second over about the last `RATE_WINDOW_SECONDS` seconds; counted and asked by several threads.

    The units of the first mark do not count: how long they took is unknown.
    """

    def __init__(self) -> None:
        self._marks: deque[tuple[float, int]] = deque()
        self._lock = threading.Lock()

    def add(self, units: int) -> None:
        """Count `units` done now."""
        with self._lock:
            self._marks.append((time.monotonic(), units))

    def reset(self) -> None:
        """Forget what was counted: the work has stopped, and its pause is no part of the rate."""
        with self._lock:
            self._marks.clear()

    def per_second(self) -> float:
        """Return the rate; 0 while unknown, and if nothing was counted lately."""
        now = time.monotonic()
        with self._lock:
            while len(self._marks) > 1 and now - self._marks[1][0] > RATE_WINDOW_SECONDS:
                self._marks.popleft()
            if len(self._marks) < 2:
                return 0.0
            (began, before), ended = self._marks[0], self._marks[-1][0]
            gap = (ended - began) / (len(self._marks) - 1)  # between two marks: the next one is not late before
            seconds = max(ended, now - gap) - began
            return (sum(units for _, units in self._marks) - before) / seconds if seconds >= _KNOWN_SECONDS else 0.0


class StatusBoard:
    """The activity of the indexer's loop, and the stream of statuses for followers on any thread."""

    def __init__(self) -> None:
        self._activity = IndexingActivity()
        self._scan_requests: dict[FolderId, int] = {}
        self._changed = threading.Condition()
        self._version = 0
        self._commits = 0  # of the keyword index
        self.files = Rate()
        self.sentences = Rate()
        self.links = Rate()

    def update(
        self,
        *,
        phase: IndexingPhase | None = None,
        current_file: bytes | None = None,
        scanning: frozenset[FolderId] | None = None,
        notes: tuple[tuple[FolderId, str], ...] | None = None,
        trouble: str | None = None,
        hold: Hold | None = None,
        links_left: int | None = None,
    ) -> None:
        """Change the given parts of the activity and notify the followers."""
        with self._changed:
            now = self._activity
            activity = IndexingActivity(
                now.phase if phase is None else phase,
                now.current_file if current_file is None else current_file,
                now.scanning if scanning is None else scanning,
                now.notes if notes is None else notes,
                now.trouble if trouble is None else trouble,
                now.hold if hold is None else hold,
                now.links_left if links_left is None else links_left,
            )
            if activity != now:
                self._activity = activity
                if activity.phase in (IndexingPhase.IDLE, IndexingPhase.PAUSED):
                    self.files.reset()
                    self.sentences.reset()
                    self.links.reset()
                self._notify()

    @property
    def activity(self) -> IndexingActivity:
        """Return the current activity."""
        return self._current()[1]

    def report_progress(self) -> None:
        """Report that the catalog or an index was written: clears the trouble, and the counts have changed."""
        self.update(trouble="")
        self.notify()

    def report_searchable(self) -> None:
        """Report that the words of files became searchable, which followers are told as soon as they may be."""
        with self._changed:
            self._commits += 1
        self.report_progress()

    def notify(self) -> None:
        """Notify the followers that the catalog has changed."""
        with self._changed:
            self._notify()

    def request_scan(self, folder: FolderId) -> None:
        """Note that a folder is to be scanned: its counts are not final."""
        with self._changed:
            self._scan_requests[folder] = self._scan_requests.get(folder, 0) + 1
            self._notify()

    def scan_requests(self) -> dict[FolderId, int]:
        """Return the folders to scan, each with the number of its requests."""
        with self._changed:
            return dict(self._scan_requests)

    def scans_started(self, scan_requests: dict[FolderId, int]) -> None:
        """Remove these requests, whose scans have started; a folder requested since then stays."""
        with self._changed:
            for folder, count in scan_requests.items():
                if self._scan_requests.get(folder) == count:
                    del self._scan_requests[folder]
            if scan_requests:  # asked every few seconds, and a status counts all files
                self._notify()

    def is_idle(self) -> bool:
        """Return whether nothing is running and nothing requested."""
        with self._changed:
            return self._is_idle()

    def _is_idle(self) -> bool:
        return self._activity.phase in (IndexingPhase.IDLE, IndexingPhase.PAUSED) and not self._scan_requests

    def _notify(self) -> None:
        self._version += 1
        self._changed.notify_all()

    def _current(self) -> tuple[int, IndexingActivity]:
        with self._changed:
            activity = replace(
                self._activity,
                scanning=self._activity.scanning | frozenset(self._scan_requests),
                links_per_second=self.links.per_second(),
            )
            if activity.scanning and self._activity.phase is IndexingPhase.IDLE:
                activity = replace(activity, phase=IndexingPhase.SCANNING)
            return self._version, activity

    def follow(self, catalog: Path, stop: Stop) -> Generator[LibraryStatus]:
        """Yield the status at once and after each change, at most five times a second but for searchable files."""
        with closing(CatalogReader.open(catalog)) as reader:
            while not stop.is_set():
                version, activity = self._current()
                commits = self._commits
                began = time.thread_time()
                now = status(reader, activity, self.files.per_second(), self.sentences.per_second())
                rest = _REST * (time.thread_time() - began)
                yield now
                stop.wait(rest)
                left = max(0.0, MIN_INTERVAL_SECONDS - rest)
                self._wait_for_change(lambda: self._commits, commits, left, stop)
                # While busy, rates change without a notification: report every second.
                longest = None if self.is_idle() else 1.0
                self._wait_for_change(lambda: self._version, version, longest, stop)

    def _wait_for_change(self, count: Callable[[], int], seen: int, seconds: float | None, stop: Stop) -> None:
        with stop.interrupting(self.notify), self._changed:
            self._changed.wait_for(lambda: count() != seen or stop.is_set(), seconds)


def status(
    catalog: CatalogReader, activity: IndexingActivity, files_per_second: float, sentences_per_second: float
) -> LibraryStatus:
    """Return the whole status, from one pass over the files and one over the chunks."""
    unread = unread_pages(catalog)
    engine = installed_engine() if unread else None
    folders = _folders(catalog, activity)
    sentences = sentence_counts(catalog)
    waiting = sum(f.unread for f in folders if f.state is FolderState.ACTIVE)
    is_work_left = waiting or sentences.waiting or (unread and engine is not None)
    hold = activity.hold if is_work_left or activity.hold is Hold.PAUSED else Hold.NONE
    if hold is Hold.PAUSED or (hold is not Hold.NONE and activity.phase is not IndexingPhase.SCANNING):
        activity = replace(activity, phase=IndexingPhase.PAUSED, current_file=b"")
    working = activity.phase not in (IndexingPhase.IDLE, IndexingPhase.PAUSED)
    files_per_second = files_per_second if working else 0.0
    sentences_per_second = sentences_per_second if working else 0.0
    known = sum(f.searchable for f in folders)
    to_come = sentences.total * waiting // known if known else 0  # unread files have as many as the read ones
    return LibraryStatus(
        folders,
        activity.phase,
        activity.current_file,
        files_per_second,
        sentences_per_second,
        sentences.ready,
        sentences.total,
        _eta_of_links(activity)
        if activity.phase is IndexingPhase.LINKING
        else eta(activity.phase, waiting, files_per_second, sentences.waiting + to_come, sentences_per_second),
        activity.trouble,
        forgetting=is_forgetting(catalog),
        unread_pages=unread,
        engine=engine.name if engine is not None else "",
        schedule=catalog.folders.schedule(),
        hold=hold,
        waiting_files=waiting,
        links_left=activity.links_left,
    )


def _folders(catalog: CatalogReader, activity: IndexingActivity) -> tuple[FolderStatus, ...]:
    known = folder_counts(catalog)
    notes = dict(activity.notes)
    offline, away = catalog.folders.offline_since(), catalog.folders.away()
    rows = ((folder, known.get(folder.id, FolderCounts(folder.id))) for folder in catalog.folders.all())
    return tuple(
        FolderStatus(
            folder.id,
            folder.path,
            folder.is_file,
            folder.state,
            folder.rules,
            counts.found,
            counts.searchable,
            counts.ready,
            counts.skipped,
            counts.failed,
            scanning=folder.id in activity.scanning,
            note=" ".join(filter(None, (absence_note(away.get(folder.id, ())), notes.get(folder.id, ""))))
            if folder.state is not FolderState.OFFLINE  # the state says it
            else "",
            set_aside=counts.quarantined,
            pictures=counts.pictures,
            offline_since=offline.get(folder.id, 0.0),
        )
        for folder, counts in rows
    )


def eta(
    phase: IndexingPhase, files: int, files_per_second: float, sentences: int, sentences_per_second: float
) -> float | None:
    """Return the seconds until everything is ready, or None while unknown."""
    if phase in (IndexingPhase.IDLE, IndexingPhase.PAUSED, IndexingPhase.SCANNING):
        return None
    if files and not files_per_second:
        return None
    if sentences and not sentences_per_second:
        return None
    reading = files / files_per_second if files else 0.0
    return reading + (sentences / sentences_per_second if sentences else 0.0)


def _eta_of_links(activity: IndexingActivity) -> float | None:
    """Return the seconds until all links are extracted, or None while unknown."""
    return activity.links_left / activity.links_per_second if activity.links_per_second else None


def problems(catalog: CatalogReader, folder: FolderId, limit: int) -> Problems:
    """Return the files of a folder that are not or only partly searchable, failed ones first."""
    found = [
        Problem(file.path, file.state, file.reason, None, file.is_quarantined)
        for file in unread_files(catalog, folder, limit)
    ]
    for path, state, content, reason, unread in partial_files(catalog, folder, limit):
        shown = state if state is FileState.PICTURES else FileState.SEARCHABLE
        found.append(Problem(path, shown, with_remedy(reason) if unread else reason, content))
    return Problems(tuple(found[:limit]), unread_file_count(catalog, folder))
