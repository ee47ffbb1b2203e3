import pytest

from desktop_rag.agent.citations.marks import describe_claim
from desktop_rag.agent.events import Answered, AnswerRestarted, ClaimFault, Remark, RunStopped
from desktop_rag.agent.prompts import SOURCE_NOT_READ
from desktop_rag.agent.run.citation_repair import ALL_LEFT_OUT, LEFT_OUT
from desktop_rag.errors import StreamCut
from desktop_rag.llm.chat import UserMessage
from desktop_rag.settings import Limits, Unsourced
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel

READ = (("search", '{"queries": ["rent payable"]}'), ("read_chunks", '{"references": ["turn1search1"]}'))
WRONG = 'The rent is 850 euros. [turn1search1 L4 "The monthly rent is 850 euros"]'
RIGHT = 'The rent is 950 euros. [turn1search1 L4 "The monthly rent is 950 euros"]'


def standings(answered: Answered) -> list[tuple[str, str]]:
    return [(answered.text[claim.start : claim.end], claim.standing) for claim in answered.claims]


def test_each_claim_is_graded_by_its_citations(library: FakeRetriever) -> None:
    text = (
        f"# The lease\n\n**Rent and fees**\n\n{RIGHT} Ada is nice. As follows:\n\n"
        '- Being late costs 25 euros [turn1search1 L6]\n- Pets are fine. [turn1search1 L4 "Pets are allowed with"]\n\n'
        "The documents do not mention dogs.\n\nI read 9 of 9 lines of the lease. Nothing on dogs. "
        "The library is still being indexed.\n\n**This is my last word**"
    )
    answered = Asker(library, ScriptedModel([Says(calls=READ), Says(text)])).answer("What?")
    assert standings(answered) == [
        ("The rent is 950 euros.", "supported"),
        ("Ada is nice.", "uncited"),
        ("Being late costs 25 euros", "unsupported"),
        ("Pets are fine.", "relocated"),
        ("**This is my last word**", "uncited"),
    ]
    assert answered.claims[2].faults == (ClaimFault("figure", "25 euros", "15 euros"),)
    assert answered.citations[2].named == "lease.txt, line 4"


def test_one_citation_may_support_the_sentences_before_it(library: FakeRetriever) -> None:
    text = "The rent is 950 euros. Being late costs 15 euros. Pets need written consent. [turn1search1 L4-7]"
    answered = Asker(library, ScriptedModel([Says(calls=READ), Says(text)])).answer("What?")
    assert [standing for _, standing in standings(answered)] == ["supported"] * 3


def test_failed_citations_are_repaired_once(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says(WRONG), Says(RIGHT)])
    events = Asker(library, model).ask("What is the rent?")
    asked = model.requests[2].messages[-1]
    assert isinstance(asked, UserMessage)
    assert '1. The rent is 850 euros. [turn1search1 L4 "The monthly rent is 850 euros"]' in asked.text
    assert "the lines say “950 euros”, not “850 euros”" in asked.text
    assert model.requests[2].tools == ()
    remarks = [event.text for event in events if isinstance(event, Remark)]
    assert remarks == ["1 statement without support or source: asked again."]
    assert any(isinstance(event, AnswerRestarted) for event in events)
    answered = events[-1]
    assert isinstance(answered, Answered)
    assert answered.text == "The rent is 950 euros. [1](cite:1)"
    assert [citation.verdict for citation in answered.citations] == ["verbatim"]


@pytest.mark.parametrize("second", ["", "The rent is nice.", WRONG, f"{WRONG} {WRONG.replace('850', '750')}"])
def test_the_first_answer_stays_unless_the_repair_is_better(library: FakeRetriever, second: str) -> None:
    first = f"{RIGHT} {WRONG}"
    model = ScriptedModel([Says(calls=READ), Says(first), Says(second)])
    answered = Asker(library, model).answer("What is the rent?")
    assert standings(answered) == [("The rent is 950 euros.", "supported"), ("The rent is 850 euros.", "unsupported")]
    assert len(model.requests) == 3


def test_only_the_failed_statements_are_written_again(library: FakeRetriever) -> None:
    first = f"# Costs\n\n- {RIGHT}\n- {WRONG}\n- Dogs live in Edinburgh. [turn1search1 L7]\n\nThat is all I found."
    reply = f"1. {RIGHT}\n2. -"
    model = ScriptedModel([Says(calls=READ), Says(first), Says(reply)])
    answered = Asker(library, model).answer("What is the rent?")
    asked = model.requests[2].messages[-1]
    assert isinstance(asked, UserMessage)
    assert "no cited line mentions Edinburgh" in asked.text
    assert RIGHT not in asked.text
    assert answered.text == (
        "# Costs\n\n- The rent is 950 euros. [1](cite:1)\n- The rent is 950 euros. [1](cite:1)\n\nThat is all I found."
    )


@pytest.mark.parametrize("reply", [RIGHT, f"1. {RIGHT}", f"**1.** {RIGHT}", f"1) {RIGHT}\n   Wrong: nothing."])
def test_one_statement_may_be_written_without_its_number(library: FakeRetriever, reply: str) -> None:
    model = ScriptedModel(
        [Says(calls=READ), Says(f"{WRONG} Being late costs 15 euros [turn1search1 L6]."), Says(reply)]
    )
    answered = Asker(library, model).answer("What is the rent?")
    assert answered.text == "The rent is 950 euros. [1](cite:1) Being late costs 15 euros [2](cite:2)."


def test_an_answer_without_citations_is_sent_back_once(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says("The rent is 950 euros. Ada pays it."), Says(f"1. {RIGHT}\n2. -")])
    events = Asker(library, model).ask("What is the rent?")
    answered = events[-1]
    assert isinstance(answered, Answered)
    assert standings(answered) == [("The rent is 950 euros.", "supported")]
    assert len(model.requests) == 3


def test_an_answer_without_evidence_is_not_sent_back(library: FakeRetriever) -> None:
    model = ScriptedModel([Says("Paris is in France."), Says("Paris is in France."), Says("1. -")])
    Asker(library, model).answer("Where is Paris?")
    assert all("compared with the lines" not in str(request.messages[-1]) for request in model.requests)


def test_a_failed_repair_changes_nothing(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says(WRONG), Says("The r", error=StreamCut("The connection broke off."))])
    assert Asker(library, model).answer("?").text == "The rent is 850 euros. [1](cite:1)"


def test_stop_during_the_repair_keeps_the_answer(library: FakeRetriever) -> None:
    stop = Stop()
    model = ScriptedModel([Says(calls=READ), Says(WRONG), Says(RIGHT, before=stop.set)])
    stopped = Asker(library, model, stop=stop).ask("What is the rent?")[-1]
    assert isinstance(stopped, RunStopped)
    assert stopped.text == "The rent is 850 euros. [1](cite:1)"


def test_nothing_is_repaired_without_budget(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says(WRONG), Says(RIGHT)])
    answered = Asker(library, model, limits=Limits(steps=2)).answer("What is the rent?")
    assert [citation.verdict for citation in answered.citations] == ["not found"]
    assert len(model.requests) == 2


def test_uncited_statements_are_removed_on_request(library: FakeRetriever) -> None:
    text = f"Cats are cute. {RIGHT} Paris is in France.\n\n| a | b |\n|---|---|\n| moon | 7 |\n"
    model = ScriptedModel([Says(calls=READ), Says(text)])
    answered = Asker(library, model, unsourced=Unsourced.FORBID).answer("What is the rent?")
    assert answered.text.splitlines() == [
        f"{LEFT_OUT} The rent is 950 euros. [1](cite:1) {LEFT_OUT}",
        "",
        "| a | b |",
        "|---|---|",
        f"| {LEFT_OUT} | |",
    ]
    assert standings(answered)[:2] == [(LEFT_OUT, "uncited"), ("The rent is 950 euros.", "supported")]


def test_an_answer_without_any_source_is_removed_as_a_whole(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says("Paris is in France.")])
    answered = Asker(library, model, unsourced=Unsourced.FORBID).answer("Where is Paris?")
    assert (answered.text, answered.found, answered.citations) == (ALL_LEFT_OUT, False, ())


def test_a_repair_with_fewer_failures_is_kept_though_one_citation_leads_nowhere(library: FakeRetriever) -> None:
    nowhere = "Dogs live in Edinburgh [turn9search9 L1]."
    model = ScriptedModel([Says(calls=READ), Says(f"{WRONG} {nowhere}"), Says(f"1. {RIGHT}\n2. {nowhere}")])
    answered = Asker(library, model).answer("What is the rent?")
    assert [standing for _, standing in standings(answered)] == ["supported", "uncited"]


@pytest.mark.parametrize("said", ["I could not find who repaired it, but the", "Nobody is named. The"])
def test_what_follows_the_not_found_marker_is_a_statement(library: FakeRetriever, said: str) -> None:
    model = ScriptedModel([Says(calls=READ), Says(f"[not found] {said} rent is 850 euros.")])
    answered = Asker(library, model).answer("Who repaired the valve?")
    assert not answered.found
    assert standings(answered) == [(f"{said.split()[-1]} rent is 850 euros.", "uncited")]


@pytest.mark.parametrize(
    ("reply", "text"),
    [(RIGHT, "Nothing on valves. The rent is 950 euros. [1](cite:1)"), ("1. -", "Nothing on valves.")],
)
def test_a_doubtful_statement_after_the_not_found_marker_is_repaired(
    library: FakeRetriever, reply: str, text: str
) -> None:
    model = ScriptedModel([Says(calls=READ), Says(f"[not found] Nothing on valves. {WRONG}"), Says(reply)])
    answered = Asker(library, model).answer("Who repaired the valve?")
    assert (answered.text.strip(), answered.found, answered.claims) == (text, False, ())


def test_lines_that_were_not_read_are_named(library: FakeRetriever) -> None:
    text = "Cats are welcome on Sundays. [lease.txt, line 900]"
    model = ScriptedModel([Says(calls=READ), Says(text), Says(text)])
    answered = Asker(library, model).answer("Are cats allowed?")
    [claim] = answered.claims
    assert claim.standing == "uncited"
    assert describe_claim(claim) == "It cites lease.txt, line 900, where nothing was read."
    assert answered.text.endswith(SOURCE_NOT_READ)
