"""`desktop-rag status`: the contents of the library and the activity of the indexer."""

from collections.abc import Sequence
from contextlib import closing

from desktop_rag.cli.output import FOUND, NOTHING, Output, shown_path
from desktop_rag.documents.ocr.ocr_engine import NO_ENGINE
from desktop_rag.errors import ProcessError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.indexer.status_board import IndexingActivity, problems
from desktop_rag.index.indexer.status_board import status as stored_status
from desktop_rag.index.indexer_api import FolderStatus, IndexingPhase, LibraryStatus, Problem
from desktop_rag.index.indexer_client import IndexerClient, connect
from desktop_rag.index.library import Library, require_catalog
from desktop_rag.index.records import FolderId, FolderState
from desktop_rag.index.team_status import team_library_status
from desktop_rag.processes.remote import Endpoint, Remote
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, printable
from desktop_rag.text.json_types import Json

ALL = 1_000_000


def status(library: Library, output: Output, stop: Stop, *, listed: bool) -> int:
    """Print the status once, with the problem files if `listed`; return 1 for a library without folders."""
    require_catalog(library)
    if library.is_team():
        return _show(team_library_status(library), {}, output, running=False, listed=listed)
    now = _running_status(library, stop)
    running = now is not None
    with closing(CatalogReader.open(library.catalog)) as catalog:
        catalog.require_known_format()
        if now is None:
            now = stored_status(catalog, IndexingActivity(IndexingPhase.IDLE), 0.0, 0.0)
        problems_of = {f.folder: problems(catalog, f.folder, ALL).problems for f in now.folders} if listed else {}
    return _show(now, problems_of, output, running=running, listed=listed)


def _show(
    now: LibraryStatus,
    problems_of: dict[FolderId, tuple[Problem, ...]],
    output: Output,
    *,
    running: bool,
    listed: bool,
) -> int:
    if output.as_json:
        output.value(
            {
                **status_json(now),
                "running": running,
                **({"problems": [problem_json(p) for some in problems_of.values() for p in some]} if listed else {}),
            }
        )
    else:
        _print(now, problems_of, output, running=running)
    return FOUND if now.folders else NOTHING


def _running_status(library: Library, stop: Stop) -> LibraryStatus | None:
    """Return the status of the running indexer, or None: showing the status must not start one."""
    connection = connect(library.address)
    if connection is None:
        return None
    with closing(IndexerClient(Remote(lambda *_: Endpoint(connection, connection.close)))) as indexer:
        try:
            with closing(indexer.follow_status(stop)) as statuses:
                return next(statuses, None)
        except ProcessError:  # it has just ended
            return None


def folder_json(folder: FolderStatus) -> dict[str, Json]:
    """Return a folder in the documented JSON format."""
    return {
        "id": folder.folder,
        "path": printable(folder.path),
        "state": folder.state.value,
        "found": folder.found,
        "searchable": folder.searchable,
        "ready": folder.ready,
        "skipped": folder.skipped,
        "failed": folder.failed,
        "pictures": folder.pictures,
        "set_aside": folder.set_aside,
        "scanning": folder.scanning,
        "note": folder.note,
    }


def status_json(now: LibraryStatus) -> dict[str, Json]:
    """Return a status in the documented JSON format."""
    return {
        "phase": now.phase.value,
        "folders": [folder_json(folder) for folder in now.folders],
        "sentences": {"ready": now.sentences_ready, "total": now.sentences_total},
        "current_file": printable(now.current_file),
        "files_per_second": round(now.files_per_second, 2),
        "sentences_per_second": round(now.sentences_per_second, 1),
        "eta_seconds": None if now.eta_seconds is None else round(now.eta_seconds, 1),
        "trouble": now.trouble,
        "hold": now.hold.value,
        "waiting_files": now.waiting_files,
        "unread_pages": now.unread_pages,
        "ocr": now.engine,
    }


def problem_json(problem: Problem) -> dict[str, Json]:
    """Return a skipped, failed or partly read file in the documented JSON format."""
    return {
        "path": printable(problem.path),
        "state": problem.state.value,
        "reason": problem.reason,
        "set_aside": problem.set_aside,
    }


def print_folder(folder: FolderStatus, listed: Sequence[Problem], output: Output) -> None:
    """Print one folder as text of a few short lines."""
    output.line(shown_path(folder.path), "bold")
    facts = [plural(folder.found, "file"), f"{folder.searchable:,} searchable", f"{folder.ready:,} ready"]
    if folder.unread:
        facts.append(f"{folder.unread:,} waiting")
    if folder.pictures:
        facts.append(f"{plural(folder.pictures, 'file')} of pictures without text")
    if folder.skipped or folder.failed:
        facts.append(f"{folder.skipped + folder.failed:,} left out")
    if folder.set_aside:
        facts.append(f"{folder.set_aside:,} of them quarantined; `desktop-rag retry` reads them again")
    if folder.state is not FolderState.ACTIVE:
        facts.insert(0, folder.state.value)
    output.line(f"  {', '.join(facts)}{', being scanned' if folder.scanning else ''}")
    if folder.note:
        output.line(f"  {folder.note}", "yellow")
    for problem in listed:
        output.text((f"  {shown_path(problem.path)}  ", ""), (problem.reason, "yellow"))


def _print(
    now: LibraryStatus, problems_of: dict[FolderId, tuple[Problem, ...]], output: Output, *, running: bool
) -> None:
    if not now.folders:
        output.note("The library is empty. Add a folder: desktop-rag index FOLDER", "")
        return
    for folder in now.folders:
        print_folder(folder, problems_of.get(folder.folder, ()), output)
    if not now.not_added:  # of a team library its server knows
        ready = f"{now.sentences_ready:,} of {now.sentences_total:,} sentences ready"
        output.line(f"{_phase_text(now, running=running)}: {ready}")
    if now.unread_pages:
        reader = f"{now.engine} will read them" if now.engine else NO_ENGINE
        output.line(f"{plural(now.unread_pages, 'page')} without text – {reader}")
    if now.trouble:
        output.line(now.trouble, "bold red")
    if not (running or now.not_added):
        output.note("This is what the last scan found: no indexer runs, so nothing is watched now.")


def _phase_text(now: LibraryStatus, *, running: bool) -> str:
    complete = all(f.ready + f.left_out == f.found for f in now.folders)
    return now.phase.value if running or complete else "idle; `desktop-rag index` continues"
