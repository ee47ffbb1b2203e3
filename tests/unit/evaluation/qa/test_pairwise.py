from dataclasses import replace
from xml.etree import ElementTree

import msgspec
import pytest

from desktop_rag.errors import BenchError
from desktop_rag.evaluation import report_page
from desktop_rag.evaluation.qa.judge import compare, mcnemar
from desktop_rag.evaluation.qa.qa_page import html, markdown, numbers
from desktop_rag.evaluation.qa.question_records import Record
from desktop_rag.evaluation.qa.summary import Price, SystemScores, summarise
from tests.unit.evaluation.qa.values import QUESTION, SYSTEM, opened, record

FREE = Price(0.0, 0.0)


def outcome(toolkit: str, right: str, effort: str = "", tokens: int = 900, price: Price = FREE) -> SystemScores:
    """Return the scores of a system that answered the questions marked with 1."""
    questions = {str(n): replace(QUESTION, id=str(n)) for n in range(len(right))}
    records: dict[str, Record] = {}
    for n, mark in enumerate(right):
        said = record("under the mat" if mark == "1" else "in the shed", opened=(opened("a.md", (0,)),))
        records[str(n)] = msgspec.structs.replace(said, question=str(n), prompt_tokens=tokens)
    system = msgspec.structs.replace(SYSTEM, toolkit=toolkit, effort=effort)
    return summarise("small", system, questions, records, {}, price)


def test_mcnemar() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 5) == 1.0
    assert mcnemar(9, 1) == pytest.approx(2 * 11 / 1024)


def test_the_verdict_needs_significance() -> None:
    clear = compare(outcome("full", "1" * 12), outcome("direct", "0" * 10 + "11"))
    assert (clear.only_first, clear.only_second, clear.questions) == (10, 0, 12)
    assert clear.verdict == "somewhere, full answers better"
    assert clear.differences["correct"].low > 0
    close = compare(outcome("full", "1101"), outcome("direct", "1011"))
    assert close.verdict == "not settled by 4 questions"
    with pytest.raises(BenchError, match="no question in common"):
        compare(outcome("full", "1"), outcome("direct", ""))


def test_the_page_has_tokens_costs_failures_and_effort() -> None:
    dear = outcome("full", "110", tokens=2900, price=Price(1000.0, 0.0))
    single = outcome("single-shot", "100")
    thorough = outcome("full", "111", effort="high")
    assert numbers(dear, [dear, single])["times single-shot"] == 3.0
    assert numbers(dear, [dear])["cost"] == pytest.approx(2.9)
    assert "times single-shot" not in numbers(dear, [dear])
    told = markdown([dear, single, thorough])
    assert "| somewhere, full | 0.667 |" in told
    assert "misunderstood" not in told  # nothing was cited: another entity
    assert "read but other entity" in told
    assert "Accuracy over reasoning effort" in told
    drawn = html([dear, single, thorough])
    assert drawn.count("<svg") == 4
    assert "No judging model was asked" in drawn


def test_labels_of_curves_do_not_overlap() -> None:
    curves = [report_page.Curve("a & b", [(0, 0), (3, 0.5)]), report_page.Curve("c", [(0, 0), (6, 0.5)])]
    drawn = ElementTree.fromstring(report_page.curves(curves, "steps"))
    names = {text.text: float(text.attrib["y"]) for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert "6 steps" in names
    assert abs(names["a & b"] - names["c"]) >= 16
