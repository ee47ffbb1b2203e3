"""`desktop-rag libraries`: list the known libraries, and change the list."""

import argparse
from pathlib import Path

from desktop_rag.cli.output import FOUND, Output, shown_path
from desktop_rag.index.indexer_client import connect
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.text.display import one_line, printable
from desktop_rag.text.json_types import Json


def libraries(known: Libraries, options: argparse.Namespace, output: Output) -> int:
    """Carry out the given action, then print the list."""
    if options.create:
        name, *folder = options.create
        known.create(name, Path(folder[0]) if folder else None)
    elif options.team:
        from desktop_rag.cli.team_commands import add_team_library

        name, url = options.team
        if (code := add_team_library(known, name, url, options, output)) != FOUND:
            return code
    elif options.open:
        known.open(options.open)
    elif options.rename:
        known.rename(*options.rename)
    elif options.remove:
        known.remove(options.remove)
    elif options.delete:
        known.delete(options.delete)
    for library in known.all():
        _print(library, output)
    return FOUND


def _print(library: KnownLibrary, output: Output) -> None:
    state = _state(library)
    if output.as_json:
        shown: dict[str, Json] = {
            "type": "library",
            "name": library.name,
            "path": printable(library.folder),
            "state": state,
        }
        output.value(shown)
        return
    output.text((one_line(library.name), "bold"), (f"  {state}" if state != "here" else "", "yellow"))
    output.line(f"  {shown_path(library.folder)}")


def _state(library: KnownLibrary) -> str:
    if library.library.is_team():
        return "team"
    if not library.made:
        return "new"
    if library.is_missing():
        return "missing"
    connection = connect(library.library.address)
    if connection is None:
        return "here"
    connection.close()
    return "in use"
