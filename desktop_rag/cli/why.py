"""`desktop-rag why`: which rule decides about a path, and how far a file has come."""

import os
from contextlib import closing
from pathlib import Path

from desktop_rag.cli.output import FOUND, NOTHING, Output, one_line, printable, shown_path
from desktop_rag.index.catalog.reader import CatalogReader
from desktop_rag.index.folders.why import why as find_out
from desktop_rag.index.library import Library, expect_catalog


def why(library: Library, path: Path, output: Output) -> int:
    """Say why `path` is part of the library or not; 1 when it is not."""
    expect_catalog(library)
    with closing(CatalogReader.open(library.catalog)) as catalog:
        found = find_out(catalog, os.fsencode(path))
    if output.as_json:
        decision = found.decision
        output.value(
            {
                "path": printable(found.path),
                "folder": printable(found.folder.path) if found.folder else None,
                "included": found.included,
                "rule": decision.rule.value if decision else None,
                "detail": decision.detail if decision else "",
                "source": printable(decision.source) if decision and decision.source else None,
                "line": decision.line if decision and decision.line else None,
                "state": found.state.value if found.state else None,
                "sentence": found.sentence,
                "set_aside": found.set_aside,
            }
        )
    else:
        output.line(shown_path(found.path), "bold")
        output.line(f"  {one_line(found.sentence)}", "" if found.included else "yellow")
        if found.set_aside:
            output.line("  `desktop-rag retry PATH` reads it again now.")
    return FOUND if found.included else NOTHING
