"""What a folder leaves out, and which rule decides.

The folder's own lines come first (a line with ! takes something back in that another rule would leave out), then
what may hold secrets, what belongs to programs, what is hidden, what a gitignore file or a marker file excludes,
and at last what is too big or of no readable type. The two last are told to the person, the others are not.
"""

import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import translate

from desktop_rag.documents.formats import unread_reason
from desktop_rag.index.ignoring import IgnoreLines, Verdict
from desktop_rag.index.records import FolderRules
from desktop_rag.paths import data_home

GITIGNORE = b".gitignore"
SEPARATOR = os.fsencode(os.sep)
_TOO_BIG = "Larger than"
_NOT_READ = "are not read yet"

_SYSTEM_WORDS = """.git .hg .svn .bzr cvs _darcs .fslckout node_modules bower_components __pycache__ __pypackages__
__macosx .venv .tox .nox .eggs .mypy_cache .ruff_cache .pytest_cache .hypothesis .ipynb_checkpoints .gradle .terraform
.cache .thumbnails .ds_store thumbs.db desktop.ini .localized lost+found $recycle.bin .trash .trashes .spotlight-v100
.fseventsd .temporaryitems .documentrevisions-v100 @eadir #recycle"""
_SYSTEM_PATTERNS = "~$* .~lock.* .trash-* *.egg-info *.noindex"
_SECRET_WORDS = """.ssh .gnupg .gpg .aws .azure .kube .docker .password-store .netrc _netrc .pgpass .my.cnf .npmrc
.pypirc .git-credentials .htpasswd .htdigest .vault-token keychains"""
_SECRET_PATTERNS = """.env* *.env *.pem *.key *.ppk *.p12 *.pfx *.p8 *.jks *.keystore *.kdb *.kdbx *.agilekeychain
*.opvault *.1pif *.keychain *.keychain-db *.gpg *.pgp id_rsa* id_dsa* id_ecdsa* id_ed25519*"""

SYSTEM_NAMES = frozenset((*_SYSTEM_WORDS.split(), "system volume information"))
_SECRET_NAMES = frozenset(_SECRET_WORDS.split())
_SYSTEM = re.compile("|".join(map(translate, _SYSTEM_PATTERNS.split())))
_SECRET = re.compile("|".join(map(translate, _SECRET_PATTERNS.split())))
# A folder that holds one of these says itself that it is not for reading.
_MARKERS = frozenset({b".noindex", b"CACHEDIR.TAG", b"pyvenv.cfg"})


class Rule(StrEnum):
    """The kind of rule that decides about a path."""

    INCLUDED = "included"
    OWN_LINE = "own line"
    SECRET = "secret"
    SYSTEM = "system"
    HIDDEN = "hidden"
    GITIGNORE = "gitignore"
    MARKER = "marker"
    TOO_BIG = "too big"
    UNREADABLE_TYPE = "type"


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a path is read; `detail` is the line, name or reason that decided."""

    rule: Rule
    included: bool
    detail: str = ""

    @property
    def told(self) -> bool:
        """Return whether a person expects to see why this file is not read."""
        return self.rule in {Rule.TOO_BIG, Rule.UNREADABLE_TYPE}

    @property
    def reason(self) -> str:
        """Return a sentence for the person."""
        match self.rule:
            case Rule.INCLUDED:
                return "It is read."
            case Rule.OWN_LINE:
                verb = "takes it in" if self.included else "leaves it out"
                return f"The line “{self.detail}” of this folder's rules {verb}."
            case Rule.SECRET:
                return f"“{self.detail}” may hold passwords or keys."
            case Rule.SYSTEM:
                return f"“{self.detail}” belongs to programs."
            case Rule.HIDDEN:
                return f"“{self.detail}” is hidden."
            case Rule.GITIGNORE:
                return f"The line “{self.detail}” of a .gitignore file leaves it out."
            case Rule.MARKER:
                return f"The folder holds a file named “{self.detail}”."
            case Rule.TOO_BIG | Rule.UNREADABLE_TYPE:
                return self.detail


INCLUDED = Decision(Rule.INCLUDED, included=True)


@dataclass(frozen=True, slots=True)
class Level:
    """A folder on the way down: its path as text (empty or ending with /), and the lines that count in it."""

    path: str
    ignores: tuple[tuple[str, IgnoreLines], ...] = ()  # (path of the gitignore's folder, its lines), deepest first
    own_line: int | None = None  # the own line that took this folder in


class FolderFilter:
    """Decides for one root, from the top down: a folder that is left out is never entered."""

    def __init__(self, root: bytes, rules: FolderRules) -> None:
        self._root = root
        self._rules = rules
        self._own = IgnoreLines.parse(rules.ignore)
        ours = os.path.relpath(os.fsencode(data_home()), root) if _same_drive(root) else b""
        self._ours = os.fsdecode(ours).replace(os.sep, "/")  # our own data, if the root holds it

    def top(self, names: Collection[bytes]) -> Level:
        """Return the level of the root, which holds `names`."""
        return self._with_gitignore(Level(""), names)

    def below(self, level: Level, name: bytes, names: Collection[bytes]) -> Level:
        """Return the level of folder `name` in `level`, which was decided to be included and holds `names`."""
        path = f"{level.path}{os.fsdecode(name)}/"
        verdict = self._own.verdict(path) if self._own else None
        own_line = verdict.index if verdict else None
        return self._with_gitignore(Level(path, level.ignores, own_line), names)

    def marked(self, names: Collection[bytes]) -> Decision | None:
        """Return the decision against a folder below the root that a file in it asks to leave out."""
        for marker in _MARKERS.intersection(names):
            return Decision(Rule.MARKER, included=False, detail=os.fsdecode(marker))
        return None

    def folder(self, level: Level, name: bytes, *, hidden: bool) -> Decision:
        """Decide about the folder `name` in `level`; `hidden` is what the system says."""
        text = os.fsdecode(name)
        if level.path + text == self._ours:
            return Decision(Rule.SYSTEM, included=False, detail=text)
        return self._named(level, text, f"{level.path}{text}/", hidden=hidden)

    def file(self, level: Level, name: bytes, size: int, *, hidden: bool) -> Decision:
        """Decide about the file `name` in `level`."""
        text = os.fsdecode(name)
        decision = self._named(level, text, level.path + text, hidden=hidden)
        if not decision.included:
            return decision
        by_kind = self.single(text, size)
        return decision if by_kind.included else by_kind

    def single(self, name: str, size: int) -> Decision:
        """Decide about a file that the person chose itself: by type and size alone."""
        if reason := unread_reason(name):
            return Decision(Rule.UNREADABLE_TYPE, included=False, detail=reason)
        if size > self._rules.max_megabytes * 1_000_000:
            detail = f"{_TOO_BIG} {self._rules.max_megabytes} MB, the limit of this folder"
            return Decision(Rule.TOO_BIG, included=False, detail=detail)
        return INCLUDED

    def explain(self, path: bytes) -> Decision:
        """Return what decides about `path` (relative to the root): the rule of the first part that is left out."""
        if not path:
            return self.single(os.fsdecode(os.path.basename(self._root)), _size(self._root))  # noqa: PTH119 (bytes)
        level = self.top(_names(self._root))
        folder = self._root
        *above, name = path.split(SEPARATOR)
        for part in above:
            folder = os.path.join(folder, part)  # noqa: PTH118 (bytes)
            names = _names(folder)
            decision = self.folder(level, part, hidden=is_hidden(folder))
            marked = self.marked(names)
            if not decision.included or marked:
                return decision if not decision.included or marked is None else marked
            level = self.below(level, part, names)
        whole = os.path.join(folder, name)  # noqa: PTH118 (bytes)
        if os.path.isdir(whole):  # noqa: PTH112 (bytes)
            decision = self.folder(level, name, hidden=is_hidden(whole))
            return self.marked(_names(whole)) or decision if decision.included else decision
        return self.file(level, name, _size(whole), hidden=is_hidden(whole))

    def _with_gitignore(self, level: Level, names: Collection[bytes]) -> Level:
        if not self._rules.use_gitignore or GITIGNORE not in names:
            return level
        path = os.path.join(self._root, os.fsencode(level.path.replace("/", os.sep)), GITIGNORE)  # noqa: PTH118
        lines = IgnoreLines.read(path)
        return Level(level.path, ((level.path, lines), *level.ignores), level.own_line) if lines else level

    def _named(self, level: Level, name: str, path: str, *, hidden: bool) -> Decision:
        """Decide by everything but type and size."""
        verdict = self._own.verdict(path) if self._own else None
        if verdict and verdict.ignored:
            return Decision(Rule.OWN_LINE, included=False, detail=verdict.line)
        # A line that took in the whole folder says nothing about what is secret or hidden inside it.
        if verdict and verdict.index != level.own_line:
            return Decision(Rule.OWN_LINE, included=True, detail=verdict.line)
        lower = name.lower()
        if lower in _SECRET_NAMES or _SECRET.match(lower):
            return Decision(Rule.SECRET, included=False, detail=name)
        if lower in SYSTEM_NAMES or _SYSTEM.match(lower):
            return Decision(Rule.SYSTEM, included=False, detail=name)
        if hidden and not self._rules.include_hidden:
            return Decision(Rule.HIDDEN, included=False, detail=name)
        ignored = _gitignored(level, path)
        return Decision(Rule.GITIGNORE, included=False, detail=ignored.line) if ignored else INCLUDED


def is_scan_reason(reason: str) -> bool:
    """Return whether a file was left out for a reason of these rules, which a change of the rules can lift."""
    return reason.startswith(_TOO_BIG) or reason.endswith(_NOT_READ)


def is_hidden(path: bytes) -> bool:
    """Return whether the system does not show this file or folder by default."""
    name = os.path.basename(path)  # noqa: PTH119 (bytes)
    if name.startswith(b"."):
        return True
    try:
        return hidden_by_system(os.lstat(path))
    except OSError:
        return False


def hidden_by_system(facts: os.stat_result) -> bool:
    """Return whether a file's attributes hide it (Windows and macOS)."""
    attributes: int = getattr(facts, "st_file_attributes", 0)  # FILE_ATTRIBUTE_HIDDEN is 2
    flags: int = getattr(facts, "st_flags", 0)  # UF_HIDDEN is 0x8000
    return bool(attributes & 2 or flags & 0x8000)


def is_system_path(path: bytes) -> bool:
    """Return whether a path inside a root has a part that belongs to programs."""
    return any(os.fsdecode(part).lower() in SYSTEM_NAMES for part in path.split(SEPARATOR))


def is_hidden_path(path: bytes) -> bool:
    """Return whether a path inside a root is hidden or belongs to programs; files that are rules are not."""
    *above, name = path.split(SEPARATOR)
    hidden = any(part.startswith(b".") for part in above)
    hidden = hidden or (name.startswith(b".") and name != GITIGNORE and name not in _MARKERS)
    return hidden or is_system_path(path)


def _gitignored(level: Level, path: str) -> Verdict | None:
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
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0
