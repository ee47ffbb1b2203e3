"""Previews changed rules: which files of a folder each line decides about, and what differs from the rules in use."""

import os
import time
from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from desktop_rag.documents.file_types import suffix_of
from desktop_rag.index.folders.name_rules import IgnoreLines
from desktop_rag.index.folders.rules import FolderFilter, FolderRule, RuleDecision, WalkedEntry, shown, walked
from desktop_rag.index.indexer_api import LineEffect, RulePreview
from desktop_rag.index.records import FolderRules
from desktop_rag.stop import Stop

MOST_ENTRIES = 300_000
EXAMPLES = 6
REPORT_SECONDS = 0.3
MOST_SUFFIXES = 12


@dataclass(slots=True)
class _Effect:
    """What one line has decided so far."""

    trouble: str
    hidden: int = 0
    included: int = 0
    examples: list[bytes] = field(default_factory=list)

    def add(self, path: bytes, *, included: bool) -> None:
        self.hidden, self.included = self.hidden + (not included), self.included + included
        if len(self.examples) < EXAMPLES:
            self.examples.append(path)


class _Counts:
    """Counts what two sets of rules decide about the files of a folder."""

    def __init__(self, rules: FolderRules) -> None:
        self._rules = rules
        self._effects = [_Effect(line_trouble(line)) for line in rules.ignore]
        self._before = self._after = self._lost = self._gained = 0
        self._lost_examples: list[tuple[bytes, str]] = []
        self._gained_examples: list[bytes] = []
        self._suffixes: Counter[str] = Counter()

    def add(self, entry: WalkedEntry) -> None:
        was, now = entry.decisions
        self._before, self._after = self._before + was.included, self._after + now.included
        if now.included and (suffix := suffix_of(shown(entry.path))):
            self._suffixes[suffix] += 1
        if _is_by_line(now, self._rules.ignore):
            self._effects[now.line - 1].add(entry.path, included=now.included)
        if was.included and not now.included:
            self._lost += 1
            if len(self._lost_examples) < EXAMPLES:
                self._lost_examples.append((entry.path, now.reason))
        elif now.included and not was.included:
            self._gained += 1
            if len(self._gained_examples) < EXAMPLES:
                self._gained_examples.append(entry.path)

    def preview(self, *, complete: bool, capped: bool = False, missing: bool = False) -> RulePreview:
        return RulePreview(
            self._before,
            self._after,
            tuple(LineEffect(e.hidden, e.included, tuple(e.examples), e.trouble) for e in self._effects),
            self._lost,
            tuple(self._lost_examples),
            self._gained,
            tuple(self._gained_examples),
            capped,
            missing,
            tuple(self._suffixes.most_common(MOST_SUFFIXES)),
            complete,
        )


def preview(
    root: bytes, used: FolderRules, rules: FolderRules, stop: Stop, most: int = MOST_ENTRIES
) -> Generator[RulePreview]:
    """Yield what `rules` would do in place of the rules in use: a few times a second, the last one complete.

    Raises `Stopped`.
    """
    counts = _Counts(rules)
    if not os.path.isdir(root):  # noqa: PTH112 (bytes)
        yield counts.preview(complete=True, missing=True)
        return
    report_at = time.monotonic() + REPORT_SECONDS
    capped = False
    for seen, entry in enumerate(walked(root, (FolderFilter(root, used), FolderFilter(root, rules)), stop)):
        capped = seen >= most
        if capped:
            break
        if not entry.is_folder:
            counts.add(entry)
        if time.monotonic() >= report_at:
            yield counts.preview(complete=False)
            report_at = time.monotonic() + REPORT_SECONDS
    stop.check()
    yield counts.preview(complete=True, capped=capped)


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
