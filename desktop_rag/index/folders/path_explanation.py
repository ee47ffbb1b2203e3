"""Explains why a path is in the library or not: the deciding rule and the state of the file."""

import os
import stat

from desktop_rag.documents.ocr.ocr_engine import with_remedy
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_lookup import away_folder_of, relative_to
from desktop_rag.index.catalog.ocr_results import what_is_missing
from desktop_rag.index.catalog.quarantine import is_quarantined
from desktop_rag.index.folders.path_status import PathStatus
from desktop_rag.index.folders.relocation import absence_note
from desktop_rag.index.folders.rules import FolderFilter, RuleDecision, chosen
from desktop_rag.index.records import ContentId, FileState, Folder, FolderRules, FolderState
from desktop_rag.paths import stat_of

OUTSIDE = "It lies in no folder of the library."
STATES = {
    FileState.QUEUED: "It waits to be read.",
    FileState.SEARCHABLE: "It can be found by its words.",
    FileState.READY: "It can be found by its words and by meaning.",
}

_ONLY_PICTURES = "Its pages are pictures: it can be found by its name only, until they are recognised."
_FEW_WORDS = (
    "Its pages are pictures: only its name and the few words beside them can be found, until they are recognised."
)
_CLOSED = "It cannot be looked at now: you have no permission to open its folder."
_ROOT = "It is a folder of the library."
_AWAY = "It is not there now; what was read stays searchable."
_CLOSED_ROOT = "You have no permission to open it; what was read stays searchable."
_GONE = "It is not there now: the next scan of its folder finds out whether it was deleted."


def why(catalog: CatalogReader, given: bytes) -> PathStatus:
    """Return the status of a path with one or two sentences that explain it."""
    path = _absolute(given)
    for folder in catalog.folders.all():
        relative = relative_to(folder.path, path)
        if relative is not None and (not folder.is_file or relative == b""):
            return _inside(catalog, folder, path, relative)
    return PathStatus(path, None, None, None, " ".join(filter(None, (OUTSIDE, chosen(path)))))


def decide(root: bytes, rules: FolderRules, given: bytes) -> RuleDecision | None:
    """Return the decision of these rules about a path in `root` (absolute or relative to it); None if it is outside."""
    path = _absolute(os.path.join(root, os.path.expanduser(given)))  # noqa: PTH111, PTH118 (bytes)
    relative = relative_to(root, path)
    return None if relative is None else FolderFilter(root, rules).explain(relative)


def _inside(catalog: CatalogReader, folder: Folder, path: bytes, relative: bytes) -> PathStatus:
    file = catalog.files.lookup(folder.id).at(relative)
    decision = FolderFilter(folder.path, folder.rules).explain(relative)
    if not relative and not folder.is_file:
        return PathStatus(path, folder, decision, None, " ".join(filter(None, (_ROOT, _root_trouble(folder)))))
    said = [decision.reason]
    away = away_folder_of(relative, catalog.folders.away().get(folder.id, ()))
    hidden = _is_hidden(path)
    is_there = hidden or os.path.lexists(path)
    if folder.state is FolderState.OFFLINE:
        said.append("Its folder is not there now; what was read stays searchable.")
    elif away is not None and (not is_there or relative == away):
        said.append(absence_note((away,)))
    elif hidden or (file is not None and not is_there):
        said.append(_CLOSED if hidden else _GONE)
    if decision.included and file is not None:
        is_interrupted = file.state is FileState.QUEUED and not file.pending and file.reason
        said[0] = file.reason if is_interrupted else STATES.get(file.state, file.reason)
        if file.state is FileState.PICTURES and file.content is not None:
            said[0] = _FEW_WORDS if catalog.chunks.ids_of_content(file.content) else _ONLY_PICTURES
    elif decision.included and not is_there and away is None:
        said[0] = f"It is not there. {decision.reason}" if decision.detail else "It is not there."
    elif decision.included and os.path.isfile(path):  # noqa: PTH113 (bytes)
        said.append("It has not been seen yet: the next scan of its folder finds it.")
    if file is not None and file.content is not None:
        said += _missing_parts(catalog, file.content, file.state)
    if decision.included and (names := _names(path)) > 1:
        said.append(f"It has {names} names (hard links): the others may lie outside of this folder.")
    if folder.state is FolderState.PAUSED:
        said.append("Its folder is paused.")
    state = file.state if file is not None else None
    aside = file is not None and not file.pending and is_quarantined(catalog, file.id)
    return PathStatus(path, folder, decision, state, " ".join(said), aside)


def _root_trouble(folder: Folder) -> str:
    """Return why nothing can be read in a folder of the library now."""
    if folder.state is FolderState.OFFLINE or not (os.path.lexists(folder.path) or _is_hidden(folder.path)):
        return _AWAY
    return "" if os.access(folder.path, os.R_OK | os.X_OK) else _CLOSED_ROOT


def _is_hidden(path: bytes) -> bool:
    """Return whether missing permission hides if a path exists."""
    try:
        os.lstat(path)
    except OSError as error:
        return isinstance(error, PermissionError)
    return False


def _names(path: bytes) -> int:
    """Return how many names a file has on its disk; 0 if it is no file, or not there."""
    facts = stat_of(path, links=True)
    return facts.st_nlink if facts and stat.S_ISREG(facts.st_mode) else 0


def _missing_parts(catalog: CatalogReader, content: ContentId, state: FileState) -> list[str]:
    """Return what cannot be found of a content that was read, and why."""
    missing, unread = what_is_missing(catalog, content)
    if not missing:
        return []
    note = f"{with_remedy(missing) if unread else missing}."
    return [note if state is FileState.PICTURES else f"Only a part of it was read: {note}"]


def _absolute(path: bytes) -> bytes:
    """Return the path as root folders are stored: links in its folders resolved, but not the last part itself."""
    whole = os.path.abspath(path)  # noqa: PTH100 (bytes)
    folder, name = os.path.split(whole)
    return os.path.join(os.path.realpath(folder), name) if name else whole  # noqa: PTH118 (bytes)
