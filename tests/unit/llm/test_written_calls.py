import json

import pytest

from desktop_rag.llm.written_calls import written_calls

OFFERED = {"search": ("query", "limit"), "open": ("reference", "line")}


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "search", "arguments": {"query": "rent", "limit": 3}}\n</tool_call>',
        '<tool_call>{"name": "search", "arguments": {"query": "rent", "limit": 3}}',
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
        '```json\n{"name": "search", "arguments": {"query": "rent", "limit": 3}}\n```\nThis finds the rent.',
        '```\n[{"name": "search", "arguments": {"query": "rent", "limit": 3}}]\n```',
        'search(query="rent", limit=3)',
        'search("rent", 3)',
        '```python\nsearch({"query": "rent", "limit": 3})\n```',
        'Action: search\nAction Input: {"query": "rent", "limit": 3}\nObservation: the rent is 9,999',
    ],
)
def test_known_forms_of_written_calls_are_read(text: str) -> None:
    ((name, arguments),) = written_calls(text, OFFERED)
    assert (name, json.loads(arguments)) == ("search", {"query": "rent", "limit": 3})


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
        '{"name": "search"',
        '{"name": "Acme Ltd", "employees": 12}',
        '```json\n{"name": "search", "employees": 12}\n```',
        'open("lease.txt") is how Python opens a file.',
        '```python\nopen("lease.txt")\nprint(1)\n```',
        "search(query=rent + 1)",
        "search(",
        "<tool_call>",
        "<tool_call>{",
        "[TOOL_CALLS]",
        "[ARGS]{}",
        '<tool_call>{"a": 1}',
        f"search({'(' * 5_000}",
        "",
    ],
)
def test_anything_else_is_no_call(text: str) -> None:
    assert written_calls(text, OFFERED) == []
