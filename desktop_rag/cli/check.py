"""`desktop-rag check`: does the library hold what it says?"""

from contextlib import closing

from desktop_rag.cli.output import FOUND, NOTHING, Output
from desktop_rag.index.check import Checker, Finding, readable
from desktop_rag.index.check import repair as repair_library
from desktop_rag.index.library import Library
from desktop_rag.stop import Stop


def check(library: Library, output: Output, *, deep: bool, repair: bool) -> int:
    """Print a line for each invariant; 1 when one does not hold (also after a repair was begun)."""
    readable(library)
    findings = _look(library, output, deep=deep)
    sound = all(finding.holds for finding in findings)
    if not sound and repair:
        _repair(library, output)
    return FOUND if sound else NOTHING


def _look(library: Library, output: Output, *, deep: bool) -> list[Finding]:
    findings = []
    with closing(Checker(library)) as checker:
        for finding in checker.run(deep=deep, stop=Stop()):
            findings.append(finding)
            _print(finding, output)
    return findings


def _repair(library: Library, output: Output) -> None:
    repair_library(library)
    message = "The copies were thrown away; they are built anew the next time the library is open."
    if output.as_json:
        output.value({"repaired": True, "message": message})
    else:
        output.line(message)


def _print(finding: Finding, output: Output) -> None:
    if output.as_json:
        output.value(
            {
                "invariant": finding.invariant,
                "meaning": finding.meaning,
                "holds": finding.holds,
                "detail": finding.detail,
            }
        )
        return
    output.line(
        f"{'✓' if finding.holds else '✗'} {finding.invariant} {finding.meaning}", "" if finding.holds else "red"
    )
    if finding.detail:
        output.line(f"     {finding.detail}", "red")
