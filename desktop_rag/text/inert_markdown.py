"""Markdown of a model for other programs, which may load what it names: an address of a picture can carry data away.

Pictures become links and HTML its own text (EchoLeak, CVE-2025-32711); nothing is loaded until somebody clicks. Links
lead to the web or a mail address: one with another scheme would run, or open, what a document chose.
"""

import html
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import unquote

from desktop_rag.text.hidden_characters import visible

if TYPE_CHECKING:
    from markdown_it.token import Token

_LOADS = re.compile(r"!\[|<[A-Za-z/!?]|\]\(|\]:")
_ESCAPABLE = (
    r"(?P<loads>!(?=\[)|<(?=[A-Za-z/!?]))"
    r"|(?P<link>\]\((?P<target>[^)\n]*))|(?P<definition>\[[^\]\n]{1,999}\]:(?P<address>[^\n]*))"
)
_SCHEMES = frozenset({"http", "https", "mailto", "cite"})
_EVERYWHERE = re.compile(rf"\\.|{_ESCAPABLE}")
# As CommonMark mostly reads a line, from the left: an escaped character, code, a run of backticks that ends nowhere.
_BESIDE_CODE = re.compile(rf"\\.|(?<!`)(?P<ticks>`+)(?!`)[^\n|]*?(?<!`)(?P=ticks)(?!`)|`+|{_ESCAPABLE}")


def inert_markdown(text: str) -> str:
    """Return Markdown that renders the same and loads nothing, without hidden characters; fenced code is unchanged.

    So is inline code, unless that would make the line ambiguous.
    """
    text = visible(text)
    if not _LOADS.search(text):
        return text
    from markdown_it import MarkdownIt

    class Reader(MarkdownIt):
        """Takes what other readers may take for a link."""

        def validateLink(self, url: str) -> bool:  # noqa: N802 - the name of the library
            return True

    reader = Reader("commonmark", {"html": False}).enable(["table", "strikethrough"])
    code = frozenset(line for token in reader.parse(text) if token.map for line in _fenced(token.type, token.map))
    lines = text.split("\n")
    made = _escaped_lines(lines, code, _BESIDE_CODE)
    reader.options["html"] = True
    for token in reader.parse(made):
        if any(map(_acts, (token, *(token.children or ())))):
            return _escaped_lines(lines, frozenset(), _EVERYWHERE)
    return made


def _fenced(kind: str, lines: Iterable[int]) -> Iterable[int]:
    return range(*lines) if kind == "fence" else ()


def _escaped_lines(lines: Iterable[str], code: frozenset[int], parts: re.Pattern[str]) -> str:
    return "\n".join(line if number in code else parts.sub(_escaped, line) for number, line in enumerate(lines))


def _acts(token: "Token") -> bool:
    if token.type == "link_open":
        return _is_foreign(str(token.attrs.get("href", "")))
    return token.type in {"image", "html_inline", "html_block"}


def _escaped(found: re.Match[str]) -> str:
    if found["link"] and _is_foreign(found["target"]):
        return f"]\\{found[0][1:]}"
    if found["definition"] and _is_foreign(found["address"]):
        return f"\\{found[0]}"
    return f"\\{found[0]}" if found["loads"] else found[0]


def _is_foreign(target: str) -> bool:
    """Return whether a link leads to a hidden host or another scheme; an empty target goes on in the next line."""
    address = next(iter(re.findall(r"<[^>]*|\S+", target)), "")
    readable = html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", unquote(address)))
    plain = re.sub(r"[\x00-\x20\x7f<]", "", readable).replace("\\", "/")
    scheme, colon, _ = re.split(r"[/?#]", plain)[0].partition(":")
    return not plain or plain.startswith("//") or (bool(colon) and scheme.lower() not in _SCHEMES)
