"""Tells which folders inside a root folder are on drives that are not connected: their text stays searchable."""

from collections.abc import Collection

from desktop_rag.index.folders.rules import shown


def absence_note(away: Collection[bytes]) -> str:
    """Return a sentence about the folders inside a root folder whose drives are not connected; "" without any."""
    if not away:
        return ""
    path = min(away)
    if len(away) > 1:
        return f"{len(away):,} folders are on drives that are not connected now; their text stays searchable."
    if not path:
        return "Some of it is on a drive that is not connected now; its text stays searchable."
    return f"The drive of “{shown(path)}” is not connected now; its text stays searchable."
