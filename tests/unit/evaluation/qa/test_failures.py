from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from desktop_rag.evaluation.qa.failures import Failure, failure
from desktop_rag.evaluation.qa.questions import Gold
from desktop_rag.evaluation.qa.records import Judgement, Record
from tests.unit.evaluation.qa.values import QUESTION, SYSTEM, cited, opened, record, search

TWO = replace(QUESTION, gold=(Gold(Path("a.md")), Gold(Path("b.md"))))
READ = (opened("a.md", (0,)), opened("b.md", (1,)))
FOUND = (search("key", gold=(0, 1)),)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (record("", error="No connection: …"), Failure.FAILED),
        (record("In the shed.", missing=(1,)), Failure.NOT_THERE),
        (record("In the shed.", searches=(search("key", gold=(0,)),)), Failure.NOT_FOUND),
        (record("In the shed.", searches=FOUND), Failure.NOT_READ),
        (record("In the shed.", searches=FOUND, limit="steps"), Failure.BUDGET),
        (record("Not found.", found=False, opened=READ), Failure.GAVE_UP),
        (record("In the shed.", opened=READ, citations=(cited("x.md"),)), Failure.OTHER),
        (record("In the shed.", opened=READ, citations=(cited("a.md", (0,)),)), Failure.MISUNDERSTOOD),
    ],
)
def test_the_trace_tells_why_an_answer_is_wrong(wrong: Record, why: Failure) -> None:
    assert failure(TWO, wrong, None, SYSTEM) is why


def test_a_judge_against_the_words_is_doubtful() -> None:
    assert failure(TWO, record(), Judgement("q", "", correct=False), SYSTEM) is Failure.DOUBTFUL
    assert failure(TWO, record(), Judgement("q", "", correct=None), SYSTEM) is None
    assert failure(TWO, record("Below it."), Judgement("q", "", correct=True), SYSTEM) is None


def test_an_answer_without_evidence_is_invented() -> None:
    bereft = msgspec.structs.replace(SYSTEM, without_gold=True)
    assert failure(TWO, record("In the shed."), None, bereft) is Failure.INVENTED
    assert failure(TWO, record(found=False), None, bereft) is None
