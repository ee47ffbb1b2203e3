"""`desktop-rag ask`: with the built-in model and with a real endpoint on loopback."""

import json
import signal
import sys
import threading
from pathlib import Path

import pytest

from desktop_rag.agent.toolkits.registry import askable_toolkits
from desktop_rag.settings import Profile, Settings, save
from tests.endpoint import Call, ScriptedEndpoint, Turn
from tests.integration.cli.conftest import Object, Program

pytestmark = pytest.mark.processes

QUESTION = "How long is the notice period?"
FIELDS = {
    "run_started": {"question", "toolkit", "model", "turn"},
    "step_started": {"step", "of"},
    "thought": {"step", "text"},
    "tool_called": {"step", "call_id", "name", "arguments", "summary"},
    "tool_returned": {"step", "call_id", "name", "summary", "sources", "seconds", "tokens", "failed", "whole"},
    "answer_delta": {"text"},
    "answer_restarted": {"step"},
    "context_measured": {"context", "usage", "seconds"},
    "limit_reached": {"limit", "message"},
    "remark": {"step", "kind", "text"},
    "answer_written": {"text", "citations", "claims"},
    "answered": {"text", "found", "citations", "claims", "coverage", "usage", "seconds", "steps", "costs"},
    "run_stopped": {"text", "citations", "seconds"},
    "routed": {"route", "why", "query", "filters", "by", "usage", "seconds"},
    "run_failed": {"title", "message", "text", "citations"},
}
SOURCE = {"reference", "path", "title", "page", "section", "lines", "preview", "chunk", "gives_orders"}
CITATION = {"n", "path", "page", "section", "lines", "quote", "verdict", "named"}
ANSWER = [
    Turn(reasoning=["Let me ", "look."], calls=[Call("search", '{"queries": ["notice period"]}')]),
    Turn(text=["Six months ", "[turn1search1]."]),
]


@pytest.fixture
def profiled(copied: Program) -> Program:
    """A program whose settings name an unreachable endpoint."""
    return with_profile(copied, "http://127.0.0.1:9/v1")


def with_profile(program: Program, url: str) -> Program:
    save(program.home / "settings.json", Settings(profiles=(Profile("mine", url, "scripted"),), active_profile="mine"))
    return program


def shaped(events: list[Object]) -> None:
    """Compare every event with the documented fields."""
    for event in events:
        assert set(event) == FIELDS[str(event["type"])] | {"type"}
        if event["type"] == "tool_returned":
            assert isinstance(event["sources"], list)
            assert all(set(source) == SOURCE for source in event["sources"])
        if "citations" in event:
            assert isinstance(event["citations"], list)
            assert all(set(citation) == CITATION for citation in event["citations"])


def test_the_built_in_model_answers_with_documented_events(indexed: Program) -> None:
    ran = indexed.run("ask", QUESTION, "--json")
    assert (ran.code, ran.err) == (0, "")
    shaped(ran.objects)
    last = ran.objects[-1]
    assert (last["type"], last["found"]) == ("answered", True)
    citations = last["citations"]
    assert isinstance(citations, list)
    assert citations[0]["path"].endswith("lease.md")
    assert citations[0]["lines"] == [9, 9]
    assert citations[0]["verdict"] == "verbatim"
    assert "six months" in citations[0]["quote"]


def test_the_answer_is_on_standard_output_and_the_steps_on_standard_error(indexed: Program) -> None:
    ran = indexed.run("ask", QUESTION)
    assert ran.code == 0
    assert ran.out.startswith("**six months** [1]\n\n#### lease.md")
    assert "> Either side may end the lease with a notice period of **six months**" in ran.out
    assert "\nSources\n[1] " in ran.out
    assert "lease.md, line 9\n" in ran.out
    assert "cite:" not in ran.out
    assert "→ Searching" in ran.err
    assert ran.err.endswith(" steps\n")  # the built-in model has no tokens


def test_an_unanswerable_question_exits_with_1(indexed: Program) -> None:
    ran = indexed.run("ask", "Which zebra invented quantum blockchain?", "--json")
    assert (ran.code, ran.objects[-1]["found"]) == (1, False)


def test_an_endpoint_answers_with_the_key_of_the_environment(copied: Program) -> None:
    with ScriptedEndpoint(list(ANSWER), key="sk-right") as endpoint:
        program = with_profile(copied, endpoint.base_url)
        refused = program.run("ask", QUESTION, "--json", DESKTOP_RAG_API_KEY="sk-wrong")
        answered = program.run("ask", QUESTION, "--json", DESKTOP_RAG_API_KEY="sk-right")
    assert (refused.code, refused.objects[-1]["title"]) == (1, "The key was refused")
    shaped(refused.objects + answered.objects)
    last = answered.objects[-1]
    assert (answered.code, last["text"]) == (0, "Six months [1](cite:1).")
    assert "sk-right" not in answered.out


def test_thoughts_are_printed_in_one_piece(copied: Program) -> None:
    with ScriptedEndpoint(list(ANSWER)) as endpoint:
        ran = with_profile(copied, endpoint.base_url).run("ask", QUESTION)
    assert "Let me look.\n→ Searching" in ran.err
    assert ran.out.startswith("Six months [1].\n\nSources\n")


def test_an_unreachable_endpoint_is_reported(profiled: Program) -> None:
    ran = profiled.run("ask", QUESTION)
    assert (ran.code, ran.out) == (1, "")
    assert "The model cannot be reached\nNothing answers at 127.0.0.1:9." in ran.err
    assert profiled.run("ask", QUESTION, "--profile", "built-in").code == 0


def test_an_unknown_name_is_reported_with_the_known_ones(profiled: Program) -> None:
    assert "Known are: built-in, mine." in profiled.run("ask", "x", "--profile", "yours").err
    assert "There is no toolkit “magic”" in profiled.run("ask", "x", "--toolkit", "magic").err


def test_a_cut_answer_is_kept_and_reported(copied: Program) -> None:
    with ScriptedEndpoint([Turn(text=["Half an ", "answer"], cut=True)] * 4) as endpoint:
        ran = with_profile(copied, endpoint.base_url).run("ask", QUESTION)
    assert (ran.code, ran.out) == (1, "Half an answer\n")
    assert "The connection was cut" in ran.err


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_a_run_and_keeps_the_partial_answer(copied: Program) -> None:
    hold = threading.Event()
    with ScriptedEndpoint([Turn(text=["Half an ", "answer"], hold_text=hold)]) as endpoint:
        running = with_profile(copied, endpoint.base_url).start("ask", QUESTION, "--json")
        assert running.stdout is not None
        while json.loads(running.stdout.readline())["type"] != "answer_delta":
            pass
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (130, "")
    last = json.loads(out.splitlines()[-1])
    shaped([last])
    assert (last["type"], last["text"]) == ("run_stopped", "Half an")


def test_broken_settings_are_an_error(copied: Program) -> None:
    (copied.home / "settings.json").write_text("{", "utf-8")
    told = copied.run("ask", "x", "--json").object
    assert told["error"] == "These settings cannot be used"


def test_the_toolkits_are_listed_on_request_and_for_a_wrong_name(indexed: Program) -> None:
    listed = indexed.run("ask", QUESTION, "--toolkit", "help")
    assert listed.code == 0
    assert {line.split()[0] for line in listed.out.splitlines()} == set(askable_toolkits())
    wrong = indexed.run("ask", QUESTION, "--toolkit", "best")
    assert wrong.code == 1
    assert "auto" in wrong.err
    assert "--toolkit help" in wrong.err


def test_a_routed_run_prints_its_route(indexed: Program) -> None:
    ran = indexed.run("ask", QUESTION, "--toolkit", "auto", "--json")
    shaped(ran.objects)
    [routed] = [event for event in ran.objects if event["type"] == "routed"]
    assert (routed["route"], routed["by"]) == ("quick", "")
    assert ran.objects[-1]["found"] is True
    assert "A quick look:" in indexed.run("ask", QUESTION, "--toolkit", "auto").err


def test_a_scope_restricts_the_run_and_is_named_when_nothing_is_found(indexed: Program, documents: Path) -> None:
    assert indexed.run("ask", QUESTION, "--file", "lease", "--type", "md").code == 0
    elsewhere = indexed.run("ask", QUESTION, "--folder", str(documents / "deep"))
    assert elsewhere.code == 1
    assert f'No answer found in the 2 documents chosen: folder:"{documents / "deep"}"' in elsewhere.out
    assert "lease.md" not in elsewhere.out + elsewhere.err


def test_an_empty_scope_is_an_error_and_asks_no_model(profiled: Program) -> None:
    ran = profiled.run("ask", QUESTION, "--folder", "nowhere", "--since", "2020")
    assert (ran.code, ran.out) == (1, "")
    assert 'No document fulfils folder:"nowhere" date:[2020 TO *].' in ran.err
