"""`desktop-rag index`: add folders and show the progress until everything is ready."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.table import Column

from desktop_rag.cli.output import FOUND, INTERRUPTED, NOTHING, Output, shown_path
from desktop_rag.cli.status_command import folder_json, print_folder, problem_json, status_json
from desktop_rag.errors import LibraryError
from desktop_rag.index.indexer_api import FolderStatus, Hold, IndexingPhase, LibraryStatus, Problems
from desktop_rag.index.library import Library, require_catalog
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.records import FolderId, FolderState
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, plural, printable
from desktop_rag.text.json_types import Json

_HELD = {Hold.PAUSED: "paused", Hold.IDLE: "for an idle computer", Hold.MAINS: "for mains power"}
PATIENCE_SECONDS = 15.0  # with trouble such as a full disk, which may pass
LISTED_PROBLEMS = 10  # per folder, at the end


def index(library: Library, paths: Sequence[Path], output: Output, stop: Stop, *, background: bool) -> int:
    """Add `paths` and wait until the library is ready; return 1 if a path was refused or trouble remains.

    Somebody waits for it: an indexer that it starts has ordinary priority, except in the `background`.
    """
    started_at = time.monotonic()
    with closing(LibraryClient(library, foreground=not background)) as client:
        added, refused = _add(client, paths, output, stop)
        if refused and not added:
            return NOTHING
        with closing(client.follow(stop)) as statuses:
            last = _show_progress(statuses, output)
        shown = [folder for folder in last.folders if not added or folder.folder in added]
        problems_of = {folder.folder: client.problems(folder.folder, LISTED_PROBLEMS, stop) for folder in shown}
    if output.as_json:
        output.value(
            {
                "type": "indexed",
                **_status_with_problems(last, problems_of),
                "seconds": round(time.monotonic() - started_at, 2),
            }
        )
    else:
        _print_result(last, problems_of, output)
    if trouble := last.trouble or _vanished(shown, added) or _waiting(last, shown):
        output.error("Not everything is ready", trouble)
    return NOTHING if refused or trouble else FOUND


def _vanished(folders: Sequence[FolderStatus], added: frozenset[FolderId]) -> str:
    """Return that a folder that was to be read is not there any more."""
    gone = [folder for folder in folders if folder.state is FolderState.OFFLINE]
    paths = [shown_path(folder.path) for folder in gone if folder.folder in added or folder.unread]
    is_gone = f"{', '.join(paths)} {'is' if len(paths) == 1 else 'are'} not there any more"
    return f"{is_gone}. What was not read yet is read when it is back." if paths else ""


def _waiting(status: LibraryStatus, folders: Sequence[FolderStatus]) -> str:
    """Return that files wait though nothing holds the work: reading them was interrupted."""
    waiting = sum(folder.unread for folder in folders if folder.state is FolderState.ACTIVE)
    if status.hold is not Hold.NONE or not waiting:
        return ""
    files, are = ("1 file", "is") if waiting == 1 else (f"{waiting:,} files", "are")
    return f"{files} could not be read to the end and {are} tried again later; `desktop-rag retry` does it now."


def _add(client: LibraryClient, paths: Sequence[Path], output: Output, stop: Stop) -> tuple[frozenset[FolderId], bool]:
    """Add the paths; return the added folders and whether a path was refused."""
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
    """Return whether the indexer has nothing left to do, or is paused until a moment the user chose."""
    if status.hold is Hold.PAUSED:
        return True
    is_idle = status.phase in (IndexingPhase.IDLE, IndexingPhase.PAUSED)
    return is_idle and not any(folder.scanning for folder in status.folders)


def _show_progress(statuses: Iterator[LibraryStatus], output: Output) -> LibraryStatus:
    """Show the progress; return the settled status, or the last one if its trouble lasts too long."""
    trouble, since = "", 0.0
    console = output.progress_console
    with _Bars(console) if console else nullcontext() as bars:
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
    raise LibraryError("The indexer has stopped sending its status. Please try again.")


def _status_with_problems(status: LibraryStatus, problems_of: dict[FolderId, Problems]) -> dict[str, Json]:
    listed = [problem_json(problem) for some in problems_of.values() for problem in some.problems]
    return {**status_json(status), "problems": listed}


def _print_result(status: LibraryStatus, problems_of: dict[FolderId, Problems], output: Output) -> None:
    if status.hold is not Hold.NONE:
        output.note(f"Waiting ({_HELD[status.hold]}): {status.waiting_files:,} files are not read yet.", "yellow")
    if not status.folders:
        output.note("The library is empty. Add a folder: desktop-rag index FOLDER", "")
    for folder in status.folders:
        if folder.folder in problems_of:
            found = problems_of[folder.folder]
            print_folder(folder, found.problems, output)
            if found.total > len(found.problems):
                output.note(f"  … and {found.total - len(found.problems):,} more: desktop-rag status --problems")


class _Bars:
    """Two progress bars on standard error while the block runs."""

    def __init__(self, console: Console) -> None:
        columns = (
            TextColumn("{task.description}", table_column=Column(no_wrap=True)),
            BarColumn(bar_width=None, table_column=Column(max_width=40)),
            TextColumn("{task.fields[counts]}", table_column=Column(no_wrap=True)),
        )
        self._progress = Progress(*columns, console=console, transient=True, expand=True)
        self._files = self._progress.add_task("searchable", total=None, counts="")
        self._sentences = self._progress.add_task("ready", total=None, counts="")

    def __enter__(self) -> "_Bars":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, status: LibraryStatus) -> None:
        """Draw the progress."""
        files = sum(f.found - f.left_out for f in status.folders)
        self._draw(self._files, sum(f.searchable for f in status.folders), files, "files")
        self._draw(self._sentences, status.sentences_ready, status.sentences_total, "sentences")
        if status.eta_seconds:
            self._progress.update(self._sentences, description=f"ready in {duration(status.eta_seconds)}")
        else:
            self._progress.update(self._sentences, description="ready")

    def _draw(self, task: TaskID, done: int, total: int, unit: str) -> None:
        # Without a total the bar is indeterminate.
        self._progress.update(task, total=total or None, completed=done, counts=f"{done:,} of {total:,} {unit}")


def duration(seconds: float) -> str:
    """Return a rounded duration: 40 s, 12 min, 3 h."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{round(seconds / 3600)} h"


# `desktop-rag events`: what the indexer does, one line per change, for scripts.


def events(library: Library, output: Output, stop: Stop, *, once: bool) -> int:
    """Print what changes until Ctrl+C, or with `once` until the work is done; return 1 if it then has trouble."""
    before: LibraryStatus | None = None
    require_catalog(library)
    with closing(LibraryClient(library, must_exist=True)) as client, closing(client.follow(stop)) as statuses:
        for status in statuses:
            for event in _changes(before, status):
                _print(event, output)
            before = status
            if once and (status.trouble or is_settled(status)):
                return NOTHING if status.trouble else FOUND
    return INTERRUPTED


def _changes(before: LibraryStatus | None, status: LibraryStatus) -> Iterator[dict[str, Json]]:
    """Yield the events that lead from one status to the next; all that is true at first."""
    known = {folder.folder: folder for folder in before.folders} if before else {}
    for folder in status.folders:
        if known.pop(folder.folder, None) != folder:
            yield {"type": "folder", **folder_json(folder)}
    for gone in known.values():
        yield {"type": "removed", "id": gone.folder, "path": printable(gone.path)}
    if before is None or before.phase is not status.phase:
        yield {"type": "phase", "phase": status.phase.value}
    if status.current_file and (before is None or before.current_file != status.current_file):
        yield {"type": "reading", "path": printable(status.current_file)}
    if status.trouble != (before.trouble if before else ""):
        yield {"type": "trouble", "message": status.trouble}
    if _is_done(status) and not (before and _is_done(before)):
        yield {"type": "settled", "sentences": status.sentences_ready, "waiting_files": status.waiting_files}


def _is_done(status: LibraryStatus) -> bool:
    return is_settled(status) and not status.trouble  # which may be that the library cannot be opened


def _print(event: dict[str, Json], output: Output) -> None:
    if output.as_json:
        output.value(event)
        return
    kind, *values = event.values()
    match event:
        case {"type": "folder", "path": path, "found": int(found), "searchable": searchable, "ready": ready}:
            said = f"{path}  {plural(found, 'file')}, {searchable:,} searchable, {ready:,} ready"
        case {"type": "settled", "sentences": int(count)}:
            said = f"{plural(count, 'sentence')} searchable by meaning"
        case _:
            said = str(values[-1])
    output.text((f"{kind} ", "bold"), (one_line(said), ""))
