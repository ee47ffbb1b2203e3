"""Calls in the middle of a model's prose, calls of tools that do not exist, and answers that look like either."""

import json
import time

import pytest

from desktop_rag.llm.failures import ChatEndpoint
from desktop_rag.llm.streaming import TurnReader
from desktop_rag.llm.written_calls import shown_calls

OFFERED = {"search": ("queries", "limit"), "open": ("reference", "line")}
WANTED = [("search", {"queries": ["rent 2024"]})]
CALL = 'search(queries=["rent 2024"])'


def called(text: str) -> list[tuple[str, object]]:
    """Return the calls of a streamed turn."""
    reader = TurnReader(ChatEndpoint("http://127.0.0.1/v1", "m", ""), OFFERED)
    list(reader.feed({"choices": [{"delta": {"content": text}}]}))
    list(reader.end())
    return [(call.name, json.loads(call.arguments)) for call in reader.message("origin").tool_calls]


@pytest.mark.parametrize(
    "text",
    [
        f"```python\n{CALL}\n```\nI am waiting for the results.",
        f"Let me call `{CALL}` to find out.",
        f"I need to look this up. {CALL} Then I can answer.",
        f"First I will run functions.{CALL}, and after that I will open the best result.",
        'I call **search** {"queries": ["rent 2024"]} now and wait.',
        'I call search with {"queries": ["rent 2024"]} and wait for what it brings.',
        '```json\n{"name": "search", "arguments": {"queries": ["rent 2024"]}}\n```\nThis will find the date.',
    ],
)
def test_a_call_within_prose_is_a_call(text: str) -> None:
    assert called(text) == WANTED


@pytest.mark.parametrize(
    "between",
    ["\n", "\n```\nand\n```json\n", "\n```\n\nOnce that is done:\n\n```json\n", ",\n"],
)
def test_each_of_several_objects_is_a_call(between: str) -> None:
    first, second = (f'{{"name": "search", "arguments": {{"queries": ["{query}"]}}}}' for query in ("rent", "deposit"))
    found = called(f"```json\n{first}{between}{second}\n```")
    assert found == [("search", {"queries": ["rent"]}), ("search", {"queries": ["deposit"]})]


@pytest.mark.parametrize(
    "text",
    [
        "Python opens a file with `open('lease.txt')`, and reads it then.",
        "`open(file='lease.txt', mode='r')` is how Python opens a file.",
        "The code calls `search()` once a day.",
        f"The script rent.py calls {CALL} once a day. [turn1search1 L3]",
        f"The script calls {CALL} once a day. [1]",
        f"The script calls {CALL} once a day.【3】",
        "We search {everything} in the house.",
        'The program prints search results as {"queries": 12, "hits": 3}.',
    ],
)
def test_an_answer_about_code_is_no_call(text: str) -> None:
    assert called(text) == []


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "web_search", "arguments": {"query": "rent"}}',
        '```json\n{"tool": "web_search", "parameters": {"query": "rent"}}\n```',
        '<tool_call>{"name": "web_search", "arguments": {"query": "rent"}}</tool_call>',
        "<function=web_search><parameter=query>rent</parameter></function>",
        '[TOOL_CALLS][{"name": "web_search", "arguments": {"query": "rent"}}]',
        'web_search(query="rent")',
    ],
)
def test_a_text_that_is_nothing_but_a_call_of_no_tool_is_a_call(text: str) -> None:
    assert called(text) == [("web_search", {"query": "rent"})]


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Holm Ltd", "input": {"price": 4200}}',
        '{"name": "Holm", "price": 4200}',
        '{"name": "holm", "arguments": {"price": 4200}, "city": "Lund"}',
        '{"name": "web_search", "arguments": {"query": "rent"}}\nis what the log of May says.',
        'The log says: web_search(query="rent")',
        "`connect(host='x')`",
        '{"name": "final_answer", "arguments": {"answer": "Monthly."}}',
        "<html><body>502 Bad Gateway</body></html>",
    ],
)
def test_other_objects_are_answers(text: str) -> None:
    assert called(text) == []


@pytest.mark.parametrize(
    "piece", ["search(", "search ", "search {", '{"name": "', "```", "[", "<tool_call>", "x(", "turn"]
)
def test_any_long_text_takes_little_time(piece: str) -> None:
    text = piece * (4_000 // len(piece))
    began = time.thread_time()
    shown_calls(text, OFFERED)
    assert time.thread_time() - began < 1.0
