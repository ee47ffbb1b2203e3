"""`desktop-rag cite` and `verify_citations` with a connected model, which reads the cited lines, too."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.mcp_server.tool_answers import ToolAnswers
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import PrivacyOptions, Profile, Settings, save
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, Turn
from tests.integration.cli.conftest import Program, Ran

pytestmark = pytest.mark.processes

TEXT = "Each month the tenant owes 1,200 euros [lease.md, line 5]."


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint([Turn(text='1. says "1,200 euros"')], scripted_looks=True) as endpoint:
        yield endpoint


def connect(program: Program, endpoint: ScriptedEndpoint, **options: object) -> None:
    profile = Profile("mine", endpoint.base_url, "scripted")
    settings = Settings(profiles=(profile,), active_profile="mine", **options)  # type: ignore[arg-type]
    save(program.home / "settings.json", settings)


def cite(program: Program, tmp_path: Path, *options: str) -> Ran:
    file = tmp_path / "draft.md"
    file.write_text(TEXT, encoding="utf-8")
    return program.run("cite", file, *options)


def test_the_connected_model_reads_the_cited_lines(copied: Program, endpoint: ScriptedEndpoint, tmp_path: Path) -> None:
    connect(copied, endpoint)
    ran = cite(copied, tmp_path)
    assert "Read by the model: “1,200 euros”." in ran.out
    [request] = endpoint.requests
    assert request.is_look
    assert "tenant owes 1,200 euros" in request.last_text


@pytest.mark.parametrize(
    ("options", "settings"),
    [(("--no-look",), {}), ((), {"second_look": False}), ((), {"active_profile": ""})],
)
def test_it_does_not_if_nobody_wants_it(
    copied: Program, endpoint: ScriptedEndpoint, tmp_path: Path, options: tuple[str, ...], settings: dict[str, object]
) -> None:
    profile = Profile("mine", endpoint.base_url, "scripted")
    chosen = {"profiles": (profile,), "active_profile": "mine", **settings}
    save(copied.home / "settings.json", Settings(**chosen))  # type: ignore[arg-type]
    assert "Read by the model" not in cite(copied, tmp_path, *options).out
    assert endpoint.all_requests == []


def test_a_model_that_cannot_be_reached_is_told_and_the_rest_is_checked(copied: Program, tmp_path: Path) -> None:
    profile = Profile("mine", "https://models.invalid/v1", "scripted")
    offline = PrivacyOptions(offline=True)
    save(copied.home / "settings.json", Settings(profiles=(profile,), active_profile="mine", privacy=offline))
    ran = cite(copied, tmp_path)
    assert "Not compared by the model: " in ran.err
    assert "The document has these words" in ran.out or "[1]" in ran.out


def test_another_program_gets_the_judgments_of_the_users_model(
    copied: Program, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(copied.home))
    connect(copied, endpoint)
    with closing(SearchEngine(copied.library.folder, encoder_folder())) as engine:
        tools = ToolAnswers(engine)
        assert tools.asks("verify_citations")
        answer = tools.call("verify_citations", {"text": TEXT}, (), lambda _: None, Stop())
    assert "Read by the model: “1,200 euros”." in answer.text
    assert answer.data is not None
    assert [each["mark"] for each in answer.data["statements"]] == ["read"]  # type: ignore[union-attr,index,call-overload]
