"""`desktop-rag status`: what the library holds and what it is doing."""

from contextlib import closing

from rich.table import Table

from desktop_rag.cli.output import FOUND, NOTHING, Json, Output, printable
from desktop_rag.index.client import LibraryClient
from desktop_rag.index.library import Library
from desktop_rag.index.messages import LibraryStatus
from desktop_rag.stop import Stop


def status(library: Library, output: Output) -> int:
    """Print the status once; 1 for a library without folders."""
    stop = Stop()
    with closing(LibraryClient(library)) as client, closing(client.follow(stop)) as statuses:
        now = next(statuses)
    if output.as_json:
        output.value(status_json(now))
    else:
        _print(now, output)
    return FOUND if now.folders else NOTHING


def status_json(now: LibraryStatus) -> dict[str, Json]:
    """Return the documented shape of a status."""
    return {
        "phase": now.phase.value,
        "folders": [
            {
                "id": folder.folder,
                "path": printable(folder.path.decode(errors="surrogateescape")),
                "state": folder.state.value,
                "found": folder.found,
                "searchable": folder.searchable,
                "ready": folder.ready,
                "skipped": folder.skipped,
                "failed": folder.failed,
                "scanning": folder.scanning,
                "note": folder.note,
            }
            for folder in now.folders
        ],
        "sentences": {"ready": now.sentences_ready, "total": now.sentences_total},
        "current_file": printable(now.current_file.decode(errors="surrogateescape")),
        "files_per_second": round(now.files_per_second, 2),
        "sentences_per_second": round(now.sentences_per_second, 1),
        "eta_seconds": None if now.eta_seconds is None else round(now.eta_seconds, 1),
        "trouble": now.trouble,
    }


def _print(now: LibraryStatus, output: Output) -> None:
    if not now.folders:
        output.line("The library is empty. Add a folder: desktop-rag index FOLDER")
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("Folder", "State", "Found", "Searchable", "Ready", "Left out"):
        table.add_column(heading, justify="left" if heading in ("Folder", "State") else "right")
    for folder in now.folders:
        counts = (folder.found, folder.searchable, folder.ready, folder.skipped + folder.failed)
        path = printable(folder.path.decode(errors="surrogateescape"))
        table.add_row(path, folder.state.value, *(f"{count:,}" for count in counts))
    output.console.print(table)
    output.line(f"{now.phase.value}: {now.sentences_ready:,} of {now.sentences_total:,} sentences ready")
    if now.trouble:
        output.line(now.trouble, "bold red")
