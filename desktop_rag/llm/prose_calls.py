"""Reads tool calls that stand in the middle of a model's prose, and calls of tools that do not exist.

An answer may speak about code, so a call in prose must name a tool that was offered, give all arguments by name, which
are parameters of it or usual ones, and stand in a text without any citation. Calls of other tools must be the whole
text, or fenced with little prose around; their names then tell the model's mistake.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain

from desktop_rag.llm.json_value import JsonObject, as_object, as_text, decode_json
from desktop_rag.llm.written_calls import ARGUMENT_KEYS, NAME_KEYS, Offered, named_arguments, objects_in, tagged_calls

_LONGEST = 4_000  # characters that are looked through
_MOST = 10  # calls of one text
_CITED = re.compile(r"\bturn\d|(?<=[\w.] )\[\d{1,3}\]|【")  # a reference, or the number of a source
_TOOL_NAME = re.compile(r"[A-Za-z_][\w.-]{0,63}")
_ALONE = re.compile(r"([A-Za-z_][\w.-]{0,63})(?=\()")
_FENCED = re.compile(r"(?:```|~~~)\w*[ \t]*\n(.*?)\n?(?:```|~~~)", re.DOTALL)
_MOST_PROSE = 300  # characters around fenced calls
_USUAL = frozenset({"query", "queries", "q", "keywords", "reference", "references", "limit", "mode", "top_k"})
_BESIDE = frozenset({"id", "type", "index", "thought", "thoughts", "reasoning"})
ANSWERS = frozenset({"answer", "final_answer", "final", "finish", "respond", "response", "submit_answer"})
"""Names by which models hand over their answer instead of calling a tool."""


def calls_in_prose(text: str, offered: Offered) -> list[tuple[str, str]]:
    """Return name and arguments (JSON text) of the calls in a text that goes on after them; empty for an answer."""
    if not offered or len(text) > _LONGEST or _CITED.search(text):
        return []
    names = "|".join(map(re.escape, sorted(offered, key=len, reverse=True)))
    name = re.compile(rf"(?<![\w./-])(?:functions\.|tools\.)?({names})[*`]{{0,3}}(?:(?=\()|:?\s(?:with )?(?=\{{))")
    found: list[tuple[str, str]] = []
    for match in name.finditer(text):
        if len(found) < _MOST and (arguments := _stated(text[match.end() :])) and _fit(arguments, offered[match[1]]):
            found.append((match[1], json.dumps(arguments, ensure_ascii=False)))
    return found


def _stated(rest: str) -> JsonObject | None:
    if rest.startswith("("):
        return named_arguments(rest)
    return next(objects_in(rest), None)


def _fit(arguments: JsonObject, parameters: Sequence[str]) -> bool:
    return set(arguments) <= _USUAL.union(parameters)


def calls_of_others(text: str) -> list[tuple[str, str]]:
    """Return the calls of a text that is hardly anything else, whatever tools they name; but none to `ANSWERS`.

    Prose around them must be short and without citations.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        return []
    if fences := _FENCED.findall(text):
        around = _FENCED.sub(" ", text).strip()
        each = [_objects(inner) or _alone(inner.strip()) for inner in fences]
        is_call = all(each) and len(around) <= _MOST_PROSE and not _CITED.search(around)
        calls = list(chain.from_iterable(each)) if is_call else []
    else:
        calls = (tagged_calls(text) if text[:1] in ("<", "[") else _objects(text)) or _alone(text)
    return [] if any(name in ANSWERS for name, _ in calls) else calls


def _objects(text: str) -> list[tuple[str, str]]:
    """Return the calls of JSON objects, one a line or one alone, that have nothing but a name and arguments."""
    try:
        values = [decode_json(text)]
    except ValueError:
        try:
            values = [decode_json(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            return []
    calls = [call for value in values if (call := _call(as_object(value)))]
    return calls if len(calls) == len(values) and any(arguments != "{}" for _, arguments in calls) else []


def _call(fields: Mapping[str, object]) -> tuple[str, str] | None:
    names = [key for key in NAME_KEYS if _TOOL_NAME.fullmatch(as_text(fields.get(key)))]
    stated = [key for key in ARGUMENT_KEYS if isinstance(fields.get(key), dict)]
    if len(names) != 1 or len(stated) != 1 or not set(fields) <= {*names, *stated, *_BESIDE}:
        return None
    return as_text(fields[names[0]]), json.dumps(fields[stated[0]], ensure_ascii=False)


def _alone(text: str) -> list[tuple[str, str]]:
    """Return a call written like Python that is the whole text."""
    name = _ALONE.match(text)
    arguments = named_arguments(text[name.end() :]) if name and text.endswith(")") and "\n" not in text else None
    if name is None or not arguments or not set(arguments) <= _USUAL:
        return []
    return [(name[1], json.dumps(arguments, ensure_ascii=False))]
