"""Every run that has read evidence ends with an answer, whatever the model does."""

import math

import pytest

from desktop_rag.agent.budget import RunBudget
from desktop_rag.agent.events import Answered, AnswerRestarted, Remark, RunFailed, ToolCalled
from desktop_rag.agent.prompts import ANSWER_IN_WORDS, NO_ANSWER, NOT_AT_A_GLANCE, NOT_IN_DOCUMENTS
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.errors import ModelUnreachable
from desktop_rag.llm.chat import ToolMessage, UserMessage
from desktop_rag.settings import Limits
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel
from tests.unit.agent.run.test_loop import ANSWER, of

QUESTION = "When does the lease end?"
SEARCH = Says(calls=(("search", '{"queries": ["lease ends"]}'),))
LAST_LINE = "The lease ends on 31 July 2027."
NOTHING = (
    Says(""),
    Says(thinking="Let me think.", reason="length"),
    Says("Let me look again.", calls=(("search", '{"queries": ["end"]}'),)),
    Says(reason="filter"),
)


@pytest.mark.parametrize("last", NOTHING[:-1])  # a filtered answer is not asked for again
def test_a_turn_without_an_answer_is_asked_again_in_words(library: FakeRetriever, last: Says) -> None:
    words = Says('On 31 July 2027 [turn1search1 L9 "ends on 31 July 2027"].')
    answered = Asker(library, ScriptedModel([SEARCH, last, words]), limits=Limits(steps=1)).answer(QUESTION)
    assert answered.text == "On 31 July 2027 [1](cite:1)."


@pytest.mark.parametrize("last", NOTHING)
def test_a_model_that_never_answers_is_quoted_for(library: FakeRetriever, last: Says) -> None:
    model = ScriptedModel([SEARCH, last, last, last])
    answered = Asker(library, model, limits=Limits(steps=1)).answer(QUESTION)
    assert answered.text.startswith(NO_ANSWER)
    assert "> The lease ends on **31 July 2027**. [1](cite:1)" in answered.text
    assert answered.citations[0].verdict == "verbatim"


def test_the_last_request_asks_for_words_and_answers_every_call(library: FakeRetriever) -> None:
    call = Says("More.", calls=(("search", '{"queries": ["end"]}'),))
    model = ScriptedModel([SEARCH, call, Says(ANSWER)])
    events = Asker(library, model, limits=Limits(steps=1)).ask(QUESTION)
    assert AnswerRestarted(1) in events
    *_, unrun, asked = model.requests[2].messages
    assert isinstance(unrun, ToolMessage)
    assert not unrun.executed
    assert asked == UserMessage(ANSWER_IN_WORDS, aside=True)
    assert model.requests[-1].tools == ()


def test_an_endpoint_that_fails_on_the_second_request_is_quoted_for(library: FakeRetriever) -> None:
    model = ScriptedModel([SEARCH, Says(""), Says(error=ModelUnreachable("It is gone."))])
    answered = Asker(library, model, limits=Limits(steps=1)).answer(QUESTION)
    assert [citation.quote for citation in answered.citations] == [LAST_LINE]


def test_without_evidence_the_reason_is_told(library: FakeRetriever) -> None:
    kit = toolkit("direct")
    failed = Asker(library, ScriptedModel([Says("")]), toolkit=kit).ask("Unicorns?")[-1]
    assert isinstance(failed, RunFailed)
    assert "empty message" in failed.message
    insists = ScriptedModel([Says(calls=(("search", '{"queries": ["x"]}'),))] * 9)
    failed = Asker(library, insists, toolkit=kit).ask("Unicorns?")[-1]
    assert isinstance(failed, RunFailed)
    assert "went on calling tools" in failed.message


def test_a_bare_not_found_is_an_answer_with_what_was_searched(library: FakeRetriever) -> None:
    answered = Asker(library, ScriptedModel([SEARCH, Says("[not found]")])).answer("Unicorns?")
    assert not answered.found
    assert answered.text.startswith(f"{NOT_IN_DOCUMENTS} Searched for “lease ends”.")


def test_documents_listed_by_name_are_no_passages(library: FakeRetriever) -> None:
    model = ScriptedModel([Says("I cannot read files."), Says("On 31 July 2027.")])
    events = Asker(library, model).ask("When does the Lease of 2027 end?")
    assert "list_documents" in [event.name for event in of(events, ToolCalled)]
    [answered] = of(events, Answered)
    assert "> The lease ends on **31 July 2027**." in answered.text


@pytest.mark.parametrize("greeting", ["Hello!", "Hi there, how are you?", "Danke schön!", "Good morning. Thanks!"])
@pytest.mark.parametrize("kit", ["full", "auto"])
def test_a_greeting_is_not_searched_for(library: FakeRetriever, kit: str, greeting: str) -> None:
    events = Asker(library, ScriptedModel([Says("Hello! What may I look up?")]), toolkit(kit)).ask(greeting)
    assert of(events, ToolCalled) == []
    assert of(events, Answered)[0].text.startswith("Hello! What may I look up?")


def test_a_quick_look_that_finds_nothing_goes_on_thoroughly(library: FakeRetriever) -> None:
    model = ScriptedModel([Says("[not found] Nothing."), SEARCH, Says(ANSWER)])
    events = Asker(library, model, toolkit("auto")).ask("When is the rent due?")
    assert NOT_AT_A_GLANCE in [remark.text for remark in of(events, Remark)]
    answered = events[-1]
    assert isinstance(answered, Answered)
    assert answered.found
    assert len({citation.reference for citation in answered.citations}) == len(answered.citations)
    assert [request.tools == () for request in model.requests] == [True, False, False]


def test_the_seconds_count_from_the_first_words(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("desktop_rag.agent.budget.time.monotonic", lambda: now)
    run = RunBudget(Limits(seconds=40), started=0.0, most_seconds=40)
    patient = RunBudget(Limits(seconds=20), started=0.0, most_seconds=400)  # a toolkit's own limit on its search
    now = 100.0  # a slow model's first words
    assert (run.left(), run.over(), run.reached(), patient.over()) == (math.inf, False, None, False)
    for each in (run, patient):
        each.note_begin(100.0)
    now = 129.0
    assert (run.left(searching=True), run.left(), run.reached()) == (1.0, 11.0, None)
    now = 135.0
    for each in (run, patient):
        each.note_begin(30.0)
    assert (run.over(), patient.over()) == (False, False)  # every run may search once
    run.calls = patient.calls = 1
    assert (run.over(), patient.over()) == (True, False)
    run.pause()
    now = 1000.0
    assert run.left() == 5.0
    run.resume()
    assert run.left() == 5.0
    assert not run.used_up()
    now = 1005.0
    assert (run.left(), run.used_up(), patient.over()) == (0.0, True, True)
    limit = patient.reached()
    assert limit is not None
    assert limit.limit == "seconds"
    run.raise_limit("seconds", 120)
    assert (run.left(), run.reached()) == (120.0, None)
