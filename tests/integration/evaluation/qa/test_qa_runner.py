"""`eval qa` with the real agent loop and engine: the built-in model, and an endpoint with a judge."""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from desktop_rag.cli.program import run_verb
from desktop_rag.evaluation.indexing import Say
from desktop_rag.evaluation.qa import qa_runner
from desktop_rag.evaluation.qa.question_records import QaSystem
from desktop_rag.evaluation.qa.question_sets import QaQuestion, QuestionSet, read_set
from desktop_rag.evaluation.qa.run_question import EngineWithoutEvidence, QuestionRun, ask
from desktop_rag.index.library import Library
from desktop_rag.llm.chat import ChatModel
from desktop_rag.settings import Limits, Profile, Settings, save
from desktop_rag.stop import Stop
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn

DOCUMENTS = {
    "lease.txt": "Lease of the flat\n\nThe rent of the flat is 1,200 euros a month.\n\nThe deposit is back in May.\n",
    "boiler.txt": "The boiler\n\nThe boiler was repaired by Greta Lindqvist in 2019.\n",
    "garden.txt": "The garden\n\nApples are picked in September, pears in October.\n",
}
QUESTIONS: list[dict[str, object]] = [
    {
        "id": "rent",
        "question": "How much is the rent of the flat?",
        "answer": "1,200 euros",
        "gold_files": ["lease.txt"],
    },
    {"id": "boiler", "question": "Who repaired the boiler?", "answer": "Greta Lindqvist", "gold_files": ["boiler.txt"]},
    {"id": "null", "question": "Which airline flies to Reykjavik on Sundays?", "answer": "No", "type": "Null"},
]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    folder = tmp_path / "flat"
    (folder / "documents").mkdir(parents=True)
    for name, text in DOCUMENTS.items():
        (folder / "documents" / name).write_text(text, encoding="utf-8")
    (folder / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS), encoding="utf-8")
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DESKTOP_RAG_API_KEY", "none")
    return tmp_path / "home"


@pytest.fixture
def endpoint(home: Path) -> Iterator[ScriptedEndpoint]:
    """An endpoint that answers and judges by fixed rules."""
    with ScriptedEndpoint([says] * 60) as served:
        profiles = tuple(Profile(name, served.base_url, "scripted", temperature=1.0) for name in ("writer", "judge"))
        save(home / "settings.json", Settings(profiles))
        yield served


def says(request: SeenRequest) -> Turn:
    first = str(request.messages[0].get("content"))
    asked = next(str(message["content"]) for message in request.messages if message.get("role") == "user")
    if first.startswith("You check answers"):
        return Turn(text="CORRECT: it names her." if "Greta Lindqvist" in request.last_text else "INCORRECT")
    if first.startswith("You sort search queries"):
        return Turn(text="1: 1\n2: 1")
    if request.messages[-1].get("role") != "tool":
        return Turn(calls=[Call("search", json.dumps({"queries": [asked]})), Call("search", '{"queries": ["boiler"]}')])
    if "boiler" not in asked:
        return Turn(text="[not found] I looked in vain.")
    shown = "\n".join(str(message["content"]) for message in request.messages if message.get("role") == "tool")
    name = shown[shown.index("[turn") + 1 : shown.index("]")]
    return Turn(text=f'She did. [{name} L3 "repaired by Greta Lindqvist"]', usage=(1_000, 50))


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_an_evaluation_resumes_after_the_last_record(
    questions: Path, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["eval", "qa", str(questions), "--keep", str(tmp_path / "keep"), "--out", str(tmp_path / "out"), "--json"]
    assert run_verb([*asked, "--limit", "2", "--profile", "built-in"]) == 0
    [first] = lines(capsys.readouterr().out)
    assert first["questions"] == 2
    assert first["language_model"] == "not measured with a language model"
    assert first["encoder"] == "all-MiniLM-L6-v2"
    kept = tmp_path / "out" / "flat" / "built-in, full" / "records.jsonl"
    before = kept.read_bytes()
    assert run_verb([*asked, "--profile", "built-in", "--page", str(tmp_path / "page.html")]) == 0
    [all_three] = lines(capsys.readouterr().out)
    assert kept.read_bytes().startswith(before)  # recorded questions are not asked again
    assert kept.read_bytes().count(b"\n") == 3
    assert (all_three["correct"], all_three["contain"], all_three["refusal"]) == (1.0, 1.0, 1.0)
    assert (all_three["gold opened@10"], all_three["verbatim"], all_three["document recall@1"]) == (1.0, 1.0, 1.0)
    assert "not measured with a language model" in (tmp_path / "page.html").read_text(encoding="utf-8").lower()
    trace = (kept.parent / "traces" / "boiler.jsonl").read_text(encoding="utf-8")
    types = [event["type"] for event in lines(trace)]
    assert types[0] == "RunStarted"
    assert types[-1] == "Answered"


def test_without_the_evidence_the_right_answer_is_to_refuse(
    questions: Path, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["eval", "qa", str(questions), "--keep", str(tmp_path / "keep"), "--json", "--without-gold"]
    assert run_verb([*asked, "--profile", "built-in"]) == 0
    [found] = lines(capsys.readouterr().out)
    assert found["gold leak"] == 0.0
    assert found["refusal"] == 1.0 - found["hallucination"]
    assert found["gold opened@10"] == 0.0  # it was in no search's results


@pytest.mark.slow
def test_one_endpoint_answers_and_another_judges(
    questions: Path, tmp_path: Path, endpoint: ScriptedEndpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["eval", "qa", str(questions), "--keep", str(tmp_path / "keep"), "--out", str(tmp_path / "out"), "--json"]
    asked += ["--profile", "writer", "--jobs", "2", "--price", "2", "4"]
    assert run_verb(asked) == 0
    [before] = lines(capsys.readouterr().out)
    assert "LLM" not in before
    answered = len(endpoint.requests)
    assert run_verb([*asked, "--judge", "judge"]) == 0
    [found] = lines(capsys.readouterr().out)
    judged = endpoint.requests[answered:]
    assert {request.body["temperature"] for request in judged} == {0.3}
    assert not any(request.tool_names for request in judged)  # the answers were kept, only judged
    assert found["language_model"] == "scripted"
    assert found["LLM"] == 0.5  # the refusal of the rent is wrong
    assert found["failures"]["rent"] in ("not retrieved", "retrieved but not read", "gave up")
    assert found["refusal"] == 1.0
    assert found["cost"] > 0
    assert found["calls_per_tool"] == {"search": 2.0}
    assert run_verb([*asked, "--judge", "judge"]) == 0
    assert len(endpoint.requests) == answered + len(judged)  # nor judged twice


def test_failed_questions_are_retried(
    questions: Path, tmp_path: Path, endpoint: ScriptedEndpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint.script[:3] = [Turn(status=401, body='{"error": {"message": "wrong key"}}')] * 3
    asked = ["eval", "qa", str(questions), "--keep", str(tmp_path / "keep"), "--out", str(tmp_path / "out"), "--json"]
    assert run_verb([*asked, "--profile", "writer"]) == 0
    assert set(lines(capsys.readouterr().out)[0]["failures"].values()) == {"no answer"}
    assert run_verb([*asked, "--profile", "writer"]) == 0
    assert "no answer" not in lines(capsys.readouterr().out)[0]["failures"].values()


def test_two_toolkits_are_compared_on_the_same_questions(
    questions: Path, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [str(questions), "--keep", str(tmp_path / "keep")]
    assert run_verb(["eval", "compare", "full", "full", *options]) == 1
    assert "two different" in capsys.readouterr().err
    assert run_verb(["eval", "compare", "oracle", "direct", *options, "--json"]) == 0
    [found] = lines(capsys.readouterr().out)
    assert (found["only_first"], found["only_second"], found["questions"]) == (2, 0, 2)
    assert found["verdict"] == "not settled by 2 questions"
    assert found["differences"]["gold opened@10"][0] == 1.0


def test_what_is_wrong_is_reported_before_indexing(
    questions: Path, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for wrong, told in (
        (["--profile", "nobody"], "no model called"),
        (["--judge", "built-in"], "cannot judge"),
        (["--toolkit", "hammer"], "no toolkit"),
    ):
        assert run_verb(["eval", "qa", str(questions), "--keep", str(tmp_path / "keep"), *wrong]) == 1
        assert told in capsys.readouterr().err
    broken = tmp_path / "other"
    shutil.copytree(questions, broken)
    with (broken / "questions.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "rent", "question": "Again?"}\n')
    assert run_verb(["eval", "qa", str(questions), str(broken), "--keep", str(tmp_path / "keep")]) == 1
    assert "line 4: line 1 has the same id “rent”" in capsys.readouterr().err
    assert not os.path.lexists(tmp_path / "keep")


def test_nothing_is_scored_while_an_indexer_is_at_work(
    questions: Path, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, refusal = tmp_path / "out", "still at work, so that answers would be scored on an unfinished index"
    asked = ["eval", "qa", str(questions), "--keep", str(tmp_path / "keep"), "--out", str(out)]
    held: list[FileLock] = []

    def read_then_busy(folder: Path, keep: Path) -> QuestionSet:
        made = read_set(folder, keep)

        def indexed_then_busy(say: Say) -> None:
            made.index(say)
            held.append(FileLock(Library(made.library).lock))  # as another indexer of this library
            held[-1].acquire(timeout=0)

        return replace(made, index=indexed_then_busy)

    with monkeypatch.context() as patched:
        patched.setattr(qa_runner, "read_set", read_then_busy)
        assert run_verb([*asked, "--profile", "built-in"]) == 1
    shown = capsys.readouterr()
    assert refusal in shown.err
    assert "correct" not in shown.out
    held[0].release(force=True)

    def answered_then_busy(
        question: QaQuestion,
        system: QaSystem,
        model: ChatModel,
        limits: Limits,
        engine: EngineWithoutEvidence,
        stop: Stop,
    ) -> QuestionRun:
        run = ask(question, system, model, limits, engine, stop)
        held[0].acquire(timeout=0)  # it starts while the first question is answered
        return run

    with monkeypatch.context() as patched:
        patched.setattr(qa_runner, "ask", answered_then_busy)
        assert run_verb([*asked, "--profile", "built-in"]) == 1
    assert refusal in capsys.readouterr().err
    assert not list(out.rglob("records.jsonl"))
    held[0].release(force=True)
    assert run_verb([*asked, "--profile", "built-in"]) == 0
    assert "3 questions" in capsys.readouterr().out
