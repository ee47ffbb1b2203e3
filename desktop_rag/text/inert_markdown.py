"""Markdown of a model for other programs, which may load what it names: an address of a picture can carry data away.

Pictures become links and HTML its own text (EchoLeak, CVE-2025-32711); nothing is loaded until somebody clicks.
"""

import re
from collections.abc import Iterable

from desktop_rag.text.hidden_characters import visible

_LOADS = re.compile(r"!\[|<[A-Za-z/!?]")
_ESCAPABLE = r"(?P<loads>!(?=\[)|<(?=[A-Za-z/!?]))"
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

    reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    code = frozenset(line for token in reader.parse(text) if token.map for line in _fenced(token.type, token.map))
    lines = text.split("\n")
    made = _escaped_lines(lines, code, _BESIDE_CODE)
    reader.options["html"] = True
    for token in reader.parse(made):
        if any(each.type in {"image", "html_inline", "html_block"} for each in (token, *(token.children or ()))):
            return _escaped_lines(lines, frozenset(), _EVERYWHERE)
    return made


def _fenced(kind: str, lines: Iterable[int]) -> Iterable[int]:
    return range(*lines) if kind == "fence" else ()


def _escaped_lines(lines: Iterable[str], code: frozenset[int], parts: re.Pattern[str]) -> str:
    return "\n".join(line if number in code else parts.sub(_escaped, line) for number, line in enumerate(lines))


def _escaped(found: re.Match[str]) -> str:
    return f"\\{found[0]}" if found["loads"] else found[0]
