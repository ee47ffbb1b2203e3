"""The second look: the model compares the statements of its answer with the lines they cite."""

import pytest

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.marks import count_claims, describe_claim
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    Citation,
    Claim,
    ClaimFault,
    Judgment,
    Remark,
    RunStopped,
    Thought,
)
from desktop_rag.agent.run.second_look import Statement, judged, look_request, read_judgments
from desktop_rag.errors import StreamCut
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import ToolMessage, UserMessage
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel

READ = (("search", '{"queries": ["rent payable"]}'), ("read_chunks", '{"references": ["turn1search1"]}'))
RENT = 'The rent is 950 euros. [turn1search1 L4 "The monthly rent is 950 euros"]'
DOUBTED = "Cambridge wants 15 euros for a late payment. [turn1search1 L6]"
PASSED = "Pets are allowed if they give written consent. [turn1search1 L7]"
LATE = 'says "late payment costs 15 euros"'


def looked_at(
    library: FakeRetriever, text: str, reply: str, *more: Says, limits: Limits | None = None, stop: Stop | None = None
) -> tuple[list[AgentEvent], ScriptedModel]:
    model = ScriptedModel([Says(calls=READ), Says(text), Says(reply), *more])
    asker = Asker(library, model, second_look=True, limits=limits or Limits(), stop=stop or Stop())
    return asker.ask("What does the lease say?"), model


def answered(events: list[AgentEvent]) -> Answered:
    last = events[-1]
    assert isinstance(last, Answered), last
    return last


def standings(events: list[AgentEvent]) -> list[str]:
    return [claim.standing for claim in answered(events).claims]


def test_without_the_setting_nothing_is_asked(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says(f"{RENT} {PASSED}")])
    claims = Asker(library, model).answer("What?").claims
    assert [claim.standing for claim in claims] == ["supported", "supported"]
    assert len(model.requests) == 2


def test_the_model_sees_the_statements_and_their_lines_only(library: FakeRetriever) -> None:
    events, model = looked_at(library, f"{RENT} {PASSED}", '1. says "monthly rent is 950 euros"\n2. silent', Says("-"))
    request = model.requests[2]
    assert request.tools == ()
    assert len(request.messages) == 2
    asked = request.messages[-1]
    assert isinstance(asked, UserMessage)
    assert "1. [1] The rent is 950 euros.\n2. [2] Pets are allowed if they give written consent." in asked.text
    assert "lease.txt: Lease Mill Lane (lines 4–4 are cited)" in asked.text
    assert "4: The monthly rent is 950 euros." in asked.text
    assert "What does the lease say?" not in asked.text
    assert [each.path for each in asked.evidence] == ["/library/lease.txt"] * 2  # for the record of what was sent
    remarks = [event.text for event in events if isinstance(event, Remark)]
    assert remarks[0] == "2 statements compared by the model."


def test_a_doubt_for_missing_words_is_withdrawn(library: FakeRetriever) -> None:
    events, model = looked_at(library, f"{RENT} {DOUBTED}", f'1. says "950 euros"\n2. {LATE}')
    assert standings(events) == ["supported", "supported"]
    assert len(model.requests) == 3  # nothing is left to repair
    agreed, withdrawn = answered(events).claims
    assert agreed.judgment == Judgment("says", "950 euros")
    assert withdrawn.judgment == Judgment("says", "late payment costs 15 euros", decided=True)
    assert (
        describe_claim(withdrawn)
        == "The model, asked again, reads this in the cited lines: “late payment costs 15 euros”."
    )
    assert count_claims(answered(events).claims) == (
        "2 statements: 1 supported in names and figures, 1 by the model's second look"
    )


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ('"late payment" "costs 15 euros"', "late payment … costs 15 euros"),
        ("“late payment … 15 euros”", "late payment … 15 euros"),
        ('the words "A late payment costs 15 euros."', "A late payment costs 15 euros"),
        ('"late payment" "costs 25 euros"', ""),  # not all of them stand there
    ],
)
def test_all_quoted_parts_of_a_judgment_stand_there(library: FakeRetriever, written: str, words: str) -> None:
    events, _ = looked_at(library, DOUBTED, f"1. says {written}", Says(DOUBTED))
    judgment = answered(events).claims[0].judgment
    assert judgment == (Judgment("says", words, decided=True) if words else None)


def test_silence_about_lines_that_were_cut_does_not_count() -> None:
    line = "The tenant pays. " * 1_000
    citation = Citation(
        1, "turn1search1", ContentId(1), "ab", "/library/long.txt", "Long", "txt", None, 1, 2, "pays", f"{line}\nNo.",
        1, "verbatim",
    )  # fmt: skip
    statement, read = Statement("It rains.", (citation,)), CitableLines()
    read.record(ContentId(1), 1, [line, "No."])
    request, asked = look_request([statement], read, 12_000, lambda text: len(text) // 4 + 1)
    assert [each.cut for each in asked] == [True]
    assert len(request.text) < 20_000
    assert read_judgments("1. silent", asked) == {}
    assert read_judgments('1. contradicts "The tenant pays"', asked) == {
        statement.key: Judgment("contradicts", "The tenant pays")
    }


def test_what_the_lines_say_instead_is_not_outvoted(library: FakeRetriever) -> None:
    wrong = RENT.replace("950", "850")
    events, _ = looked_at(library, wrong, '1. says "monthly rent is 950 euros"', Says(wrong))
    assert standings(events) == ["unsupported"]
    assert answered(events).claims[0].judgment is None


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ('2. contradicts "with written consent"', "reads there “with written consent”"),
        ("**2.** SILENT", "does not find it in the cited lines"),
        ('{"2": "silent"}', "does not find it in the cited lines"),
    ],
)
def test_a_passed_statement_is_doubted_and_repaired(library: FakeRetriever, reply: str, words: str) -> None:
    events, model = looked_at(library, f"{RENT} {PASSED}", reply, Says("1. -"))
    assert standings(events) == ["supported"]
    asked = model.requests[3].messages[-1]
    assert isinstance(asked, UserMessage)
    assert "1. Pets are allowed if they give written consent. [turn1search1 L7]" in asked.text
    assert ("Wrong: the lines say “with written consent”." in asked.text) == ("contradicts" in reply)
    kept, _ = looked_at(library, f"{RENT} {PASSED}", reply, Says(f"1. {PASSED}"))
    assert standings(kept) == ["supported", "unsupported"]
    assert words in describe_claim(answered(kept).claims[1])
    assert count_claims(answered(kept).claims) == "2 statements: 1 supported in names and figures, 1 not"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Everything is right.",
        '2. contradicts "the landlord must feed the cat"',  # no words of the lines
        '2. contradicts ""',
        '9. contradicts "with written consent"',
        "2. contradicts",
        '2. contradicts "Lease Mill Lane"',  # the title only
        '2. contradicts "The monthly rent is 950 euros"',  # a line beside the cited one
        '2. contradicts "Pets are allowed"',  # the statement's own words
        '2. silent\n2. says "Pets are allowed"',
        "\ud83d\u0000 2. maybe",
        "x" * 50_000,
    ],
)
def test_a_judgment_without_words_of_the_lines_does_not_count(library: FakeRetriever, reply: str) -> None:
    events, model = looked_at(library, f"{RENT} {PASSED}", reply)
    assert standings(events) == ["supported", "supported"]
    assert len(model.requests) == 3


def test_a_judgment_belongs_to_the_words_and_their_source(library: FakeRetriever) -> None:
    repaired, _ = looked_at(library, f"{RENT} {PASSED}", "2. silent", Says(f"1. {PASSED.replace('L7', 'L6-7')}"))
    assert standings(repaired) == ["supported", "supported"]


def test_only_lines_that_were_read_are_sent(library: FakeRetriever) -> None:
    one = (("search", '{"queries": ["late payment"]}'),)
    model = ScriptedModel(
        [Says(calls=one), Says("A late payment costs 15 euros. [turn1search1 L6]"), Says("1. silent")]
    )
    Asker(library, model, second_look=True).ask("Late?")
    read = next(message for message in model.requests[1].messages if isinstance(message, ToolMessage))
    known = {line for each in read.evidence for line in each.lines}
    sent = model.requests[2].messages[-1]
    assert isinstance(sent, UserMessage)
    assert {line for each in sent.evidence for line in each.lines} <= known


def test_a_finding_of_the_program_is_not_outvoted() -> None:
    words = Judgment("says", "the rear left door")
    for fault in (
        ClaimFault("wording", "stone", elsewhere=True),
        ClaimFault("negation", "not"),
        ClaimFault("name", "A", "B"),
    ):
        claim = Claim(0, 9, "unsupported", (1,), (fault,))
        assert judged(claim, words) == claim


@pytest.mark.parametrize(
    ("reply", "standing"),
    [
        ('1. says "monthly rent is 950 euros"', "computed"),
        ("1. silent", "computed"),
        ('1. contradicts "The monthly rent is 950 euros"', "unsupported"),
    ],
)
def test_a_computed_sum_is_doubted_only_if_the_lines_contradict_it(
    library: FakeRetriever, reply: str, standing: str
) -> None:
    text = "Two months' rent is 1,900 euros in total. [turn1search1 L4]"
    events, _ = looked_at(library, text, reply, Says(text))
    assert standings(events) == [standing]


def test_quotations_and_what_names_no_source_are_not_asked_about(library: FakeRetriever) -> None:
    text = '> The monthly rent is 950 euros. [turn1search1 L4 "The monthly rent is 950 euros"]'
    _, model = looked_at(library, text, "1. silent")
    assert len(model.requests) == 2


def test_a_failed_look_changes_nothing(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says(PASSED), Says("1. si", error=StreamCut("The connection broke off."))])
    events = Asker(library, model, second_look=True).ask("Pets?")
    assert standings(events) == ["supported"]
    assert "The connection broke off." in [event.text for event in events if isinstance(event, Thought)]


def test_no_look_beyond_a_limit(library: FakeRetriever) -> None:
    _, model = looked_at(library, PASSED, "1. silent", limits=Limits(steps=2))
    assert len(model.requests) == 2


def test_stop_ends_the_look(library: FakeRetriever) -> None:
    stop = Stop()
    model = ScriptedModel([Says(calls=READ), Says(PASSED), Says("1. silent", before=stop.set)])
    last = Asker(library, model, second_look=True, stop=stop).ask("Pets?")[-1]
    assert isinstance(last, RunStopped)
    assert last.text.startswith("Pets are allowed")
