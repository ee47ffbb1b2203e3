"""Documents as resources of `desktop-rag mcp`, and what it logs."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from mcp import Client, MCPError
from mcp_types import LoggingMessageNotificationParams, PromptReference, ResourceTemplateReference

from tests.integration.cli.conftest import Program
from tests.integration.cli.mcp_sessions import driven
from tests.integration.cli.test_mcp_stdio import RENT

pytestmark = pytest.mark.processes


def test_documents_are_resources_with_lines(copied: Program) -> None:
    async def session(client: Client) -> None:
        listed = await client.list_resources()
        lease = next(each for each in listed.resources if each.name == "lease.md")
        whole = await client.read_resource(lease.uri)
        assert RENT in whole.contents[0].text  # type: ignore[union-attr]
        part = await client.read_resource(f"{lease.uri}/lines/5-6")
        assert part.contents[0].text == f"{RENT}\n"  # type: ignore[union-attr]
        templates = await client.list_resource_templates()
        assert templates.resource_templates[0].uri_template == "library://document/{sha256}/lines/{range}"
        for wrong in (
            "library://document/etc",
            f"{lease.uri}/lines/900",
            "file:///etc/passwd",
            f"{lease.uri}/lines/6-5",
        ):
            with pytest.raises(MCPError, match=r"\.$"):
                await client.read_resource(wrong)
        with pytest.raises(MCPError, match="has no such document"):
            await client.read_resource(f"library://document/{'0' * 64}")
        with pytest.raises(MCPError, match="cursor"):
            await client.list_resources(cursor="../x")

    driven(copied, session)


@pytest.mark.slow
def test_documents_tell_when_they_changed_and_tools_what_they_touch(copied: Program, tmp_path: Path) -> None:
    moment = datetime(2021, 3, 4, 5, 6, 7, tzinfo=UTC).timestamp()
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "dated.md").write_text("The buoy is red.\n")
    os.utime(tmp_path / "more" / "dated.md", (moment, moment))
    assert copied.run("index", tmp_path / "more").code == 0

    async def session(client: Client) -> None:
        [dated] = [each for each in (await client.list_resources()).resources if each.name == "dated.md"]
        assert dated.annotations is not None
        assert datetime.fromisoformat(str(dated.annotations.last_modified)).timestamp() == moment
        hints = {each.name: each.annotations for each in (await client.list_tools()).tools}
        assert all(hint is not None and hint.read_only_hint for hint in hints.values())
        assert [name for name, hint in hints.items() if hint is not None and hint.open_world_hint] == [
            "ask",
            "verify_citations",
            "fill_table",
            "write_report",
        ]

    driven(copied, session)


@pytest.mark.slow
def test_a_long_list_of_documents_has_pages(copied: Program, tmp_path: Path) -> None:
    names = {f"note {number:03}.txt" for number in range(230)}
    for name in names:
        (tmp_path / name).write_text(f"This is {name}.\n", encoding="utf-8")
    assert copied.run("index", tmp_path).code == 0

    async def session(client: Client) -> None:
        listed, cursor, pages = list[str](), None, 0
        while pages == 0 or cursor:
            page = await client.list_resources(cursor=cursor)
            listed += [each.name for each in page.resources]
            cursor, pages = page.next_cursor, pages + 1
        assert pages == 3
        assert len(listed) == len(set(listed))
        assert names < set(listed)

    driven(copied, session)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
def test_the_steps_of_an_answer_are_logged_until_the_client_wants_less(copied: Program) -> None:
    logged: list[object] = []

    async def noted(params: LoggingMessageNotificationParams) -> None:
        logged.append(params.data)

    async def session(client: Client) -> None:
        asked = {"question": "How long is the notice period?", "model": "built-in"}
        await client.call_tool("ask", asked)
        assert any(str(each).startswith("Searching") for each in logged)
        await client.set_logging_level("warning")
        logged.clear()
        await client.call_tool("ask", asked)
        assert logged == []

    driven(copied, session, mode="legacy", logging_callback=noted)


@pytest.mark.slow
def test_documents_and_lines_of_a_template_are_completed(copied: Program) -> None:
    async def session(client: Client) -> None:
        lease = next(each for each in (await client.list_resources()).resources if each.name == "lease.md")
        sha256 = str(lease.uri).rpartition("/")[2]
        lines = ResourceTemplateReference(uri="library://document/{sha256}/lines/{range}")

        async def completed(name: str, value: str, **known: str) -> list[str]:
            found = await client.complete(lines, {"name": name, "value": value}, known)
            return found.completion.values

        assert len(await completed("sha256", "")) == 3
        assert await completed("sha256", "lease") == await completed("sha256", "LEA") == [sha256]
        assert await completed("sha256", sha256[:8].upper()) == [sha256]
        assert await completed("sha256", "../nothing \0") == []
        assert await completed("range", "", sha256=sha256) == ["1-9"]
        assert await completed("range", "5", sha256=sha256) == ["5-9"]
        assert await completed("range", "900", sha256=sha256) == []
        assert await completed("range", "", sha256="../etc") == []
        assert await completed("other", "") == []
        prompt = PromptReference(name="answer_with_citations")
        assert (await client.complete(prompt, {"name": "question", "value": "x"})).completion.values == []

    driven(copied, session)


@pytest.mark.slow
def test_a_line_longer_than_an_answer_is_read_on(copied: Program, tmp_path: Path) -> None:
    long = "x" * 399_990 + " the end of the first page and more " + "y" * 50
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "long.txt").write_text(f"first\n{long}\nlast\n", encoding="utf-8")
    assert copied.run("index", tmp_path / "more").code == 0

    async def session(client: Client) -> None:
        document = next(each for each in (await client.list_resources()).resources if each.name == "long.txt")
        pages, uri = [], str(document.uri)
        while uri:
            [content] = (await client.read_resource(uri)).contents
            text, _, more = content.text.partition("\n[Lines ")  # type: ignore[union-attr]
            pages.append(text)
            uri = f"{document.uri}{more.rpartition('go on with ')[2].rstrip(']')}" if more else ""
        assert len(pages) > 1
        assert "".join(pages).replace("\n", "") == f"first{long}last"
        with pytest.raises(MCPError, match="Line 1 ends before character 900"):
            await client.read_resource(f"{document.uri}/lines/1/from/900")

    driven(copied, session)
