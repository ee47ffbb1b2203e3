"""`desktop-rag check`: the invariants of a library."""

from contextlib import closing

from desktop_rag.cli.output import FOUND, NOTHING, Output
from desktop_rag.index.integrity_check import IntegrityChecker, IntegrityFinding, readable
from desktop_rag.index.library import Library
from desktop_rag.index.repair import repair as repair_library
from desktop_rag.stop import Stop
from desktop_rag.text.display import printable


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
        output.note("Repair it with: desktop-rag check --repair", "")
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
