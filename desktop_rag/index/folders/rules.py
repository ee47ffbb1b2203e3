"""Decides which files of a root folder are indexed, and by which rule.

In order of precedence: the lines of the folder and of all folders (a line with ! includes what a later rule would
exclude), secrets, files of programs, hidden files, gitignore and marker files, and last files that are too big or of an
unreadable type. Only the last two are reported to the user.
"""

import os
import stat
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from desktop_rag.documents.conversion.converted_types import is_converted
from desktop_rag.documents.file_types import unread_reason
from desktop_rag.errors import ProblemKind
from desktop_rag.index.folders.name_rules import (
    GIT_FOLDER,
    GITIGNORE,
    MARKERS,
    SECRET_MARKERS,
    SEPARATOR,
    IgnoreLine,
    IgnoreLines,
    hidden_by_system,
    is_hidden,
    is_secret,
    is_system,
    secret_part,
)
from desktop_rag.index.records import FolderRules
from desktop_rag.paths import data_home, ignore_file, stat_of
from desktop_rag.stop import Stop

_SEVERAL_NAMES = "It has several names (hard links), and the rules of this folder leave such files out"


class FolderRule(StrEnum):
    """The kind of rule that decides about a path."""

    INCLUDED = "included"
    OWN_LINE = "own line"
    SECRET = "secret"
    SYSTEM = "system"
    HIDDEN = "hidden"
    GITIGNORE = "gitignore"
    MARKER = "marker"
    LINK = "link"
    HARD_LINK = "hardlink"
    NO_FILE = "no file"
    TOO_BIG = "too big"
    UNREADABLE_TYPE = "type"


@dataclass(frozen=True, slots=True)
class RuleDecision:
    """Whether a path is indexed; `detail` is the line, name or reason that decided, `source` the file it is in."""

    rule: FolderRule
    included: bool
    detail: str = ""
    source: bytes = b""  # absolute path of the rule or marker file, if any
    line: int = 0  # in that file, or in the folder's own lines, from 1

    @property
    def is_reported(self) -> bool:
        """Return whether the user is shown why this file is not read."""
        return self.rule in {FolderRule.TOO_BIG, FolderRule.UNREADABLE_TYPE, FolderRule.HARD_LINK}

    @property
    def kind(self) -> ProblemKind:
        """Return the kind of problem that a file has which this decision leaves out."""
        kinds = {FolderRule.TOO_BIG: ProblemKind.TOO_LARGE, FolderRule.UNREADABLE_TYPE: ProblemKind.TYPE}
        return kinds.get(self.rule, ProblemKind.OTHER)

    @property
    def reason(self) -> str:
        """Return the reason as a sentence."""
        match self.rule:
            case FolderRule.INCLUDED:
                return "It is read."
            case FolderRule.OWN_LINE:
                verb = "takes it in" if self.included else "leaves it out"
                where = "the rules of all folders" if self.source else "this folder's rules"
                return f"Line {self.line} of {where}, “{self.detail}”, {verb}."
            case FolderRule.SECRET:
                return f"“{self.detail}” may hold passwords or keys."
            case FolderRule.SYSTEM:
                return f"“{self.detail}” belongs to programs."
            case FolderRule.HIDDEN:
                return f"“{self.detail}” is hidden."
            case FolderRule.GITIGNORE:
                return f"Line {self.line} of {shown(self.source)}, “{self.detail}”, leaves it out."
            case FolderRule.MARKER:
                return f"Its folder holds a file named “{self.detail}”."
            case FolderRule.LINK:
                return f"“{self.detail}” is a link; links are not followed, so that nothing is read twice."
            case FolderRule.NO_FILE:
                return f"“{self.detail}” is a device, a pipe or a socket."
            case FolderRule.TOO_BIG | FolderRule.UNREADABLE_TYPE | FolderRule.HARD_LINK:
                return self.detail


INCLUDED = RuleDecision(FolderRule.INCLUDED, included=True)


@dataclass(frozen=True, slots=True)
class Level:
    """A folder with the rule lines that apply in it; `path` is empty or ends with /."""

    path: str
    ignores: tuple[tuple[str, IgnoreLines], ...] = ()  # (folder of the gitignore file, its lines), deepest first
    own_line: IgnoreLine | None = None  # the line of the user that includes this folder


class FolderFilter:
    """Decides for one root folder, from the top down: excluded folders are never entered."""

    def __init__(self, root: bytes, rules: FolderRules) -> None:
        self._root = root
        self._rules = rules
        everywhere = IgnoreLines.read(os.fsencode(ignore_file()))
        self._own = IgnoreLines.joined(everywhere, IgnoreLines.parse(rules.ignore))
        ours = os.path.relpath(os.fsencode(data_home()), root) if _same_drive(root) else b""
        self._ours = os.fsdecode(ours).replace(os.sep, "/")  # our own data, if it is in the root folder

    def top(self, names: Collection[bytes]) -> Level:
        """Return the level of the root folder, which contains `names`."""
        return self._with_git(Level(""), names)

    def below(self, level: Level, name: bytes, names: Collection[bytes]) -> Level:
        """Return the level of the included folder `name` in `level`, which contains `names`."""
        path = f"{level.path}{os.fsdecode(name)}/"
        own_line = self._own.verdict(path) if self._own else None
        return self._with_git(Level(path, level.ignores, own_line), names)

    def marked(self, path: bytes, names: Collection[bytes]) -> RuleDecision | None:
        """Return the decision that excludes the folder `path` because of the `names` in it, or None."""
        for marker in sorted(MARKERS.intersection(names)):
            source = os.path.join(self._whole(path), marker)  # noqa: PTH118 (bytes)
            return RuleDecision(FolderRule.MARKER, included=False, detail=os.fsdecode(marker), source=source)
        if SECRET_MARKERS.intersection(names):
            return RuleDecision(FolderRule.SECRET, included=False, detail=os.path.basename(os.fsdecode(path)))  # noqa: PTH119
        return None

    def folder(self, level: Level, name: bytes, *, hidden: bool) -> RuleDecision:
        """Decide about the folder `name` in `level`; `hidden`: the system hides it."""
        text = os.fsdecode(name)
        if level.path + text == self._ours:
            return RuleDecision(FolderRule.SYSTEM, included=False, detail=text)
        return self._named(level, text, f"{level.path}{text}/", 0, hidden=hidden)

    def file(self, level: Level, name: bytes, size: int, *, hidden: bool, links: int = 1) -> RuleDecision:
        """Decide about the file `name` in `level`, which has `links` names."""
        text = os.fsdecode(name)
        decision = self._named(level, text, level.path + text, size, hidden=hidden)
        if not decision.included:
            return decision
        if links > 1 and not self._rules.hard_links:
            return RuleDecision(FolderRule.HARD_LINK, included=False, detail=_SEVERAL_NAMES)
        by_kind = self.single(text, size)
        return decision if by_kind.included else by_kind

    def single(self, name: str, size: int) -> RuleDecision:
        """Decide about a file that the user added itself: by type and size alone."""
        if (reason := unread_reason(name)) and not is_converted(name):
            return RuleDecision(FolderRule.UNREADABLE_TYPE, included=False, detail=reason)
        if size > self._rules.max_megabytes * 1_000_000:
            detail = f"Larger than {self._rules.max_megabytes} MB, the limit of this folder"
            return RuleDecision(FolderRule.TOO_BIG, included=False, detail=detail)
        return INCLUDED

    def explain(self, path: bytes) -> RuleDecision:
        """Return the decision about `path` (relative to the root folder), or about its first excluded ancestor."""
        if not path:
            return self.single(os.fsdecode(os.path.basename(self._root)), _size(self._root))  # noqa: PTH119 (bytes)
        level = self.top(_names(self._root))
        folder = b""
        for part in path.split(SEPARATOR)[:-1]:
            folder = os.path.join(folder, part)  # noqa: PTH118 (bytes)
            names = _names(self._whole(folder))
            decision = self._any(level, folder, names)
            if not decision.included:
                return decision
            level = self.below(level, part, names)
        return self._any(level, path, _names(self._whole(path)))

    def _any(self, level: Level, path: bytes, names: Collection[bytes]) -> RuleDecision:
        """Decide about the file or folder at `path`, which contains `names`; a missing one counts as a file."""
        whole, name = self._whole(path), os.path.basename(path)  # noqa: PTH119 (bytes)
        facts = stat_of(whole, links=True)
        if facts is None:
            return self.file(level, name, 0, hidden=name.startswith(b"."))
        if stat.S_ISLNK(facts.st_mode):
            return RuleDecision(FolderRule.LINK, included=False, detail=os.fsdecode(name))
        if stat.S_ISDIR(facts.st_mode):
            return self.folder_with(level, path, names, hidden=is_hidden(whole))
        if not stat.S_ISREG(facts.st_mode):
            return RuleDecision(FolderRule.NO_FILE, included=False, detail=os.fsdecode(name))
        return self.file(level, name, facts.st_size, hidden=is_hidden(whole), links=facts.st_nlink)

    def folder_with(self, level: Level, path: bytes, names: Collection[bytes], *, hidden: bool) -> RuleDecision:
        """Decide about the folder at `path` in `level`, which contains `names`."""
        decision = self.folder(level, os.path.basename(path), hidden=hidden)  # noqa: PTH119 (bytes)
        return (self.marked(path, names) or decision) if decision.rule is FolderRule.INCLUDED else decision

    def _whole(self, path: bytes) -> bytes:
        return os.path.join(self._root, path)  # noqa: PTH118 (bytes)

    def _with_git(self, level: Level, names: Collection[bytes]) -> Level:
        """Return the level with the lines of .gitignore and, in a repository, of git's own exclude files."""
        if not self._rules.use_gitignore or (GITIGNORE not in names and GIT_FOLDER not in names):
            return level
        folder = os.path.join(self._root, os.fsencode(level.path.replace("/", os.sep)))  # noqa: PTH118 (bytes)
        lines = IgnoreLines.read(os.path.join(folder, GITIGNORE)) if GITIGNORE in names else None  # noqa: PTH118
        if GIT_FOLDER in names:
            excluded = IgnoreLines.read(os.path.join(folder, GIT_FOLDER, b"info", b"exclude"))  # noqa: PTH118
            lines = IgnoreLines.joined(IgnoreLines.read(_global_gitignore()), excluded, lines)
        return Level(level.path, ((level.path, lines), *level.ignores), level.own_line) if lines else level

    def _named(self, level: Level, name: str, path: str, size: int, *, hidden: bool) -> RuleDecision:
        """Decide by everything but type and the limit of the size."""
        verdict = self._own.verdict(path) if self._own else None
        # A line that includes a whole folder does not include secrets and hidden files in it.
        if verdict and (verdict.ignored or verdict is not level.own_line):
            return _by_line(FolderRule.OWN_LINE, verdict)
        if is_secret(name, size):
            return RuleDecision(FolderRule.SECRET, included=False, detail=name)
        if is_system(name):
            return RuleDecision(FolderRule.SYSTEM, included=False, detail=name)
        if hidden and not self._rules.include_hidden:
            return RuleDecision(FolderRule.HIDDEN, included=False, detail=name)
        ignored = _gitignored(level, path)
        return _by_line(FolderRule.GITIGNORE, ignored) if ignored else INCLUDED


def chosen(path: bytes) -> str:
    """Return why a file or folder is refused even when the user adds it, or an empty text."""
    secret = secret_part(path, _size(path) if os.path.isfile(path) else 0)  # noqa: PTH113 (bytes)
    if not secret:
        return ""
    return (
        f"“{secret}” may hold passwords or keys, and what is read can be quoted in an answer. To read it all the same, "
        f"add the folder around it and the line “!{secret}” to that folder's rules."
    )


def _by_line(rule: FolderRule, verdict: IgnoreLine) -> RuleDecision:
    return RuleDecision(rule, not verdict.ignored, verdict.line, verdict.source, verdict.number)


def _gitignored(level: Level, path: str) -> IgnoreLine | None:
    for base, lines in level.ignores:
        verdict = lines.verdict(path[len(base) :])
        if verdict:
            return verdict if verdict.ignored else None
    return None


def _same_drive(root: bytes) -> bool:
    return os.path.splitdrive(root)[0].lower() == os.path.splitdrive(os.fsencode(data_home().absolute()))[0].lower()


def _names(folder: bytes) -> list[bytes]:
    try:
        return os.listdir(folder)  # noqa: PTH208 (bytes)
    except OSError:
        return []


def _size(path: bytes) -> int:
    facts = stat_of(path, links=True)
    return facts.st_size if facts else 0


def shown(path: bytes) -> str:
    """Return a path as text for a message."""
    return path.decode("utf-8", "backslashreplace")


def _global_gitignore() -> bytes:
    """Return git's default path of the user's global ignore file."""
    configuration = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return os.fsencode(Path(configuration, "git", "ignore"))


# Walks a root folder and asks several sets of rules about each file, to count and to compare what they decide.
#
# It reads names and sizes only. A folder that every set leaves out for another reason than a line of the user is not
# entered: nothing in it can be included.

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
