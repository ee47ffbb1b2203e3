"""Checks a library as a fault left it, before an indexer repairs it.

The copies follow the catalog by commits that are whole and durable, so neither a kill nor a power loss may leave one
that needs repair. After the indexer has started it is too late to see that: its integrity scan repairs everything.
"""

import contextlib

from benchmarks.faults.notes_library import first_of
from desktop_rag.errors import LibraryError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.indexer.integrity_scan import CHECKED
from desktop_rag.index.integrity_check import IntegrityChecker
from desktop_rag.index.library import Library
from desktop_rag.stop import Stop


def damage_before_repair(library: Library) -> str:
    """Return what the next indexer would have to repair; nothing in a library that has no folder yet."""
    try:
        if not _has_folders(library):
            return ""
        with contextlib.closing(IntegrityChecker(library)) as checker:
            findings = [finding for finding in checker.run(deep=True, stop=Stop(), only=CHECKED) if not finding.holds]
    except LibraryError as error:
        return f"before any repair: {error}"
    faults = first_of(f"{finding.invariant} {finding.detail}" for finding in findings)
    return faults and f"before any repair: {faults}"


def _has_folders(library: Library) -> bool:
    creating = library.catalog.with_name(library.catalog.name + "-journal")  # later there is only a write-ahead log
    if not library.catalog.exists() or creating.exists():
        return False
    with contextlib.closing(CatalogReader.open(library.catalog)) as catalog:
        return catalog.is_current() and bool(catalog.folders.worked_on())
