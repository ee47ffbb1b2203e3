from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from desktop_rag.evaluation.qa.question_records import JudgeVerdict, Record
from desktop_rag.evaluation.qa.question_sets import Gold
from desktop_rag.evaluation.qa.summary import AnswerFailure, failure
from tests.unit.evaluation.qa.values import QUESTION, SYSTEM, cited, opened, record, search

TWO = replace(QUESTION, gold=(Gold(Path("a.md")), Gold(Path("b.md"))))
READ = (opened("a.md", (0,)), opened("b.md", (1,)))
FOUND = (search("key", gold=(0, 1)),)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (record("", error="No connection: …"), AnswerFailure.FAILED),
        (record("In the shed.", missing=(1,)), AnswerFailure.NOT_THERE),
        (record("In the shed.", searches=(search("key", gold=(0,)),)), AnswerFailure.NOT_FOUND),
        (record("In the shed.", searches=FOUND), AnswerFailure.NOT_READ),
        (record("In the shed.", searches=FOUND, limit="steps"), AnswerFailure.BUDGET),
        (record("Not found.", found=False, opened=READ), AnswerFailure.GAVE_UP),
        (record("In the shed.", opened=READ, citations=(cited("x.md"),)), AnswerFailure.OTHER),
        (record("In the shed.", opened=READ, citations=(cited("a.md", (0,)),)), AnswerFailure.MISUNDERSTOOD),
    ],
)
def test_failure_classes(wrong: Record, why: AnswerFailure) -> None:
    assert failure(TWO, wrong, None, SYSTEM) is why


def test_a_judge_that_contradicts_the_word_match_is_doubtful() -> None:
    assert failure(TWO, record(), JudgeVerdict("q", "", correct=False), SYSTEM) is AnswerFailure.DOUBTFUL
    assert failure(TWO, record(), JudgeVerdict("q", "", correct=None), SYSTEM) is None
    assert failure(TWO, record("Below it."), JudgeVerdict("q", "", correct=True), SYSTEM) is None


def test_an_answer_without_evidence_is_invented() -> None:
    bereft = msgspec.structs.replace(SYSTEM, without_gold=True)
    assert failure(TWO, record("In the shed."), None, bereft) is AnswerFailure.INVENTED
    assert failure(TWO, record(found=False), None, bereft) is None


def test_an_answer_with_all_evidence_and_nothing_to_compare_it_with_is_no_failure() -> None:
    asked = replace(TWO, answers=())
    read = record("In the shed.", opened=READ, citations=(cited("a.md", (0,)),))
    assert failure(asked, read, None, SYSTEM) is None
    assert failure(asked, record("In the shed.", searches=FOUND), None, SYSTEM) is AnswerFailure.NOT_READ
    assert failure(asked, read, JudgeVerdict("q", "", correct=False), SYSTEM) is AnswerFailure.MISUNDERSTOOD
