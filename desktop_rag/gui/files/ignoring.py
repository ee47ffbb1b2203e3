"""Adds rules that leave out files, and takes them back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.documents.file_types import suffix_of
from desktop_rag.index.folders.ignore_lines import line_of_file, line_of_suffix
from desktop_rag.index.indexer_api import FolderStatus
from desktop_rag.index.records import FolderId, FolderRules
from desktop_rag.text.display import shown_name

MOST_LINES = 1_000  # for one folder at a time; a pattern of the user's is better than more


@dataclass(frozen=True, slots=True)
class NewLines:
    """Lines for the rules of one folder."""

    folder: FolderId
    lines: tuple[str, ...]


def lines_for(
    files: Iterable[tuple[FolderId, bytes]], folders: Sequence[FolderStatus], *, by_suffix: bool
) -> tuple[NewLines, ...]:
    """Return the lines that ignore these files (root folder and absolute path), or all files with their suffixes.

    A file that is itself a root has no rules and is left out.
    """
    roots = {known.folder: known for known in folders if not known.is_file}
    found: dict[FolderId, dict[str, None]] = {}
    for folder, path in files:
        root = roots.get(folder)
        if root is None:
            continue
        suffix = suffix_of(shown_name(path)) if by_suffix else ""
        relative = path.removeprefix(root.path).lstrip(b"/\\")
        line = line_of_suffix(suffix) if suffix else line_of_file(relative)
        found.setdefault(folder, {})[line] = None
    new = (
        NewLines(folder, tuple(line for line in lines if line not in roots[folder].rules.ignore))
        for folder, lines in found.items()
    )
    return tuple(change for change in new if change.lines)


def with_lines(rules: FolderRules, lines: Sequence[str]) -> FolderRules:
    """Return the rules with these lines at the end, where they take precedence."""
    return replace(rules, ignore=(*rules.ignore, *lines))


def without_lines(rules: FolderRules, lines: Sequence[str]) -> FolderRules:
    """Return the rules without these lines."""
    return replace(rules, ignore=tuple(line for line in rules.ignore if line not in lines))
