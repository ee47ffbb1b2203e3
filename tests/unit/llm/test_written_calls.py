import json
import time

import pytest

from desktop_rag.llm.chat import ReasoningDelta
from desktop_rag.llm.content import ContentSplitter
from desktop_rag.llm.written_calls import without_tool_text, written_calls

OFFERED = {"search": ("query", "limit"), "open": ("reference", "line")}


ARGUMENTS = '{"query": "rent", "limit": 3}'
TAGGED = [  # of which nothing may be shown
    f'[TOOL_REQUEST]{{"name": "search", "arguments": {ARGUMENTS}}}[END_TOOL_REQUEST]',
    f'<tool_request>{{"name": "search", "arguments": {ARGUMENTS}}}</tool_request>',
    f'<function_call>{{"name": "search", "arguments": {ARGUMENTS}}}</function_call>',
    f'<|tools_prefix|>[{{"search": {ARGUMENTS}}}]<|tools_suffix|>',
    '<|tool_call_start|>[search(query="rent", limit=3)]<|tool_call_end|>',
    '<|python_start|>[search(query="rent", limit=3)]<|python_end|>',
    '<function_calls>\nsearch(query="rent", limit=3)\n</function_calls>',
    f"<tool_calls>\n<tool_call>search\n```json\n{ARGUMENTS}\n```\n</tool_call>\n</tool_calls>",
    f'<function name="search">{ARGUMENTS}</function>',
    f'<function_call name="search">{ARGUMENTS}</function_call>',
    f"<tool_use>\n<name>search</name>\n<arguments>{ARGUMENTS}</arguments>\n</tool_use>",
    "<seed:tool_call>\n<function=search>\n<parameter=query>rent</parameter>\n<parameter=limit>3</parameter>\n</function>",
    "<longcat_tool_call>search\n<longcat_arg_key>query</longcat_arg_key>\n<longcat_arg_value>rent</longcat_arg_value>\n"
    "<longcat_arg_key>limit</longcat_arg_key>\n<longcat_arg_value>3</longcat_arg_value>\n</longcat_tool_call>",
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="search"><steptml:parameter '
    'name="query">rent</steptml:parameter><steptml:parameter name="limit">3</steptml:parameter></steptml:invoke>',
    '<|tool_call>call:search{query:<|"|>rent<|"|>,limit:3}<tool_call|>',
    f"<|start|>assistant<|channel|>commentary to=functions.search<|message|>{ARGUMENTS}<|call|>",
    "<|channel|>analysis<|message|>I search.<|end|><|start|>assistant<|channel|>commentary to=functions.search "
    f"<|constrain|>json<|message|>{ARGUMENTS}<|call|>",
    f'<tool_call>{{"name": "functions.search", "arguments": {ARGUMENTS}}}</tool_call>',
    f'<tool_call>{{"name": "search", "arguments": {ARGUMENTS}</tool_call>',  # without its last bracket
]


@pytest.mark.parametrize(
    "text",
    [
        *TAGGED,
        '<tool_call>\n{"name": "search", "arguments": {"query": "rent", "limit": 3}}\n</tool_call>',
        '<tool_call>{"name": "search", "arguments": {"query": "rent", "limit": 3}}',
        '**search**(query="rent", limit=3)',
        f"search: {ARGUMENTS}",
        f"search {ARGUMENTS}",
        f"**search**: {ARGUMENTS}",
        '<search query="rent" limit="3"/>',
        "<search>\n<query>rent</query>\n<limit>3</limit>\n</search>",
        f'{{"recipient_name": "functions.search", "parameters": {ARGUMENTS}}}',
        f'{{"tool_uses": [{{"recipient_name": "functions.search", "parameters": {ARGUMENTS}}}]}}',
        ARGUMENTS,
        f"```json\n{ARGUMENTS}\n```",
        '`search`(query="rent", limit=3)',
        '{"search": {"query": "rent", "limit": 3}}',
        "{'name': 'search', 'arguments': {'query': 'rent', 'limit': 3}}",
        '```tool_code\nprint(search(query="rent", limit=3))\n```',
        '~~~json\n{"name": "search", "arguments": {"query": "rent", "limit": 3}}\n~~~',
        "<function=search>\n<parameter=query>\nrent\n</parameter>\n<parameter=limit>3</parameter>\n</function>",
        '<function=search>{"query": "rent", "limit": 3}</function>',
        '[TOOL_CALLS][{"name": "search", "arguments": {"query": "rent", "limit": 3}}]',
        '[TOOL_CALLS]search[ARGS]{"query": "rent", "limit": 3}',
        '[TOOL_CALLS]search{"query": "rent", "limit": 3}',
        '<|python_tag|>{"name": "search", "parameters": {"query": "rent", "limit": 3}}',
        '<|python_tag|>search.call(query="rent", limit=3)',
        '{"name": "search", "parameters": {"query": "rent", "limit": 3}}',
        '{"name": "search", "arguments": "{\\"query\\": \\"rent\\", \\"limit\\": 3}"}',
        '{"type": "function", "function": {"name": "search", "arguments": {"query": "rent", "limit": 3}}}',
        '{"tool_calls": [{"name": "search", "arguments": {"query": "rent", "limit": 3}}]}',
        '{"action": "search", "action_input": {"query": "rent", "limit": 3}}',
        '<|tool_call|>[{"name": "search", "arguments": {"query": "rent", "limit": 3}}]<|/tool_call|>',
        '<tool_calls>[{"name": "search", "arguments": {"query": "rent", "limit": 3}}]</tool_calls>',
        '<TOOLCALL>[{"name": "search", "arguments": {"query": "rent", "limit": 3}}]</TOOLCALL>',
        '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "search", "parameters": {"query": "rent", "limit": 3}}]',
        '<|action_start|><|plugin|>{"name": "search", "parameters": {"query": "rent", "limit": 3}}<|action_end|>',
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n"
        '```json\n{"query": "rent", "limit": 3}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        '<｜tool▁call▁begin｜>search<｜tool▁sep｜>{"query": "rent", "limit": 3}<｜tool▁call▁end｜>',
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>"
        '{"query": "rent", "limit": 3}<|tool_call_end|><|tool_calls_section_end|>',
        '<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"query": "rent", "limit": 3}<|call|>',
        '✿FUNCTION✿: search\n✿ARGS✿: {"query": "rent", "limit": 3}\n✿RESULT✿:',
        "<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>rent</arg_value>\n<arg_key>limit</arg_key>\n"
        "<arg_value>3</arg_value>\n</tool_call>",
        '<function_calls><invoke name="search"><parameter name="query">rent</parameter>'
        '<parameter name="limit">3</parameter></invoke></function_calls>',
        '<minimax:tool_call>\n<invoke name="search">\n<parameter name="query">rent</parameter>\n'
        '<parameter name="limit">3</parameter>\n</invoke>\n</minimax:tool_call>',
        '<｜DSML｜function_calls><｜DSML｜invoke name="search"><｜DSML｜parameter name="query" string="true">rent'
        '</｜DSML｜parameter><｜DSML｜parameter name="limit" string="false">3</｜DSML｜parameter></｜DSML｜invoke>',
        "<start_function_call>call:search{query:<escape>rent<escape>,limit:3}<end_function_call>",
        '```json\n{"name": "search", "arguments": {"query": "rent", "limit": 3}}\n```\nThis finds the rent.',
        '```\n[{"name": "search", "arguments": {"query": "rent", "limit": 3}}]\n```',
        'search(query="rent", limit=3)',
        'search("rent", 3)',
        '[search(query="rent", limit=3)]',
        'functions.search({"query": "rent", "limit": 3})',
        '```python\nsearch({"query": "rent", "limit": 3})\n```',
        'Action: search\nAction Input: {"query": "rent", "limit": 3}\nObservation: the rent is 9,999',
    ],
)
def test_known_forms_of_written_calls_are_read(text: str) -> None:
    ((name, arguments),) = written_calls(text, OFFERED)
    assert (name, json.loads(arguments)) == ("search", {"query": "rent", "limit": 3})


@pytest.mark.parametrize("text", TAGGED)
def test_nothing_of_a_written_call_is_shown_letter_by_letter(text: str) -> None:
    splitter = ContentSplitter(tools=OFFERED)
    shown = [event for letter in text for event in splitter.feed(letter)]
    assert [event for event in (*shown, *splitter.end()) if not isinstance(event, ReasoningDelta)] == []
    assert text == splitter.withheld or text.endswith(f"I search.<|end|>{splitter.withheld}")


def test_several_calls_are_read_in_order() -> None:
    written = 'search("rent (monthly)")\nopen(reference="turn1search1", line=None)'
    assert [(name, json.loads(arguments)) for name, arguments in written_calls(written, OFFERED)] == [
        ("search", {"query": "rent (monthly)"}),
        ("open", {"reference": "turn1search1", "line": None}),
    ]


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>',
        '{"name": "delete_all", "arguments": {}}',
        '{"answer": {"query": "rent"}}',
        "**search** results are below",
        "search: nothing was found",
        "<search>rent</search>",
        '{"query": "rent", "answer": "950 euros"}',
        f"{ARGUMENTS} are the arguments.",
        "The function `search`(x) is defined in line 3.",
        '{"name": "search"',
        '{"name": "Acme Ltd", "employees": 12}',
        '```json\n{"name": "search", "employees": 12}\n```',
        'open("lease.txt") is how Python opens a file.',
        '```python\nopen("lease.txt")\nprint(1)\n```',
        "search(query=rent + 1)",
        "[search(query=rent + 1)]",
        "[open] the file, then search(it)",
        "search(",
        "<tool_call>",
        "<tool_call>{",
        '<tool_call>{"name": "search", "arguments": {"query": "rent", "limit": 3',
        "[TOOL_CALLS]",
        "[ARGS]{}",
        '<tool_call>{"a": 1}',
        f"search({'(' * 5_000}",
        "",
    ],
)
def test_anything_else_is_no_call(text: str) -> None:
    assert written_calls(text, OFFERED) == []


@pytest.mark.parametrize(
    "text",
    [
        '{"calls": [' * 5_000,
        "search(" + "(" * 50_000,
        "search(" + ")" * 50_000,
        "search(query=" + "[" * 50_000,
        "<tool_call>" * 5_000,
        '<invoke name="search">' * 2_000,
        "<tool_call>search<arg_key>" * 2_000,
        "<start_function_call>call:search{" * 2_000,
        "Action: search\nAction Input: " * 3_000,
    ],
)
def test_hostile_text_of_twice_the_length_takes_about_twice_as_long(text: str) -> None:
    half, whole = seconds(text[: len(text) // 2]), seconds(text)
    assert whole < 5 * half + 0.2  # a quadratic reader would take minutes for the longest ones


def seconds(text: str) -> float:
    started = time.thread_time()
    assert isinstance(written_calls(text, OFFERED), list)
    return time.thread_time() - started


@pytest.mark.parametrize(
    "piece", ["a", "*", " ", "\n", "{", "[", "Action: ", '{"a": ', "<function=a>", "a[ARGS]", "`", "- "]
)
def test_any_long_text_takes_linear_time(piece: str) -> None:
    """Patterns hold the interpreter, and with it the window: quadratic ones took minutes for a word of this length."""
    text = piece * (100_000 // len(piece))
    began = time.thread_time()
    written_calls(text, {"search": ("queries",)})
    assert time.thread_time() - began < 5.0


@pytest.mark.filterwarnings("error")
def test_unknown_escapes_are_no_warning() -> None:
    assert written_calls('search(query="\\d+ rent")', OFFERED) == [("search", '{"query": "\\\\d+ rent"}')]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<tools>", ""),
        ("<tools>\n</tools>\nThe rent is due.", "The rent is due."),
        ('<tool_response>\n{"results": []}\n</tool_response>\nThe rent is due.', "The rent is due."),
        ("The rent is due. <tool_response>\nThe rent", "The rent is due. "),
    ],
)
def test_tags_without_a_call_and_results_of_the_model_are_left_out(text: str, left: str) -> None:
    assert without_tool_text(text) == left
