"""Reads source code: its lines, and an outline of its definitions.

One set of regular expressions serves all languages. A definition that they miss only makes headings less precise;
parsers for eighty languages would be larger than the rest of the program.
"""

import re
from collections.abc import Callable, Iterator
from types import MappingProxyType

from desktop_rag.documents.decoding.encodings import clean, decode
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format, suffix_of
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.documents.formats.text_files.source_lines import SourceLines

_MAX_ENTRIES = 20_000

_MODIFIERS = (
    "export|default|declare|public|private|protected|internal|static|final|abstract|sealed|async|pub(?:\\([^)\n]*\\))?|"
    "unsafe|inline|virtual|override|open|data|inner|partial|suspend|local|extern|const|readonly|case|companion|implicit|"
    "fileprivate|mutating|pure|elemental|recursive|typedef"
)
_KEYWORDS = (
    "class|interface|struct|enum|union|trait|impl|module|namespace|record|protocol|extension|object|package|def|defp|"
    "defmodule|defmacro|fn|func|fun|function|sub|proc|procedure|subroutine|program|macro|type|actor|contract|message|"
    "service|mod|theorem|lemma|instance|resource|rpc"
)
# Python before 3.11.5 matches possessive groups wrongly (gh-106052); `(?=(?P<x>…))(?P=x)` is an atomic group in all.
_DEFINITION = (
    rf"^(?P<indent>[ \t]*+)(?=(?P<before>(?:(?:{_MODIFIERS})[ \t]++)*))(?P=before)"
    rf"(?:{_KEYWORDS})\b(?:<[^>\n]*>)?[ \t]++"
    r"(?:class[ \t]++|struct[ \t]++)?"
    r"(?:\([^)\n]*\)[ \t]*+)?(?:\*[ \t]*+)?(?P<name>[^\W\d][\w$.:~!?-]*+|\"[^\"\n]++\"(?:[ \t]++\"[^\"\n]++\")?)"
)
_SIGNATURE = (  # a type, a name, parameters, and an opening brace
    r"^(?P<indent>[ \t]{0,8})(?!(?:if|for|while|switch|return|else|catch|new|delete|throw|do|using|foreach|elif|case|"
    r"goto|await|yield|in|not|and|or|print|assert|import|from|with|lock|synchronized)\b)"
    r"(?=(?P<type>(?:[^\W\d][\w<>\[\],.:?@]*+[ \t*&]++)+))(?P=type)(?P<name>[\w:~]++)[ \t]*+"
    r"\([^;{}()]{0,400}+(?:\([^;{}()]{0,200}+\)[^;{}()]{0,200}+){0,20}\)[^;{}()=]{0,200}+\{"
)
_ASSIGNED = (
    r"^(?P<indent>[ \t]*+)(?:export[ \t]++)?(?:const|let|var)[ \t]++(?P<name>[\w$]++)[ \t]*+=[ \t]*+"
    r"(?:async[ \t]*+)?(?:function\b|\([^)\n]*+\)[^=\n]*+=>|[\w$]++[ \t]*+=>)"
)
_SHELL = r"^(?P<indent>[ \t]*+)(?:function[ \t]++)?(?P<name>[\w.:-]++)[ \t]*+\(\)[ \t]*+\{?"
_MAKE = r"^(?P<indent>)(?P<name>[\w./%-]++)[ \t]*+:(?![=:])"
_SQL = (
    r"(?i:^(?P<indent>[ \t]*+)create[ \t]++(?:or[ \t]++replace[ \t]++)?"
    r"(?:temp(?:orary)?[ \t]++|unique[ \t]++|virtual[ \t]++)?"
    r"(?:table|view|function|procedure|index|trigger|type|schema)[ \t]++(?:if[ \t]++not[ \t]++exists[ \t]++)?"
    r"(?P<name>[\w.\"`\[\]]++))"
)
_LISP = r"^(?P<indent>[ \t]*+)\((?:def\w*+|define[\w-]*+)[ \t]++\(?(?P<name>[^\s()]++)"
_ARROW = r"^(?P<indent>[ \t]*+)(?P<name>[\w.]++)[ \t]*+(?:<-|=)[ \t]*+function\b"
_BRACKETED = r"^(?P<indent>)\[{1,2}(?P<name>[^\]\n]++)\]{1,2}[ \t]*+$"
_KEYED = r"^(?P<indent>)(?P<name>[\w.\"'/ -]++):[ \t]*+$"
_QUOTED = r"^(?P<indent>[ \t]{1,4})\"(?P<name>[^\"\n]++)\"[ \t]*+:[ \t]*+[\[{][ \t]*+$"

_OWN = MappingProxyType(
    {
        suffix: pattern
        for pattern, suffixes in {
            _SHELL: "sh bash zsh fish ksh csh awk",
            _MAKE: "make mk mak am",
            _SQL: "sql psql ddl",
            _LISP: "lisp lsp cl el scm ss rkt clj cljs cljc edn",
            _BRACKETED: "ini cfg conf config cnf toml desktop service reg lock editorconfig properties",
            _KEYED: "yaml yml",
            _QUOTED: "json json5 jsonc webmanifest",
        }.items()
        for suffix in suffixes.split()
    }
)
_GENERAL = (_SIGNATURE, _DEFINITION, _ASSIGNED, _ARROW)
_WHOLE_NAMES = {"makefile": "mk", "gnumakefile": "mk"}
_LEADING = ("#", "//", "/*", "*", "@", "--", ";", "%", "[", "///", "'''", "template", "#[")
_INDENTED_DATA = ("json", "json5", "jsonc", "webmanifest")


def read_code(source: SourceFile, kind: Format) -> Document:
    """Return the lines of a source file with its definitions as the outline."""
    return with_outline(SourceLines(source, kind), source.name)


def with_outline(lines: SourceLines, name: str) -> Document:
    """Return the document of `lines` with its definitions as the outline; each starts at the comment above it."""
    indents: list[int] = []
    last = -1
    for number, indent, title in _definitions(lines, _WHOLE_NAMES.get(name.lower(), suffix_of(name))):
        first = _with_comment(lines, number, last + 1)
        while indents and indents[-1] >= indent:
            indents.pop()
        indents.append(indent)
        lines.add_outline_entry(first, len(indents), title)
        last = number
    return lines.document()


def _definitions(lines: SourceLines, suffix: str) -> Iterator[tuple[int, int, str]]:
    """Yield (line number, indentation, name) of each definition in order, at most one per line."""
    patterns = (_OWN[suffix],) if suffix in _OWN else _GENERAL if lines.format == Format.CODE else ()
    found: dict[int, tuple[int, str]] = {}
    for pattern in patterns:
        number, position = 0, 0
        for match in re.finditer(pattern, lines.text, re.MULTILINE):
            number += lines.text.count("\n", position, match.start())
            position = match.start()
            found.setdefault(number, (len(match["indent"].expandtabs(4)), match["name"].strip(" \"'`[]:")))
            if len(found) >= _MAX_ENTRIES:
                break
    if suffix in _INDENTED_DATA and found:
        least_indent = min(indent for indent, _ in found.values())
        found = {number: entry for number, entry in found.items() if entry[0] == least_indent}
    for number in sorted(found):
        yield number, *found[number]


def _with_comment(lines: SourceLines, number: int, first: int) -> int:
    """Return the first line of the comments and decorators directly above a line."""
    while number > first and lines[number - 1].lstrip().startswith(_LEADING):
        number -= 1
    return number


# Reads JSON, YAML, TOML, XML and configuration files: their lines, with Unicode escapes decoded.
#
# A minified file is broken into lines, because a line of megabytes cannot be read, cited or shown.

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
