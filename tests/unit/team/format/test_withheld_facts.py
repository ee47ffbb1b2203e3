"""What is never sent, as a condition on the documents of a team's server."""

from pathlib import Path

from desktop_rag.retrieval.api import Scope
from desktop_rag.settings import Withheld
from desktop_rag.team.access.file_store import MountTable
from desktop_rag.team.format.file_facts import withheld_facts


def test_paths_and_tags_are_conditions() -> None:
    assert withheld_facts(Withheld((b"/srv/Files/private/",), ("Board",))) == [
        {"term": {"path": "/srv/files/private"}},
        {"prefix": {"path": "/srv/files/private/"}},
        {"bool": {"should": [{"term": {"tag": "board"}}, {"wildcard": {"tag": {"value": "board/*"}}}],
                  "minimum_should_match": 1}},
    ]  # fmt: skip
    assert withheld_facts(Withheld()) == []


def test_a_path_on_the_drive_here_is_also_meant_on_the_server(tmp_path: Path) -> None:
    mounts = MountTable((("//server/share", str(tmp_path)),))
    found = mounts.scope(Scope(withheld=Withheld((bytes(tmp_path / "private"),), ("board",))))
    assert found.withheld == Withheld((bytes(tmp_path / "private"), b"//server/share/private"), ("board",))
