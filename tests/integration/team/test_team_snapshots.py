"""Snapshots as the guide says: a restored library is that of the snapshot, and its next writer adds what is missing."""

import json
import re
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.errors import TeamMissing
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.stop import Stop
from desktop_rag.team.format.team_indexes import PASSAGES
from desktop_rag.team.reader.team_engine import TeamEngine
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.team.conftest import Nodes, copy_of, count
from tests.integration.team.test_team_rights import GUIDE

pytestmark = pytest.mark.slow

_REQUEST = re.compile(r"```json\n(PUT|POST) (_snapshot/\S+)\n(.*?)```", re.DOTALL)


def found(nodes: Nodes, name: str) -> list[str]:
    with closing(TeamEngine(nodes.connect(name))) as engine:
        return sorted(hit.path.name for hit in engine.search(SearchRequest("valve", Mode.KEYWORD), Stop()).hits)


def test_a_restored_snapshot_is_completed_by_the_next_writer(nodes: Nodes, tmp_path: Path) -> None:
    library = SmallLibrary(tmp_path)
    library.add({"old.md": "The valve leaks.\n", "gone.md": "A valve was removed.\n"})
    writer = copy_of(library, nodes, "restored")
    ask, every = writer.connection.ask, f"{writer.connection.name}-*"
    guide = GUIDE.read_text(encoding="utf-8").replace("/srv/backup/team", "team").replace("team-*", every)
    requests = [(method, f"/{path}", json.loads(body)) for method, path, body in _REQUEST.findall(guide)]
    assert [method for method, _, _ in requests] == ["PUT", "PUT", "POST"]
    for request in requests[:2]:
        ask(*request)
    library.add({"new.md": "Another valve was installed.\n"})
    files = library.catalog.files
    files.remove(files.of_folder(library.catalog.folders.all()[0].id)[b"gone.md"].id)
    writer.follow()
    assert found(nodes, "restored") == ["new.md", "old.md"]
    ask("DELETE", f"/{every}")
    with pytest.raises(TeamMissing):
        count(writer.connection, PASSAGES)
    ask(*requests[2])
    assert found(nodes, "restored") == ["gone.md", "old.md"]
    again = copy_of(library, nodes, "restored")
    assert found(nodes, "restored") == ["new.md", "old.md"]
    ask("DELETE", requests[1][1].partition("?")[0])
    for each in (writer, again):
        each.local.close()
        each.team.close()
        each.connection.close()
    library.close()
