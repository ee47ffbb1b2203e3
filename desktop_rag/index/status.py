"""The progress of a library at one moment: counts from the catalog, activity from the pipeline."""

import threading
import time
from collections import deque
from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from desktop_rag.index.catalog_reader import CatalogReader, absolute
from desktop_rag.index.messages import FolderStatus, LibraryStatus, Phase, Problem, Problems
from desktop_rag.index.records import ContentId, FileState, FolderId
from desktop_rag.stop import Stop

SHORTEST_INTERVAL = 0.2
RATE_WINDOW = 10.0


@dataclass(frozen=True, slots=True)
class Activity:
    """What the pipeline is doing right now."""

    phase: Phase = Phase.IDLE
    current_file: bytes = b""
    scanning: frozenset[FolderId] = frozenset()
    notes: tuple[tuple[FolderId, str], ...] = ()
    trouble: str = ""


class Rate:
    """Units a second over the last seconds of work."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, int]] = deque()

    def add(self, units: int) -> None:
        """Note that `units` were done just now."""
        self._marks.append((time.monotonic(), units))

    def per_second(self) -> float:
        """Return the rate; 0 when nothing was done lately."""
        now = time.monotonic()
        while self._marks and now - self._marks[0][0] > RATE_WINDOW:
            self._marks.popleft()
        if not self._marks:
            return 0.0
        return sum(units for _, units in self._marks) / max(0.5, now - self._marks[0][0])


class StatusBoard:
    """Where the pipeline writes its activity and followers read the whole status, from any thread."""

    def __init__(self) -> None:
        self._activity = Activity(Phase.SCANNING)  # until the first rest nothing is known to be complete
        self._awaited: frozenset[FolderId] = frozenset()
        self._changed = threading.Condition()
        self._version = 0
        self.files = Rate()
        self.sentences = Rate()

    @property
    def activity(self) -> Activity:
        """Return what the pipeline is doing now."""
        with self._changed:
            return self._activity

    @activity.setter
    def activity(self, activity: Activity) -> None:
        """Say what the pipeline is doing now and wake the followers."""
        with self._changed:
            if activity != self._activity:
                self._activity = activity
                self._wake()

    def await_scan(self, folder: FolderId) -> None:
        """Say that a folder is going to be looked at: its counts are not the last word."""
        with self._changed:
            self._awaited |= {folder}
            self._wake()

    def scans_begun(self, folders: Iterable[FolderId]) -> None:
        """Say that the awaited look at these folders is under way, or over."""
        with self._changed:
            self._awaited -= frozenset(folders)
            self._wake()

    def touch(self) -> None:
        """Wake the followers: the catalog has changed."""
        with self._changed:
            self._wake()

    def _wake(self) -> None:
        self._version += 1
        self._changed.notify_all()

    def follow(self, catalog: Path, stop: Stop) -> Generator[LibraryStatus]:
        """Yield the status at once and after each change, at most five times a second."""
        reader = CatalogReader.open(catalog)
        try:
            while not stop.is_set():
                with self._changed:
                    version, activity = self._version, self._activity
                    activity = replace(activity, scanning=activity.scanning | self._awaited)
                began = time.monotonic()
                yield status(reader, activity, self.files.per_second(), self.sentences.per_second())
                cost = time.monotonic() - began
                stop.wait(max(SHORTEST_INTERVAL, 5 * cost))
                self._wait_beyond(version, stop)
        finally:
            reader.close()

    def _wait_beyond(self, version: int, stop: Stop) -> None:
        with stop.interrupting(self.touch), self._changed:
            # A working pipeline changes rates and files without a word: look again every second.
            idle = self._activity.phase in (Phase.IDLE, Phase.PAUSED)
            self._changed.wait_for(lambda: self._version != version or stop.is_set(), timeout=None if idle else 1.0)


class _Counts(NamedTuple):
    folder: int
    found: int
    searchable: int
    ready: int
    skipped: int
    failed: int


def status(
    catalog: CatalogReader, activity: Activity, files_per_second: float, sentences_per_second: float
) -> LibraryStatus:
    """Return the whole progress: one pass over the files, one over the chunks."""
    counts = {
        row.folder: row
        for row in catalog.database.rows(
            _Counts,
            "SELECT folder, count(*), count(CASE WHEN content.state IN ('searchable', 'ready') THEN 1 END), "
            "count(CASE WHEN content.state = 'ready' THEN 1 END), "
            "count(CASE WHEN pending = 0 AND content IS NULL AND outcome = 'skipped' THEN 1 END), "
            "count(CASE WHEN pending = 0 AND content IS NULL AND outcome = 'failed' THEN 1 END) "
            "FROM file LEFT JOIN content ON content.id = file.content GROUP BY folder",
        )
    }
    notes = dict(activity.notes)
    folders = []
    for folder in catalog.folders():
        count = counts.get(folder.id, _Counts(folder.id, 0, 0, 0, 0, 0))
        folders.append(
            FolderStatus(
                folder.id,
                folder.path,
                folder.is_file,
                folder.state,
                folder.rules,
                *count[1:],
                scanning=folder.id in activity.scanning,
                note=notes.get(folder.id, ""),
            )
        )
    ready, total = catalog.sentence_counts()
    waiting = sum(f.found - f.searchable - f.skipped - f.failed for f in folders)
    return LibraryStatus(
        tuple(folders),
        activity.phase,
        activity.current_file,
        files_per_second,
        sentences_per_second,
        ready,
        total,
        eta(activity.phase, waiting, files_per_second, total - ready, sentences_per_second),
        activity.trouble,
    )


def eta(phase: Phase, files: int, files_per_second: float, sentences: int, sentences_per_second: float) -> float | None:
    """Return the seconds until everything is ready, or None while it cannot be told."""
    if phase in (Phase.IDLE, Phase.PAUSED, Phase.SCANNING):
        return None
    if files and not files_per_second:
        return None
    if sentences and not sentences_per_second:
        return None
    reading = files / files_per_second if files else 0.0
    return reading + (sentences / sentences_per_second if sentences else 0.0)


class _ProblemRow(NamedTuple):
    root: bytes
    path: bytes
    outcome: FileState
    reason: str


def problems(catalog: CatalogReader, folder: FolderId, limit: int) -> Problems:
    """Return files of a folder that are not searchable or only in part, failed ones first."""
    total = catalog.database.number(
        "SELECT count(*) FROM file WHERE folder = ? AND pending = 0 AND content IS NULL", (folder,)
    )
    rows = catalog.database.rows(
        _ProblemRow,
        "SELECT folder.path, file.path, outcome, reason FROM file JOIN folder ON folder.id = file.folder "
        "WHERE folder = ? AND pending = 0 AND content IS NULL ORDER BY outcome, file.id DESC LIMIT ?",
        (folder, limit),
    )
    partial = catalog.database.rows(
        tuple[bytes, bytes, int, str],
        "SELECT folder.path, file.path, content.id, content.partial FROM file JOIN folder ON folder.id = file.folder "
        "JOIN content ON content.id = file.content WHERE folder = ? AND content.partial != '' LIMIT ?",
        (folder, limit),
    )
    found = [Problem(absolute(r.root, r.path), r.outcome, r.reason, None) for r in rows]
    found += [
        Problem(absolute(root, path), FileState.SEARCHABLE, reason, ContentId(content))
        for root, path, content, reason in partial
    ]
    return Problems(tuple(found[:limit]), total + len(partial))
