"""Calls in forms that no list of forms has, and texts that only look like one."""

import json
import time

import pytest

from desktop_rag.llm.failures import ChatEndpoint
from desktop_rag.llm.streaming import TurnReader
from desktop_rag.llm.written_calls import shown_calls

OFFERED = {"search": ("query", "limit"), "open": ("reference", "line")}
ARGUMENTS = '{"query": "rent", "limit": 3}'
NAMED = f'{{"name": "search", "arguments": {ARGUMENTS}}}'
QUOTED = json.dumps(ARGUMENTS)


def tags(space: str, mark: str = '"') -> str:
    """Return Claude's form with the names of its tags in `space`."""
    return (
        f"<{space}invoke name={mark}search{mark}>\n<{space}parameter name={mark}query{mark}>rent</{space}parameter>\n"
        f"<{space}parameter name={mark}limit{mark}>3</{space}parameter>\n</{space}invoke>"
    )


LOOSE = [
    f"<tool_call>\n<name>search</name>\n<arguments>{ARGUMENTS}</arguments>\n</tool_call>",
    f">>>search\n{ARGUMENTS}",
    "tool: search\nquery: rent\nlimit: 3",
    "- tool: search\n  arguments:\n    query: rent\n    limit: 3",
    "```yaml\nname: search\narguments:\n  query: rent\n  limit: 3\n```",
    f"<use_mcp_tool>\n<server_name>library</server_name>\n<tool_name>search</tool_name>\n<arguments>\n{ARGUMENTS}\n"
    "</arguments>\n</use_mcp_tool>",
    f"<|from|>assistant\n<|recipient|>search\n<|content|>{ARGUMENTS}",
    f"search\n{ARGUMENTS}",
    f"search\n```json\n{ARGUMENTS}\n```",
    f"**search**\n```json\n{ARGUMENTS}\n```",
    f"```search\n{ARGUMENTS}\n```",
    f"search {ARGUMENTS}",
    f"search: {ARGUMENTS}",
    f"[search] {ARGUMENTS}",
    f"[TOOL: search] {ARGUMENTS}",
    f"functools[{NAMED}]",
    f"<functioncall> {NAMED} </functioncall>",
    f'<functioncall> {{"name": "search", "arguments": \'{ARGUMENTS}\'}} </functioncall>',
    f"<tools>\n{NAMED}\n</tools>",
    f"<toolcall>{NAMED}</toolcall>",
    f"<tool>{NAMED}</tool>",
    '<tool_call name="search" query="rent" limit="3"/>',
    '<tool name="search"><query>rent</query><limit>3</limit></tool>',
    f"<function>{NAMED}</function>",
    f"<json>{NAMED}</json>",
    f'{{"arguments": {ARGUMENTS}, "name": "search"}}',
    f'{{"thought": "I look.", "action": "search", "action_input": {ARGUMENTS}}}',
    f'{{"reasoning": "I look.", "tool_calls": [{NAMED}]}}',
    f'{{"id": "call_1", "type": "function", "function": {{"name": "search", "arguments": {QUOTED}}}}}',
    f'[{{"id": "call_1", "type": "function", "function": {{"name": "search", "arguments": {QUOTED}}}}}]',
    f'{{"role": "assistant", "content": null, "tool_calls": [{{"function": {NAMED}}}]}}',
    f'{{"tool_uses": [{{"recipient_name": "functions.search", "parameters": {ARGUMENTS}}}]}}',
    f'multi_tool_use.parallel({{"tool_uses": [{{"recipient_name": "functions.search", "parameters": {ARGUMENTS}}}]}})',
    f"<|channel|>commentary to=search <|constrain|>json<|message|>{ARGUMENTS}<|call|>",
    f"<|start|>assistant to=functions.search<|channel|>commentary json<|message|>{ARGUMENTS}<|call|>",
    f"<|channel|>analysis to=functions.search code<|message|>{ARGUMENTS}<|call|>",
    f"assistantcommentary to=functions.search json{ARGUMENTS}",
    'print(default_api.search(query="rent", limit=3))',
    '```tool_code\nprint(default_api.search(query="rent", limit=3))\n```',
    '<tool_code>\nprint(search(query="rent", limit=3))\n</tool_code>',
    'tools.search(query="rent", limit=3)',
    'await search(query="rent", limit=3)',
    'result = search(query="rent", limit=3)',
    '```python\nresult = search(query="rent", limit=3)\nprint(result)\n```',
    '<api_call>search(query="rent", limit=3)</api_call>',
    '@search(query="rent", limit=3)',
    tags(""),
    tags("", "'"),
    tags("".join(("ant", "ml:"))),
    tags("steptml:"),
    "<search>\n<query>rent</query>\n<limit>3</limit>\n</search>",
    f"<search>{ARGUMENTS}</search>",
    f'<tool name="search">{ARGUMENTS}</tool>',
    f"<tool_call name=\"search\" arguments='{ARGUMENTS}' />",
    "<tool_call>\n<tool_name>search</tool_name>\n<parameters>\n<query>rent</query>\n<limit>3</limit>\n"
    "</parameters>\n</tool_call>",
    'Action: search(query="rent", limit=3)',
    f"Action 1: search\nAction Input 1: {ARGUMENTS}",
    f"Action: search, Action Input: {ARGUMENTS}",
    f"Tool: search\nArguments: {ARGUMENTS}",
    f"Tool call: search({ARGUMENTS})",
    f"Calling search with {ARGUMENTS}",
    f'{{"function_name": "search", "arguments": {ARGUMENTS}}}',
    f'{{"call": {NAMED}}}',
    f'{{"actions": [{NAMED}]}}',
    '{"tool": "search", "query": "rent", "limit": 3}',
    f'{{"name": "search", "params": {ARGUMENTS}}}',
    '{name: "search", arguments: {query: "rent", limit: 3}}',
    f"<function=search{ARGUMENTS}</function>",
    f"<function=search({ARGUMENTS})</function>",
    f'<function="search">{ARGUMENTS}</function>',
    f"[TOOL_CALLS]search[CALL_ID]abcdefghi[ARGS]{ARGUMENTS}",
    f"TOOL_CALLS[{NAMED}]",
    f"<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>search\n```json\n{ARGUMENTS}\n```<|tool_call_end|>",
    f"<|tool_call_begin|>call_abc123 search<|tool_call_argument_begin|>{ARGUMENTS}",
    f"<tool_call>search\n{ARGUMENTS}\n</tool_call>",
    f"<|tool_calls|><|tool_call:begin|>x<|tool_call:name|>search<|tool_call:args|>{ARGUMENTS}<|tool_call:end|>",
    f"I will call {NAMED}",
    f"> {NAMED}",
    f"- {NAMED}",
    json.dumps(NAMED),
    f"\ufeff{NAMED}",
    f"{{{NAMED}}}",
]


def reader_of(text: str) -> TurnReader:
    reader = TurnReader(ChatEndpoint("http://127.0.0.1/v1", "m"), OFFERED)
    for letter in text:
        list(reader.feed({"choices": [{"index": 0, "delta": {"content": letter}}]}))
    list(reader.end())
    return reader


@pytest.mark.parametrize("text", LOOSE)
def test_a_call_in_any_layout_is_made_and_is_no_answer(text: str) -> None:
    message = reader_of(text).message("origin")
    ((name, arguments),) = [(call.name, json.loads(call.arguments)) for call in message.tool_calls]
    assert (name, arguments) == ("search", {"query": "rent", "limit": 3})
    assert "rent" not in message.text  # at most the tag before it is shown


def test_the_oldest_form_has_the_first_argument_only() -> None:
    assert shown_calls("Action: search[rent]", OFFERED) == [("search", '{"query": "rent"}')]


@pytest.mark.parametrize(
    "text",
    [
        "The rent is 9,999 [turn1search1].",
        f"A model calls a tool like this: {NAMED} and waits.",
        'You can open the file with `open("lease.txt")`.',
        'Use this:\n```python\nwith open("lease.txt") as file:\n    print(file.read())\n```',
        'open("lease.txt") is how Python opens a file.',
        'The result of search: {"rent": 9999}',
        '{"name": "search", "employees": 12}',
        '{"name": "Acme Ltd", "query": "rent"}',
        '{"name": "delete_all", "arguments": {}}',
        "<search>rent</search>",
        "The <query>rent</query> element holds the search.",
        "I searched, and found {nothing}.",
        "search",
        "",
    ],
)
def test_an_answer_stays_an_answer(text: str) -> None:
    assert reader_of(text).message("origin").tool_calls == ()
    assert reader_of(text).message("origin").text == text.strip()


@pytest.mark.parametrize(
    "piece",
    ["search ", "search {", "search(", "<search>", "{", '{"name": "search", ', "Action: search[", "> ", "`", "a"],
)
def test_any_long_text_takes_little_time(piece: str) -> None:
    text = piece * (4_000 // len(piece))
    began = time.thread_time()
    shown_calls(text, OFFERED)
    assert time.thread_time() - began < 1.0
