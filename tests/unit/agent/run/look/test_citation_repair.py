"""Repair of an answer: what is refused is asked for once more, with its lines and nothing else."""

import pytest

from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    AnswerRestarted,
    AnswerWritten,
    Citation,
    Claim,
    ContextUse,
    Operand,
    Remark,
    RunUsage,
)
from desktop_rag.agent.prompts import SOURCE_NOT_READ
from desktop_rag.agent.run.look.citation_repair import ALL_LEFT_OUT, LEFT_OUT, without_unused
from desktop_rag.errors import StreamCut
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import SystemMessage, TokenUsage, UserMessage
from desktop_rag.settings import Limits, Unsourced
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel

READ = (("search", '{"queries": ["rent payable"]}'), ("read_chunks", '{"references": ["turn1search1"]}'))
WRONG = 'The rent is 850 euros. [turn1search1 L4 "The monthly rent is 850 euros"]'
RIGHT = 'The rent is 950 euros. [turn1search1 L4 "The monthly rent is 950 euros"]'
LATE = "Being late costs 15 euros. [turn1search1 L6]"
PETS = "Pets need the consent of the landlord. [turn1search1 L7]"


def marked(answered: Answered) -> list[tuple[str, str]]:
    return [(answered.text[claim.start : claim.end], claim.mark) for claim in answered.claims]


def asked(model: ScriptedModel, request: int) -> str:
    message = model.requests[request].messages[-1]
    assert isinstance(message, UserMessage)
    return message.text


def last_of(events: list[AgentEvent]) -> Answered:
    last = events[-1]
    assert isinstance(last, Answered), last
    return last


def test_a_quotation_that_stands_nowhere_is_repaired_once(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says(WRONG), Says(f"1. {RIGHT}")])
    events = Asker(library, model).ask("What is the rent?")
    assert '1. The rent is 850 euros. [turn1search1 L4 "The monthly rent is 850 euros"]' in asked(model, 2)
    assert "Wrong: “The monthly rent is 850 euros” stands nowhere in what was read." in asked(model, 2)
    assert model.requests[2].tools == ()
    assert [event.text for event in events if isinstance(event, Remark)] == [
        "1 statement without support or source: asked again."
    ]
    assert any(isinstance(event, AnswerRestarted) for event in events)
    answered = last_of(events)
    assert answered.text == "The rent is 950 euros. [1](cite:1)"
    assert [(citation.number, citation.verdict) for citation in answered.citations] == [(1, "verbatim")]


def test_the_message_has_the_statement_and_its_lines_and_nothing_else(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says(f"{LATE} {WRONG} {PETS}"), Says(f"1. {RIGHT}")])
    Asker(library, model).ask("What is the rent?")
    instructions, message = model.requests[2].messages
    assert isinstance(instructions, SystemMessage)
    assert isinstance(message, UserMessage)
    assert "[turn1search1] lease.txt: Lease Mill Lane\n" in message.text
    assert "\n4: The monthly rent is 950 euros." in message.text
    assert LATE not in message.text
    assert PETS not in message.text
    assert "What is the rent?" not in message.text
    assert {each.path for each in message.evidence} == {"/library/lease.txt"}
    assert len(instructions.text) + len(message.text) < 3_000


@pytest.mark.parametrize("unrefused", [RIGHT, LATE, "The rent is 1,900 euros in two months. [turn1search1 L4]", PETS])
def test_what_the_facts_do_not_refuse_is_not_repaired(library: FakeRetriever, unrefused: str) -> None:
    model = ScriptedModel([Says(calls=READ), Says(f"{RIGHT} {unrefused} Ada is nice.")])
    Asker(library, model).answer("What?")
    assert len(model.requests) == 2


def test_words_that_are_missing_in_the_lines_are_not_repaired(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says("Zoe owes 77 pounds for the rent. [turn1search1 L4]")])
    assert "missing" in [mark for _, mark in marked(Asker(library, model).answer("What?"))]
    assert len(model.requests) == 2


@pytest.mark.parametrize("reply", ["2. silent\n1. says “15 euros”", '1. says "15"\n2. contradicts "written consent"'])
def test_what_the_look_refuses_is_repaired_and_looked_at_again(library: FakeRetriever, reply: str) -> None:
    new = "Pets need written consent. [turn1search1 L7]"
    model = ScriptedModel(
        [
            Says(calls=READ),
            Says(f"{LATE} {PETS}"),
            Says(reply),
            Says(f"1. {new}"),
            Says('1. says "with written consent"'),
        ]
    )
    events = Asker(library, model, second_look=True).ask("Pets?")
    assert "1. Pets need the consent of the landlord. [turn1search1 L7]" in asked(model, 3)
    assert "Being late" not in asked(model, 3)
    assert ("Wrong: the lines say “written consent”." in asked(model, 3)) == ("contradicts" in reply)
    assert "1. [1 L7] Pets need written consent." in asked(model, 4)
    assert "15 euros. \n" not in asked(model, 4)
    assert len(model.requests) == 5
    answered = last_of(events)
    assert answered.text == "Being late costs 15 euros. [1](cite:1) Pets need written consent. [2](cite:2)"
    assert marked(answered)[1] == ("Pets need written consent.", "read")


def test_what_the_look_refused_is_replaced_by_what_no_fact_refuses(library: FakeRetriever) -> None:
    wrong, right = "The deposit is 25,000 euros. [turn1search1 L4]", "The deposit is 27,000 euros. [turn1search1 L4]"
    look = Says('1. contradicts "The monthly rent is 950 euros"')
    model = ScriptedModel([Says(calls=READ), Says(wrong), look, Says(f"1. {right}"), Says("1. silent")])
    answered = Asker(library, model, second_look=True).answer("What?")
    assert marked(answered) == [("The deposit is 27,000 euros.", "silent")]  # told, but not repaired again
    assert len(model.requests) == 5


def test_each_statement_is_accepted_by_itself(library: FakeRetriever) -> None:
    other = WRONG.replace("850", "750")
    model = ScriptedModel([Says(calls=READ), Says(f"- {WRONG}\n- {other}"), Says(f"1. {RIGHT}\n2. {other}")])
    answered = Asker(library, model).answer("What is the rent?")
    assert [statement for statement, _ in marked(answered)] == ["The rent is 950 euros.", "The rent is 750 euros."]
    assert marked(answered)[1][1] == "altered"


def test_every_other_statement_keeps_its_own_citations(library: FakeRetriever) -> None:
    wide = "[turn1search1 L4-7]"
    bullets = ["The rent is 950 euros", "Being late costs 15 euros", "Pets need written consent"]
    first = "\n".join((*(f"- {each} {wide}." for each in bullets), f"- {WRONG}"))
    model = ScriptedModel([Says(calls=READ), Says(first)])
    before = Asker(library, model).answer("What?").text.splitlines()
    model = ScriptedModel([Says(calls=READ), Says(first), Says(f"1. {RIGHT}")])
    after = Asker(library, model).answer("What?").text.splitlines()
    assert after[:3] == before[:3]
    assert after[3].startswith("- The rent is 950 euros. [")
    assert after[3].count("cite:") == 1


@pytest.mark.parametrize("second", ["", "The rent is nice.", WRONG, f"1. {WRONG}", "1. The rent is 950 euros."])
def test_the_first_statement_stays_unless_the_second_cites_lines_that_do_not_refuse_it(
    library: FakeRetriever, second: str
) -> None:
    model = ScriptedModel([Says(calls=READ), Says(f"{RIGHT} {WRONG}"), Says(second)])
    answered = Asker(library, model).answer("What is the rent?")
    assert [each for each, _ in marked(answered)] == ["The rent is 950 euros.", "The rent is 850 euros."]
    assert marked(answered)[1][1] == "altered"
    assert len(model.requests) == 3


@pytest.mark.parametrize("reply", ["1. -", "1. left out", "1) –"])
def test_a_statement_that_is_withdrawn_is_left_out(library: FakeRetriever, reply: str) -> None:
    model = ScriptedModel([Says(calls=READ), Says(f"# Costs\n\n- {RIGHT}\n- {WRONG}\n\nThat is all."), Says(reply)])
    answered = Asker(library, model).answer("What is the rent?")
    assert answered.text == "# Costs\n\n- The rent is 950 euros. [1](cite:1)\n\nThat is all."
    assert [citation.number for citation in answered.citations] == [1]


def test_an_answer_that_is_withdrawn_whole_has_found_nothing(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says(WRONG), Says("1. -")])
    answered = Asker(library, model).answer("What is the rent?")
    assert not answered.found
    assert answered.claims == ()
    assert answered.citations == ()


@pytest.mark.parametrize("reply", [RIGHT, f"1. {RIGHT}", f"**1.** {RIGHT}", f"1) {RIGHT}\n   Wrong: nothing."])
def test_one_statement_may_be_written_without_its_number(library: FakeRetriever, reply: str) -> None:
    model = ScriptedModel([Says(calls=READ), Says(f"{WRONG} {LATE}"), Says(reply)])
    answered = Asker(library, model).answer("What is the rent?")
    assert answered.text == "The rent is 950 euros. [1](cite:1) Being late costs 15 euros. [2](cite:2)"
    assert [(citation.number, citation.first_line) for citation in answered.citations] == [(1, 4), (2, 6)]


def test_an_answer_without_citations_is_sent_back_with_the_nearest_lines(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says("The rent is 950 euros. Ada is nice."), Says(f"1. {RIGHT}\n2. -")])
    answered = Asker(library, model).answer("What is the rent?")
    assert [each for each, _ in marked(answered)] == ["The rent is 950 euros."]
    assert len(model.requests) == 3
    assert "Wrong: it names no source." in asked(model, 2)
    assert "4: The monthly rent is 950 euros." in asked(model, 2)
    assert len(model.requests[2].messages) == 2


def test_an_answer_without_citations_may_be_written_again_as_a_whole(library: FakeRetriever) -> None:
    whole = f"The lease says:\n\n- {RIGHT}\n- {LATE}"
    model = ScriptedModel([Says(calls=READ), Says("The rent is 950 euros. Late payment costs 15 euros."), Says(whole)])
    answered = Asker(library, model).answer("What is the rent?")
    assert answered.text.startswith("The lease says:\n\n- The rent is 950 euros. [1](cite:1)\n- Being late")


def test_an_answer_without_evidence_is_not_sent_back(library: FakeRetriever) -> None:
    model = ScriptedModel([Says("Paris is in France."), Says("Paris is in France."), Says("1. -")])
    Asker(library, model).answer("Where is Paris?")
    assert all("Wrong:" not in str(request.messages[-1]) for request in model.requests)


def test_a_failed_repair_changes_nothing(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says(WRONG), Says("The r", error=StreamCut("The connection broke off."))])
    assert Asker(library, model).answer("?").text == "The rent is 850 euros. [1](cite:1)"


def test_stop_during_the_repair_keeps_the_answer(library: FakeRetriever) -> None:
    stop = Stop()
    model = ScriptedModel([Says(calls=READ), Says(WRONG), Says(RIGHT, before=stop.set)])
    events = Asker(library, model, stop=stop).ask("What is the rent?")
    [written] = [event for event in events if isinstance(event, AnswerWritten)]
    answered = last_of(events)
    assert answered.text == written.text == "The rent is 850 euros. [1](cite:1)"
    assert answered.claims == written.claims


def test_nothing_is_repaired_beyond_the_limit_on_tokens(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ, usage=TokenUsage(90, 9)), Says(WRONG), Says(RIGHT)])
    answered = Asker(library, model, limits=Limits(total_tokens=99)).answer("What is the rent?")
    assert [mark for _, mark in marked(answered)] == ["altered"]
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
    assert [each for each, _ in marked(answered)][:2] == [LEFT_OUT, "The rent is 950 euros."]


def test_an_answer_without_any_source_is_removed_as_a_whole(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says("Paris is in France.")])
    answered = Asker(library, model, unsourced=Unsourced.FORBID).answer("Where is Paris?")
    assert (answered.text, answered.found, answered.citations) == (ALL_LEFT_OUT, False, ())


def test_a_citation_that_points_at_nothing_is_asked_about(library: FakeRetriever) -> None:
    model = ScriptedModel(
        [Says(calls=READ), Says(f"{RIGHT} Cats are welcome on Sundays. [lease.txt, line 900]"), Says("1. -")]
    )
    answered = Asker(library, model).answer("What is the rent?")
    assert "points at nothing that you have read" in asked(model, 2)
    assert [each for each, _ in marked(answered)] == ["The rent is 950 euros."]


def test_what_follows_the_not_found_marker_is_a_statement(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says("[not found] Nobody is named. The rent is 850 euros.")])
    answered = Asker(library, model).answer("Who repaired the valve?")
    assert not answered.found
    assert marked(answered) == [("The rent is 850 euros.", "uncited")]


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


@pytest.mark.parametrize(
    "text",
    ["Cats are welcome on Sundays. [lease.txt, line 900]", "- **Cats**: welcome on Sundays [lease.txt, line 900]."],
)
def test_lines_that_were_not_read_are_named(library: FakeRetriever, text: str) -> None:
    model = ScriptedModel([Says(calls=READ), Says(text), Says(text)])
    answered = Asker(library, model).answer("Are cats allowed?")
    [claim] = answered.claims
    assert (claim.mark, claim.nowhere) == ("uncited", "lease.txt, line 900")
    assert answered.text.endswith(SOURCE_NOT_READ)


def test_citations_that_nothing_names_are_taken_out_and_the_others_numbered_anew() -> None:
    def citation(number: int) -> Citation:
        return Citation(
            number, "turn1search1", ContentId(1), "ab", "/a.txt", "A", "txt", None, number, number, "", "", 1,
            "verbatim",
        )  # fmt: skip

    text = "One [2](cite:2). Two [11](cite:11)[12](cite:12)."
    claims = (
        Claim(0, 3, "unchecked", (2,)),
        Claim(17, 20, "computed", (11, 12), computed="1 + 2", operands=(Operand("1", 13),)),
    )
    use, usage = ContextUse(0, 0, 0, 0, 0, estimated=False), RunUsage(0, 0, 0, estimated=False)
    cited = tuple(citation(number) for number in (1, 2, 11, 12, 13))
    done = without_unused(Answered(text, cited, use, usage, 0.0, 1, found=True, claims=claims))
    assert done.text == "One [1](cite:1). Two [2](cite:2)[3](cite:3)."
    assert [(each.number, each.first_line) for each in done.citations] == [(1, 2), (2, 11), (3, 12), (4, 13)]
    assert [done.text[claim.start : claim.end] for claim in done.claims] == ["One", "Two"]
    assert [claim.citations for claim in done.claims] == [(1,), (2, 3)]
    assert done.claims[1].operands == (Operand("1", 4),)
