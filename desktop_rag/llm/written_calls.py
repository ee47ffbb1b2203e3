"""Recognises tool calls that a model writes into its answer instead of calling.

A written call is an object that names its tool, or the name of a tool with its arguments behind it: an object, brackets
as in Python, tags or attributes. Between both stand the marks, tokens and words of `_BETWEEN`. That covers what servers
document and models were seen to write:
bare JSON (also in a fence, a list, a string, YAML, or OpenAI's own nesting), Hermes and Qwen `<tool_call>{…}`,
Qwen3-Coder `<function=…><parameter=…>`, Llama `<function=…>{…}` and `<|python_tag|>…`, Mistral `[TOOL_CALLS]…`, Python
`search(queries=["…"])` (Llama 3.2 in a list, Gemma in `print`, others with Markdown around the name), ReAct,
`{"search": {…}}`, `search: {…}`, `<search queries="…"/>`, the bare arguments of a tool, OpenAI's `multi_tool_use`,
LM Studio's `[TOOL_REQUEST]`, and the tokens of DeepSeek, Kimi, gpt-oss (Harmony), Qwen 2, GLM, LongCat, MiniMax, Step,
Hunyuan, Seed, Apertus, Claude, LFM2, Olmo, Gemma 4, FunctionGemma, Phi, Granite, Jamba, Nemotron, Command R, InternLM.

An answer may speak about code. What makes it a call is where it stands: see `written_calls` and `shown_calls`.
"""

import ast
import contextlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import Literal

from desktop_rag.llm.json_value import JsonObject, as_list, as_object, as_text, decode_json, well_formed
from desktop_rag.text.hidden_characters import visible

Offered = Mapping[str, Sequence[str]]  # the parameters of each tool, in order, by the tool's name

MARKERS = (  # anywhere in a text
    *("<tool_call>", "<tool_calls>", "<|tool_call|>", "<|tool_calls|>", "[TOOL_CALLS]", "<|python_tag|>"),
    *("<TOOLCALL>", "<|START_ACTION|>", "<|action_start|><|plugin|>", "[TOOL_REQUEST]", "<tool_request>"),
    *("<function_call>", "<function_call name=", "<|tools_prefix|>", "<|tool_call_start|>", "<|python_start|>"),
    *("<｜tool▁call", "<|tool_call_begin|>", "<|tool_calls_section_begin|>", "<|channel|>commentary", "✿FUNCTION✿"),
    *("<｜tool_call", "<|start|>assistant<|channel|>commentary", "<|channel|>analysis<|message|>", "<|tool_call>call:"),
    *("<seed:tool_call>", "<longcat_tool_call>", "<function name=", "<tool_use>"),
    *("<tools>", "<tool_response>", "<tool_call name=", "<tool name="),
    *("<invoke name=", "<function_calls>", "<｜DSML｜", "<minimax:tool_call>", "<start_function_call>", "<function="),
)
_NAMES = (
    *("name", "tool", "tool_name", "function", "function_name", "functionName", "action", "recipient_name"),
    *("call", "tool_call", "function_call", "actionName", "toolName"),
)
_ARGUMENTS = (
    *("arguments", "parameters", "args", "params", "kwargs", "input", "inputs", "action_input", "tool_input"),
    *("toolInput", "actionInput", "tool_args", "tool_arguments", "function_args"),
)
_LISTS = ("tool_calls", "tool_uses", "calls", "function_calls", "functions", "actions", "tools")
_BESIDE = frozenset(
    {"id", "tool_call_id", "type", "index", "thought", "thoughts", "reasoning", "reason", "explanation", "comment"}
)
_FIRST_KEYS = (
    *("name", "tool", "tool_name", "function", "action", "recipient_name"),
    *("tool_calls", "calls", "function_call", "tool_call", "tool_uses", "type"),
)

_PREFIXES = ("", "[", "functions.", "[functions.", "print(", "print(functions.")  # before a name
_FENCE = re.compile(r"(?:```|~~~)\w*[ \t]*\n\s*")
_OPEN_FENCE = re.compile(r"`{1,2}|~{1,2}|(?:```|~~~)\w{0,12}[ \t]*")  # its first line is not complete yet
_ACTION = re.compile(
    r"\*{0,3}Action:?\*{0,3}:?\s*`?([\w.-]+)`?\s*\n\s*\*{0,3}Action Input:?\*{0,3}:?\s*", re.IGNORECASE
)
_ACTION_WORD = "action:"
_UNKNOWN_ESCAPE = re.compile(r"""\\(?![\\'"abfnrtvxuUN0-7\n])""")
_LITERALS = {"true": True, "false": False, "null": None}

_PREFIX = re.compile(r"^(?:functions?|tools?|default_api|api)[./:]")
_TOOL_NAME = r"[A-Za-z_][\w.-]{0,63}"
# Between a name and its arguments: marks, tags, and the words by which models announce these.
_BETWEEN = (
    r"(?>(?i:[^\w{}]|json\b|code\b|python\b|commentary\b|constrain\b|message\b|channel\b|(?:CALL_)?ID\b|content\b|ARGS\b"
    r"|action\b|tool\b|name\b|function\b|with\b|and\b|the\b|using\b|args\b|arguments?\b|input\b|param(?:eter)?s?\b"
    r"|tool_(?:sep|call_argument_begin|call|input|name)\b|sep\b|\d{1,3}\b|(?<=CALL_ID\])\w{1,40})*)"
)
_BEFORE = re.compile(
    r"(?>(?:\s|```\w*|[`~*>@\[(),;]|</?[\w:|｜.-]{0,40}(?:(?: name)?=[\"']?)?>?|<\|[\w:-]+\|?>|\[?[A-Z_]{1,20}\]"
    r"|\bawait\b|\bprint\(|\w+ ?= ?(?=[\w.]+\()|\b(?:assistant|analysis|commentary)\b|\bto=|#[^\n]*\n"
    r"|\b(?:tool[ _]code|tool[ _]call|function[ _]call|call|action(?: \d+)?|tool)\b:?)*)",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:\s*print\([A-Za-z_]\w*\)\s*(?=`|~|<|\Z))?"
    r"(?>(?:[\s`~*\])};.,\"'>/]|<[|｜][^<>\n]{0,40}>|</?\w[\w|:.-]{0,40}\s?/?>|\[/?[A-Z_]{1,20}\])*)\Z"
)
# Tokens of single templates, in the words of the others.
_QUOTES = re.compile(r"<(escape|\|\"\|)>(.*?)<\1>", re.DOTALL)  # FunctionGemma, Gemma 4
_ANY_NAME = (  # where templates have the name of a tool
    r"(?:<function=|<tool_call>\s*|name=[\"']?|functions\.|call:|\[TOOL_CALLS\]\s*|tool.(?:sep|call.begin)[|｜]>|<name>\s*|FUNCTION✿:\s*)"
    rf"(?P<name>(?!functions\.){_TOOL_NAME})"
)
_MARK = re.compile(rf"<[\w:｜]{{0,20}}invoke name=|{_ACTION.pattern}", re.IGNORECASE)
_OBJECT_AHEAD = re.compile(rf"{_BETWEEN}(?=\{{)")
_BRACKET_AHEAD = re.compile(r"[*`]{0,3}(?:\.call)?\s*(?=\()")
_ACTION_BRACKET = re.compile(r"\[([^\]\n]+)\]\s*\Z")  # ReAct's oldest form, with the first parameter only
_ACTION_BEFORE = re.compile(r"\bAction(?: \d+)?: *\Z", re.IGNORECASE)
_NO_ARGUMENTS = re.compile(
    r"[\"']?>?\s*(?:</(?:function|tool_call|\w{0,12}:?invoke)>|<\w{0,20}arg_key>|<[^<>]{0,80}\Z|\Z)"
)
_PARAMETER = (  # Qwen3-Coder, Claude, MiniMax, DeepSeek, Step; GLM, LongCat
    r"<[\w:｜]{0,20}parameter[= ]+(?:name=)?[\"']?(?P<key1>[\w.-]+)[\"']?(?P<kind>[^<>]*)>\n?(?P<value1>.*?)\n?"
    r"(?:</[\w:｜]{0,20}parameter>|\Z)"
    r"|<\w{0,20}arg_key>(?P<key2>[^<]*)</\w{0,20}arg_key>\s*<\w{0,20}arg_value>(?P<value2>.*?)(?:</\w{0,20}arg_value>|\Z)"
)
_FENCES = re.compile(r"\A(?:```|~~~)\w*\n|\n(?:```|~~~)\Z")
_YAML_LINE = re.compile(r"[ \t]*(?:- )?(\w{1,40}): *(\S.*?|) *")
_FENCED = re.compile(r"(?:```|~~~)\w*[ \t]*\n(.*?)\n?(?:```|~~~)", re.DOTALL)
_CITED = re.compile(r"\bturn\d|(?<=[\w.] )\[\d{1,3}\]|【")  # a reference, or the number of a source
_USUAL = frozenset({"query", "queries", "q", "keywords", "reference", "references", "limit", "mode", "top_k"})
ANSWERS = frozenset({"answer", "final_answer", "final", "finish", "respond", "response", "submit_answer"})
"""Names by which models hand over their answer instead of calling a tool."""

_TOOL_TEXT = re.compile(r"<tool_response>.*?(?:</tool_response>\s*|\Z)|</?tools>\s*|</tool_response>\s*", re.DOTALL)
_LONGEST = 16_000  # characters that are looked through for calls: many forms take quadratic time
_LONGEST_SHOWN = 4_000  # of a text that does not begin like a call
_LONGEST_START = 300  # characters that tell whether a line begins a call
_CLOSINGS = 200  # brackets that are tried as the end of a call
_OBJECT_CLOSINGS = 20  # brackets that are tried as the end of an object that is not JSON
_MOST = 20  # places of a text where a call may begin
_MOST_OBJECTS = 10  # in a text that are looked at
_MOST_DEEP = 4  # wrappers around a call
_MOST_PROSE = 300  # characters around fenced calls


@dataclass(frozen=True, slots=True)
class _Call:
    """A call where it stands in a text; `arguments` are JSON text, which may be damaged."""

    name: str
    arguments: str
    start: int
    end: int
    form: Literal["object", "named", "python", "tags"]
    fits: bool  # the arguments are parameters of the tool
    is_usual: bool = False  # every argument has a name, which is a parameter of the tool or a usual one

    @property
    def pair(self) -> tuple[str, str]:
        """Return name and arguments."""
        return self.name, self.arguments


def written_calls(text: str, offered: Offered) -> list[tuple[str, str]]:
    """Return name and arguments (JSON text) of the calls in a text that has the sign of one, if all were offered.

    Objects that name their tool, and what follows a marker, count anywhere in it; other names with arguments count at
    its beginning or end, and calls like Python, whose arguments need no names, if there is nothing else.
    """
    text = _plain(text[:_LONGEST])
    calls = _scan(text, offered)
    if not calls:
        return _bare_arguments(text, offered) or _yaml(text, offered)
    if not all(call.name in offered for call in calls):
        return []
    if all(call.form == "python" for call in calls):
        counts = _nothing_else(text, calls)
    elif objects := [call for call in calls if call.form == "object"]:
        calls, counts = objects, True
    else:
        ends = all(call.fits for call in calls) and _ends_with(text, calls)
        counts = ends or _is_marked(text[: calls[0].end]) or _begins_with(text, calls)
    return [call.pair for call in calls] if counts else []


def shown_calls(text: str, offered: Offered) -> list[tuple[str, str]]:
    """Return name and arguments (JSON text) of the calls in a text that began like an answer; empty if it is one.

    Calls must end it and have fitting arguments; in a text that goes on after them, and has no citation, each argument
    must have a name. Calls of tools that do not exist tell the model's mistake, if there is hardly anything else.
    """
    text = _plain(text.strip("\ufeff \t\r\n"))
    if not offered or len(text) > _LONGEST_SHOWN:
        return []
    calls = _scan(text, offered)
    if calls and all(call.name in offered and (call.fits or call.form == "object") for call in calls):
        alone = _nothing_else if any(call.form == "python" for call in calls) else _ends_with
        if alone(text, calls):
            return [call.pair for call in calls]
    usual = [] if _CITED.search(text) else [call.pair for call in calls if call.is_usual]
    return usual or ([] if calls else _yaml(text, offered)) or _calls_of_others(text)


def without_tool_text(text: str) -> str:
    """Return a text without results of tools that the model wrote itself, and without tags around no call."""
    return _TOOL_TEXT.sub("", text)


def _plain(text: str) -> str:
    """Return a text with JSON's quotation marks; some make a string of the whole call."""
    text = _QUOTES.sub(lambda quoted: json.dumps(quoted[2], ensure_ascii=False), text)
    if text.startswith('"'):
        with contextlib.suppress(ValueError):
            return as_text(decode_json(text)) or text
    return text


def _is_marked(text: str) -> bool:
    return any(marker in text for marker in MARKERS) or _MARK.search(text) is not None


def _begins_with(text: str, calls: Sequence[_Call]) -> bool:
    return _BEFORE.fullmatch(text, 0, calls[0].start) is not None


def _ends_with(text: str, calls: Sequence[_Call]) -> bool:
    return _AFTER.match(text, calls[-1].end) is not None


def _nothing_else(text: str, calls: Sequence[_Call]) -> bool:
    between = all(_BEFORE.fullmatch(text, one.end, other.start) for one, other in pairwise(calls))
    return between and _begins_with(text, calls) and _ends_with(text, calls)


def _scan(text: str, offered: Offered | None) -> list[_Call]:
    """Return the calls in the order of `text`; None for tools of any name, where templates have the name of one."""
    if offered is None:
        name = _ANY_NAME
    else:
        either = "|".join(map(re.escape, sorted(offered, key=len, reverse=True))) or "(?!)"
        name = rf"(?<![\w./-])(?:(?:functions|tools|default_api|api)\.)?(?P<name>{either})(?![\w/-])"
    opening = re.compile(rf"{name}|\{{")
    found: list[_Call] = []
    position = 0
    for _ in range(_MOST):
        if not (begun := opening.search(text, position)):
            break
        calls = list((_named if begun["name"] else _objects)(text, begun, offered))
        found += calls
        position = max([begun.end(), *(call.end for call in calls)])
    return found


def _objects(text: str, begun: re.Match[str], offered: Offered | None) -> Iterator[_Call]:
    """Yield the calls that an object holds."""
    value, end = _object_at(text, begun.start())
    for name, arguments, fits in _calls_of(value, offered, 0):
        yield _Call(name, arguments, begun.start(), end, "object", fits)


def _calls_of(value: object, offered: Offered | None, depth: int) -> Iterator[tuple[str, str, bool]]:
    """Yield name and arguments of the calls in an object, whatever wraps them, and whether the arguments fit."""
    fields, known = as_object(value), offered or {}
    if depth > _MOST_DEEP:
        return
    for key in _LISTS:
        stated = fields.get(key)
        for each in [stated] if isinstance(stated, dict) else as_list(stated):
            yield from _calls_of(each, offered, depth + 1)
    for key in _NAMES:
        if isinstance(stated := fields.get(key), dict):
            yield from _calls_of(stated, offered, depth + 1)
        elif name := _PREFIX.sub("", as_text(stated)):
            rest = {other: value for other, value in fields.items() if other != key}
            arguments = _beside(rest, known[name]) if name in known else _of_unknown(rest, name, offered)
            if arguments is not None:
                yield name, *_stated(arguments, known.get(name, ()))
            return
    for key, stated in fields.items():  # {"search": {…}}
        if key in known and len(fields) == 1 and isinstance(stated, dict):
            yield key, *_stated(stated, known[key])


def _beside(rest: Mapping[str, object], parameters: Sequence[str]) -> object:
    """Return the arguments beside a name, in an object of their own or flat; None if they are none of the tool's."""
    for name in _ARGUMENTS:
        if name in rest and name not in parameters:
            return rest[name] or {}
    flat = {name: value for name, value in rest.items() if name not in _BESIDE or name in parameters}
    return flat if set(flat) <= set(parameters) else None


def _of_unknown(rest: Mapping[str, object], name: str, offered: Offered | None) -> object:
    """Return the arguments of a tool that does not exist, if there is nothing but them and a possible name."""
    stated = [rest[key] for key in _ARGUMENTS if isinstance(rest.get(key), dict)]
    is_call = len(stated) == 1 and re.fullmatch(_TOOL_NAME, name) and set(rest) <= {*_ARGUMENTS, *_BESIDE}
    return stated[0] if is_call or (stated and offered is not None) else None


def _stated(arguments: object, parameters: Sequence[str]) -> tuple[str, bool]:
    """Return arguments as JSON text, and whether they fit."""
    if isinstance(arguments, str):
        arguments = next(objects_in(arguments), arguments if arguments.strip() else {})
    fits = isinstance(arguments, dict) and set(arguments) <= set(parameters)
    return arguments if isinstance(arguments, str) else _dumped(arguments), fits


def _named(text: str, begun: re.Match[str], offered: Offered | None) -> Iterator[_Call]:
    """Yield the call whose tool's name was found, if tags, an object, or brackets with literals follow it."""
    name, after = begun["name"], begun.end()
    parameters: Sequence[str] = offered.get(name, ()) if offered is not None else ()
    form: Literal["named", "python", "tags"] = "named"
    by_name = True
    arguments: object = None
    if found := _tags(text, begun, parameters):
        form, (arguments, end) = "tags", found
    elif ahead := _OBJECT_AHEAD.match(text, after):
        arguments, end = _object_at(text, ahead.end())
        if arguments is None and text.endswith("<function=", 0, begun.start()):  # damaged, for the model to repair
            yield _Call(name, text[ahead.end() :].partition("</")[0], begun.start(), len(text), "named", fits=False)
    elif ahead := _BRACKET_AHEAD.match(text, after):
        form, (arguments, by_name, end) = "python", _bracketed(text, ahead.end(), parameters)
    elif parameters and (ahead := _ACTION_BRACKET.match(text, after)) and _ACTION_BEFORE.search(text, 0, begun.start()):
        arguments, end = {parameters[0]: ahead[1].strip("\"' ")}, ahead.end()
    elif (ahead := _NO_ARGUMENTS.match(text, after)) and _is_marked(text[:after]):
        form, arguments, end = "tags", {}, ahead.end()
    if isinstance(arguments, dict):
        is_usual = by_name and form != "tags" and bool(arguments) and set(arguments) <= _USUAL.union(parameters)
        fits = set(arguments) <= set(parameters) and (form == "python" or bool(arguments))
        yield _Call(name, _dumped(arguments), begun.start(), end, form, fits, is_usual)


def _tags(text: str, begun: re.Match[str], parameters: Sequence[str]) -> tuple[JsonObject, int] | None:
    """Return the arguments in tags and attributes behind a name, and where they end; None without any."""
    before = {text[: begun.start(group)].rstrip()[-1:] for group in (0, "name")}
    if not before & {"<", '"', "'", "=", ">"}:
        return None
    own = "|".join(map(re.escape, parameters)) or "(?!)"
    if text[: begun.start()].endswith("<"):  # <search queries="…">
        own = rf"(?!(?:{'|'.join(_ARGUMENTS)})\b)[\w-]{{1,50}}"
    argument = re.compile(
        rf"(?>(?:[\s\"'>]|</?(?!(?:{own})>|\w{{0,20}}arg_key)[\w:｜-]{{1,40}}>)*)(?:{_PARAMETER}"
        rf"|<(?P<key3>{own})>\s*(?P<value3>.*?)\s*</[\w:=.-]{{1,40}}>|(?<=\s)(?P<key4>{own})=(?P<mark>[\"'])(?P<value4>.*?)(?P=mark))",
        re.DOTALL,
    )
    found: JsonObject = {}
    end = begun.end()
    while match := argument.match(text, end):
        key, value = next((key, match[f"value{n}"]) for n in "1234" if (key := match[f"key{n}"]) is not None)
        found[key] = value if 'string="true"' in (match["kind"] or "") else _scalar(value)
        end = match.end()
    return (found, end) if found else None


def _bracketed(text: str, start: int, parameters: Sequence[str]) -> tuple[JsonObject | None, bool, int]:
    """Return the arguments in the brackets at `start`, None unless all are literals; if all have names; the end."""
    for closing in islice(re.compile(r"\)").finditer(text, start), _CLOSINGS):
        try:
            call = _parsed(f"call{text[start : closing.end()]}").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        arguments = _python_arguments(call, parameters) if isinstance(call, ast.Call) else None
        return arguments, isinstance(call, ast.Call) and not call.args, closing.end()
    return None, False, start


def _python_arguments(call: ast.Call, parameters: Sequence[str]) -> JsonObject | None:
    """Return literal arguments; those without a name take the parameters in order, an object is all arguments."""
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


def _bare_arguments(text: str, offered: Offered) -> list[tuple[str, str]]:
    """Return the call of a text that is nothing but the arguments of one tool."""
    bare = text.strip("`~ \r\n\t").removeprefix("json").strip()
    found, end = _object_at(bare, 0) if bare.startswith("{") else (None, 0)
    if not isinstance(found, dict) or bare[end:].strip():
        return []
    tool = next((tool for name, tool in _own_parameters(offered).items() if name in found), "")
    return [(tool, _dumped(found))] if tool and set(found) <= set(offered[tool]) else []


def _yaml(text: str, offered: Offered) -> list[tuple[str, str]]:
    """Return a call that is a mapping in YAML, the arguments flat or below a key, of a text that is nothing else."""
    lines = [line for line in _FENCES.sub("", text).splitlines() if line.strip()]
    pairs = [found.groups() for line in lines if (found := _YAML_LINE.fullmatch(line))]
    fields = {key: _scalar(value) for key, value in pairs if value or key not in _ARGUMENTS}
    calls = _calls_of(fields, offered, 0) if len(pairs) == len(lines) else iter(())
    return [(name, arguments) for name, arguments, fits in calls if fits]


def _calls_of_others(text: str) -> list[tuple[str, str]]:
    """Return the calls of a text that is hardly anything else, whatever tools they name; but none to `ANSWERS`."""
    inside = _FENCED.findall(text)
    around = _FENCED.sub(" ", text).strip() if inside else ""
    if len(around) > _MOST_PROSE or _CITED.search(around):
        return []
    each = [_calls_of_any(part.strip()) for part in inside or [text]]
    calls = list(chain.from_iterable(each)) if all(each) else []
    return [] if any(name in ANSWERS for name, _ in calls) else calls


def _calls_of_any(text: str) -> list[tuple[str, str]]:
    """Return the calls that are the whole text."""
    if (name := re.match(rf"{_TOOL_NAME}(?=\()", text)) and "\n" not in text:
        arguments, by_name, end = _bracketed(text, name.end(), ())
        is_call = by_name and end == len(text) and set(arguments or ()) <= _USUAL
        return [(name[0], _dumped(arguments))] if arguments and is_call else []
    calls = _scan(text, None)
    if not calls or not _begins_with(text, calls):
        return []
    alone = _nothing_else(text, calls) and any(call.arguments != "{}" for call in calls)
    return [call.pair for call in calls] if alone or _is_marked(text[: calls[0].end]) else []


def objects_in(text: str) -> Iterator[JsonObject]:
    """Yield the objects in `text`: of JSON, or with Python's liberties (single quotes, trailing commas)."""
    start = text.find("{")
    for _ in range(_MOST_OBJECTS):
        if start < 0:
            return
        value, end = _object_at(text, start)
        if value is not None:
            yield value
        start = text.find("{", end)


def _object_at(text: str, start: int) -> tuple[JsonObject | None, int]:
    """Return the object at `start` and its end; None if it is incomplete.

    Small models forget the last brackets before a closing tag.
    """
    with contextlib.suppress(ValueError, RecursionError):
        value, end = json.JSONDecoder(strict=False).raw_decode(text, start)
        return value, end
    for closing in islice(re.compile(r"\}").finditer(text, start), _OBJECT_CLOSINGS):
        try:
            parsed = _JsonNames().visit(_parsed(text[start : closing.end()])).body
            value = json.loads(json.dumps(ast.literal_eval(parsed)))
        except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
            continue
        if isinstance(value, dict):
            return value, closing.end()
    if (tag := text.find("</", start)) >= 0:
        with contextlib.suppress(ValueError, RecursionError):
            return json.JSONDecoder(strict=False).raw_decode(f"{text[start:tag]}}}}}")[0], tag
    return None, start + 1


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


def _own_parameters(offered: Collection[str]) -> Mapping[str, str]:
    """Return the parameters that only one of the tools has, with its name."""
    if not isinstance(offered, Mapping):
        return {}
    counts = Counter(name for parameters in offered.values() for name in parameters)
    return {name: tool for tool, parameters in offered.items() for name in parameters if counts[name] == 1}


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _scalar(text: str) -> object:
    try:
        return decode_json(text)
    except ValueError:
        return text


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
    bare = _without_fence(line)
    named = _ACTION.match(bare) or re.match(r"<([\w.-]+)[\s/>]", bare)
    return (named is not None and named[1] in offered) or _compact(bare).startswith(tuple(_openings(offered)))


def _may_begin_call(line: str, offered: Collection[str]) -> bool:
    """Return whether more text could make `line`, which is the end of the text so far, begin a call."""
    if not line.strip() or _OPEN_FENCE.fullmatch(line.lstrip()):
        return True
    bare = _without_fence(line)
    compact = _compact(bare)
    action = compact.lower()
    return (
        any(opening.startswith(compact) for opening in (*_openings(offered), *(f"<{name}" for name in offered)))
        or _ACTION_WORD.startswith(action)
        or (action.startswith(_ACTION_WORD) and len(line) < 200 and not _ACTION.match(bare))
    )


def _openings(offered: Collection[str]) -> Iterator[str]:
    """Yield how calls begin, without spaces and emphasis."""
    for key in (*_FIRST_KEYS, *_own_parameters(offered)):
        yield from (f"{bracket}{{{mark}{key}{mark}:" for bracket in ("", "[") for mark in ('"', "'"))
    for name in offered:
        yield from (f"{bracket}{{{mark}{name}{mark}:{{" for bracket in ("", "[") for mark in ('"', "'"))
        yield from (f"{before}{name}{after}" for before in _PREFIXES for after in ("(", "[ARGS]", "{", ":{"))


def _without_fence(line: str) -> str:
    bare = line.lstrip()
    fence = _FENCE.match(bare)
    return bare[fence.end() :] if fence else bare


def _compact(line: str) -> str:
    """Return a line without spaces, and without emphasis around a name."""
    plain = re.sub(r"\s+", "", line[:_LONGEST_START])
    return plain if plain.lstrip("*`").startswith(("{", "[{")) else re.sub(r"[*`]+", "", plain)


# Repairs tool calls that a server passes on damaged: names with tokens of the template, arguments with more beside.
#
# What is left of them in the next request must be what every endpoint takes: OpenAI refuses other characters in a name,
# servers in Go and Rust refuse numbers and escapes that Python reads.

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
