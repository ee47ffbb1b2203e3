"""Repairs tool calls that a server passes on damaged: names with tokens of the template, arguments with more beside.

What is left of them in the next request must be what every endpoint takes: OpenAI refuses other characters in a name,
servers in Go and Rust refuse numbers and escapes that Python reads.
"""

import json
import re
from collections.abc import Collection

from desktop_rag.llm.json_value import well_formed
from desktop_rag.llm.written_calls import objects_in
from desktop_rag.text.hidden_characters import visible

_LONGEST_NAME = 64  # OpenAI's limit
_LONGEST_REPAIRED = 4_000  # characters: the search for an object takes quadratic time
_TOKEN = re.compile(r"<[|｜].*?(?:[|｜]>|\Z)")  # of gpt-oss, passed on by servers: search<|channel|>commentary
_AROUND = re.compile(r"^(?:functions?|tools?|default_api|api)[./:]|(?::\d+|\(\s*\)?)$")
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_HALF_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


def called_name(name: str, offered: Collection[str]) -> str:
    """Return the tool of `offered` that `name` means, else `name` in characters that every endpoint takes."""
    name = visible(name)
    by_lower = {each.casefold(): each for each in offered}
    for part in (name, *_TOKEN.split(name)):
        bare = _AROUND.sub("", part.strip()).casefold()
        if bare in by_lower:
            return by_lower[bare]
    return _NOT_IN_A_NAME.sub("_", name)[:_LONGEST_NAME]


def repaired_arguments(text: str) -> str:
    """Return the one object in arguments that are no JSON but have a fence, a token or the like around it.

    Arguments that break off, or that hold two different objects, stay as they are: what was meant is not known.
    """
    if len(text) > _LONGEST_REPAIRED or not text.lstrip("`json \n").startswith("{"):
        return text
    found = {json.dumps(each, ensure_ascii=False) for each in objects_in(text) if each}
    unclosed = text.count("{") > text.count("}")
    return found.pop() if len(found) == 1 and not unclosed else text


def wire_arguments(arguments: str) -> str:
    """Return `arguments` if they are a JSON object for every parser, else an empty one: servers parse earlier turns."""
    try:
        value: object = json.loads(arguments)
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return "{}"
    if not isinstance(value, dict):
        return "{}"
    return well_formed(written) if _HALF_ESCAPE.search(arguments) else arguments
