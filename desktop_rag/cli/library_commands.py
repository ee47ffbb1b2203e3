"""`desktop-rag check` and `desktop-rag encoder`: invariants of a library, and the sentence encoder in use."""

import argparse
from contextlib import closing
from dataclasses import replace

from desktop_rag.cli.output import FOUND, NOTHING, Output, shown_path
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.integrity_check import IntegrityChecker, IntegrityFinding, readable
from desktop_rag.index.library import Library
from desktop_rag.index.repair import repair as repair_library
from desktop_rag.paths import encoder_folder, settings_file
from desktop_rag.settings import chosen_encoder, load, save
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


def encoder(options: argparse.Namespace, output: Output) -> int:
    """Change the encoder if one is given, then print the one in use; raises `EncoderError`."""
    folder = encoder_folder() if options.shipped else options.folder.absolute() if options.folder else chosen_encoder()
    loaded = Encoder.load(folder)
    loaded.encode(["A sentence."])  # an encoder that fails must not be chosen
    if options.folder or options.shipped:
        chosen = "" if options.shipped else str(folder)
        save(settings_file(), replace(load(settings_file()), encoder=chosen))
    if output.as_json:
        output.value({"type": "encoder", "path": printable(folder), "id": loaded.id, "dimensions": loaded.dimensions})
        return FOUND
    output.line(f"{shown_path(folder)}  {loaded.dimensions} dimensions")
    if options.folder or options.shipped:
        output.note(
            "Libraries are encoded again when their indexer next starts: close the window, or run `desktop-rag index`. "
            "Until that is complete, the search uses the vectors of the previous encoder."
        )
    return FOUND
