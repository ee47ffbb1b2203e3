"""Rules by file or folder name alone: secrets, files of programs, hidden files, marker files."""

import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import translate
from typing import Self

from desktop_rag.paths import stat_of

GITIGNORE = b".gitignore"
GIT_FOLDER = b".git"  # of a repository
LEAST_SLIDES = 20_000  # bytes: the smallest presentations of Keynote have more, private keys a tenth
SEPARATOR = os.fsencode(os.sep)

_SYSTEM_WORDS = """.git .hg .svn .bzr cvs _darcs .fslckout node_modules bower_components __pycache__ __pypackages__
__macosx .venv .tox .nox .eggs .mypy_cache .ruff_cache .pytest_cache .hypothesis .ipynb_checkpoints .gradle .terraform
.cache .thumbnails .ds_store thumbs.db desktop.ini .localized lost+found $recycle.bin .trash .trashes .spotlight-v100
.fseventsd .temporaryitems .documentrevisions-v100 @eadir #recycle"""
# Temporary files of editors and downloads: locks, backups, partial downloads.
_SYSTEM_PATTERNS = """~$* .~lock.* .#* #*# .*.sw[a-z] *.swp *~ 4913 .goutputstream-* .trash-* *.egg-info *.noindex
*.crdownload *.part *.partial .syncthing.*.tmp .fuse_hidden* .nfs0*"""
_SECRET_FOLDERS = """.ssh .gnupg .gpg .aws .azure .gcloud .kube .docker .password-store keychains keyrings kwalletd
.electrum .bitcoin .ethereum .monero .litecoin .dogecoin .mozilla .thunderbird .librewolf
.terraform.d .vault .secrets"""
_SECRET_FILES = """.netrc _netrc .pgpass pgpass.conf .my.cnf .mylogin.cnf .npmrc .pypirc .dockercfg .s3cfg .boto
.git-credentials .htpasswd .htdigest .vault-token wallet.dat logins.json logins.csv signons.sqlite key3.db key4.db
cookies.sqlite secrets.json secrets.yaml secrets.yml secrets.toml credentials.json"""
_SECRET_PATTERNS = """.env* *.env *.pem *.key *.ppk *.p12 *.pfx *.p8 *.jks *.keystore *.kdb *.kdbx *.agilekeychain
*.opvault *.1pif *.1pux *.keychain *.keychain-db *.kwallet *.psafe3 *.gpg *.pgp *.ovpn *.wallet *.tfstate *.tfstate.*
id_rsa* id_dsa* id_ecdsa* id_ed25519* client_secret*.json bitwarden_export* lastpass_export* *passwords.csv"""

_SYSTEM_NAMES = frozenset((*_SYSTEM_WORDS.split(), "system volume information"))
_SECRET_FOLDER_NAMES = frozenset(_SECRET_FOLDERS.split())
_SECRET_NAMES = _SECRET_FOLDER_NAMES | frozenset(_SECRET_FILES.split())
_SYSTEM = re.compile("|".join(map(translate, _SYSTEM_PATTERNS.split())))
_SECRET = re.compile("|".join(map(translate, _SECRET_PATTERNS.split())))
# A folder with one of these asks not to be indexed …
MARKERS = frozenset({b".noindex", b"CACHEDIR.TAG", b"pyvenv.cfg"})
# … and one with one of these is a browser profile or a wallet, whatever its name.
SECRET_MARKERS = frozenset({b"key4.db", b"Login Data", b"wallet.dat"})

SPECIAL_NAMES = MARKERS | SECRET_MARKERS | {GITIGNORE, GIT_FOLDER}  # names in a folder that rules depend on


def is_secret(name: str, size: int = 0) -> bool:
    """Return whether a file (of `size` bytes) or folder of this name may hold passwords or keys.

    Presentations of Keynote have the suffix of keys, but no key is as large; the reader looks at the content.
    """
    lower = name.lower()
    if size >= LEAST_SLIDES:
        lower = lower.removesuffix(".key")
    return lower in _SECRET_NAMES or _SECRET.match(lower) is not None


def is_system(name: str) -> bool:
    """Return whether a file or folder of this name belongs to programs."""
    lower = name.lower()
    return lower in _SYSTEM_NAMES or _SYSTEM.match(lower) is not None


def secret_part(path: bytes, size: int = 0) -> str:
    """Return the name in an absolute path (file or folder) that may hold passwords or keys, or an empty text."""
    *above, name = map(os.fsdecode, path.split(SEPARATOR))
    if is_secret(name, size):
        return name
    return next((part for part in above if part.lower() in _SECRET_FOLDER_NAMES), "")


def is_hidden(path: bytes) -> bool:
    """Return whether the system hides this file or folder by default."""
    name = os.path.basename(path)  # noqa: PTH119 (bytes)
    facts = stat_of(path, links=True)
    return name.startswith(b".") or (facts is not None and hidden_by_system(facts))


def hidden_by_system(facts: os.stat_result) -> bool:
    """Return whether a file's attributes hide it (Windows and macOS)."""
    attributes: int = getattr(facts, "st_file_attributes", 0)  # FILE_ATTRIBUTE_HIDDEN is 2
    flags: int = getattr(facts, "st_flags", 0)  # UF_HIDDEN is 0x8000
    return bool(attributes & 2 or flags & 0x8000)


# Writes the gitignore line that leaves out one file, or all files of one suffix.

_SPECIAL = re.compile(r"([\\*?\[\]])")
_UNWRITABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


def line_of_file(path: bytes) -> str:
    """Return the line that ignores the file at `path`, relative to its root folder.

    A character that no line can hold (a line break, a byte that is not text) becomes `?`, which matches any one.
    """
    text = path.replace(SEPARATOR, b"/").decode("utf-8", "surrogateescape")
    line = "/" + _UNWRITABLE.sub("?", _SPECIAL.sub(r"\\\1", text))
    return line[:-1] + "\\ " if line.endswith(" ") else line


def line_of_suffix(suffix: str) -> str:
    """Return the line that ignores every file with `suffix` (without its dot), in any case."""
    letters = (f"[{c.lower()}{c.upper()}]" if c.lower() != c.upper() else _SPECIAL.sub(r"\\\1", c) for c in suffix)
    return f"*.{''.join(letters)}"


# Gitignore lines, matched as git does: finds the line that decides about a path.
#
# Written by hand. Compared with `git check-ignore` on 1,500 random lines, pathspec 1.1 disagrees with git for 126 of
# them (such as character classes like [[:alpha:]]), this module for 69. Its patterns also match everything below a
# matching folder, while `FolderFilter` decides about each folder on the way down and asks about one path only.

MAX_BYTES = 1_000_000  # no gitignore file is larger; something else has that name

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_UNQUOTED_SPACES = re.compile(r"(?<!\\) +$")
_BRACKET = re.compile(r"\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]")
_IN_BRACKET = re.compile(r"\[:(\w+):\]|\\(.)|(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class IgnoreLine:
    """One line: its text, what it matches, and whether it ignores that."""

    line: str
    regex: re.Pattern[str]
    ignored: bool
    folders_only: bool
    source: bytes  # path of its file, empty for lines from elsewhere
    number: int  # in its file, from 1


class IgnoreLines:
    """The gitignore lines that apply to one folder, for paths relative to it; later lines take precedence."""

    def __init__(self, patterns: tuple[IgnoreLine, ...]) -> None:
        self._patterns = patterns
        # Most paths match no line at all; one joined expression finds that quickly.
        self._any = re.compile("|".join(pattern.regex.pattern for pattern in patterns), re.DOTALL)

    @classmethod
    def parse(cls, lines: Iterable[str], source: bytes = b"") -> Self | None:
        """Parse the lines; invalid patterns are ignored, as git does. None if none is valid."""
        numbered = enumerate(lines, start=1)
        patterns = tuple(found for number, line in numbered if (found := _pattern(line, source, number)) is not None)
        return cls(patterns) if patterns else None

    @classmethod
    def read(cls, path: bytes) -> Self | None:
        """Read a gitignore file; None if there is no regular file, or nothing in it."""
        try:
            facts = os.lstat(path)
            if not stat.S_ISREG(facts.st_mode) or facts.st_size > MAX_BYTES:
                return None  # like git, do not follow links; a pipe would block
            with open(path, "rb") as file:  # noqa: PTH123 (names need not be valid text)
                text = file.read().decode("utf-8-sig", "surrogateescape")
        except OSError:
            return None
        return cls.parse(text.replace("\r\n", "\n").split("\n"), path)

    @classmethod
    def joined(cls, *several: Self | None) -> Self | None:
        """Return all these lines as one; later arguments take precedence."""
        patterns = tuple(pattern for lines in several if lines is not None for pattern in lines._patterns)
        return cls(patterns) if patterns else None

    def verdict(self, path: str) -> IgnoreLine | None:
        """Return the last line that matches `path`, which ends with / for a folder: it decides.

        The folders above it were decided on the way down.
        """
        name, is_folder = path.removesuffix("/"), path.endswith("/")
        if not self._any.fullmatch(name):
            return None
        for pattern in reversed(self._patterns):
            if pattern.regex.fullmatch(name) and (is_folder or not pattern.folders_only):
                return pattern
        return None


def _pattern(line: str, source: bytes, number: int) -> IgnoreLine | None:
    """Parse a line; None for a comment, an empty line or an invalid pattern."""
    text = _UNQUOTED_SPACES.sub("", line)
    ignored = not text.startswith("!")
    glob = text if ignored else text[1:]
    folders_only = glob.endswith("/")
    glob = glob.removesuffix("/")
    if not glob or text.startswith("#"):
        return None
    regex = _translate(glob.removeprefix("/"))
    if regex is None:
        return None
    if "/" not in glob:
        regex = f"(?:.*/)?{regex}"
    try:
        return IgnoreLine(text, re.compile(f"(?:{regex})", re.DOTALL), ignored, folders_only, source, number)
    except re.error:  # such as a range that runs backwards
        return None


def _translate(glob: str) -> str | None:
    """Return the expression for a glob in which * stops at a slash and ** between slashes does not."""
    parts: list[str] = []
    at = 0
    while at < len(glob):
        char = glob[at]
        step = 1
        if char == "*":
            part, step = _stars(glob, at)
        elif char == "?":
            part = "[^/]"
        elif char == "[":
            bracket = _BRACKET.match(glob, at)
            if bracket is None:
                return None
            part, step = _bracket(bracket), bracket.end() - at
        elif char == "\\":
            if at + 1 == len(glob):
                return None
            part, step = re.escape(glob[at + 1]), 2
        else:
            part = re.escape(char)
        parts.append(part)
        at += step
    return "".join(parts)


def _stars(glob: str, at: int) -> tuple[str, int]:
    """Return the expression for the stars at `at`, and the number of glob characters it replaces."""
    end = at
    while end < len(glob) and glob[end] == "*":
        end += 1
    whole_part = (at == 0 or glob[at - 1] == "/") and (end == len(glob) or glob[end] == "/")
    if end - at != 2 or not whole_part:
        return "[^/]*", end - at
    if end == len(glob):
        return (".*" if at == 0 else ".+"), 2
    return "(?:.*/)?", 3


def _bracket(match: re.Match[str]) -> str:
    """Return the expression for a set of characters, which never matches a slash."""
    negated, inside = match.groups()
    parts: list[str] = []
    for named, escaped, plain in _IN_BRACKET.findall(inside):
        if named:
            parts.append(_CLASSES.get(named, ""))
        else:
            char = escaped or plain
            parts.append(char if plain == "-" else re.escape(char))
    chosen = "".join(parts)
    if not chosen:
        return "[^/]" if negated else "(?!)"
    return f"(?!/)[{'^' if negated else ''}{chosen}]"
