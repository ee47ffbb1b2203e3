"""Reads a tool call in a form that no list of forms has: at the end of a turn, when its whole text is there.

What makes it a call is that it names a tool that was offered, that its arguments are parameters of this tool, and that
nothing but brackets, fences and tags follows. Forms seen: ReAct and `search: {…}` in any layout, `<search><query>…`,
`<tool_call><name>…`, `functools[…]`, `default_api.search(…)`, `{"thought": …, "tool": …}`, `>>>search` (Functionary),
a name above its JSON (GLM-4), `to=search` (gpt-oss), and whatever small models make of these.
"""

import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence

from desktop_rag.llm.json_value import JsonObject, as_list, as_object, as_text, decode_json
from desktop_rag.llm.written_calls import Offered, objects_in, written_calls

_LONGEST = 4_000  # characters that are looked through
_NAMES = (
    *("name", "tool", "tool_name", "function", "function_name", "functionName", "action", "recipient_name"),
    *("call", "tool_call", "function_call", "actionName", "toolName"),
)
_ARGUMENTS = (
    *("arguments", "parameters", "args", "params", "kwargs", "input", "inputs", "action_input", "tool_input"),
    *("toolInput", "actionInput", "tool_args", "tool_arguments", "function_args"),
)
_LISTS = ("tool_calls", "tool_uses", "calls", "function_calls", "functions", "actions", "tools")
_BESIDE = frozenset({"id", "type", "index", "thought", "thoughts", "reasoning", "reason", "explanation", "comment"})
_MOST_DEEP = 4  # wrappers around a call
_PREFIX = re.compile(r"^(?:functions?|tools?|default_api|api)[./:]")
_CLOSED = re.compile(r"(?>(?:[\s`~*\])};.,\"'>/]|<[|｜][^<>\n]{0,40}>|</?\w[\w|:.-]{0,40}\s?/?>)*)\Z")
# Between a name and its arguments: marks, tags, and the words by which models announce these.
_BETWEEN = (
    r"(?>(?i:[^\w{}]|json\b|code\b|python\b|commentary\b|constrain\b|message\b|channel\b|ARGS\b|CALL_ID\b|content\b"
    r"|action\b|tool\b|name\b|function\b|with\b|and\b|the\b|using\b|args\b|arguments?\b|input\b|param(?:eter)?s?\b"
    r"|tool_(?:sep|call_argument_begin|call|input|name)\b|sep\b|\d{1,3}\b|(?<=CALL_ID\])\w{1,40})*)"
)
_DECORATION = re.compile(
    r"(?>(?:\s|```\w*|[`~*>@\[(]|</?\w[\w:|.-]*>|<\|[\w:-]+\|>|\bawait\b|\bprint\(|\w+ ?= ?(?=[\w.]+\()|#[^\n]*\n"
    r"|\b(?:tool[ _]code|tool[ _]call|function[ _]call|call|action(?: \d+)?|tool)\b:?|(?:default_api|tools?|api)\.)*)",
    re.IGNORECASE,
)
_FENCES = re.compile(r"\A(?:```|~~~)\w*\n|\n(?:```|~~~)\Z")
_YAML_LINE = re.compile(r"[ \t]*(?:- )?(\w{1,40}): *(\S.*?|) *")
_PRINTED = re.compile(r"\s*print\(\w*\)\s*(?=`|~|<|\Z)")


def loose_calls(text: str, offered: Offered) -> list[tuple[str, str]]:
    """Return name and arguments (JSON text) of the calls with which `text` ends; empty if it is none for certain."""
    text = text.strip("\ufeff \t\r\n")
    if not offered or len(text) > _LONGEST:
        return []
    for reader in (_objects, _named_objects, _parameter_tags, _python, _bracketed, _yaml):
        try:
            if calls := list(reader(text, offered)):
                return calls
        except RecursionError:
            continue
    return []


def _objects(text: str, offered: Offered) -> Iterator[tuple[str, str]]:
    """Yield the calls of JSON objects that name a tool, if nothing follows the last one."""
    text = _unquoted(text)
    calls: list[tuple[str, str]] = []
    for found in objects_in(text):
        if not (inside := list(_calls_of(found, offered, 0))):
            return
        calls += inside
    if calls and _CLOSED.match(text, text.rfind("}") + 1):
        yield from calls


def _unquoted(text: str) -> str:
    """Return the text that a JSON string is, and single braces for a template's doubled ones."""
    if text.startswith('"'):
        with contextlib.suppress(ValueError):
            text = as_text(decode_json(text)) or text
    return text[1:-1] if text.startswith("{{") and text.endswith("}}}") else text


def _calls_of(value: object, offered: Offered, depth: int) -> Iterator[tuple[str, str]]:
    fields = as_object(value)
    if depth > _MOST_DEEP:
        return
    for key in _LISTS:
        for each in as_list(fields.get(key)):
            yield from _calls_of(each, offered, depth + 1)
    for key in _NAMES:
        stated = fields.get(key)
        if isinstance(stated, dict):
            yield from _calls_of(stated, offered, depth + 1)
        elif (name := _PREFIX.sub("", as_text(stated))) in offered:
            arguments = _arguments({k: v for k, v in fields.items() if k != key}, offered[name])
            if arguments is not None:
                yield name, json.dumps(arguments, ensure_ascii=False)
            return


def _arguments(fields: Mapping[str, object], parameters: Sequence[str]) -> JsonObject | None:
    """Return the arguments beside a name, in an object of their own or flat; None if they are none of the tool's."""
    for key in _ARGUMENTS:
        if key in fields and key not in parameters:
            stated = fields[key]
            if isinstance(stated, str):
                stated = next(objects_in(stated), {} if not stated.strip() else None)
            return dict(as_object(stated)) if isinstance(stated, dict) else None
    flat = {key: value for key, value in fields.items() if key not in _BESIDE or key in parameters}
    return flat if flat and set(flat) <= set(parameters) else None


def _named_objects(text: str, offered: Offered) -> Iterator[tuple[str, str]]:
    """Yield a call whose JSON follows the name of the tool, with nothing but marks and `_BETWEEN` in between."""
    name = re.compile(rf"(?<![\w./-])(?:functions\.|tools\.)?({_either(offered)})(?![\w./-]){_BETWEEN}(?=\{{)")
    end = 0
    calls: list[tuple[str, str]] = []
    for match in name.finditer(text):
        arguments = next(objects_in(text[match.end() :]), None)
        if arguments is None or not text.startswith("{", match.end()):
            return
        if not arguments or not set(arguments) <= set(offered[match[1]]):
            return
        calls.append((match[1], json.dumps(arguments, ensure_ascii=False)))
        end = text.rfind("}") + 1
    if calls and _CLOSED.match(text, end):
        yield from calls


def _parameter_tags(text: str, offered: Offered) -> Iterator[tuple[str, str]]:
    """Yield a call whose arguments are tags, named like the parameters or by an attribute, after the tool's name."""
    name = re.search(rf"[<\"'=>]\s*({_either(offered)})\s*(?=[<>\"'])", text)
    if name is None or not text.endswith(">"):
        return
    parameters = "|".join(map(re.escape, offered[name[1]])) or r"(?!)"
    tag = re.compile(
        rf"<(?:\w{{1,12}}:)?(?:parameter[ =]+(?:name=)?[\"']?)?({parameters})[\"']?>\s*([^<]*?)\s*</[\w:=.-]{{1,40}}>"
    )
    found = {match[1]: _scalar(match[2]) for match in tag.finditer(text, name.end())}
    if found:
        yield name[1], json.dumps(found, ensure_ascii=False)


def _python(text: str, offered: Offered) -> Iterator[tuple[str, str]]:
    """Yield the calls of a text that is nothing else, but for what models put before: `await`, `print(`, a module."""
    start = _DECORATION.match(text)
    rest = text[start.end() :] if start else text
    rest = _tail_cut(_PRINTED.sub("", rest))
    calls = written_calls(rest, offered) if re.match(rf"(?:{_either(offered)})\s*\(", rest) else []
    if all(set(as_object(decode_json(arguments))) <= set(offered[name]) for name, arguments in calls):
        yield from calls


def _tail_cut(text: str) -> str:
    """Return a text without the tags, fences and brackets after the last bracket of its calls."""
    end = text.rfind(")") + 1
    closed = text[:end] if end and _CLOSED.match(text, end) else text
    while closed.endswith("))") and closed.count(")") > closed.count("("):
        closed = closed[:-1]
    return closed


def _bracketed(text: str, offered: Offered) -> Iterator[tuple[str, str]]:
    """Yield ReAct's oldest form, with the first parameter only: `Action: search[rent]`."""
    found = re.search(rf"\bAction(?: \d+)?: *({_either(offered)})\[([^\]\n]+)\]\s*\Z", text, re.IGNORECASE)
    if found and found[1] in offered and offered[found[1]]:
        yield found[1], json.dumps({offered[found[1]][0]: found[2].strip("\"' ")}, ensure_ascii=False)


def _yaml(text: str, offered: Offered) -> Iterator[tuple[str, str]]:
    """Yield a call that is a mapping in YAML, the arguments flat or below a key, of a text that is nothing else."""
    lines = _FENCES.sub("", text).splitlines()
    pairs = [found.groups() for line in lines if (found := _YAML_LINE.fullmatch(line))]
    if len(pairs) < len([line for line in lines if line.strip()]):
        return
    fields: dict[str, object] = {key: _scalar(value) for key, value in pairs if value or key not in _ARGUMENTS}
    yield from _calls_of(fields, offered, 0)


def _either(offered: Offered) -> str:
    return "|".join(map(re.escape, sorted(offered, key=len, reverse=True)))


def _scalar(text: str) -> object:
    try:
        return decode_json(text)
    except ValueError:
        return text
