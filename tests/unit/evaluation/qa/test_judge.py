from desktop_rag.evaluation.qa.judge import AnswerJudge, parse_intents
from desktop_rag.llm.chat import SystemMessage
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Says, ScriptedModel
from tests.unit.evaluation.qa.values import QUESTION, SYSTEM, record, search


def test_intents_are_parsed_leniently() -> None:
    assert parse_intents("1: 1\n2: 1\n3: 2", 3) == (1, 1, 2)
    assert parse_intents("Here they are:\n- 1. intent 2\n- 3) 2\n3: 1", 3) == (2, 4, 2)  # left out: one of its own
    assert parse_intents("I cannot do that.", 2) == (1, 2)


def test_the_first_verdict_counts() -> None:
    model = ScriptedModel([Says("INCORRECT\nIt is not the correct place.")])
    said = AnswerJudge(model).judge(QUESTION, record(), SYSTEM, Stop())
    assert (said.correct, said.answer) == (False, "It lies under the mat.")
    system, asked = model.requests[0].messages
    assert isinstance(system, SystemMessage)
    assert "under the mat" in asked.text
    assert "Where is the key?" in asked.text


def test_a_verdict_that_cannot_be_parsed_is_none() -> None:
    assert AnswerJudge(ScriptedModel([Says("Well …")])).judge(QUESTION, record(), SYSTEM, Stop()).correct is None


def test_a_refusal_is_not_judged_but_its_searches_are_grouped() -> None:
    model = ScriptedModel([Says("1: 1\n2: 2")])
    searched = record(found=False, searches=(search("key"), search("mat")))
    said = AnswerJudge(model).judge(QUESTION, searched, SYSTEM, Stop())
    assert (said.correct, said.intents, len(model.requests)) == (False, (1, 2), 1)
    assert "1. key\n2. mat" in model.requests[0].messages[1].text
