"""Recognises tool calls that a model writes into its answer instead of calling.

Known forms: bare JSON with a name and arguments (also in a code fence, a list, or OpenAI's own nesting), Hermes and
Qwen `<tool_call>{…}</tool_call>`, Qwen3-Coder `<function=…><parameter=…>`, Llama `<function=…>{…}</function>` and
`<|python_tag|>…`, Mistral `[TOOL_CALLS][{…}]` and `[TOOL_CALLS]name[ARGS]{…}`, Python `search(queries=["…"])`
(Llama 3.2 in a list, Gemma in `print`, others with Markdown around the name), `{"search": {…}}`, ReAct's `Action:`
with `Action Input:`, `search: {…}`, `<search queries="…"/>`, the bare arguments of a tool, OpenAI's `multi_tool_use`,
lists after the tags of Phi, Granite, Jamba, Nemotron, Command R and InternLM, and the tokens of DeepSeek, Kimi, gpt-oss
(Harmony), Qwen 2, GLM, LongCat, MiniMax, Step, Hunyuan, Seed, Apertus, Claude, LFM2, Olmo, Gemma 4 and FunctionGemma,
and LM Studio's `[TOOL_REQUEST]`.
"""

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice

from desktop_rag.llm.json_value import JsonObject, as_list, as_object, as_text, decode_json

Offered = Mapping[str, Sequence[str]]  # the parameters of each tool, in order, by the tool's name

_LIST_TAGS = (
    *("<tool_call>", "<tool_calls>", "<|tool_call|>", "<|tool_calls|>", "[TOOL_CALLS]", "<|python_tag|>"),
    *("<TOOLCALL>", "<|START_ACTION|>", "<|action_start|><|plugin|>", "[TOOL_REQUEST]", "<tool_request>"),
    *("<function_call>", "<|tools_prefix|>", "<|tool_call_start|>", "<|python_start|>"),
)
_TOKENS = (
    *("<｜tool▁call", "<|tool_call_begin|>", "<|tool_calls_section_begin|>", "<|channel|>commentary", "✿FUNCTION✿"),
    *("<｜tool_call", "<|start|>assistant<|channel|>commentary", "<|channel|>analysis<|message|>", "<|tool_call>call:"),
    *("<seed:tool_call>", "<longcat_tool_call>", "<function name=", "<tool_use>"),
    *("<invoke name=", "<function_calls>", "<｜DSML｜", "<minimax:tool_call>", "<start_function_call>", "<function="),
)
MARKERS = (*_LIST_TAGS, *_TOKENS)  # anywhere in a text
_NAMED = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![\w.-])([\w.-]{1,100})\[ARGS\]\s*(?={)",  # bounded: a word of any length would take quadratic time
        r"\[TOOL_CALLS\]\s*([\w.-]+)(?={)",
        r"<｜tool▁call▁begin｜>\s*(?:function<｜tool▁sep｜>)?([\w.-]+)\s*(?:<｜tool▁sep｜>)?\s*(?:```\w*\s*)?(?={)",
        r"<\|tool_call_begin\|>\s*(?:functions\.)?([\w-]+)(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*(?={)",
        r"\bto=functions\.([\w-]+)[^{}]{0,80}<\|message\|>\s*(?={)",
        r"<tool_call>\s*([\w.-]+)\s*(?:<tool_sep>)?\s*```\w*\s*(?={)",
        r'<function name="([\w.-]+)">\s*(?={)',
        r"<tool_use>\s*<name>\s*([\w.-]+)\s*</name>\s*<arguments>\s*(?={)",
        r"✿FUNCTION✿:\s*([\w.-]+)\s*✿ARGS✿:\s*(?={)",
    )
)
_SPACE = r"(?:｜DSML｜|\w{1,12}:)?"
_INVOKE = re.compile(rf'<{_SPACE}invoke name="([\w.-]+)">(.*?)(?:</{_SPACE}invoke>|\Z)', re.DOTALL)
_INVOKE_PARAMETER = re.compile(
    rf'<{_SPACE}parameter name="([\w.-]+)"([^<>]*)>(.*?)(?:</{_SPACE}parameter>|\Z)', re.DOTALL
)
_GLM = re.compile(r"<tool_call>\s*([\w.-]+)\s*(<arg_key>.*?)?(?:</tool_call>|\Z)", re.DOTALL)
_GLM_PARAMETER = re.compile(r"<arg_key>([^<]*)</arg_key>\s*<arg_value>(.*?)(?:</arg_value>|\Z)", re.DOTALL)
_GEMMA = re.compile(
    r"(?:<start_function_call>|<\|tool_call>)call:([\w.-]+)\{(.*?)\}(?:<end_function_call>|<tool_call\|>|\Z)", re.DOTALL
)
_GEMMA_PARAMETER = re.compile(r"([\w.-]+):\[?(?:<(?:escape|\|\"\|)>(.*?)<(?:escape|\|\"\|)>|([^,<>]+))", re.DOTALL)
_PYTHON_TAGS = re.compile(r"<\|(?:tool_call|python)_(?:start|end)\|>|</?function_calls>")
NAME_KEYS = ("name", "tool", "tool_name", "function", "action", "recipient_name")
ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "action_input", "tool_input")
_WRAPPERS = ("tool_calls", "calls", "function_call", "tool_call", "tool_uses")
_KEYS = (*NAME_KEYS, *_WRAPPERS, "type")
_JSON_BEGINS = re.compile(rf"""\[?\s{{0,50}}\{{\s{{0,50}}(["'])(?:{"|".join(_KEYS)})\1\s*:""")
_JSON_PREFIXES = tuple(
    f"{bracket}{{{mark}{key}{mark}:" for bracket in ("", "[") for key in _KEYS for mark in ('"', "'")
)
_PREFIXES = ("[", "functions.", "[functions.", "print(")  # before calls written like Python
_FENCE = re.compile(r"(?:```|~~~)\w*[ \t]*\n\s*")
_OPEN_FENCE = re.compile(r"`{1,2}|~{1,2}|(?:```|~~~)\w{0,12}[ \t]*")  # its first line is not complete yet
_EMPHASIS = re.compile(r"[*`]")
_UNKNOWN_ESCAPE = re.compile(r"""\\(?![\\'"abfnrtvxuUN0-7\n])""")
_ACTION = re.compile(
    r"\*{0,3}Action:?\*{0,3}:?\s*`?([\w.-]+)`?\s*\n\s*\*{0,3}Action Input:?\*{0,3}:?\s*", re.IGNORECASE
)
_KEYED = re.compile(r"""\[?\s{0,50}\{\s{0,50}(["'])([\w.-]+)\1\s*:\s*\{""")  # {"search": {…}}
_ACTION_WORD = "action:"
_ATTRIBUTE = re.compile(r"""([\w-]{1,50})=(["'])(.*?)\2""", re.DOTALL)
_FIRST_KEY = re.compile(r"""\{\s{0,50}(["'])([\w.-]{1,50})\1\s*:""")
_ELEMENT = re.compile(r"<([\w-]{1,50})>(.*?)</\1>", re.DOTALL)
_LONGEST = 16_000  # characters that are looked through for calls: many forms take quadratic time
_LONGEST_START = 300  # characters that tell whether a line begins a call
_CLOSINGS = 200  # brackets that are tried as the end of a call
_LITERALS = {"true": True, "false": False, "null": None}
_REMARKS = frozenset({"thought", "thoughts", "reasoning", "reason", "explanation", "comment"})  # beside a call
_OBJECTS = 10  # in a text that are looked at
_OBJECT_CLOSINGS = 20  # brackets that are tried as the end of an object that is not JSON


def call_position(text: str, offered: Collection[str], *, at_line_start: bool) -> int | None:
    """Return where a written call begins in `text`, if one does; `at_line_start`: `text` begins a line."""
    found = [position for marker in MARKERS if (position := text.find(marker)) >= 0]
    for start in _line_starts(text, at_line_start=at_line_start):
        if _begins_call(text[start : start + _LONGEST_START], offered):
            found.append(start)
            break
    return min(found, default=None)


def uncertain_length(text: str, offered: Collection[str], *, at_line_start: bool) -> int:
    """Return the length of the end of `text` that may become a written call."""
    for start in _line_starts(text, at_line_start=at_line_start):
        if _may_begin_call(text[start:], offered):
            return len(text) - start
    longest = max(map(len, MARKERS)) - 1
    for size in range(min(longest, len(text)), 0, -1):
        if any(marker.startswith(text[-size:]) for marker in MARKERS):
            return size
    return 0


def _line_starts(text: str, *, at_line_start: bool) -> Iterator[int]:
    if at_line_start:
        yield 0
    yield from (newline.end() for newline in re.finditer(r"\n", text))


def _begins_call(line: str, offered: Collection[str]) -> bool:
    bare = line.lstrip()
    if fence := _FENCE.match(bare):
        bare = bare[fence.end() :]
    if _JSON_BEGINS.match(bare) or ((keyed := _KEYED.match(bare)) and keyed[2] in offered):
        return True
    if (first := _FIRST_KEY.match(bare)) and first[2] in _own_parameters(offered):
        return True
    action = _ACTION.match(bare)
    if action:
        return action[1] in offered
    name = re.match(
        r"\[?\s*(?:print\(\s*)?[*`]{0,3}(?:functions\.)?([\w.-]+)[*`]{0,3}(?:\s*\(|\[ARGS\]|:?\s*\{)|<([\w.-]+)[\s/>]",
        bare,
    )
    return name is not None and (name[1] or name[2]) in offered


def _may_begin_call(line: str, offered: Collection[str]) -> bool:
    """Return whether more text could make `line`, which is the end of the text so far, begin a call."""
    bare = line.lstrip()
    if not bare or _OPEN_FENCE.fullmatch(bare):
        return True
    if fence := _FENCE.match(bare):
        bare = bare[fence.end() :]
    compact = re.sub(r"\s+", "", bare[:_LONGEST_START])
    action = compact.strip("*`").lower()
    plain = _EMPHASIS.sub("", compact)  # **search**(
    keyed = (f"{bracket}{{{mark}{name}{mark}:{{" for bracket in ("", "[") for name in offered for mark in ('"', "'"))
    return (
        any(prefix.startswith(compact) for prefix in _JSON_PREFIXES)
        or any(prefix.startswith(compact) for prefix in keyed)
        or any(f"{name}{opening}".startswith(plain) for name in offered for opening in ("(", "[ARGS]", "{", ":{"))
        or any(f"<{name}".startswith(plain) for name in offered)
        or any(f"{{{mark}{name}{mark}:".startswith(compact) for name in _own_parameters(offered) for mark in ('"', "'"))
        or any(f"{prefix}{name}(".startswith(plain) for name in offered for prefix in _PREFIXES)
        or _ACTION_WORD.startswith(action)
        or (action.startswith(_ACTION_WORD) and len(line) < 200 and not _ACTION.match(bare))
    )


def written_calls(text: str, offered: Offered) -> list[tuple[str, str]]:
    """Return name and arguments (JSON text) of the calls in `text`, if every name was offered."""
    text = text[:_LONGEST].replace("longcat_", "")
    if calls := tagged_calls(text) or _read(text, (_bare_json, _react)):
        return calls if all(name in offered for name, _ in calls) else []
    text = _PYTHON_TAGS.sub("", text.removeprefix("<|tools_prefix|>").removesuffix("<|tools_suffix|>"))
    for reader_of in (_keyed, _begun, _arguments, _python):
        if calls := list(reader_of(text, offered)):
            return calls
    return []


def tagged_calls(text: str) -> list[tuple[str, str]]:
    """Return the calls of any name in `text` that stand between tags or tokens."""
    return _read(text, (_tagged, _functions, _named, _with_parameters))


def _read(text: str, readers: Sequence[Callable[[str], Iterator[tuple[str, str]]]]) -> list[tuple[str, str]]:
    for reader in readers:
        try:
            calls = [(name.removeprefix("functions."), arguments) for name, arguments in reader(text)]
        except RecursionError:  # calls within calls without end
            return []
        if calls:
            return calls
    return []


def _own_parameters(offered: Collection[str]) -> Mapping[str, str]:
    """Return the parameters that only one of the tools has, with its name."""
    if not isinstance(offered, Mapping):
        return {}
    counts = Counter(name for parameters in offered.values() for name in parameters)
    return {name: tool for tool, parameters in offered.items() for name in parameters if counts[name] == 1}


def objects_in(text: str) -> Iterator[JsonObject]:
    """Yield the objects in `text`: of JSON, or with Python's liberties (single quotes, trailing commas)."""
    start = text.find("{")
    for _ in range(_OBJECTS):
        if start < 0:
            return
        value, length = _object_at(text[start:])
        if isinstance(value, dict):
            yield value
        start = text.find("{", start + length)


def _object_at(text: str) -> tuple[object, int]:
    """Return the object with which `text` begins, and its length; None and 1 if it is incomplete."""
    try:
        return json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        pass
    for closing in islice(re.finditer(r"\}", text), _OBJECT_CLOSINGS):
        try:
            parsed = _JsonNames().visit(_parsed(text[: closing.end()])).body
            return json.loads(json.dumps(ast.literal_eval(parsed))), closing.end()
        except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
            continue
    return None, 1


def _parsed(source: str) -> ast.Expression:
    """Parse an expression; unknown escapes (backslash, d) mean themselves, without Python's warning on stderr."""
    return ast.parse(_UNKNOWN_ESCAPE.sub(r"\\\\", source), mode="eval")


class _JsonNames(ast.NodeTransformer):
    """Replaces JSON's names of values by the values, and names as keys by strings."""

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        keys = [ast.Constant(key.id) if isinstance(key, ast.Name) else key for key in node.keys]
        self.generic_visit(entries := ast.Dict(keys, node.values))
        return entries

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(_LITERALS[node.id]) if node.id in _LITERALS else node


def written_call(fields: JsonObject) -> tuple[str, str] | None:
    """Return name and arguments (JSON text) of a call, None if no tool is named; its other fields may be arguments."""
    for call in _calls_in([fields]):
        return call
    for key in NAME_KEYS:
        if name := as_text(fields.get(key)):
            return name, _dumped({k: value for k, value in fields.items() if k != key and k not in _REMARKS})
    return None


def _tagged(text: str) -> Iterator[tuple[str, str]]:
    for match in re.finditer(rf"(?:{'|'.join(map(re.escape, _LIST_TAGS))})\s*(?=[\[{{])", text):
        yield from _calls_in(_decoded(text[match.end() :]))


def _functions(text: str) -> Iterator[tuple[str, str]]:
    for match in re.finditer(r"<function=([\w.-]+)>(.*?)(?:</?function>|\Z)", text, re.DOTALL):
        name, body = match[1], match[2].strip()
        parameters = re.findall(r"<parameter=([\w.-]+)>\n?(.*?)\n?(?:</parameter>|\Z)", body, re.DOTALL)
        if parameters or not body.startswith("{"):
            yield name, _dumped({key: _scalar(value) for key, value in parameters})
        else:
            yield name, body


def _named(text: str) -> Iterator[tuple[str, str]]:
    for pattern in _NAMED:
        for match in pattern.finditer(text):
            for item in _decoded(text[match.end() :]):
                yield match[1], _dumped(item)


def _with_parameters(text: str) -> Iterator[tuple[str, str]]:
    for match in _INVOKE.finditer(text):
        found = _INVOKE_PARAMETER.findall(match[2])
        named = {key: value if 'string="true"' in kind else _scalar(value) for key, kind, value in found}
        yield match[1], _dumped(named)
    for match in _GLM.finditer(text):
        yield match[1], _dumped({key: _scalar(value) for key, value in _GLM_PARAMETER.findall(match[2] or "")})
    for match in _GEMMA.finditer(text):
        named = {key: quoted or _scalar(bare.strip()) for key, quoted, bare in _GEMMA_PARAMETER.findall(match[2])}
        yield match[1], _dumped(named)


def _bare_json(text: str) -> Iterator[tuple[str, str]]:
    position = 0
    for _ in range(_OBJECTS):
        if not (match := _JSON_BEGINS.search(text, position)):
            return
        begun = text[match.start() :]
        value, length = _object_at(begun)
        items = _decoded(begun) or list(islice(objects_in(begun), 1)) if value is None else _items(value)
        yield from _calls_in(items)
        position = match.start() + length


def _keyed(text: str, offered: Offered) -> Iterator[tuple[str, str]]:
    """Yield calls whose only key is a tool's name; the text must begin with them."""
    begun = text.strip()
    if fence := _FENCE.match(begun):
        begun = begun[fence.end() :]
    if not _KEYED.match(begun):
        return
    for found in objects_in(begun):
        for name, arguments in found.items():
            if name in offered and isinstance(arguments, dict) and len(found) == 1:
                yield name, _dumped(arguments)


def _begun(text: str, offered: Offered) -> Iterator[tuple[str, str]]:
    """Yield the call whose tool's name stands before its object, or as an XML element; the text must begin with it."""
    names = "|".join(map(re.escape, sorted(offered, key=len, reverse=True)))
    begun = text.strip()
    if named := re.match(rf"[*`]{{0,3}}(?:functions\.)?({names})[*`]{{0,3}}:?\s*(?=\{{)", begun) if names else None:
        yield from ((named[1], _dumped(found)) for found in islice(objects_in(begun[named.end() :]), 1))
    elif element := re.match(rf"<({names})(\s[^<>]*)?>", begun) if names else None:
        inner, _, _ = begun[element.end() :].partition(f"</{element[1]}>")
        attributes = {name: _scalar(value) for name, _, value in _ATTRIBUTE.findall(element[2] or "")}
        if arguments := attributes | {name: _scalar(value.strip()) for name, value in _ELEMENT.findall(inner)}:
            yield element[1], _dumped(arguments)


def _arguments(text: str, offered: Offered) -> Iterator[tuple[str, str]]:
    """Yield the call of a text that is nothing but the arguments of one tool."""
    bare = text.strip("`~ \r\n\t").removeprefix("json").strip()
    found, length = _object_at(bare) if _FIRST_KEY.match(bare) else (None, 0)
    if not isinstance(found, dict) or bare[length:].strip():
        return
    tool = next((tool for name, tool in _own_parameters(offered).items() if name in found), "")
    if tool and set(found) <= set(offered[tool]):
        yield tool, _dumped(found)


def _react(text: str) -> Iterator[tuple[str, str]]:
    if action := _ACTION.search(text):
        for item in _decoded(text[action.end() :]):
            yield action[1], _dumped(item)


def _python(text: str, offered: Offered) -> Iterator[tuple[str, str]]:
    """Yield calls written like Python; positional arguments take the parameters in order.

    The text must consist of such calls: an answer about code may contain `open("a.txt")`.
    """
    names = "|".join(map(re.escape, sorted(offered, key=len, reverse=True)))
    opening = re.compile(
        rf"[\s,)]*(?:(?:<\|python_tag\|>|(?:```|~~~)\w*\s)\s*)?(?:\[\s*)?(?:print\(\s*)?[*`]{{0,3}}(?:functions\.)?"
        rf"({names})[*`]{{0,3}}(?:\.call)?\s*(?=\()"
    )
    found: list[tuple[str, str]] = []
    while match := opening.match(text) if names else None:
        parsed = _expression(text[match.end() :])
        arguments = _python_arguments(parsed[0], offered[match[1]]) if parsed else None
        if parsed is None or arguments is None:
            return
        found.append((match[1], _dumped(arguments)))
        text = text[match.end() + parsed[1] :]
    if not text.strip("`~* \t\r\n;])"):
        yield from found


def _expression(text: str) -> tuple[ast.Call, int] | None:
    """Return the arguments in brackets with which `text` begins, as a call, and their length; None if incomplete."""
    for closing in islice(re.finditer(r"\)", text), _CLOSINGS):
        try:
            parsed = _parsed(f"call{text[: closing.end()]}").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return (parsed, closing.end()) if isinstance(parsed, ast.Call) else None
    return None


def named_arguments(text: str) -> JsonObject | None:
    """Return the arguments in brackets with which `text` begins, if all are literals given by name; else None."""
    parsed = _expression(text)
    return _python_arguments(parsed[0], ()) if parsed and not parsed[0].args else None


def _python_arguments(call: ast.Call, parameters: Sequence[str]) -> JsonObject | None:
    try:
        given = [_literal(argument) for argument in call.args]
        named = {keyword.arg: _literal(keyword.value) for keyword in call.keywords if keyword.arg}
    except (ValueError, TypeError):
        return None
    if len(given) == 1 and isinstance(given[0], dict) and not named:
        return given[0]
    return {**dict(zip(parameters, given, strict=False)), **named}


def _literal(node: ast.expr) -> object:
    """Return the value of a literal, with JSON's names too; raises `ValueError` for anything else."""
    if isinstance(node, ast.Name) and node.id in _LITERALS:
        return _LITERALS[node.id]
    value: object = ast.literal_eval(node)
    return value


def _calls_in(items: Sequence[object]) -> Iterator[tuple[str, str]]:
    for item in items:
        call = as_object(item)
        for wrapper in _WRAPPERS:
            inner = call.get(wrapper)
            if isinstance(inner, list | dict):
                yield from _calls_in(as_list(inner) if isinstance(inner, list) else [inner])
                break
        else:
            function = call.get("function")
            call = as_object(function) if isinstance(function, dict) else call
            name = next((name for key in NAME_KEYS if (name := as_text(call.get(key)))), "")
            stated = next((call[key] for key in ARGUMENT_KEYS if key in call), None)
            if name and (stated is not None or len(call) == 1):
                yield name, stated if isinstance(stated, str) else _dumped(stated or {})


def _decoded(text: str) -> list[object]:
    """Return the values with which `text` begins; small models forget the last brackets before a closing tag."""
    try:
        value: object = json.JSONDecoder(strict=False).raw_decode(text)[0]
    except (ValueError, RecursionError):
        begun, closing_tag, _ = text.partition("</")
        return _decoded(begun + "}}") if closing_tag else []
    return _items(value)


def _items(value: object) -> list[object]:
    return list(as_list(value)) if isinstance(value, list) else [value]


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _scalar(text: str) -> object:
    try:
        return decode_json(text)
    except ValueError:
        return text
