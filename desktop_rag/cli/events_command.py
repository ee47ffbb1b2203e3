"""`desktop-rag events`: what the indexer does, one line per change, for scripts."""

from collections.abc import Iterator
from contextlib import closing

from desktop_rag.cli.index_command import is_settled
from desktop_rag.cli.output import FOUND, INTERRUPTED, NOTHING, Output
from desktop_rag.cli.status_command import folder_json
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.index.library import Library, require_catalog
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, plural, printable
from desktop_rag.text.json_types import Json


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
