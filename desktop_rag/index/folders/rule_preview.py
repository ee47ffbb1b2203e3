"""Previews changed rules: which files of a folder each line decides about, and what differs from the rules in use."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.documents.file_types import suffix_of
from desktop_rag.index.folders.gitignore import IgnoreLines
from desktop_rag.index.folders.rule_walk import walked
from desktop_rag.index.folders.rules import FolderFilter, FolderRule, RuleDecision, shown
from desktop_rag.index.indexer_api import LineEffect, RulePreview
from desktop_rag.index.records import FolderRules
from desktop_rag.stop import Stop

MOST_ENTRIES = 300_000
EXAMPLES = 6
MOST_SUFFIXES = 12


@dataclass(slots=True)
class _Effect:
    hidden: int = 0
    included: int = 0
    examples: list[bytes] | None = None

    def add(self, path: bytes, *, included: bool) -> None:
        self.hidden, self.included = self.hidden + (not included), self.included + included
        self.examples = self.examples or []
        if len(self.examples) < EXAMPLES:
            self.examples.append(path)


def preview(root: bytes, used: FolderRules, rules: FolderRules, stop: Stop, most: int = MOST_ENTRIES) -> RulePreview:
    """Return what `rules` would do in place of the rules in use; raises `Stopped`."""
    troubles = tuple(map(line_trouble, rules.ignore))
    if not os.path.isdir(root):  # noqa: PTH112 (bytes)
        return RulePreview(0, 0, tuple(LineEffect(trouble=trouble) for trouble in troubles), missing=True)
    effects = [_Effect() for _ in rules.ignore]
    before = after = lost = gained = seen = 0
    lost_examples: list[tuple[bytes, str]] = []
    gained_examples: list[bytes] = []
    suffixes: Counter[str] = Counter()
    for entry in walked(root, (FolderFilter(root, used), FolderFilter(root, rules)), stop):
        seen += 1
        if seen > most:
            break
        if entry.is_folder:
            continue
        was, now = entry.decisions
        before, after = before + was.included, after + now.included
        if now.included and (suffix := suffix_of(shown(entry.path))):
            suffixes[suffix] += 1
        if _is_by_line(now, rules.ignore):
            effects[now.line - 1].add(entry.path, included=now.included)
        if was.included and not now.included:
            lost += 1
            if len(lost_examples) < EXAMPLES:
                lost_examples.append((entry.path, now.reason))
        elif now.included and not was.included:
            gained += 1
            if len(gained_examples) < EXAMPLES:
                gained_examples.append(entry.path)
    stop.check()
    lines = tuple(
        LineEffect(effect.hidden, effect.included, tuple(effect.examples or ()), trouble)
        for effect, trouble in zip(effects, troubles, strict=True)
    )
    return RulePreview(
        before,
        after,
        lines,
        lost,
        tuple(lost_examples),
        gained,
        tuple(gained_examples),
        capped=seen > most,
        suffixes=tuple(suffixes.most_common(MOST_SUFFIXES)),
    )


def line_trouble(line: str) -> str:
    """Return why a line is no valid pattern, as a sentence; empty for valid ones, comments and empty lines."""
    text = line.strip()
    if not text or text.startswith("#") or IgnoreLines.parse((text,)) is not None:
        return ""
    if text.strip("!/") == "":
        return "It names no file: write a name or a pattern after it."
    if text.endswith("\\"):
        return "A backslash at the end stands before nothing."
    if "[" in text:
        return "The bracket “[” opens a set of letters that is not valid, such as [a-z]; write \\[ for the character."
    return "This is no valid pattern."


def _is_by_line(decision: RuleDecision, lines: Sequence[str]) -> bool:
    """Return whether one of the folder's own lines decided, not one of the lines for all folders."""
    return decision.rule is FolderRule.OWN_LINE and not decision.source and 0 < decision.line <= len(lines)
