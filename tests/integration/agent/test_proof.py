"""Grounding over a real library: wrong claims of an endpoint are repaired, marked or removed."""

from collections.abc import Sequence

import pytest

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.agent.events import AgentEvent, Alteration, Answered, Remark
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.look.citation_repair import LEFT_OUT
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.chat import ChatModel
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile, Unsourced
from tests.endpoint import Call, ScriptedEndpoint, ScriptEntry, SeenRequest, Turn

SEARCH = Turn(calls=[Call("search", '{"queries": ["raise the rent"], "mode": "keyword"}')])


def ask(
    engine: SearchEngine, model: ChatModel, question: str, unsourced: Unsourced = Unsourced.MARK
) -> list[AgentEvent]:
    kit, start = toolkit("full"), Conversation()
    return list(answer(Question(question, start), Run(kit, model, engine, unsourced=unsourced)))


def over(
    script: Sequence[ScriptEntry], engine: SearchEngine, unsourced: Unsourced = Unsourced.MARK
) -> tuple[list[AgentEvent], list[SeenRequest]]:
    with ScriptedEndpoint(script) as endpoint:
        model = OpenAIChat(Profile("test", endpoint.base_url, "scripted"), "")
        return ask(engine, model, "How may the rent be raised?", unsourced), endpoint.requests


def saying(words: str) -> ScriptEntry:
    """Answer with `words`: {lease} cites the line about raising the rent, {invented} with words that it lacks."""

    def entry(request: SeenRequest) -> Turn:
        lines = request.last_text.splitlines()
        number = next(line.split(":")[0] for line in lines if "may raise the rent" in line)
        header = next(line for line in lines if line.startswith("[turn") and "Lease" in line)
        reference = f"{header[1 : header.index(']')]} L{number}"
        quoted = f'[{reference} "the rent may be raised with six months of notice"]'
        return Turn(text=words.replace("{lease}", f"[{reference}]").replace("{invented}", quoted))

    return entry


def last(events: Sequence[AgentEvent]) -> Answered:
    assert isinstance(events[-1], Answered), events[-1]
    return events[-1]


def marks(answered: Answered) -> list[str]:
    return [claim.mark for claim in answered.claims]


def test_the_endpoint_repairs_what_quotes_words_that_stand_nowhere(engine: SearchEngine) -> None:
    mended = Turn(text="The rent may rise once a year, with 3 months' notice [turn1search1 L4].")
    events, requests = over([SEARCH, saying("The rent may rise with 6 months' notice {invented}."), mended], engine)
    assert "six months of notice” stands nowhere in what was read" in requests[2].last_text
    assert [event.kind for event in events if isinstance(event, Remark)] == ["check"]
    assert len(marks(last(events))) == 1
    assert "altered" not in marks(last(events))
    assert "3 months" in last(events).text


def test_a_claim_that_is_not_repaired_stays_marked(engine: SearchEngine) -> None:
    wrong = "The rent may rise with 6 months' notice {invented}."
    events, requests = over([SEARCH, saying(wrong), Turn(text="The rent may rise with 7 months' notice.")], engine)
    assert len(requests) == 3
    answered = last(events)
    assert marks(answered) == ["altered"]
    assert answered.claims[0].altered == Alteration("the rent may be raised with six months of notice")
    assert answered.coverage is not None
    assert [(each.query, each.mode) for each in answered.coverage.phrasings] == [("raise the rent", "keyword")]


def test_uncited_statements_are_removed_if_forbidden(engine: SearchEngine) -> None:
    words = "The landlord may raise the rent once a year {lease}. In most cities that is usual."
    events, _ = over([SEARCH, saying(words)], engine, Unsourced.FORBID)
    answered = last(events)
    assert answered.text == f"The landlord may raise the rent once a year [1](cite:1). {LEFT_OUT}"
    assert marks(answered)[1:] == ["uncited"]


@pytest.mark.parametrize(
    "question",
    ["When is the rent paid?", "How much is the deposit?", "How long does a cat sleep?", "When is the next meeting?"],
)
def test_the_built_in_model_makes_no_unsupported_claim(engine: SearchEngine, question: str) -> None:
    answered = last(ask(engine, ExtractiveModel(), question))
    if answered.found:
        assert set(marks(answered)) == {"quoted"}
        assert {citation.verdict for citation in answered.citations} == {"verbatim"}
    else:
        assert answered.coverage is not None


def test_a_not_found_answer_names_the_words_without_a_match(engine: SearchEngine) -> None:
    answered = last(ask(engine, ExtractiveModel(), "Which zeppelin flies to Samarkand?"))
    assert not answered.found
    assert answered.coverage is not None
    assert {"zeppelin", "Samarkand"} <= set(answered.coverage.unmatched)
    assert answered.coverage.documents == 4
