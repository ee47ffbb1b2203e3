"""Equations that fields of Word spell out (`EQ`): fractions, roots, limits, and readings over Japanese words."""

import re

from desktop_rag.documents.formats.equations import limits, over, root
from desktop_rag.documents.formats.inline_text import InlineText
from desktop_rag.text.raised import lowered, raised

_BEGIN = re.compile(r"\s*EQ\s+(?=\S)", re.IGNORECASE)
_FORMATS = re.compile(r'\\\*\s*(?:"[^"]*"|\w+)\s*')  # how the whole field is set
_SWITCH = re.compile(r"\\([A-Za-z]{1,2})(?:\s*(-?\d+))?\s*")
_SIGN_FOLLOWS = frozenset(("lc", "rc", "bc", "fc", "vc"))  # of brackets and integrals
_SIGNS = {"su": "∑", "pr": "∏"}
_DEEPEST, _LONGEST = 20, 4_000


def equation_field(instruction: str) -> str:
    """Return what the instruction of a field shows if it is an equation, else nothing."""
    begin = _BEGIN.match(instruction[:_LONGEST])
    if begin is None:
        return ""
    return " ".join(_Field(_FORMATS.sub("", instruction[begin.end() : _LONGEST])).part(0).split())


def add_equation_field(inline: InlineText, instruction: str) -> None:
    """Append what the instruction of a field shows if it is an equation, apart from a number beside it."""
    shown = equation_field(instruction)
    is_apart = shown[:1].isdecimal() or shown.startswith(("√", "("))
    if is_apart:
        inline.keep_apart()
    inline.add(shown)
    if is_apart:
        inline.keep_apart()


class _Field:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def part(self, depth: int) -> str:
        """Return what is shown up to the next comma or bracket that belongs to what is around."""
        shown, switch, options = "", "", list[str]()
        while self._at < len(self._text):
            letter = self._text[self._at]
            found = _SWITCH.match(self._text, self._at)
            if letter == "(" and switch and depth < _DEEPEST:
                shown += _written(switch, options, self._arguments(switch, depth + 1))
                switch, options = "", []
            elif letter in ",;)" and depth:
                break
            elif found is None:
                self._at += 2 if letter == "\\" else 1
                shown += self._text[self._at - 1 : self._at]
            else:
                self._at = found.end()
                name = found[1].lower()
                if len(name) == 1:
                    switch = name
                elif name in _SIGN_FOLLOWS:
                    self._at += 2 if self._text.startswith("\\", self._at) else 1
                else:
                    options.append(name)
        return shown

    def _arguments(self, switch: str, depth: int) -> list[str]:
        given = list[str]()
        while self._at < len(self._text):
            self._at += 1  # the bracket or comma before
            is_reading = switch == "o" and self._text.startswith("\\s", self._at)
            shown = self.part(depth)
            given += [] if is_reading else [shown]  # it stands over the others
            if self._text[self._at : self._at + 1] not in (",", ";"):
                break
        self._at += 1
        return given


def _written(switch: str, options: list[str], given: list[str]) -> str:
    first, last = (given[at].strip() if given else "" for at in (0, -1))
    match switch:
        case "f" if len(given) == 2:
            return over(first, last)
        case "r":
            return root(last, first if len(given) > 1 else "")
        case "i" if len(given) == 3:
            sign = next((_SIGNS[each] for each in options if each in _SIGNS), "∫")
            return f"{limits(sign, first, given[1].strip())} {last}"
        case "s":
            return raised(last) if "up" in options else lowered(last) if "do" in options else last
        case "o":
            return "".join(given)
        case "b":
            return f"({', '.join(given)})"
        case "d":
            return ""
        case _:
            return ", ".join(given)
