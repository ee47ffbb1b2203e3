"""The second look: a model compares the statements of an answer with the lines they cite."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from desktop_rag.agent.budget import Prices, Purse
from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    AnswerWritten,
    Citation,
    Claim,
    ContextMeasured,
    Judgment,
    Operand,
    Remark,
    RunStarted,
    StepStarted,
    Thought,
)
from desktop_rag.agent.run.look.second_look import MOST_STATEMENTS, SecondLook, look_request
from desktop_rag.agent.run.statements import Statement, statement_of
from desktop_rag.errors import SendingRefused, StreamCut
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import ChatRequest, SystemMessage, TokenUsage, ToolMessage, UserMessage
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel, document

READ = (("search", '{"queries": ["rent payable"]}'), ("read_chunks", '{"references": ["turn1search1"]}'))
RENT = "The tenant owes 950 euros. [turn1search1 L4]"
LATE = "Who is late owes 15 euros. [turn1search1 L6]"
PETS = "Pets are allowed if they give written consent. [turn1search1 L7]"


def looked_at(
    library: FakeRetriever, text: str, *replies: Says, limits: Limits | None = None, stop: Stop | None = None
) -> tuple[list[AgentEvent], ScriptedModel]:
    """Return the events of a run whose answer is `text`, and its model: requests from the third on are about it."""
    model = ScriptedModel([Says(calls=READ), Says(text), *replies])
    asker = Asker(library, model, second_look=True, limits=limits or Limits(), stop=stop or Stop())
    return asker.ask("What does the lease say?"), model


def answered(events: Sequence[AgentEvent]) -> Answered:
    last = events[-1]
    assert isinstance(last, Answered), last
    return last


def marks(events: Sequence[AgentEvent]) -> list[str]:
    return [claim.mark for claim in answered(events).claims]


def asked(request: ChatRequest) -> str:
    message = request.messages[-1]
    assert isinstance(message, UserMessage)
    return message.text


def test_without_the_setting_nothing_is_asked(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says(f"{RENT} {PETS}")])
    events = Asker(library, model).ask("What?")
    assert "read" not in marks(events)
    assert len(model.requests) == 2
    assert not any(isinstance(event, AnswerWritten) for event in events)


def test_the_model_sees_the_question_the_statements_and_their_lines_only(library: FakeRetriever) -> None:
    events, model = looked_at(library, f"{RENT} {PETS}", Says('1. says "rent is 950 euros"\n2. silent'), Says("-"))
    request = model.requests[2]
    assert request.tools == ()
    assert request.schema
    instructions, message = request.messages
    assert isinstance(instructions, SystemMessage)
    assert isinstance(message, UserMessage)
    assert message.text.startswith("Question: What does the lease say?\n\nLines:")
    assert "[1] lease.txt: Lease Mill Lane\n" in message.text
    assert "\n4: The monthly rent is 950 euros.\n5: Rent is" in message.text
    assert "\n1. [1 L4] The tenant owes 950 euros.\n2. [1 L7] Pets are allowed if they" in message.text
    assert message.text.count("The monthly rent is 950 euros.") == 1  # though both places show it
    assert {each.path for each in message.evidence} == {"/library/lease.txt"}  # for the record of what was sent
    remarks = [event.text for event in events if isinstance(event, Remark)]
    assert remarks[0] == "2 statements compared by the model."


def test_the_answer_stands_before_the_look(library: FakeRetriever) -> None:
    events, _ = looked_at(library, f"{RENT} {PETS}", Says('1. says "rent is 950 euros"\n2. says "written consent"'))
    [written] = [event for event in events if isinstance(event, AnswerWritten)]
    last = answered(events)
    assert (written.text, written.citations) == (last.text, last.citations)
    assert [claim.judgment for claim in written.claims] == [None, None]
    assert marks(events) == ["read", "read"]
    before = events[events.index(written) :]
    assert not any(isinstance(event, StepStarted) for event in before)  # a look is no step
    assert last.steps == 2


def test_the_cost_of_the_look_is_the_runs(library: FakeRetriever) -> None:
    model = ScriptedModel(
        [
            Says(calls=READ),
            Says(RENT, usage=TokenUsage(900, 20)),
            Says("1. silent", usage=TokenUsage(300, 7)),
            Says("-"),
        ]
    )
    events = Asker(library, model, second_look=True, purse=Purse(Prices(1.0, 1.0))).ask("What?")
    measured = [event.usage.tokens for event in events if isinstance(event, ContextMeasured)]
    assert 920 in measured
    assert 1_227 in measured
    assert answered(events).usage.money == pytest.approx(1_227e-6)


def test_the_cheaper_model_is_asked_at_its_prices(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says(RENT, usage=TokenUsage(1_000, 0))])
    fast = ScriptedModel([Says('1. says "950 euros"', usage=TokenUsage(500, 0))])
    purse = Purse(Prices(10.0, 10.0), fast=Prices(1.0, 1.0))
    events = Asker(library, model, second_look=True, fast=fast, purse=purse).ask("What?")
    assert marks(events) == ["read"]
    assert (len(model.requests), len(fast.requests)) == (2, 1)
    assert answered(events).usage.money == pytest.approx(0.0105)


def test_nothing_is_asked_that_may_pass_the_limit_on_money(library: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=READ), Says(RENT, usage=TokenUsage(1_000, 10)), Says("1. silent")])
    purse = Purse(Prices(1_000.0, 1_000.0), lambda spent: 0.5 if spent else None)
    events = Asker(library, model, second_look=True, purse=purse).ask("What?")
    assert len(model.requests) == 2
    assert "read" not in marks(events)
    assert any("is left of your limit" in event.text for event in events if isinstance(event, Thought))


@pytest.mark.parametrize("limits", [Limits(total_tokens=30), Limits(total_tokens=1)])
def test_no_look_beyond_a_limit_on_tokens(library: FakeRetriever, limits: Limits) -> None:
    model = ScriptedModel([Says(calls=READ, usage=TokenUsage(50, 5)), Says(RENT), Says("1. silent")])
    events = Asker(library, model, second_look=True, limits=limits).ask("What?")
    assert len(model.requests) == 2
    assert not any(isinstance(event, AnswerWritten) for event in events)


def test_a_limit_on_steps_of_the_search_leaves_the_look(library: FakeRetriever) -> None:
    events, model = looked_at(library, RENT, Says('1. says "950 euros"'), limits=Limits(steps=2))
    assert len(model.requests) == 3
    assert marks(events) == ["read"]


def test_says_with_words_outvotes_the_facts(library: FakeRetriever) -> None:
    text = "The rent is nine hundred and fifty pounds for Zoe. [turn1search1 L4]"
    events, _ = looked_at(library, text, Says('1. says "monthly rent is 950 euros"'))
    [claim] = answered(events).claims
    assert (claim.mark, claim.judgment) == ("read", Judgment("says", "monthly rent is 950 euros"))


def test_a_quotation_that_stands_nowhere_gets_no_look(library: FakeRetriever) -> None:
    wrong = 'The rent is 850 euros. [turn1search1 L4 "The monthly rent is 850 euros"]'
    events, model = looked_at(library, f"{wrong} {PETS}", Says('1. says "written consent"'), Says(f"1. {wrong}"))
    assert asked(model.requests[2]).endswith(
        "1. [1 L7] Pets are allowed if they give written consent.\n   Before it: The rent is 850 euros."
    )
    assert marks(events) == ["altered", "read"]


def test_quotations_and_what_names_no_source_are_not_asked_about(library: FakeRetriever) -> None:
    text = '> The monthly rent is 950 euros. [turn1search1 L4 "The monthly rent is 950 euros"]'
    _, model = looked_at(library, text, Says("1. silent"))
    assert len(model.requests) == 2


def test_only_lines_that_were_read_are_sent(library: FakeRetriever) -> None:
    one = (("search", '{"queries": ["late payment"]}'),)
    model = ScriptedModel([Says(calls=one), Says(LATE), Says('1. says "15 euros"')])
    Asker(library, model, second_look=True).ask("Late?")
    read = next(message for message in model.requests[1].messages if isinstance(message, ToolMessage))
    known = {line for each in read.evidence for line in each.lines}
    sent = model.requests[2].messages[-1]
    assert isinstance(sent, UserMessage)
    assert {line for each in sent.evidence for line in each.lines} <= known


def test_a_failed_look_changes_nothing(library: FakeRetriever) -> None:
    for error in (StreamCut("The connection broke off."), SendingRefused("Nothing more was sent.")):
        events, _ = looked_at(library, PETS, Says("1. si", error=error))
        assert answered(events).text.startswith("Pets are allowed")
        assert "silent" not in marks(events)
        assert str(error) in [event.text for event in events if isinstance(event, Thought)]


def test_stop_ends_the_look_and_loses_nothing(library: FakeRetriever) -> None:
    stop = Stop()
    events, _ = looked_at(library, f"{RENT} {PETS}", Says("1. silent", before=stop.set), stop=stop)
    [written] = [event for event in events if isinstance(event, AnswerWritten)]
    last = answered(events)
    assert last.found
    assert (last.text, last.citations, last.claims) == (written.text, written.citations, written.claims)


def test_stop_keeps_the_judgments_that_came(long: FakeRetriever) -> None:
    stop = Stop()
    model = ScriptedModel([Says(calls=LONG), Says(long_answer(30)), Says(long_reply(24)), Says("", before=stop.set)])
    events = Asker(long, model, second_look=True, stop=stop).ask("What?")
    assert marks(events).count("read") == 24


LONG = tuple(("open", f'{{"reference": "turn1search1", "line": {line}}}') for line in (1, 20))
LONG = (("search", '{"queries": ["device"]}'), *LONG)


@pytest.fixture
def long() -> FakeRetriever:
    return FakeRetriever(
        ("devices.txt", document(*(f"The device {n} weighs {n * 7 + 300} grams." for n in range(1, 41))))
    )


def long_answer(count: int) -> str:
    return "\n".join(f"- Number {n} has a mass of {n * 7 + 300} g. [turn1search1 L{n}]" for n in range(1, count + 1))


def long_reply(count: int, first: int = 1) -> str:
    return "\n".join(f'{n}. says "weighs {(n + first - 1) * 7 + 300} grams"' for n in range(1, count + 1))


def test_thirty_statements_are_two_requests(long: FakeRetriever) -> None:
    model = ScriptedModel([Says(calls=LONG), Says(long_answer(30)), Says(long_reply(24)), Says(long_reply(6, 25))])
    events = Asker(long, model, second_look=True).ask("What?")
    assert marks(events) == ["read"] * 30
    assert len(model.requests) == 4
    assert f"\n{MOST_STATEMENTS}. [1 L24]" in asked(model.requests[2])
    assert "\n1. [1 L25]" in asked(model.requests[3])
    assert [event.text for event in events if isinstance(event, Remark)] == ["30 statements compared by the model."]


def test_an_unreadable_reply_is_asked_for_once_more(library: FakeRetriever) -> None:
    events, model = looked_at(
        library, f"{RENT} {PETS}", Says("All is right."), Says('1. says "950 euros"\n2. says "consent"')
    )
    assert marks(events) == ["read", "read"]
    assert [bool(request.schema) for request in model.requests[2:]] == [True, False]


def test_only_what_a_reply_leaves_out_is_asked_for_once_more(library: FakeRetriever) -> None:
    events, model = looked_at(library, f"{RENT} {PETS}", Says('1. says "950 euros"'), Says('1. says "consent"'))
    assert marks(events) == ["read", "read"]
    assert "\n1. [1 L7] Pets" in asked(model.requests[3])
    assert "owes 950" not in asked(model.requests[3]).partition("\nStatements:")[2].partition("Before it")[0]


def test_what_is_unreadable_twice_is_not_checked(long: FakeRetriever) -> None:
    model = ScriptedModel(
        [Says(calls=LONG), Says(long_answer(30)), Says("Fine."), Says("Good."), Says(long_reply(6, 25))]
    )
    events = Asker(long, model, second_look=True).ask("What?")
    assert "read" not in marks(events)
    assert len(model.requests) == 4  # the other statements are not asked about
    assert [event.text for event in events if isinstance(event, Remark)] == [
        "0 of 24 statements compared by the model."
    ]


def test_a_window_without_room_asks_about_what_fits() -> None:
    statement = _statement(0, 1, 1, "It rains.", lines=["It rains " * 2_000])
    look = SecondLook([statement], CitableLines(), 50, len)
    assert look.request() is None


def _statement(
    number: int, first: int, last: int, text: str, *, lines: Sequence[str], quote: str = "", before: str = ""
) -> Statement:
    passage = "\n".join(lines[first - 1 : last])
    citation = Citation(
        number, f"turn1search{number}", ContentId(number), f"{number:02}", f"/library/{number}.txt", "", "txt", None,
        first, last, quote, passage, first, "verbatim",
    )  # fmt: skip
    return Statement(text, (citation,), before)


def _recorded(lines: Sequence[str]) -> CitableLines:
    read = CitableLines()
    read.record(ContentId(1), 1, lines)
    return read


def _count(text: str) -> int:
    return len(text) // 4 + 1


def test_silence_about_lines_that_were_cut_does_not_count() -> None:
    lines = ["The tenant pays. " * 1_000, "No."]
    statement = _statement(1, 1, 2, "It rains.", lines=lines)
    look = SecondLook([statement], _recorded(lines), 12_000, _count)
    request = look.request()
    assert request is not None
    assert len(request.text) < 20_000
    look.take("1. silent")
    assert look.judgments == {}
    again = SecondLook([statement], _recorded(lines), 12_000, _count)
    again.request()
    again.take('1. contradicts "The tenant pays"')
    assert again.judgments == {statement.key: Judgment("contradicts", "The tenant pays")}


def test_a_long_range_is_narrowed_to_the_lines_with_the_quotation() -> None:
    lines = [f"This is what line {n} says of the matter." for n in range(1, 61)]
    statement = _statement(1, 1, 60, "Line 40.", lines=lines, quote="what line 40 says of the matter")
    request, _ = look_request([statement], _recorded(lines), 12_000, _count)
    [shown] = request.evidence
    assert (shown.first_line, len(shown.lines)) == (32, 18)
    assert "40: This is what line 40 says" in request.text


def test_a_long_range_without_a_quotation_is_narrowed_to_the_likest_lines() -> None:
    lines = [f"Nothing of interest, number {n}." for n in range(1, 61)]
    lines[49] = "The pump of the boiler is replaced every winter."
    statement = _statement(1, 1, 60, "The boiler gets another pump each winter.", lines=lines)
    request, _ = look_request([statement], _recorded(lines), 12_000, _count)
    assert "50: The pump of the boiler is replaced every winter." in request.text
    assert "\n1: Nothing" not in request.text


def test_a_range_is_shown_as_it_was_cited_with_five_lines_around() -> None:
    lines = [f"Sentence {n}." for n in range(1, 41)]
    request, _ = look_request([_statement(1, 20, 23, "So.", lines=lines)], _recorded(lines), 12_000, _count)
    [shown] = request.evidence
    assert (shown.first_line, len(shown.lines)) == (15, 14)
    assert "1. [1 L20-23] So." in request.text


def test_overlapping_places_of_a_document_are_shown_once() -> None:
    lines = [f"Sentence {n}." for n in range(1, 41)]
    statements = [_statement(1, n, n, f"Statement {n}.", lines=lines) for n in (10, 11, 14)]
    request, _ = look_request(statements, _recorded(lines), 12_000, _count)
    assert all(request.text.count(f"\n{n}: Sentence {n}.") == 1 for n in range(5, 20))
    [shown] = request.evidence
    assert (shown.first_line, len(shown.lines)) == (5, 15)


def test_the_line_that_introduces_a_name_is_shown() -> None:
    lines = ["The flat is let to Ada Byron.", *(f"Clause {n}." for n in range(2, 30)), "She pays 950 euros."]
    statement = _statement(1, 30, 30, "Ada Byron pays 950 euros.", lines=lines)
    request, _ = look_request([statement], _recorded(lines), 12_000, _count)
    assert "\n1: The flat is let to Ada Byron.\n⋯\n25: " in request.text


def test_what_stands_before_a_statement_is_sent_once() -> None:
    text = "The flat is small. It has two rooms [1](cite:1). They face the garden [1](cite:1)."
    lines = ["Two rooms to the garden."]
    [citation] = _statement(1, 1, 1, "", lines=lines).citations
    claims = [Claim(19, 35, "unchecked", (1,)), Claim(49, 70, "unchecked", (1,))]
    first, second = (statement_of(text, claim, [citation]) for claim in claims)
    assert (first.text, first.before) == ("It has two rooms", "The flat is small.")
    request, _ = look_request([first, second], _recorded(lines), 12_000, _count)
    assert "1. [1 L1] It has two rooms\n   Before it: The flat is small.\n2. [1 L1] They face" in request.text


def test_what_leads_to_a_list_stands_before_its_items() -> None:
    text = "The tenant pays for:\n\n- heating [1](cite:1)\n- water [1](cite:1)"
    [citation] = _statement(1, 1, 1, "", lines=["Heating, water."]).citations
    for start, end in ((24, 31), (46, 51)):
        statement = statement_of(text, Claim(start, end, "unchecked", (1,)), [citation])
        assert statement.before == "The tenant pays for:"


def test_the_lines_of_operands_are_shown() -> None:
    lines = ["Twelve months.", *["Filler."] * 20, "950 euros a month."]
    [month] = _statement(1, 1, 1, "", lines=lines).citations
    [rent] = _statement(1, 22, 22, "", lines=lines).citations
    claim = Claim(0, 12, "computed", (1,), computed="12 × 950", operands=(Operand("950", 2),))
    statement = statement_of("A year: 11,400", claim, [month, replace(rent, number=2)])
    request, _ = look_request([statement], _recorded(lines), 12_000, _count)
    assert "22: 950 euros a month." in request.text
    assert "[1 L1] [1 L22]" in request.text


def test_the_built_in_model_has_no_look(library: FakeRetriever) -> None:
    from desktop_rag.agent.extractive.extractive_model import ExtractiveModel

    events = Asker(library, ExtractiveModel(), second_look=True).ask("What is the monthly rent?")
    assert isinstance(events[0], RunStarted)
    assert not any(isinstance(event, AnswerWritten) for event in events)
