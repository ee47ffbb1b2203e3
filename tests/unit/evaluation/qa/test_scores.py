from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from desktop_rag.evaluation.qa.question_records import JudgeVerdict, QaSystem
from desktop_rag.evaluation.qa.question_sets import Gold
from desktop_rag.evaluation.qa.summary import contains, exact_match, measures, normalised, token_f1
from tests.unit.evaluation.qa.values import QUESTION, SYSTEM, cited, opened, record


def test_answers_are_compared_as_squad_does() -> None:
    assert normalised("The  “Mat”, an answer!") == "mat answer"
    assert exact_match("Under the mat.", QUESTION.answers) == 1.0
    assert exact_match("It lies under the mat.", QUESTION.answers) == 0.0
    assert token_f1("It lies under the mat.", QUESTION.answers) == pytest.approx(2 * 2 / (4 + 2))


@pytest.mark.parametrize(("text", "share"), [("Under the mat it is", 1.0), ("Under a matter", 0.0), ("", 0.0)])
def test_an_answer_is_contained_only_as_whole_words(text: str, share: float) -> None:
    assert contains(text, QUESTION.answers) == share


def test_a_refusal_contains_no_answer_whatever_it_quotes() -> None:
    found = measures(QUESTION, record("Not found. The closest: under the mat", found=False), None, SYSTEM)
    assert (found["correct"], found["contain"], found["wrongly refused"]) == (0.0, 0.0, 1.0)


def test_whole_sentences_of_the_built_in_model_have_no_f1() -> None:
    found = measures(QUESTION, record(), None, QaSystem("built-in", "", "full"))
    assert (found["contain"], found["correct"]) == (1.0, 1.0)
    assert not {"EM", "F1"} & found.keys()
    assert {"EM", "F1"} <= measures(QUESTION, record(), None, SYSTEM).keys()


def test_the_judge_overrides_the_word_match() -> None:
    found = measures(QUESTION, record("Below the doormat."), JudgeVerdict("q", "", correct=True), SYSTEM)
    assert (found["correct"], found["LLM"], found["contain"]) == (1.0, 1.0, 0.0)


def test_without_the_evidence_a_refusal_is_right_and_a_right_answer_is_a_leak() -> None:
    bereft = msgspec.structs.replace(SYSTEM, without_gold=True)
    refused = measures(QUESTION, record(found=False), None, bereft)
    assert (refused["correct"], refused["refusal"], refused["hallucination"], refused["gold leak"]) == (1, 1, 0, 0)
    leaked = measures(QUESTION, record(), None, bereft)
    assert (leaked["correct"], leaked["hallucination"], leaked["gold leak"]) == (0, 0, 1)
    invented = measures(QUESTION, record("In the shed."), None, bereft)
    assert (invented["hallucination"], invented["gold leak"]) == (1, 0)
    assert "contain" not in invented


def test_an_answer_to_an_unanswerable_question_is_a_hallucination() -> None:
    null = replace(QUESTION, answerable=False, gold=(), answers=("Insufficient information",))
    assert measures(null, record(), None, SYSTEM)["hallucination"] == 1.0
    assert measures(null, record(found=False), None, SYSTEM)["correct"] == 1.0


def test_evidence_counts_among_the_first_ten_passages_opened() -> None:
    two = replace(QUESTION, gold=(Gold(Path("a.md")), Gold(Path("b.md"), page=3)))
    late = (opened("a.md", (0,)), *(opened(f"{n}.md") for n in range(9)), opened("b.md", (1,)))
    found = measures(two, record(opened=late), None, SYSTEM)
    assert (found["gold opened@10"], found["all gold opened@10"], found["page in 3 opens"]) == (0.5, 0.0, 1.0)
    found = measures(two, record(opened=(opened("x.md"), *late[-1:])), None, SYSTEM)
    assert (found["gold opened@10"], found["document opened"]) == (0.5, 0.5)


def test_documents_are_ranked_by_the_relevancy_of_their_citations() -> None:
    citations = (cited("x.md", relevancy=0.2), cited("a.md", (0,), "paraphrase", relevancy=0.9))
    found = measures(QUESTION, record(citations=citations), None, SYSTEM)
    assert (found["document recall@1"], found["document recall@3"]) == (1.0, 1.0)
    assert (found["citation precision"], found["citation recall"]) == (0.5, 1.0)
    assert (found["verbatim"], found["located"]) == (0.5, 1.0)
    unranked = tuple(msgspec.structs.replace(citation, relevancy=0.0) for citation in citations)
    assert measures(QUESTION, record(citations=unranked), None, SYSTEM)["document recall@1"] == 0.0


def test_without_a_right_answer_only_the_evidence_is_measured() -> None:
    asked = replace(QUESTION, answers=())
    found = measures(asked, record(opened=(opened("a.md", (0,)),)), None, SYSTEM)
    assert not {"correct", "EM", "F1", "contain", "LLM"} & found.keys()
    assert found["wrongly refused"] == 0.0
    assert "gold opened@10" in found
    judged = measures(asked, record(), JudgeVerdict("q", "", correct=True), SYSTEM)
    assert (judged["correct"], judged["LLM"], "contain" in judged) == (1.0, 1.0, False)
