"""What is left of a window whose process was killed: the conversation, its draft, and the questions in progress."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import RunStatus
from desktop_rag.agent.events import RunFailed, ToolReturned
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn

pytestmark = pytest.mark.processes

_DRIVER = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from desktop_rag.agent.events import ToolReturned
from desktop_rag.app import run_window
from desktop_rag.settings import Profile

library, folder, url = sys.argv[1:]

def drive(app):
    app.settings.use(app.settings.settings.with_profile(Profile("held", url, "scripted")))
    app.pane.composer.profile_chosen.emit("held")
    asked, store = [], Path(library) / "conversations.sqlite"

    def step():
        status = app.status.current
        if not (status.folders and all(f.ready == f.found > 0 for f in status.folders)):
            return
        if len(asked) < 3:
            asked.append(f"Question {len(asked) + 1} about the rent?")
            app.conversations.begin_new()
            app.conversations.ask(asked[-1])
            app.pane.composer.set_question(f"draft {len(asked)}")
        else:
            app.conversations.repository.run(lambda store, _: stored_in(store), report)

    def stored_in(store):
        turns = [store.load(summary.id).turns for summary in store.summaries()]
        results = [any(isinstance(event, ToolReturned) for turn in each for event in turn.events) for each in turns]
        return len(turns), list(store.drafts().values()), sum(results)

    def report(stored):
        print(json.dumps(stored), flush=True)

    timer = QTimer(app)
    timer.timeout.connect(step)
    timer.start(200)

run_window(Path(library), (Path(folder),), drive)
"""


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    def reply(request: SeenRequest) -> Turn:
        if request.messages[-1]["role"] == "user":
            return Turn(calls=[Call("search", '{"queries": ["rent"], "mode": "keyword"}')])
        return Turn(hold=never, text="Never.")

    never = threading.Event()
    with ScriptedEndpoint([reply] * 20) as endpoint:
        yield endpoint


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_questions_drafts_and_steps_survive_a_kill(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    documents, library = tmp_path / "documents", tmp_path / "library"
    documents.mkdir()
    (documents / "lease.txt").write_text("The rent is due on the first of the month.", encoding="utf-8")
    window = subprocess.Popen(
        [sys.executable, "-c", _DRIVER, str(library), str(documents), endpoint.base_url],
        env=os.environ | {"HOME": str(tmp_path), "DESKTOP_RAG_HOME": str(tmp_path / "home")},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert window.stdout is not None
    try:
        for line in islice(window.stdout, 600):
            stored, drafts, results = json.loads(line)
            if stored == 3 and sorted(drafts) == ["draft 1", "draft 2", "draft 3"] and results == 2:
                break
    finally:
        window.send_signal(signal.SIGKILL)
        window.wait()
        window.stdout.close()
    with closing(ConversationStore(library / "conversations.sqlite")) as store:
        summaries = {summary.title: summary for summary in store.summaries()}
        assert sorted(summaries) == [f"Question {number} about the rent?" for number in (1, 2, 3)]
        turns = [turn for summary in summaries.values() for turn in store.load(summary.id).turns]
        assert [event.message for turn in turns for event in turn.events if isinstance(event, RunFailed)] == []
        assert {summary.state for summary in summaries.values()} == {RunStatus.INTERRUPTED}
        third = summaries["Question 3 about the rent?"]
        assert store.shown()[0] == third.id
        assert store.drafts()[third.id] == "draft 3"
        first, queued = (store.load(summaries[f"Question {n} about the rent?"].id).turns[0] for n in (1, 3))
        assert any(isinstance(event, ToolReturned) for event in first.events)
        assert queued.events == ()
