"""Walks a root folder and asks several sets of rules about each file, to count and to compare what they decide.

It reads names and sizes only. A folder that every set leaves out for another reason than a line of the user is not
entered: nothing in it can be included.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.index.folders.name_rules import SEPARATOR, hidden_by_system
from desktop_rag.index.folders.rules import FolderFilter, FolderRule, Level, RuleDecision
from desktop_rag.stop import Stop

_State = Level | RuleDecision  # of a folder: the rules in it, or what leaves it out with everything below


@dataclass(frozen=True, slots=True)
class WalkedEntry:
    """A file, or a folder that was not entered; `path` is relative to the root, `decisions` has one for each filter."""

    path: bytes
    size: int
    is_folder: bool
    decisions: tuple[RuleDecision, ...]


def walked(root: bytes, filters: Sequence[FolderFilter], stop: Stop) -> Iterator[WalkedEntry]:
    """Yield the files below `root`, breadth first, so that a walk cut short has seen all parts; links are skipped."""
    names = _entries(root)
    tops: tuple[_State, ...] = tuple(rules.top([entry.name for entry in names]) for rules in filters)
    waiting: list[tuple[bytes, Sequence[os.DirEntry[bytes]], tuple[_State, ...]]] = [(b"", names, tops)]
    for folder, entries, states in waiting:
        for entry in entries:
            if stop.is_set():
                return
            try:
                facts = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            path = folder + SEPARATOR + entry.name if folder else entry.name
            hidden = entry.name.startswith(b".") or hidden_by_system(facts)
            if stat.S_ISREG(facts.st_mode):
                decisions = tuple(
                    state
                    if isinstance(state, RuleDecision)
                    else rules.file(state, entry.name, facts.st_size, hidden=hidden, links=facts.st_nlink)
                    for rules, state in zip(filters, states, strict=True)
                )
                yield WalkedEntry(path, facts.st_size, is_folder=False, decisions=decisions)
            elif stat.S_ISDIR(facts.st_mode):
                inside = _entries(os.path.join(root, path))  # noqa: PTH118 (bytes)
                listed = [each.name for each in inside]
                below = tuple(
                    _state_of(rules, state, path, listed, hidden=hidden)
                    for rules, state in zip(filters, states, strict=True)
                )
                left_out = tuple(state for state in below if isinstance(state, RuleDecision))
                if len(left_out) == len(below) and all(each.rule is not FolderRule.OWN_LINE for each in left_out):
                    yield WalkedEntry(path, 0, is_folder=True, decisions=left_out)
                else:
                    waiting.append((path, inside, below))


def _state_of(rules: FolderFilter, state: _State, path: bytes, names: Sequence[bytes], *, hidden: bool) -> _State:
    if isinstance(state, RuleDecision):
        return state
    decision = rules.folder_with(state, path, names, hidden=hidden)
    return rules.below(state, os.path.basename(path), names) if decision.included else decision  # noqa: PTH119 (bytes)


def _entries(folder: bytes) -> list[os.DirEntry[bytes]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []
