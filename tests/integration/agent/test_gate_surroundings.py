"""What is secret only because of what stands around it is not sent to an endpoint, in whatever part it is read."""

import json
import re
from pathlib import Path

import pytest

from desktop_rag.paths import encoder_folder, settings_file
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import PrivacyOptions, Settings, save
from tests.endpoint import Call
from tests.endpoint import Turn as Reply
from tests.integration.agent.gated_runs import asked, library_of

ROWS = "\n".join(f"| user{n:02} | host{n} | Zk{n:02}vbQ7mmx{n} |" for n in range(60))
FILES = {
    "table.md": f"# Accounts flamenco\n\n| user | host | password |\n|---|---|---|\n{ROWS}\n",
    "notes.md": "# Merger\n\nThe merger of Blue\nHarbour into the group.\n\nThe password of toucan:\n\nQw8rTz55pLm\n",
}


def test_an_endpoint_gets_no_secret_without_its_context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = [
        Reply(calls=[Call("search", '{"queries": ["user45 host45"]}')]),
        Reply(calls=[Call("open", '{"reference": "turn1search1", "line": 40, "lines": 2}')]),
        Reply(calls=[Call("find", '{"reference": "turn1search1", "patterns": ["host31"]}')]),
        Reply(calls=[Call("search", '{"queries": ["merger group", "toucan"]}')]),
        Reply(text="Nothing."),
    ]
    with library_of(FILES, tmp_path, monkeypatch) as library:
        save(settings_file(), Settings(privacy=PrivacyOptions(never_words=("Blue Harbour",))))
        engine = SearchEngine(library.layout.folder, encoder_folder())
        _, requests = asked(engine, script, "Who has an account?")
        engine.close()
    sent = "".join(json.dumps(request.body, ensure_ascii=False) for request in requests)
    assert "host45" in sent
    assert "host31" in sent
    assert re.findall(r"Zk\d\dvbQ7|Blue|Harbour|Qw8rTz", sent) == []
