"""Each layer of the gate by itself: what another one has let through is still not sent, and every line is recorded."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.agent.gate.guarded_chat import WITHHELD, GuardedChat
from desktop_rag.agent.gate.sent_ledger import SentLedger
from desktop_rag.llm.chat import ChatRequest, Evidence, Message, UserMessage
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.paths import settings_file
from desktop_rag.settings import PrivacyOptions, Profile, Settings, save
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint
from tests.endpoint import Turn as Reply


@pytest.fixture
def private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a file that is never sent."""
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    folder = str(tmp_path / "private")
    save(settings_file(), Settings(privacy=replace(PrivacyOptions(), never_send=(folder,))))
    return f"{folder}/merger.md"


def evidence(path: str, first_line: int, *lines: str) -> Evidence:
    return Evidence("turn1search1", path=path, file=Path(path).name, title="Merger", first_line=first_line, lines=lines)


def sent(*messages: Message, guarded: bool) -> str:
    with ScriptedEndpoint([Reply(text="Yes.")]) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted")
        model = OpenAIChat(profile, "")
        list((GuardedChat(model, profile) if guarded else model).chat(ChatRequest(messages), Stop()))
        return json.dumps(endpoint.requests[0].body)


def test_passages_that_the_engine_should_have_left_out_are_withheld(private: str) -> None:
    own = UserMessage("It closes in May.", evidence=(evidence(private, 3, "It closes in May."),))
    other = UserMessage("The rent is 900 euros.", evidence=(evidence("/open/rent.md", 3, "The rent is 900 euros."),))
    body = sent(own, other, guarded=True)
    assert "closes in May" not in body
    assert json.dumps(WITHHELD)[1:-1] in body
    assert "900 euros" in body
    assert {row.path for row in SentLedger().rows()} == {"/open/rent.md"}


def test_names_of_withheld_folders_do_not_leave_even_without_the_gate(private: str) -> None:
    body = sent(UserMessage(f"What says {private}?"), guarded=False)
    assert str(Path(private).parent) not in body
    assert "What says" in body


def test_the_ledger_has_the_first_and_the_last_line_of_every_passage(private: str) -> None:
    passages = (evidence("/open/rent.md", 5, "a", "b", "c"), evidence("/open/boat.md", 40, "d"))
    sent(UserMessage("text", evidence=passages), guarded=True)
    rows = {(row.path, row.first_line, row.last_line) for row in SentLedger().rows()}
    assert rows == {("/open/rent.md", 5, 7), ("/open/boat.md", 40, 40)}
