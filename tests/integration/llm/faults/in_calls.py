"""Faults inside tool calls: broken, cut, nested, endless or odd names and arguments."""

import json

from desktop_rag.errors import ModelError, StreamCut
from tests.integration.llm.faults.fault import (
    ARGUMENTS,
    BREAKS,
    CALLED,
    DONE,
    STOP,
    Fault,
    answered,
    call,
    called,
    delta,
    event,
    failed,
    text,
)
from tests.raw_endpoint import HOLD, Flood, split_everywhere, stream

_SEARCH = ("search", ARGUMENTS)
_BROKEN = (
    [
        failed(
            f"{how} inside arguments",
            StreamCut,
            words,
            *stream(text("I search."), call('{"query": "re'), *steps),
            text="I search.",
        )
        for how, (steps, words) in BREAKS.items()
    ]
    + [
        failed(f"{how} after a name", ModelError, words, *stream(call(""), *steps))
        for how, (steps, words) in BREAKS.items()
    ]
    + [
        Fault(
            f"{how} inside arguments, then whole",
            [stream(call('{"que'), *steps), stream(call(ARGUMENTS), CALLED)],
            calls=[_SEARCH],
        )
        for how, (steps, _) in list(BREAKS.items())[:2]
    ]
)

_ODD_ARGUMENTS: list[tuple[str, object, str]] = [
    ("empty", "", "{}"),
    ("null", None, "{}"),
    ("the word null", "null", "{}"),
    ("an object", {"query": "rent"}, ARGUMENTS),
    ("encoded twice", json.dumps(ARGUMENTS), ARGUMENTS),
    ("white space around", f" \n{ARGUMENTS}\n ", ARGUMENTS),
    ("half a JSON text", '{"query": "re', '{"query": "re'),
    ("a trailing comma", '{"query": "rent",}', ARGUMENTS),
    ("single quotes", "{'query': 'rent'}", ARGUMENTS),
    ("a fence", f"```json\n{ARGUMENTS}\n```", ARGUMENTS),
    ("a token after them", f"{ARGUMENTS}<|call|>", ARGUMENTS),
    ("an empty object before them", "{}" + ARGUMENTS, ARGUMENTS),
    ("twice the same", ARGUMENTS * 2, ARGUMENTS),
    ("two different ones", ARGUMENTS + '{"query": "pets"}', ARGUMENTS + '{"query": "pets"}'),
    ("a byte order mark", f"\ufeff{ARGUMENTS}", ARGUMENTS),
    ("an object inside one that breaks off", '{"a": {"query": "rent"}', '{"a": {"query": "rent"}'),
    ("no number", '{"query": NaN}', '{"query": NaN}'),
    ("a number beyond all", '{"query": 1e999}', '{"query": 1e999}'),
    ("a number of 5,000 digits", '{"query": ' + "9" * 5_000 + "}", '{"query": ' + "9" * 5_000 + "}"),
    ("a list", '["rent"]', '["rent"]'),
    ("a word", "rent", "rent"),
    ("a number", 7, "7"),
    ("a lone surrogate", '{"query": "\\ud83d"}', '{"query": "\\ud83d"}'),
    ("a raw lone surrogate", '{"query": "\ud83d"}', '{"query": "\ufffd"}'),
    ("nested 100,000 deep", "[" * 100_000, "[" * 100_000),
]
ARGUMENT_FAULTS = [
    called(f"arguments: {name}", [("search", final)], *stream(call(sent), CALLED))
    for name, sent, final in _ODD_ARGUMENTS
]

_NAMES = {  # of gpt-oss, Gemini, Kimi and others, as servers passed them on
    "search": [
        *(
            "functions.search",
            "default_api.search",
            "tools/search",
            "search:0",
            "functions.search:3",
            "Search",
            " search\n",
        ),
        *("search<|channel|>commentary", "assistant<|channel|>search", "search()", "sear\u200bch"),
    ],
    "search_docs_": ["search docs!"],
    "_constrain_json": ["<|constrain|>json"],
    "_": ["\ud800"],
}
NAME_FAULTS = [
    called(f"the name {name!r}", [(meant, ARGUMENTS)], *stream(call(ARGUMENTS, name), CALLED))
    for meant, names in _NAMES.items()
    for name in names
]

_TWO = [("search", ARGUMENTS), ("open", '{"name": "a"}')]
CALLS = [
    called("a call byte by byte", [_SEARCH], *stream(*split_everywhere(call(ARGUMENTS) + CALLED))),
    called(
        "arguments letter by letter",
        [_SEARCH],
        *stream(call(""), *(call(c, name=None, call_id=None) for c in ARGUMENTS), CALLED),
    ),
    called("two at one index", _TWO, *stream(call(ARGUMENTS), call('{"name": "a"}', "open", 0, "b"), CALLED)),
    called(
        "two without an index",
        _TWO,
        *stream(call(ARGUMENTS, index=None), call('{"name": "a"}', "open", None, "b"), CALLED),
    ),
    called(
        "two without an index or id",
        _TWO,
        *stream(call(ARGUMENTS, index=None, call_id=None), call('{"name": "a"}', "open", None, None), CALLED),
    ),
    called(
        "interleaved",
        _TWO,
        *stream(
            call('{"query"'),
            call('{"name"', "open", 1, "b"),
            call(': "rent"}', None, 0, None),
            call(': "a"}', None, 1, None),
            CALLED,
        ),
    ),
    called("an index of 10^12", [_SEARCH], *stream(call(ARGUMENTS, index=10**12), CALLED)),
    called("a negative index", [_SEARCH], *stream(call(ARGUMENTS, index=-1), CALLED)),
    called("empty names and ids later", [_SEARCH], *stream(call('{"query": '), call('"rent"}', "", 0, ""), CALLED)),
    called("finish reason stop", [_SEARCH], *stream(call(ARGUMENTS), STOP)),
    called("calls without a finish reason", [_SEARCH], *stream(call(ARGUMENTS), DONE)),
    called("an open connection", [_SEARCH], *stream(call(ARGUMENTS), delta("tool_calls"), HOLD)),
    called("calls and text", [_SEARCH], *stream(text("I search."), call(ARGUMENTS), CALLED)),
    called("an id of 10,000 characters", [_SEARCH], *stream(call(ARGUMENTS, call_id="x" * 10_000), CALLED)),
    called("a name of 10,000 characters", [("n" * 64, "{}")], *stream(call("{}", "n" * 10_000), CALLED)),
    answered("calls that are a word", *stream(delta(tool_calls="search"), text("Rent is due monthly."), STOP)),
    answered("calls that are words", *stream(delta(tool_calls=["search"]), text("Rent is due monthly."), STOP)),
    answered(
        "a call without a function", *stream(delta(tool_calls=[{"index": 0}]), text("Rent is due monthly."), STOP)
    ),
    answered("null calls", *stream(delta(content="Rent is due monthly.", tool_calls=None), STOP)),
    called(
        "a call in the old form",
        [_SEARCH],
        *stream(delta(function_call={"name": "search", "arguments": ARGUMENTS}), delta("function_call"), DONE),
    ),
]

_MANY = b"".join(call(ARGUMENTS, index=number, call_id=f"c{number}") for number in range(6_000))
_AT_ONCE = event({"choices": [{"delta": {"tool_calls": [
    {"index": n, "id": f"c{n}", "function": {"name": "search", "arguments": "{}"}} for n in range(6_000)
]}}]})  # fmt: skip
_ENDED_WHOLE = {"tool_calls": [{"id": "a", "type": "function", "function": {"name": "search", "arguments": ARGUMENTS}}]}
RESTATED = [
    called("the same call once more", [_SEARCH], *stream(call(ARGUMENTS), call(ARGUMENTS), CALLED)),
    called("arguments that grow", [_SEARCH], *stream(call("{"), call(ARGUMENTS[:9]), call(ARGUMENTS), CALLED)),
    called(
        "calls in pieces, then whole",
        [_SEARCH],
        *stream(
            call(ARGUMENTS[:9]),
            call(ARGUMENTS[9:], None, 0, None),
            event({"choices": [{"delta": {}, "message": _ENDED_WHOLE, "finish_reason": "tool_calls"}]}),
            DONE,
        ),
    ),
]
FLOODS = [
    called("6,000 calls", [_SEARCH] * 64, *stream(_MANY, CALLED)),
    called("6,000 calls in one chunk", [("search", "{}")] * 64, *stream(_AT_ONCE, CALLED)),
    called("a name in each of 6,000 chunks", [("search", "{" * 6_000)], *stream(call("{", index=0) * 6_000, CALLED)),
    failed("endless arguments", StreamCut, "does not end", *stream(call(""), Flood(call("x" * 60_000, None, 0, None)))),
]

_TOO_LONG = '{"query": "' + "x" * 300_000 + '"}'
LONG = [called("arguments of 300,000 characters", [("search", _TOO_LONG[:100_001])], *stream(call(_TOO_LONG), CALLED))]

FAULTS = [*_BROKEN, *ARGUMENT_FAULTS, *NAME_FAULTS, *CALLS, *RESTATED, *FLOODS, *LONG]
