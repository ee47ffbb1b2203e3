"""`desktop-rag index`: add folders and follow the progress until everything is ready."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.table import Column

from desktop_rag.cli.output import FOUND, NOTHING, Json, Output, shown_path
from desktop_rag.cli.status_command import print_folder, problem_json, status_json
from desktop_rag.errors import LibraryError
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus, Problems
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId
from desktop_rag.stop import Stop
from desktop_rag.text.display import printable

PATIENCE_SECONDS = 15.0  # with a full disk or the like, which the indexer tries to outlast
LISTED = 10  # files that were left out, at the end


def index(library: Library, paths: Sequence[Path], output: Output, stop: Stop) -> int:
    """Add `paths` and return when the library is ready; 1 when one of them was refused."""
    began = time.monotonic()
    with closing(LibraryClient(library)) as client:
        added, refused = _add(client, paths, output, stop)
        if refused and not added:
            return NOTHING
        with closing(client.follow(stop)) as statuses:
            last = _followed(statuses, output)
        shown = [folder for folder in last.folders if not added or folder.folder in added]
        left_out = {folder.folder: client.problems(folder.folder, LISTED, stop) for folder in shown}
    if output.as_json:
        output.value({"type": "indexed", **_object(last, left_out), "seconds": round(time.monotonic() - began, 2)})
    else:
        _print_end(last, left_out, output)
    if last.trouble:
        output.error("Not everything is ready", last.trouble)
    return NOTHING if refused or last.trouble else FOUND


def _add(client: LibraryClient, paths: Sequence[Path], output: Output, stop: Stop) -> tuple[frozenset[FolderId], bool]:
    """Tell the indexer; return the folders that were added and whether one was refused."""
    if not paths:
        client.rescan(None, stop)
        return frozenset(), False
    answer = client.add(paths, stop)
    for path, reason in answer.refused:
        if output.as_json:
            output.value({"type": "refused", "path": printable(path), "reason": reason})
        else:
            output.error(f"{shown_path(path)} was not added", reason)
    return frozenset(answer.folders), bool(answer.refused)


def is_settled(status: LibraryStatus) -> bool:
    """Return whether nothing is left to do: the progress may end here."""
    resting = status.phase in (IndexingPhase.IDLE, IndexingPhase.PAUSED)
    return resting and not any(folder.scanning for folder in status.folders)


def _followed(statuses: Iterator[LibraryStatus], output: Output) -> LibraryStatus:
    """Show the progress; return the last status, the settled one or the one whose trouble does not end."""
    trouble, since = "", 0.0
    with _Bars(output) if output.is_watched else nullcontext() as bars:
        for status in statuses:
            if output.as_json:
                output.value({"type": "progress", **status_json(status)})
            if bars is not None:
                bars.show(status)
            if status.trouble != trouble:
                trouble, since = status.trouble, time.monotonic()
                if trouble:
                    output.note(trouble, "yellow")
            if is_settled(status) or (trouble and time.monotonic() - since > PATIENCE_SECONDS):
                return status
    raise LibraryError("The indexer said nothing more. Please try again.")


def _object(status: LibraryStatus, left_out: dict[FolderId, Problems]) -> dict[str, Json]:
    listed = [problem_json(problem) for some in left_out.values() for problem in some.problems]
    return {**status_json(status), "problems": listed}


def _print_end(status: LibraryStatus, left_out: dict[FolderId, Problems], output: Output) -> None:
    if not status.folders:
        output.note("The library is empty. Add a folder: desktop-rag index FOLDER", "")
    for folder in status.folders:
        if folder.folder in left_out:
            found = left_out[folder.folder]
            print_folder(folder, found.problems, output)
            if found.total > len(found.problems):
                output.note(f"  … and {found.total - len(found.problems):,} more: desktop-rag status --problems")


class _Bars:
    """Two bars on standard error, and below them the file at hand, while the block runs."""

    def __init__(self, output: Output) -> None:
        columns = (
            TextColumn("{task.description}", table_column=Column(no_wrap=True)),
            BarColumn(bar_width=None, table_column=Column(max_width=40)),
            TextColumn("{task.fields[counts]}", table_column=Column(no_wrap=True)),
        )
        self._progress = Progress(*columns, console=output.errors, transient=True, expand=True)
        self._files = self._progress.add_task("searchable", total=None, counts="")
        self._sentences = self._progress.add_task("ready", total=None, counts="")

    def __enter__(self) -> "_Bars":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, status: LibraryStatus) -> None:
        """Draw where things stand."""
        files = sum(f.found - f.skipped - f.failed for f in status.folders)
        self._draw(self._files, sum(f.searchable for f in status.folders), files, "files")
        self._draw(self._sentences, status.sentences_ready, status.sentences_total, "sentences")
        if status.eta_seconds:
            self._progress.update(self._sentences, description=f"ready in {duration(status.eta_seconds)}")
        else:
            self._progress.update(self._sentences, description="ready")

    def _draw(self, task: TaskID, done: int, total: int, unit: str) -> None:
        # Without a total the bar only moves: nothing is known yet.
        self._progress.update(task, total=total or None, completed=done, counts=f"{done:,} of {total:,} {unit}")


def duration(seconds: float) -> str:
    """Return a duration as people say it: 40 s, 12 min, 3 h."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{round(seconds / 3600)} h"
