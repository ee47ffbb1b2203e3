"""Documents with a never-send tag on the wire of a real endpoint: left out, also when tag or rule come meanwhile."""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import AgentEvent, AnswerDelta, Answered, RunFailed, ToolReturned
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.gate.sent_ledger import SentLedger
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.run.model_choice import BUILT_IN, chat_model
from desktop_rag.agent.run.tool_session import ToolSession
from desktop_rag.agent.run.usual_run import usual_run
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.paths import settings_file
from desktop_rag.retrieval.api import DocumentQuery, Scope, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import PrivacyOptions, Profile, Settings, Withheld, save
from desktop_rag.stop import Stop
from tests.endpoint import Call, ScriptedEndpoint, ScriptEntry, SeenRequest
from tests.endpoint import Turn as Reply
from tests.integration.agent.gated_runs import answers, asked, library_of
from tests.integration.retrieval.conftest import SmallLibrary

MERGER = "# Merger of companies\n\nThe merger with Northwind closes on the third of May. #board/secret\n"
RENT = "# Rent\n\nThe rent is 900 euros a month.\n"
FILES = {
    "rent.md": RENT,
    "merger.md": MERGER,
    "garage.md": "---\ntags: [Board]\n---\n# Garage of the board\n\nThe rent of the garage is 5000 euros.\n",
}
NEVER = ("Northwind", "erger", "third of May", "5000", "arage")
QUESTION = "What is the rent?"


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallLibrary]:
    with library_of(FILES, tmp_path, monkeypatch) as library:
        yield library


@pytest.fixture
def engine(library: SmallLibrary) -> Iterator[SearchEngine]:
    engine = SearchEngine(library.layout.folder)
    yield engine
    engine.close()


def never(*tags: str) -> None:
    save(settings_file(), Settings(privacy=PrivacyOptions(never_tags=tags)))


def run(
    engine: SearchEngine, script: Sequence[ScriptEntry], earlier: Conversation | None = None
) -> tuple[list[AgentEvent], str, list[SeenRequest]]:
    """Ask with a scripted model; return the events, all tool results that were sent, and the requests."""
    events, requests = asked(engine, script, QUESTION, earlier)
    results = (str(m.get("content")) for request in requests for m in request.messages if m["role"] != "assistant")
    return events, "\n".join(results), requests


SEARCHED = [
    Call("search", '{"queries": ["month", "of the", "closes on", "euros"]}'),
    Call("search", '{"queries": ["of the", "euros"], "mode": "exact"}'),
    Call("list_documents", "{}"),
]
OPENED = [Call("open", json.dumps({"reference": f"turn1search{number}"})) for number in range(1, 9)]


def test_documents_with_such_a_tag_or_one_below_it_are_never_sent(engine: SearchEngine) -> None:
    script = [Reply(calls=SEARCHED), Reply(calls=OPENED), Reply(text="The rent is 900 euros.")]
    _, before, _ = run(engine, script)
    assert all(word in before for word in NEVER)
    never("#board")
    events, sent, _ = run(engine, script)
    assert "900 euros" in sent
    assert [word for word in NEVER if word in sent] == []
    sources = [source for event in events if isinstance(event, ToolReturned) for source in event.sources]
    assert {source.path.rpartition("/")[2] for source in sources} == {"rent.md"}
    assert all(row.path.endswith("rent.md") for row in SentLedger().rows(most=2) if row.path)
    own = answers(engine, ExtractiveModel(), "When does the merger with Northwind close?")[-1]
    assert isinstance(own, Answered)
    assert "third of May" in own.text


def test_an_earlier_answer_about_them_is_not_sent_either(engine: SearchEngine) -> None:
    asked = "When does it close with the partner?"
    own = tuple(answers(engine, ExtractiveModel(), "When does the merger with Northwind close?"))
    assert "third of May" in str(own[-1])
    never("board")
    earlier = Conversation((Turn(1, asked, own, time.time_ns()),))
    _, _, requests = run(engine, [Reply(calls=OPENED), Reply(text="I do not know.")], earlier)
    sent = json.dumps([request.body for request in requests])
    assert "never sent" in sent
    assert [word for word in NEVER if word in sent] == []


def meanwhile(change: Callable[[], object], *calls: Call) -> ScriptEntry:
    """Return a reply of the model before which something changes."""

    def reply(_: SeenRequest) -> Reply:
        change()
        return Reply(calls=list(calls))

    return reply


def test_a_rule_that_comes_while_a_run_is_going_ends_it_before_the_next_request(engine: SearchEngine) -> None:
    script = [Reply(calls=SEARCHED), meanwhile(lambda: never("board"), *OPENED), Reply(text="900 euros.")]
    events, _, requests = run(engine, script)
    assert isinstance(ended := events[-1], RunFailed)
    assert "marked as never sent" in ended.message
    assert len(requests) == 2


def test_a_rule_that_concerns_nothing_read_counts_for_the_next_search(engine: SearchEngine) -> None:
    found = Call("search", '{"queries": ["+900 +month"], "mode": "keyword"}')
    script = [Reply(calls=[found]), meanwhile(lambda: never("board"), *SEARCHED), Reply(text="The rent is 900 euros.")]
    events, sent, _ = run(engine, script)
    assert isinstance(events[-1], Answered)
    assert [word for word in NEVER if word in sent] == []


def test_a_tag_that_comes_while_a_run_is_going_ends_it_before_the_next_request(
    engine: SearchEngine, library: SmallLibrary
) -> None:
    never("private")
    tagged = meanwhile(lambda: library.add({"rent.md": f"{RENT}\n#private\n"}), *OPENED)
    events, sent, requests = run(engine, [Reply(calls=SEARCHED), tagged, Reply(text="900 euros.")])
    assert isinstance(events[-1], RunFailed)
    assert "#private" not in sent
    assert len(requests) == 2


def test_a_tag_or_rule_that_goes_while_a_run_is_going_frees_the_document(
    engine: SearchEngine, library: SmallLibrary
) -> None:
    again = Call("search", '{"queries": ["Northwind"], "mode": "exact"}')
    for change in (lambda: never(), lambda: library.add({"merger.md": MERGER.replace("#board/secret", "")})):
        never("board")
        script: list[ScriptEntry] = [Reply(calls=SEARCHED), meanwhile(change, again), Reply(text="In May.")]
        events, sent, _ = run(engine, script)
        assert "third of May" in sent, change
        assert isinstance(events[-1], Answered)


def test_other_programs_do_not_get_them(engine: SearchEngine, library: SmallLibrary) -> None:
    session = ToolSession(engine, toolkit("full").tools)
    before = session.call("search", {"queries": ["Northwind"]}, (), Stop(), budget=2_000)
    assert "third of May" in before.text
    never("board")
    after = session.call("search", {"queries": ["Northwind"]}, (), Stop(), budget=2_000)
    opened = session.call("open", {"reference": before.found[0].source.reference}, (), Stop(), budget=2_000)
    assert "third of May" not in after.text + opened.text
    rent = session.call("search", {"queries": ["rent month"]}, (), Stop(), budget=2_000).found[0].source.reference
    library.add({"rent.md": f"{RENT}\n#board\n"})  # the reference leads to the text without the tag
    late = session.call("open", {"reference": rent}, (), Stop(), budget=2_000)
    assert late.failed
    assert "900" not in late.text


def test_an_answer_for_another_program_ends_when_a_rule_comes(engine: SearchEngine) -> None:
    shown: list[AgentEvent] = []
    for event in usual_run("What is the rent of the garage?", engine, Stop(), profile=BUILT_IN, withheld=Withheld()):
        shown.append(event)
        if isinstance(event, ToolReturned):
            never("board")
    assert isinstance(shown[-1], RunFailed)
    assert not any(isinstance(event, AnswerDelta | Answered) for event in shown)


def test_what_no_reader_has_looked_at_for_tags_is_withheld(engine: SearchEngine, library: SmallLibrary) -> None:
    listed = DocumentQuery(scope=Scope(withheld=Withheld(tags=("board",))))
    assert [card.title for card in engine.documents(listed, Stop()).cards] == ["Rent"]
    with closing(sqlite3.connect(library.layout.catalog)) as database, database:
        database.execute("UPDATE content SET reader = 7 WHERE title = 'Rent'")
    assert engine.documents(listed, Stop()).cards == ()


def test_results_for_the_person_name_the_tags(engine: SearchEngine) -> None:
    [hit] = engine.search(SearchRequest("Northwind"), Stop()).hits[:1]
    assert hit.tags == ("board/secret",)


@pytest.mark.parametrize("tag", ["board", "other"])
def test_an_attached_document_with_such_a_tag_is_not_named(
    engine: SearchEngine, library: SmallLibrary, tag: str
) -> None:
    attached = library.files / "apart" / "merger.md"
    attached.parent.mkdir()
    attached.write_text(MERGER)
    folder = library.catalog.folders.attach(os.fsencode(attached), is_file=True)
    library.put(folder, "", attached)
    library.commit()
    never(tag)
    with ScriptedEndpoint([Reply(text="900 euros.")]) as endpoint:
        model = chat_model(Profile("test", endpoint.base_url, "scripted"), "", remembered=False)
        scope, kit = Scope(attached=(folder,)), toolkit("full")
        attach = (os.fsencode(attached),)
        list(answer(Question(QUESTION, scope=scope, attached=attach), Run(kit, model, engine)))
        sent = json.dumps(endpoint.requests[0].body)
    assert ("merger.md" in sent) == (tag == "other")
