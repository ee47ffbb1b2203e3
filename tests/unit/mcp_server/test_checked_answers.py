"""An answer or checked text fits into a result of a tool, however long it is and in whatever language."""

import json
from collections.abc import Callable

import pytest

from desktop_rag.agent.events import Claim
from desktop_rag.agent.run.cited_text import UnresolvedCitation
from desktop_rag.llm.tokens import estimate
from desktop_rag.mcp_server.tool_answers import RESULT_TOKENS, CheckedAnswer

SENTENCES: dict[str, Callable[[int], str]] = {
    "English": lambda n: f"Clause {n} of the lease says that the rent is {n * 7} euros a month. ",
    "Chinese": lambda n: f"合同第{n}条规定每月租金为{n * 7}欧元，押金为三个月租金。",
    "German": lambda n: f"Gemäß § {n} beträgt die Miete {n * 7} Euro, die Kündigungsfrist sechs Monate für beide. ",
}


def answer(language: str, count: int, *, checked: bool) -> CheckedAnswer:
    """A text of so many statements, each eighth of them false; a checked one cites what is nowhere, too."""
    text, claims = "", []
    for number in range(count):
        sentence = SENTENCES[language](number)
        mark = "altered" if number % 8 == 3 else "unchecked"
        claims.append(Claim(len(text), len(text) + len(sentence), mark))  # type: ignore[arg-type]
        text += sentence
    missing = tuple(UnresolvedCitation(f"[x{n}.md]", "There is no such document.") for n in range(count))
    return CheckedAnswer(text, (), tuple(claims), missing if checked else None)


def tokens(shown: CheckedAnswer) -> int:
    return estimate(shown.as_text()) + estimate(json.dumps(shown.as_data(), ensure_ascii=False))


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("count", [1, 30, 400])
@pytest.mark.parametrize("checked", [True, False])
def test_it_fits_and_says_what_is_left_out(language: str, count: int, checked: bool) -> None:
    whole = answer(language, count, checked=checked)
    shown = whole.fitted(lambda each: tokens(each) <= RESULT_TOKENS)
    assert tokens(shown) <= RESULT_TOKENS
    assert shown.as_data()["summary"] == whole.as_data()["summary"], "all statements are counted"
    if tokens(whole) <= RESULT_TOKENS:
        assert shown == whole
        return
    [note] = shown.notes()
    assert f"of {count} statements are shown" in note
    statements = shown.as_data()["statements"]
    assert isinstance(statements, list)
    assert statements
    marks = [each["mark"] for each in statements if isinstance(each, dict)]
    assert marks.count("altered") >= min(len(marks), sum(claim.mark == "altered" for claim in whole.claims))


def test_one_endless_sentence_fits_too() -> None:
    text = "租" * 60_000
    whole = CheckedAnswer(text, (), (Claim(0, len(text), "unchecked"),))
    assert tokens(whole.fitted(lambda each: tokens(each) <= RESULT_TOKENS)) <= RESULT_TOKENS
