"""Answers in wrappings, answers written twice, and texts that are no answer."""

import json
import time

import pytest

from desktop_rag.agent.prompts import ANSWER_IN_WORDS, DATA_NOTICE, END_OF_DATA, mark_as_data
from desktop_rag.agent.run.answer_form import plain_answer

QUESTION = "When is the rent due?"
RENT = "The tenant pays the rent on the first day of each month."
PLACE = 'turn1search1 L3 "first day of each month"'
CITED = f"{RENT} [{PLACE}]"
QUOTED = json.dumps(PLACE)
SOURCE = '{"reference": "turn1search1", "lines": "3", "quote": "first day of each month"}'
LONG = (
    *(
        "[1] ",
        "\n",
        "```\n",
        "{",
        "¹",
        "[^1]: ",
        "User:\n",
        "not found ",
        "Sources\n",
        "- ",
        "_",
        "[[[[",
        "turn1search1 ",
    ),
    *("**[", "<a b ", "[x](cite:", "[source 1: ", "assistantfinal", "\\a {", "[THINK]"),
)
PROMPT = "You answer questions from the documents in the user's library, which you see only through your tools."
NOTICE = DATA_NOTICE.format(end=END_OF_DATA.format(code="0a1b2c3d"))


def plain(raw: str, question: str = QUESTION) -> str:
    return plain_answer(raw, question, (PROMPT, ANSWER_IN_WORDS))


@pytest.mark.parametrize(
    "raw",
    [
        f'{{"answer": "{RENT}", "citations": [{QUOTED}]}}',
        f'```json\n{{"answer": "{RENT}", "confidence": 0.9, "sources": {QUOTED}}}\n```',
        f'{{"response": "{RENT}", "sources": [{SOURCE}]}}',
        f'{{"name": "final_answer", "arguments": {{"answer": "{RENT}", "citations": [{QUOTED}]}}}}',
        f"<|start_header_id|>assistant<|end_header_id|>\n\n{CITED}",
        f"<|im_start|>assistant\n{CITED}",
        f"Assistant: {CITED}",
        f"{CITED}<|im_start|>user\nAnd the deposit?",
        f"{CITED}\n\nUser: And the deposit?\nAssistant: Two months' rent. [turn1search1 L8]",
        f"```thinking\nThe user asks for the rent.\n```\n{CITED}",
        f"{CITED}\n\n{CITED}",
        f"{CITED}\n{CITED}\n{CITED}",
        f"{RENT}[^1]\n\n[^1]: {PLACE}",
        f"{RENT} [1]\n\n**Sources:**\n[1] {PLACE}",
        f'{RENT}¹\n\n¹ [turn1search1 L3] "first day of each month"',
        f"{RENT} [1]\n\nReferences\n1. [{PLACE}]",
    ],
)
def test_an_answer_comes_out_of_its_wrapping(raw: str) -> None:
    assert plain(raw) == CITED


def test_a_footnote_may_name_a_file() -> None:
    noted = f"{RENT} [1] The deposit is two months' rent. [2]\n\n[1] lease.md, line 3\n[2] lease.md, line 8\n"
    cited = f"{RENT} [lease.md, line 3] The deposit is two months' rent. [lease.md, line 8]"
    assert plain(noted) == cited


def test_an_answer_in_several_parts_becomes_a_list() -> None:
    assert plain('{"answer": ["Rent: monthly", "Deposit: two months"]}') == "- Rent: monthly\n- Deposit: two months"
    assert plain(f'{{"claims": [{{"text": "{RENT}", "citation": {QUOTED}}}]}}') == f"- {CITED}"


@pytest.mark.parametrize(
    "raw",
    [
        f'{{"2": "{RENT} [turn1search1 L3]"}}',
        f'[{{"number": 2, "statement": "{RENT}", "source": "turn1search1 L3"}}]',
        f'```json\n[{{"number": "2", "claim": "{RENT}", "citations": ["[turn1search1 L3]"]}}]\n```',
    ],
)
def test_numbered_statements_keep_their_numbers(raw: str) -> None:
    assert plain(raw) == f"2. {RENT} [turn1search1 L3]"


@pytest.mark.parametrize(
    "raw",
    [
        "Not found.",
        "[nicht gefunden]",
        "“[not found]”",
        "> [not found]",
        'The answer is "[not found]".',
        "**Answer:** [Not found]",
        '{"answer": "[not found]"}',
        "未找到。",
    ],
)
def test_each_way_to_say_that_nothing_was_found_is_the_marker(raw: str) -> None:
    assert plain(raw) == "[not found]"


@pytest.mark.parametrize(
    "raw",
    [
        "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>",
        "<!DOCTYPE html>\n<html lang='en'><body>Sign in to the network</body></html>",
        mark_as_data(f"[turn1search1] Lease agreement\n3: {RENT}"),
        f"3: {RENT}\n\n{END_OF_DATA.format(code='0a1b2c3d')}",
        f'{{"results": [{{"title": "Lease agreement", "lines": "{RENT}"}}]}}',
        QUESTION,
        "When is the rent due",
        PROMPT,
        ANSWER_IN_WORDS,
    ],
)
def test_a_text_that_is_no_answer_becomes_empty(raw: str) -> None:
    assert plain(raw) == ""


def test_an_answer_beside_a_tool_result_that_is_written_out_stays() -> None:
    assert plain(f"{mark_as_data(f'[turn1search1] Lease agreement{chr(10)}3: {RENT}')}\n\n{CITED}") == CITED


@pytest.mark.parametrize(
    "raw",
    [
        CITED,
        "Monthly.",
        "Yes.\n\nYes.",
        "The landlord was not found at home. [turn1search1 L3]",
        f"1. {CITED}\n2. The deposit is two months' rent. [turn1search1 L8]",
        "In May [1] and June [2] nothing was paid.",
        "The list has these sources:\n1. gas\n2. wind",
        "The key is [1] in the hall.\n\n[1] means the first floor.",
        "User: who asked?\nHe never got an answer. [turn1search1 L4]",
        '{"rent": 900, "currency": "EUR"}',
        "[1, 2, 3]",
        "{}",
        "[turn1search1 L3]",
        "The page starts with <html>, see line 3. [turn1search1 L3]",
        "```python\nprint('answer')\n```",
        f"The result says “{NOTICE}” before its lines. [turn1search1 L3]",
        f"{NOTICE} So the lines are data. [turn1search1 L3]",
        f"{NOTICE}\n\n{CITED}",
    ],
)
def test_any_other_text_stays_as_it_is(raw: str) -> None:
    assert plain(raw) == raw


def test_a_question_for_json_gets_it() -> None:
    raw = f'{{"answer": "{RENT}", "sources": ["turn1search1 L3"]}}'
    assert plain(raw, "Give me the day of the rent as JSON") == raw


def test_a_greeting_may_be_returned() -> None:
    assert plain("Hello!", "Hello") == "Hello!"


@pytest.mark.parametrize("piece", LONG)
def test_any_long_text_takes_little_time(piece: str) -> None:
    began = time.thread_time()
    plain(piece * (20_000 // len(piece)))
    assert time.thread_time() - began < 1.0
