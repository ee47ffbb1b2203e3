"""Edits JSON files of other programs in place: comments, order, indentation and trailing commas of the rest stay.

The dialect is that of Visual Studio Code and Zed: JSON with `//` and `/* */` comments and trailing commas.
"""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from desktop_rag.errors import SettingsError
from desktop_rag.text.json_types import Json

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
MOST_DEPTH = 100


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object: its name, and the offsets of its name and its value."""

    name: str
    start: int
    value_start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Object:
    """An object: the offsets of its braces, its members, and whether a comma follows the last one."""

    start: int
    end: int  # of the closing brace
    members: tuple[_Member, ...]
    trailing: bool


def get_member(text: str, path: Sequence[str]) -> str | None:
    """Return the text of the value at `path`, None if there is none; raises `SettingsError` for what is no JSON."""
    if not text.strip():
        return None
    start, end = _whole(text)
    for name in path:
        if text[start : start + 1] != "{":
            return None
        member = _member(_read_object(text, start, 0), name)
        if member is None:
            return None
        start, end = member.value_start, member.end
    return text[start:end]


def set_member(text: str, path: Sequence[str], value: Json) -> str:
    """Return the text with `value` at `path`, whose objects are made if missing; raises `SettingsError`."""
    if _has_crlf(text):
        return set_member(text.replace("\r\n", "\n"), path, value).replace("\n", "\r\n")
    if not text.strip():
        text = "{}\n"
    start, _ = _whole(text)
    for depth, name in enumerate(path):
        if text[start : start + 1] != "{":
            raise SettingsError(f"“{'.'.join(path[:depth]) or 'The file'}” is no object: edit the file by hand.")
        found = _read_object(text, start, 0)
        member = _member(found, name)
        if member is None:
            for each in reversed(path[depth + 1 :]):
                value = {each: value}
            return _inserted(text, found, name, value, depth)
        start, end = member.value_start, member.end
    with suppress(ValueError):  # comments
        if json.loads(text[start:end]) == value:
            return text
    return text[:start] + _written(value, text, len(path)) + text[end:]


def remove_member(text: str, path: Sequence[str]) -> str:
    """Return the text without the member at `path`, and without an object that is empty then; unchanged if none."""
    if _has_crlf(text):
        return remove_member(text.replace("\r\n", "\n"), path).replace("\n", "\r\n")
    if get_member(text, path) is None:
        return text
    start, _ = _whole(text)
    for name in path[:-1]:
        member = _member(_read_object(text, start, 0), name)
        assert member is not None
        start = member.value_start
    found = _read_object(text, start, 0)
    at = next(index for index, each in enumerate(found.members) if each.name == path[-1])
    text = _without(text, found, at)
    if len(found.members) == 1 and len(path) > 1:
        return remove_member(text, path[:-1])
    return text


def restore_member(text: str, path: Sequence[str], raw: str) -> str:
    """Return the text with `raw` as the value that `path` has; unchanged if it has none."""
    start, end = 0, 0
    for name in path:
        start = start or _whole(text)[0]
        member = _member(_read_object(text, start, 0), name) if text[start : start + 1] == "{" else None
        if member is None:
            return text
        start, end = member.value_start, member.end
    return text[:start] + raw + text[end:]


def _has_crlf(text: str) -> bool:
    """Return whether all lines end as on Windows."""
    return "\r\n" in text and text.count("\r\n") == text.count("\n")


def _without(text: str, found: _Object, at: int) -> str:
    """Return the text without the member at this position, its comma and its line."""
    member = found.members[at]
    if at + 1 < len(found.members):  # up to the next member
        comma = text.index(",", _skip(text, member.end)) + 1
        gap = re.match(r"[ \t]*\n?[ \t]*", text[comma:])
        return text[: member.start] + text[comma + (gap.end() if gap else 0) :]
    begin = len(text[: member.start].rstrip())  # comments before it stay
    kept, end = text[:begin], member.end
    if found.trailing:
        end = text.index(",", _skip(text, member.end)) + 1
    elif at:  # the comma after the member before goes too
        comma = text.index(",", _skip(text, found.members[at - 1].end))
        kept = text[:comma] + text[comma + 1 : begin]
    if not at and not (text[found.start + 1 : begin] + text[end : found.end]).strip():
        end = found.end
    elif "\n" in text[begin : member.start] and "\n" not in text[end : found.end]:
        kept += "\n"  # what follows must not become part of a comment
    return kept + text[end:]


def _inserted(text: str, found: _Object, name: str, value: Json, depth: int) -> str:
    """Return the text with a new last member."""
    unit = _indent(text)
    inner, outer = unit * (depth + 1), unit * depth
    entry = f"{json.dumps(name)}: {_written(value, text, depth + 1)}"
    if not found.members:
        comments = text[found.start + 1 : found.end].rstrip()
        return f"{text[: found.start + 1]}{comments}\n{inner}{entry}\n{outer}{text[found.end :]}"
    last = found.members[-1].end
    comma = "" if found.trailing else ","
    at = text.index(",", _skip(text, last)) + 1 if found.trailing else last
    if "\n" not in text[found.start : found.end]:  # an object on one line stays on one
        entry = f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        return f"{text[:at]}{comma} {entry}{',' if found.trailing else ''}{text[at:]}"
    comment = re.match(r"[ \t]*(?://[^\n]*|/\*[^\n]*?\*/[ \t]*)?(?=\n)", text[at:])
    after = at + (comment.end() if comment else 0)  # a comment on the line stays there
    end = "," if found.trailing else ""
    rest = text[after:] if "\n" in text[after : found.end] else f"\n{outer}{text[found.end :]}"
    return f"{text[:at]}{comma}{text[at:after]}\n{inner}{entry}{end}{rest}"


def _written(value: Json, text: str, depth: int) -> str:
    unit = _indent(text)
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", f"\n{unit * depth}")


def _indent(text: str) -> str:
    match = _INDENT.search(text)
    return match[1] if match else "  "


def _member(found: _Object, name: str) -> _Member | None:
    return next((each for each in reversed(found.members) if each.name == name), None)


def _whole(text: str) -> tuple[int, int]:
    """Return the offsets of the one value of a file."""
    start = _skip(text, 0)
    end = _value_end(text, start, 0)
    if _skip(text, end) != len(text):
        raise _broken(text, end)
    return start, end


def _skip(text: str, at: int) -> int:
    """Return the offset after white space, comments and a byte order mark."""
    if not at and text.startswith("\ufeff"):
        at = 1
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value_end(text: str, at: int, depth: int) -> int:
    if depth > MOST_DEPTH:
        raise _broken(text, at)
    match text[at : at + 1]:
        case "{":
            return _read_object(text, at, depth).end + 1
        case "[":
            at = _skip(text, at + 1)
            while text[at : at + 1] != "]":
                at = _skip(text, _value_end(text, at, depth + 1))
                if text[at : at + 1] == ",":
                    at = _skip(text, at + 1)
                elif text[at : at + 1] != "]":
                    raise _broken(text, at)
            return at + 1
        case _:
            found = _STRING.match(text, at) or _WORD.match(text, at)
            if found is None:
                raise _broken(text, at)
            return found.end()


def _read_object(text: str, start: int, depth: int) -> _Object:
    members: list[_Member] = []
    trailing = False
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        name = _STRING.match(text, at)
        if name is None or (members and not trailing):
            raise _broken(text, at)
        colon = _skip(text, name.end())
        if text[colon : colon + 1] != ":":
            raise _broken(text, colon)
        value = _skip(text, colon + 1)
        end = _value_end(text, value, depth + 1)
        try:
            members.append(_Member(json.loads(name[0]), at, value, end))
        except ValueError as error:
            raise _broken(text, at) from error
        at = _skip(text, end)
        trailing = text[at : at + 1] == ","
        if trailing:
            at = _skip(text, at + 1)
    return _Object(start, at, tuple(members), trailing)


def _broken(text: str, at: int) -> SettingsError:
    line = text.count("\n", 0, at) + 1
    return SettingsError(f"Line {line} of the file is no valid JSON: mend it first. Nothing was changed.")
