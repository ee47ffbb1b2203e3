"""Broad questions: their classification, and how the default toolkit reads before it answers."""

import pytest

from desktop_rag.agent.events import Answered, Remark, ToolCalled
from desktop_rag.agent.extractive.digest import MAX_SENTENCES
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.toolkits.full import classify_broad
from desktop_rag.documents.document import Document
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import TokenUsage, UserMessage
from desktop_rag.retrieval.api import Scope
from desktop_rag.settings import Limits
from tests.unit.agent.conftest import Asker, FakeRetriever, Says, ScriptedModel, document
from tests.unit.agent.run.test_loop import of


@pytest.mark.parametrize(
    ("question", "kind", "about"),
    [
        ("Summarise the energy audit", "summary", "energy audit"),
        ("Please summarize this 300-page file", "summary", ""),
        ("Give me a short overview of the lease", "summary", "lease"),
        ("Fasse den Mietvertrag zusammen", "summary", ""),
        ("Résume le contrat", "summary", "contrat"),
        ("What changed between the 2022 and the 2023 lease?", "changes", "2022 2023 lease"),
        ("What are the differences between lease A and lease B?", "changes", "lease A lease B"),
        ("Differences between lease A and lease B", "changes", "lease A lease B"),
        ("What is the difference between the two lease drafts?", "changes", "lease drafts"),
        ("Compare Lease-v1 and Lease-v2.", "changes", "Lease-v1 Lease-v2"),
        ("Compare the lease of 2022 with the lease of 2023", "changes", "lease 2022 lease 2023"),
        ("Compare Boeing and Best Buy", "", ""),
        ("Compare the rent in Lease-v1 and Lease-v2", "", ""),
        ("Was hat sich zwischen den beiden Verträgen geändert?", "changes", ""),
        ("List all contracts with Nordvarme", "list", "contracts with Nordvarme"),
        ("Nenne alle Fristen", "list", "Fristen"),
        ("When is the rent due?", "", ""),
        ("How many people are on the list?", "", ""),
        ("Who wrote the summary of the audit?", "", ""),
        ("What is the difference between Boeing's net loss in 2022 and 2021?", "", ""),
    ],
)
def test_a_broad_question_is_recognised_by_its_beginning(question: str, kind: str, about: str) -> None:
    found = classify_broad(question)
    assert (found.kind if found else "") == kind
    if found and about:
        assert found.about == about


@pytest.fixture
def renewed(lease: Document) -> Document:
    lines = [lease.line(number).text for number in range(1, lease.line_count + 1)]
    lines[3] = "The monthly rent is 990 euros."
    return document(*lines, title="Lease Mill Lane 2027")


@pytest.fixture
def long() -> FakeRetriever:
    rooms = (f"Room number {n} of the old tower was painted in colour {n} by the guild." for n in range(1, 401))
    return FakeRetriever(("tower.txt", document(*rooms, title="Tower report")))


def test_a_long_document_is_read_in_windows_into_notes(long: FakeRetriever) -> None:
    noted = Says('- Rooms were painted. [turn1search1 L2-2 "painted in colour 2"]', usage=TokenUsage(900, 40))
    model = ScriptedModel([noted, noted, Says('All rooms were painted. [turn1search1 L2 "painted in colour 2"]')])
    events = Asker(long, model, limits=Limits(steps=4, context_tokens=8_000)).ask("Summarise the tower report")
    assert [event.name for event in of(events, ToolCalled)] == ["list_documents", "open", "open"]
    first, second, last = model.requests
    assert not first.tools
    assert "What is asked: Summarise the tower report" in first.messages[-1].text
    assert "Room number 1 of" in first.messages[-1].text
    assert "Room number 1 of" not in second.messages[-1].text
    given = last.messages[-1]
    assert isinstance(given, UserMessage)
    assert given.text.count("Rooms were painted.") == 2
    assert "Question: Summarise the tower report" in given.text
    assert "Room number 7 " not in given.text
    [told] = [remark.text for remark in of(events, Remark) if remark.text.startswith("Read: ")]
    assert told in given.text
    assert "of 400 lines" in told
    answered = of(events, Answered)[0]
    assert answered.citations[0].verdict == "verbatim"
    assert answered.usage.requests == 3
    assert answered.usage.prompt_tokens >= 1_800


def test_too_few_windows_are_spread_evenly(long: FakeRetriever) -> None:
    model = ScriptedModel([Says("- nothing relevant")])
    Asker(long, model, limits=Limits(steps=4, context_tokens=4_000)).ask("Summarise the tower report")
    texts = [request.messages[-1].text for request in model.requests[:2]]
    assert "Room number 1 of" in texts[0]
    assert "Room number 200 " in texts[1] or "Room number 201 " in texts[1]


def test_the_built_in_model_quotes_the_main_sentences_and_says_what_was_read(lease: Document) -> None:
    answered = Asker(FakeRetriever(("lease.txt", lease)), ExtractiveModel()).answer("Summarise the lease")
    assert answered.found
    assert len(answered.citations) >= 3
    assert {citation.verdict for citation in answered.citations} == {"verbatim"}
    assert "Read: 9 of 9 lines (100%) of 1 document." in answered.text
    assert "No language model wrote this" in answered.text
    assert {claim.mark for claim in answered.claims} == {"quoted"}


def test_the_quotations_of_a_summary_reach_from_the_beginning_to_the_end(long: FakeRetriever) -> None:
    limits = Limits(steps=12, context_tokens=8_000)
    answered = Asker(long, ExtractiveModel(), limits=limits).answer("Summarise the tower report")
    lines = [citation.first_line for citation in answered.citations]
    assert len(lines) == MAX_SENTENCES
    assert lines == sorted(lines)
    assert lines[0] < 60
    assert lines[-1] >= 320
    assert "#### Tower report" in answered.text


def test_only_documents_with_the_whole_name_are_summarised(lease: Document, renewed: Document) -> None:
    library = FakeRetriever(("lease-2022.txt", lease), ("lease-2027.txt", renewed))
    asked = Asker(library, ExtractiveModel())
    titles = {citation.title for citation in asked.answer("Summarise the lease of Mill Lane 2027").citations}
    assert titles == {"Lease Mill Lane 2027"}
    both = {citation.title for citation in asked.answer("Summarise the lease").citations}
    assert len(both) == 2


def test_the_chosen_documents_are_summarised(lease: Document, manual: Document) -> None:
    library = FakeRetriever(("lease.txt", lease), ("boiler.pdf", manual))
    chosen = Asker(library, ExtractiveModel(), scope=Scope(contents=(ContentId(2),)))
    answered = chosen.answer("Please summarise this")
    assert {citation.title for citation in answered.citations} == {"boiler.pdf"}


@pytest.mark.parametrize("built_in", [True, False])
def test_changes_are_answered_from_a_diff(lease: Document, renewed: Document, *, built_in: bool) -> None:
    library = FakeRetriever(("lease.txt", lease), ("lease-2027.txt", renewed))
    says = Says('The rent rose. [turn1search1 L4 "950 euros"] [turn1search2 L4 "990 euros"]')
    model = ExtractiveModel() if built_in else ScriptedModel([says])
    events = Asker(library, model).ask("What changed between the two versions of the lease?")
    assert [event.name for event in of(events, ToolCalled)] == ["list_documents", "compare"]
    answered = of(events, Answered)[0]
    assert {citation.verdict for citation in answered.citations} <= {"verbatim", "paraphrase"}
    assert {claim.mark for claim in answered.claims} <= {"quoted", "unchecked"}
    assert {"950", "990"} <= {word for citation in answered.citations for word in citation.quote.split()}


def test_a_list_begins_with_several_searches(lease: Document) -> None:
    model = ScriptedModel(
        [Says(calls=(("find", '{"reference": "turn1search1", "patterns": ["euros"]}'),)), Says("Done.")]
    )
    events = Asker(FakeRetriever(("lease.txt", lease)), model).ask("List all amounts of rent")
    names = [event.name for event in of(events, ToolCalled)]
    assert names == ["search", "search", "search", "find"]
    assert "950 euros" in model.requests[0].messages[-1].text


def test_a_broad_question_without_a_document_name_is_searched(lease: Document) -> None:
    model = ScriptedModel([Says(calls=(("search", '{"queries": ["unicorns"]}'),)), Says("[not found] Nothing.")])
    events = Asker(FakeRetriever(("lease.txt", lease)), model).ask("Summarise what is known of unicorns")
    assert [event.name for event in of(events, ToolCalled)] == ["list_documents", "search"]
