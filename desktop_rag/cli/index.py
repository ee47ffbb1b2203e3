"""`desktop-rag index`: add folders and follow the progress until everything is ready."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from desktop_rag.cli.output import FOUND, NOTHING, Json, Output, printable
from desktop_rag.cli.status import status_json
from desktop_rag.errors import LibraryError
from desktop_rag.index.client import LibraryClient
from desktop_rag.index.library import Library
from desktop_rag.index.messages import LibraryStatus, Phase
from desktop_rag.stop import Stop


def index(library: Library, paths: Sequence[Path], output: Output) -> int:
    """Add `paths` and return when the library is ready; 1 when one of them was refused."""
    stop = Stop()
    with closing(LibraryClient(library)) as client:
        refused: tuple[tuple[bytes, str], ...] = ()
        if paths:
            refused = client.add(paths, stop).refused
        else:
            client.rescan(None, stop)
        for path, reason in refused:
            output.error(f"{printable(path.decode(errors='replace'))} was not added", reason)
        with closing(client.follow(stop)) as statuses:
            last = _json_progress(statuses, output) if output.as_json else _bar(statuses, output)
    if last is not None and last.trouble:
        raise LibraryError(last.trouble)
    return NOTHING if refused else FOUND


def is_settled(status: LibraryStatus) -> bool:
    """Return whether nothing is left to do: the progress may end here."""
    if any(folder.scanning for folder in status.folders):
        return False
    if status.phase is Phase.PAUSED:
        return True
    searched = all(f.searchable + f.skipped + f.failed == f.found for f in status.folders)
    understood = status.sentences_ready == status.sentences_total
    return status.phase is Phase.IDLE and (bool(status.trouble) or (searched and understood))


def _json_progress(statuses: Iterable[LibraryStatus], output: Output) -> LibraryStatus | None:
    last = None
    for last in statuses:
        output.value({"type": "progress", **_object(last)})
        if is_settled(last):
            break
    return last


def _object(status: LibraryStatus) -> dict[str, Json]:
    return dict(status_json(status))


def _bar(statuses: Iterable[LibraryStatus], output: Output) -> LibraryStatus | None:
    last = None
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=output.errors) as progress:
        files = progress.add_task("searchable", total=None)
        sentences = progress.add_task("ready (sentences)", total=None)
        for last in statuses:
            found = sum(f.found - f.skipped - f.failed for f in last.folders)
            progress.update(files, total=found, completed=sum(f.searchable for f in last.folders))
            progress.update(sentences, total=last.sentences_total, completed=last.sentences_ready)
            if is_settled(last):
                break
    if last is not None:
        for folder in last.folders:
            left_out = f", {folder.skipped + folder.failed} left out" if folder.skipped + folder.failed else ""
            output.line(f"{printable(folder.path.decode(errors='replace'))}: {folder.ready} files ready{left_out}")
    return last
