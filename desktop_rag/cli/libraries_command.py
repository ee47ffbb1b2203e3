"""`desktop-rag libraries`: list the known libraries, and change the list."""

import argparse
from contextlib import closing
from pathlib import Path

from desktop_rag.cli.output import FOUND, NOTHING, Output, shown_path
from desktop_rag.credentials import Credentials
from desktop_rag.errors import LibraryRefused
from desktop_rag.index.indexer_client import connect
from desktop_rag.index.integrity_check import IntegrityChecker, IntegrityFinding, readable
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.index.library import Library
from desktop_rag.index.repair import repair as repair_library
from desktop_rag.paths import data_home
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, printable
from desktop_rag.text.json_types import Json


def libraries(options: argparse.Namespace, output: Output) -> int:
    """Carry out the given action, then print the list."""
    known = Libraries(data_home())
    if options.edit and not options.team:
        raise LibraryRefused("Name the team library to change: --team NAME --edit.")
    if options.create:
        name, *folder = options.create
        known.create(name, Path(folder[0]) if folder else None)
    elif options.team:
        from desktop_rag.cli.team_commands import add_team_library, edit_team_library

        if (code := (edit_team_library if options.edit else add_team_library)(known, options, output)) != FOUND:
            return code
    elif options.open:
        known.open(options.open)
    elif options.rename:
        known.rename(*options.rename)
    elif options.remove or options.delete:
        from desktop_rag.team.access.team_joining import leave_team_library

        leave_team_library(known, options.remove or options.delete, Credentials(), delete=bool(options.delete))
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


# `desktop-rag check`: the invariants of a library.


def check(library: Library, output: Output, stop: Stop, *, deep: bool, repair: bool) -> int:
    """Print each invariant; return 1 if one does not hold, even if a repair was started."""
    readable(library)
    findings = []
    with closing(IntegrityChecker(library)) as checker:
        for finding in checker.run(deep=deep, stop=stop):
            findings.append(finding)
            _print_finding(finding, output)
    broken = {finding.invariant for finding in findings if not finding.holds}
    if broken == {"I1"}:  # nothing is damaged, the folders have changed
        output.note("Bring it up to date with: desktop-rag index", "")
    elif broken and repair:
        _repair(library, output)
    elif broken:
        output.note(f"Repair it with: desktop-rag check {'--deep ' if deep else ''}--repair", "")
    return NOTHING if broken else FOUND


def _repair(library: Library, output: Output) -> None:
    done = repair_library(library)
    if output.as_json:
        output.value({"type": "repaired", "message": done})
    else:
        output.line(done)


def _print_finding(finding: IntegrityFinding, output: Output) -> None:
    detail = printable(finding.detail)
    if output.as_json:
        output.value(
            {
                "type": "finding",
                "invariant": finding.invariant,
                "meaning": finding.meaning,
                "holds": finding.holds,
                "detail": detail,
            }
        )
        return
    mark, style = ("✓", "") if finding.holds else ("✗", "red")
    output.line(f"{mark} {finding.invariant} {finding.meaning}", style)
    if detail:
        output.line(f"     {detail}", style)
