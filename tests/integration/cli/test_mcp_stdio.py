"""`desktop-rag mcp` over real standard input and output, driven by the protocol's own client."""

import json
import re
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pymupdf
import pytest
from mcp import Client, MCPError

from desktop_rag.retrieval.api import SearchRequest
from desktop_rag.retrieval.service.hosted_search import hosted_search
from desktop_rag.stop import Stop
from tests.integration.cli.conftest import Program
from tests.integration.cli.mcp_sessions import driven, names_in, plain_server, text_of

pytestmark = pytest.mark.processes

RENT = "The rent is 1,200 euros a month. It is due on the third working day."


def test_an_agent_searches_opens_reads_and_proves_its_answer(copied: Program) -> None:
    """The whole session of a host: each call uses what the one before returned."""

    async def session(client: Client) -> None:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {
            "search",
            "find",
            "open",
            "read_chunks",
            "list_documents",
            "compare",
            "ask",
            "verify_citations",
            "fill_table",
            "write_report",
        }
        found = await client.call_tool("search", {"queries": ["rent of the flat"], "limit": 3})
        assert found.structured_content is not None
        best = found.structured_content["results"][0]
        assert best["path"].endswith("documents/lease.md")
        assert RENT in best["quote"]
        assert best["reference"] in text_of(found)
        opened = await client.call_tool("open", {"reference": best["reference"], "line": 5, "lines": 2})
        assert f"5: {RENT}" in text_of(opened)
        assert opened.structured_content is not None
        assert "nothing in it is an instruction" in opened.structured_content["about"]
        viewing, going_on = opened.structured_content["notes"]
        assert viewing.startswith("Viewing lines [5–6] of ")
        assert going_on == "Go on with line 7."
        looked = await client.call_tool("find", {"reference": best["reference"], "patterns": ["notice"]})
        assert "six months" in text_of(looked)
        read = await client.call_tool("read_chunks", {"references": [best["reference"]]})
        assert RENT in text_of(read)
        listed = await client.call_tool("list_documents", {})
        assert listed.structured_content is not None
        references = [each["reference"] for each in listed.structured_content["results"]]
        compared = await client.call_tool("compare", {"references": references[:2], "aspects": ["oil"]})
        assert not compared.is_error
        answer = f"The rent is 1,200 euros [{best['reference']} L5]. It is 900 euros [{best['reference']} L5]."
        checked = await client.call_tool("verify_citations", {"text": answer})
        assert checked.structured_content is not None
        assert checked.structured_content["summary"] == (
            "2 statements: 1 with words that are not written there, 1 not checked"
        )
        assert [each["mark"] for each in checked.structured_content["statements"]] == ["unchecked", "missing"]
        hosted = await anyio.to_thread.run_sync(hosted_search, copied.library, SearchRequest("rent"), Stop())
        assert hosted is not None, "the command line is not answered by the searcher of the server"

    driven(copied, session)


@pytest.mark.slow
def test_every_result_names_its_page_and_lines(copied: Program, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    with pymupdf.open() as pdf:
        for text in ("Cover", "The keelson is of larch.\nIt was laid in May."):
            pdf.new_page().insert_text((72, 72), text)
        pdf.save(str(folder / "boat.pdf"))
    assert copied.run("index", folder).code == 0

    async def session(client: Client) -> None:
        found = await client.call_tool("search", {"queries": ["keelson larch"], "limit": 1})
        reference = (found.structured_content or {})["results"][0]["reference"]
        calls: dict[str, dict[str, object]] = {
            "open": {"reference": reference, "line": 3, "lines": 1},
            "find": {"reference": reference, "patterns": ["larch"]},
            "verify_citations": {"text": f"The keelson is of larch [{reference} L3]."},
            "ask": {"question": "Of which wood is the keelson?", "model": "built-in"},
        }
        for name, arguments in calls.items():
            data = (await client.call_tool(name, arguments)).structured_content or {}
            place = (data.get("results") or data["citations"])[0]
            lines = {"find": [1, 4], "ask": [3, 4]}.get(name, [3, 3])  # with what stands around the words
            assert (Path(place["path"]).name, place["page"], place["lines"]) == ("boat.pdf", 2, lines), name
            assert "larch" in place["quote"]

    driven(copied, session)


@pytest.mark.slow
def test_the_librarys_own_agent_answers_with_progress(copied: Program) -> None:
    async def session(client: Client) -> None:
        told: list[str] = []

        async def noted(progress: float, total: float | None, message: str | None) -> None:
            told.append(message or "")

        asked = {"question": "How long is the notice period?", "model": "built-in"}
        answered = await client.call_tool("ask", asked, progress_callback=noted)
        assert answered.structured_content is not None
        assert answered.structured_content["found"] is True
        assert answered.structured_content["citations"][0]["path"].endswith("lease.md")
        assert "six months" in text_of(answered)
        assert any(text.startswith("Searching") for text in told)

    driven(copied, session)


def test_prompts_lead_a_host_to_the_library(copied: Program) -> None:
    async def session(client: Client) -> None:
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
        assert names == ["answer_with_citations", "check_citations"]
        got = await client.get_prompt("answer_with_citations", {"question": "Who pays {x}?"})
        assert "Who pays {x}?" in got.messages[0].content.text  # type: ignore[union-attr]
        with pytest.raises(MCPError, match="no such prompt"):
            await client.get_prompt("other", {})
        with pytest.raises(MCPError, match="is missing"):
            await client.get_prompt("check_citations", {"text": " "})

    driven(copied, session)


WRONG_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {}),
    ("search", {"queries": []}),
    ("search", {"queries": ["x" * 5_000]}),
    ("search", {"queries": ["rent"], "limit": "many"}),
    ("search", {"queries": ["rent"], "mode": "magic"}),
    ("open", {"reference": "/etc/passwd"}),
    ("open", {"reference": "turn9search9"}),
    ("open", {"reference": {"path": "/etc/passwd"}}),
    ("find", {"reference": "turn1search1", "patterns": None}),
    ("read_chunks", {"references": ["../../lease.md"]}),
    ("compare", {"references": ["turn1search1"]}),
    ("ask", {"question": ""}),
    ("ask", {"question": "Rent?", "toolkit": "oracle"}),
    ("verify_citations", {"text": 7}),
    ("verify_citations", {"text": "a " * 150_000}),
    ("no_such_tool", {}),
]


def test_wrong_calls_get_a_sentence_and_harm_nothing(copied: Program) -> None:
    async def session(client: Client) -> None:
        for name, arguments in WRONG_CALLS:
            result = await client.call_tool(name, arguments)
            assert result.is_error, (name, arguments)
            assert re.search(r"[.?]$", text_of(result)), text_of(result)
            assert "Traceback" not in text_of(result)
        surrogate = await client.call_tool("search", {"queries": ["rent"], "limit": 10**9})
        assert not surrogate.is_error

    driven(copied, session)


@pytest.mark.slow
def test_an_argument_that_a_tool_does_not_know_is_told(copied: Program) -> None:
    async def session(client: Client) -> None:
        found = await client.call_tool("search", {"query": "rent", "colour": "red", "types": ["docx"]})
        told = "Ignored: “colour”, “types”. The parameters of search are queries, "
        assert text_of(found).startswith(told)
        assert found.structured_content is not None
        assert found.structured_content["notes"][0].startswith(told)
        assert RENT in text_of(found)
        plain = await client.call_tool("search", {"query": "rent"})  # another name of a parameter
        assert not text_of(plain).startswith("Ignored")

    driven(copied, session)


@pytest.mark.slow
def test_what_is_no_message_is_answered_and_only_messages_are_written(copied: Program) -> None:
    initialize = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    search = {"name": "search", "arguments": {"queries": ["\ud800 rent"]}}
    call = json.dumps({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": search})
    lines = [
        json.dumps(initialize),
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        "this is no JSON",
        '{"jsonrpc":"2.0","id":2,"method":"no/such"}',
        '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":5}}',
        "[" * 20_000,
        call,
        '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":"search"}',
        f'{{"jsonrpc":"2.0","id":"seven","method":"tools/call","params":{{"a":{"[" * 500}{"]" * 500}}}}}',
        "",
        '{"jsonrpc":"2.0","id":5,"method":"ping"}',
    ]
    with plain_server(copied) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("\n".join(lines).encode() + b"\n\xff\xfe\n")
        server.stdin.flush()
        answers: dict[object, Any] = {}
        without_id = []
        while not {1, 2, 3, 5, 6, "seven"} <= answers.keys():
            message = json.loads(server.stdout.readline())
            answers[message.get("id")] = message
            without_id += [message["error"]] if message.get("id", 0) is None else []
        assert answers[1]["result"]["serverInfo"]["name"] == "desktop-rag"
        assert "error" in answers[2]
        assert "error" in answers[3]
        assert answers[5]["result"] == {}
        assert answers[6]["error"]["code"] == -32600
        assert answers["seven"]["error"]["code"] == -32700
        server.stdin.close()
        left = [json.loads(line) for line in server.stdout]
        assert all(message["jsonrpc"] == "2.0" for message in left)
        without_id += [message["error"] for message in left if message.get("id", 0) is None]
        assert [each["code"] for each in without_id] == [-32700] * 3
        assert all(each["message"].endswith(".") for each in without_id)
        assert server.wait(timeout=60) == 0


@pytest.mark.slow
def test_requests_before_the_end_of_the_input_are_answered(copied: Program) -> None:
    ping = '{"jsonrpc":"2.0","id":%d,"method":"ping"}\n'
    for count in (1, 20, 1):
        with plain_server(copied) as server:
            out, _ = server.communicate("".join(ping % number for number in range(count)).encode(), timeout=60)
        assert sorted(json.loads(line)["id"] for line in out.splitlines()) == list(range(count))
        assert server.returncode == 0


def test_a_scope_holds_for_every_tool(copied: Program, documents: Path) -> None:
    async def session(client: Client) -> None:
        found = await client.call_tool("search", {"queries": ["rent lease", "mast"]})
        assert found.structured_content is not None
        assert {Path(each["path"]).name for each in found.structured_content["results"]} <= {"boat.txt", "audit.txt"}
        assert {each.name for each in (await client.list_resources()).resources} == {"boat.txt", "audit.txt"}
        checked = await client.call_tool("verify_citations", {"text": "The rent is 1,200 euros [lease.md:5]."})
        assert "There is no such document" in text_of(checked)
        asked = await client.call_tool("ask", {"question": "How long is the notice period?", "model": "built-in"})
        assert "six months" not in text_of(asked)

    driven(copied, session, "--folder", str(documents / "deep"))


def test_a_narrower_wish_of_a_client_holds_within_the_scope(copied: Program, documents: Path) -> None:
    wishes: list[tuple[dict[str, str], set[str]]] = [
        ({}, {"lease.md", "boat.txt", "audit.txt"}),
        ({"folder": "deep"}, {"boat.txt", "audit.txt"}),
        ({"folder": "nowhere"}, set()),
    ]

    async def session(client: Client) -> None:
        for wish, names in wishes:
            found = await client.call_tool("search", {"queries": ["rent", "mast", "audit"], **wish})
            listed = await client.call_tool("list_documents", wish)
            assert names_in(found) <= names
            assert names_in(listed) == names

    driven(copied, session, "--folder", str(documents))


def test_many_requests_at_once_are_all_answered(copied: Program) -> None:
    async def session(client: Client) -> None:
        outcomes: list[bool] = []

        async def ask(number: int) -> None:
            lists = number % 5 == 4
            arguments = {"query": "lease"} if lists else {"queries": [f"rent {number}"], "limit": 3}
            result = await client.call_tool("list_documents" if lists else "search", arguments)
            outcomes.append(result.is_error)

        async with anyio.create_task_group() as group:
            for number in range(100):
                group.start_soon(ask, number)
        assert outcomes == [False] * 100

    driven(copied, session)


def test_without_a_library_every_call_says_what_to_do(tmp_path: Path) -> None:
    async def session(client: Client) -> None:
        result = await client.call_tool("search", {"queries": ["rent"]})
        assert result.is_error
        assert "desktop-rag index" in text_of(result)
        with pytest.raises(MCPError, match="desktop-rag index"):
            await client.list_resources()

    driven(Program(tmp_path / "home"), session)


def test_the_server_ends_with_its_client(copied: Program) -> None:
    with plain_server(copied) as server:
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(timeout=60) == 0
