"""`desktop-rag://` links: to a place in a document, to a search, to a question that is only written down.

Anybody can write one into a web page or a mail, so a link is read strictly, and never sends, changes or adds anything.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes, urlsplit

from desktop_rag.errors import LinkError
from desktop_rag.text.hidden_characters import visible

SCHEME = "desktop-rag"

_LONGEST = 8_000  # characters of a link
_LONGEST_PATH = 4_096  # bytes
_LONGEST_TEXT = 2_000  # characters of a question or a query
_LONGEST_QUOTE = 300  # characters
_LAST_LINE = 99_999_999
_LINES = re.compile(r"(\d{1,8})(?:-(\d{1,8}))?", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
# Controls, line breaks, and the marks that change the direction of text: they hide what a link says.
_HIDING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


@dataclass(frozen=True, slots=True)
class OpenLink:
    """Lines of a document: by its path, or by its contents where it has been moved. Line 0 is none.

    `quote` are words in the lines, by which they are found again in a file that has changed.
    """

    path: str
    first_line: int = 0
    last_line: int = 0
    sha256: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class SearchLink:
    """A query to search for."""

    query: str


@dataclass(frozen=True, slots=True)
class AskLink:
    """A question to write into the question field."""

    question: str


DesktopLink = OpenLink | SearchLink | AskLink


def is_link(text: str) -> bool:
    """Return whether `text` claims to be a link of ours."""
    return text[: len(SCHEME) + 1].lower() == f"{SCHEME}:"


def link_to(path: str, first_line: int = 0, last_line: int = 0, sha256: str = "", words: str = "") -> str:
    """Return a link to lines of a document, which `words` in them find again once it has changed."""
    lines = f"{first_line}-{last_line}" if last_line > first_line else str(first_line)
    parts = [f"file={quote(os.fsencode(path), safe='/')}"]
    parts += [f"line={lines}"] if first_line > 0 else []
    parts += [f"sha256={sha256}"] if sha256 else []
    kept = _HIDING.sub(" ", " ".join(words.split())[:_LONGEST_QUOTE]).strip()
    parts += [f"words={quote(kept, safe='')}"] if kept and visible(kept) == kept else []
    return f"{SCHEME}://open?{'&'.join(parts)}"


def markdown_link(path: str, first_line: int, last_line: int, sha256: str = "", words: str = "") -> str:
    """Return a link to lines of a document for notes, named after them as on code servers: `lease.md#L3-L5`."""
    name = re.sub(r"([\\`*_\[\]<>#|~])", r"\\\1", _HIDING.sub(" ", os.path.basename(path)))  # noqa: PTH119 - of any system
    return f"[{name}{line_fragment(first_line, last_line)}]({link_to(path, first_line, last_line, sha256, words)})"


def line_fragment(first_line: int, last_line: int) -> str:
    """Return lines as code servers write them behind a path: `#L3-L5`, "" for line 0."""
    return f"#L{first_line}-L{last_line}" if last_line > first_line else f"#L{first_line}" if first_line else ""


def parse_link(text: str) -> DesktopLink:
    """Return what a link asks for; raises `LinkError`."""
    if not is_link(text) or _HIDING.search(text):
        raise LinkError("This is no desktop-rag:// link that can be read.")
    if len(text) > _LONGEST:
        raise LinkError("This link is too long.")
    try:
        parts = urlsplit(text)
        values = _values(parts.query)
    except ValueError as error:
        raise LinkError("This link cannot be read.") from error
    action = f"{parts.netloc}{parts.path}".strip("/").lower()  # some systems write open/?… or ///open?…
    match action:
        case "open":
            return _open_link(values)
        case "search":
            return SearchLink(_words(values))
        case "ask":
            return AskLink(_words(values))
    raise LinkError("Desktop RAG does not do what this link asks for. A link can open, search and ask.")


def _values(query: str) -> dict[str, bytes]:
    """Return the values by name; raises `ValueError`."""
    values: dict[str, bytes] = {}
    for part in filter(None, query.split("&")):
        name, _, value = part.partition("=")
        if name in values:
            raise LinkError("This link names something twice.")
        if name == "q":  # what a form of a web page writes
            value = value.replace("+", " ")
        values[name] = unquote_to_bytes(os.fsencode(value))
    return values


def _open_link(values: dict[str, bytes]) -> OpenLink:
    data = values.get("file", b"")
    path = os.fsdecode(data)
    if not path or len(data) > _LONGEST_PATH:
        raise LinkError("This link names no file.")
    if _HIDING.search(path):
        raise LinkError("The file of this link has characters that cannot be shown.")
    if not Path(path).is_absolute():
        raise LinkError("The file of this link has no full path.")
    sha256 = values.get("sha256", b"").decode("latin-1")
    if sha256 and not _SHA256.fullmatch(sha256):
        raise LinkError("This link cannot be read.")
    first, last = _lines(values.get("line", b"").decode("latin-1"))
    words = _words(values, "words") if values.get("words") else ""
    return OpenLink(os.path.normpath(path), first, last, sha256, words)


def _lines(text: str) -> tuple[int, int]:
    if not text:
        return 0, 0
    found = _LINES.fullmatch(text)
    if found is None:
        raise LinkError("The line of this link is not a number.")
    first = int(found[1])
    return first, min(_LAST_LINE, max(first, int(found[2] or 0)))


def _words(values: dict[str, bytes], name: str = "q") -> str:
    try:
        words = values.get(name, b"").decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise LinkError("This link cannot be read.") from error
    if not words:
        raise LinkError("This link has no words.")
    if len(words) > _LONGEST_TEXT:
        raise LinkError("This link is too long.")
    if _HIDING.search(words) or visible(words) != words:
        raise LinkError("The words of this link have characters that cannot be shown.")
    return words
