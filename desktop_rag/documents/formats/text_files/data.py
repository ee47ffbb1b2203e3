"""Reads JSON, YAML, TOML, XML and configuration files: their lines, with Unicode escapes decoded.

A minified file is broken into lines, because a line of megabytes cannot be read, cited or shown.
"""

import re
from collections.abc import Callable

from desktop_rag.documents.decoding.encodings import clean, decode
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format, suffix_of
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.text_files.code import with_outline
from desktop_rag.documents.formats.text_files.source_lines import SourceLines

_ESCAPING = frozenset(("json", "json5", "jsonc", "jsonl", "ndjson", "geojson", "webmanifest", "properties"))
_JSON = frozenset(("json", "json5", "jsonc", "geojson", "webmanifest", "lock"))
_MINIFIED = 2000  # average characters per line above which a file is broken into lines
_MAX_BROKEN = 50_000_000  # characters

_ESCAPES = re.compile(r"\\\\|(?:\\u[0-9a-fA-F]{4})+")
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*"?|[{\[](?=\s*+[{\["])|[{\[]|,(?=\s*+[{\["])|[}\]]')
_BETWEEN_TAGS = re.compile(r">[ \t]*+<(?!/)")


def read_data(source: SourceFile, kind: Format) -> Document:
    """Return the lines of a data file."""
    text, suffix = decode(source.data), suffix_of(source.name)
    if suffix in _ESCAPING and "\\u" in text:
        text = clean(_ESCAPES.sub(_letters, text))
    if _MINIFIED * (text.count("\n") + 1) < len(text) < _MAX_BROKEN:
        text = _break_lines(text, suffix)
    return with_outline(SourceLines(source, kind, text), source.name)


def _letters(escapes: "re.Match[str]") -> str:
    r"""Return the characters of `\u00e4` escapes, unless they would end the string or the line."""
    if escapes[0] == "\\\\":
        return escapes[0]
    codes = bytes.fromhex(escapes[0].replace("\\u", ""))
    letters = codes.decode("utf-16-be", "replace")
    return letters if letters.isprintable() and '"' not in letters and "\\" not in letters else escapes[0]


def _break_lines(text: str, suffix: str) -> str:
    if suffix in _JSON:
        return _TOKEN.sub(_indenting(), text)
    if text.lstrip().startswith("<"):
        return _BETWEEN_TAGS.sub(">\n<", text)
    return text


def _indenting() -> "Callable[[re.Match[str]], str]":
    """Return a substitution that breaks lines before object members and before nested list items."""
    depth = 0

    def laid(token: "re.Match[str]") -> str:
        nonlocal depth
        sign = token[0]
        if sign[0] == '"':
            return sign
        if sign in "}]":
            depth = max(0, depth - 1)
            return "\n" + " " * min(depth, 40) + sign if sign == "}" else sign
        if sign != ",":
            depth += 1
        rest = token.string[token.end() : token.end() + 8].lstrip()[:1]
        return sign + "\n" + " " * min(depth, 40) if rest in ('"', "{", "[") else sign

    return laid
