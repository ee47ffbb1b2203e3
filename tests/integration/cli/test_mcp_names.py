"""What clients of `desktop-rag mcp` call documents: any name that finds them; and how long results may be."""

import hashlib
import json
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from mcp import Client
from mcp_types import CallToolResult

from desktop_rag.llm.tokens import estimate
from desktop_rag.mcp_server.tool_answers import RESULT_TOKENS
from tests.integration.cli.conftest import Program
from tests.integration.cli.mcp_sessions import driven, text_of

pytestmark = pytest.mark.processes

WORDS = [
    *("rent", "lease", "notice", "deposit", "tenant", "landlord"),
    *("garden", "heating", "oil", "invoice", "quarter", "month"),
]


@pytest.fixture
def folder(copied: Program, tmp_path: Path) -> Path:
    """Two files of one name, one whose name looks like a reference, and a very long one."""
    made = tmp_path / "Shelf"
    for name, text in (
        ("A/minutes.txt", "Budget of A: 400\n"),
        ("B/minutes.txt", "Budget of B: 500\n"),
        ("turn1search1.txt", "The keel is of oak.\n"),
        ("Müller.txt", "The sail is red.\n"),
        ("only here (2).md", "# Sloop\n\nThe mast is of spruce.\n"),
    ):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text, encoding="utf-8")
    chosen = random.Random(1)
    clauses = (f"Clause {n}: {' '.join(chosen.choices(WORDS, k=12))} {n * 7} euros.\n" for n in range(1, 4_001))
    (made / "long.txt").write_text("".join(clauses), encoding="utf-8")
    assert copied.run("index", made).code == 0
    return made


def test_any_name_of_a_document_finds_it(copied: Program, folder: Path) -> None:
    sloop = folder / "only here (2).md"
    digest = hashlib.sha256(sloop.read_bytes()).hexdigest()
    names = [
        "only here (2).md",
        "only here (2)",
        "Shelf/only here (2).md",
        "ONLY HERE (2).MD",
        str(sloop),
        sloop.as_uri(),
        digest,
        digest.upper(),
        f"library://document/{digest}",
        f"library://document/{digest}/lines/3-3",
        "only here (2).md#L3",
        "[only here (2).md, lines 3-3]",
        "`only here (2).md`",
        "“Sloop”",
        "Sloop",
    ]

    async def session(client: Client) -> None:
        for name in names:
            opened = await client.call_tool("open", {"reference": name})
            assert "3: The mast is of spruce." in text_of(opened), name
            assert ("1: # Sloop" in text_of(opened)) is not name.endswith(("/lines/3-3", "#L3", "lines 3-3]")), name
        found = await client.call_tool("search", {"queries": ["budget"], "within": ["B/minutes.txt"]})
        assert "of B" in text_of(found)
        assert "of A" not in text_of(found)
        assert "of spruce" in text_of(await client.call_tool("find", {"reference": "Sloop", "patterns": ["mast"]}))
        compared = await client.call_tool("compare", {"references": ["A/minutes.txt", str(folder / "B/minutes.txt")]})
        assert "1: Budget of B: 500" in text_of(compared)
        for name in ("M\u0308uller", "Mu\u0308ller.txt", "MÜLLER.TXT"):  # the second as macOS writes it
            opened = await client.call_tool("open", {"path": name})
            assert ("sail is red" in text_of(opened)) is not name.startswith("M\u0308"), name
        assert "keel" in text_of(await client.call_tool("open", {"reference": "turn1search1.txt"}))

    driven(copied, session)


def test_a_wrong_name_is_told_how_to_find_the_right_one(copied: Program, folder: Path) -> None:
    async def session(client: Client) -> None:
        for call, arguments in (
            ("open", {"reference": "nowhere.txt"}),
            ("open", {"reference": "0" * 64}),
            ("open", {"reference": "../../etc/passwd"}),
            ("find", {"reference": "library://document/", "patterns": ["x"]}),
            ("search", {"queries": ["rent"], "within": ["nowhere.txt"]}),
            ("compare", {"references": ["A/minutes.txt", "C/minutes.txt"]}),
            ("read_chunks", {"references": ["turn9search9"]}),
        ):
            wrong = await client.call_tool(call, arguments)
            assert wrong.is_error, arguments
            assert "list_documents" in text_of(wrong), arguments
        several = await client.call_tool("open", {"reference": "minutes.txt"})
        assert several.is_error
        assert all(f"{folder.name}/{name}/minutes.txt" in text_of(several) for name in "AB")

    driven(copied, session)


def test_an_unknown_folder_is_called_unknown(copied: Program, folder: Path) -> None:
    async def session(client: Client) -> None:
        for call in ("search", "list_documents"):
            arguments = {"queries": ["budget"]} if call == "search" else {}
            told = await client.call_tool(call, {**arguments, "folder": "Nowhere"})
            assert "There is no folder “Nowhere” with documents." in text_of(told)
            assert "Shelf 6" in text_of(told)
            assert any("Nowhere" in note for note in (told.structured_content or {})["notes"])
            known = await client.call_tool(call, {**arguments, "folder": str(folder / "A")})
            assert "minutes.txt" in text_of(known)
        both = await client.call_tool("search", {"queries": ["budget"], "folder": ["A", "Nowhere"], "type": "md, txt"})
        assert "of A" in text_of(both)
        assert "There is no folder “Nowhere” with documents." in text_of(both)
        typed = await client.call_tool("search", {"queries": ["budget"], "type": "xlsx", "folder": "Shelf"})
        assert "No document has the type “xlsx”." in text_of(typed)
        assert "no folder" not in text_of(typed)

    driven(copied, session)


def test_every_parameter_is_described(copied: Program) -> None:
    async def session(client: Client) -> None:
        for tool in (await client.list_tools()).tools:
            assert tool.description
            for name, parameter in tool.input_schema["properties"].items():
                assert len(parameter["description"]) > 5, (tool.name, name)

    driven(copied, session)


def test_no_result_is_longer_than_a_client_takes(copied: Program, folder: Path) -> None:
    """Text and data together, of the longest documents, the most hits and the most statements."""
    false = " ".join(f"Clause {n} names {n} euros [long.txt, line {n}]." for n in range(1, 80))

    async def session(client: Client) -> None:
        call: Callable[..., Awaitable[CallToolResult]] = client.call_tool
        found = await call("search", {"queries": WORDS[:5], "limit": 50})
        references = [each["reference"] for each in (found.structured_content or {})["results"]][:10]
        checked = await call("verify_citations", {"text": false})
        for result in (
            found,
            checked,
            await call("open", {"reference": "long.txt"}),
            await call("open", {"reference": "long.txt", "lines": 1_800}),
            await call("find", {"reference": "long.txt", "patterns": WORDS[:10]}),
            await call("read_chunks", {"references": references, "adjacent": 3}),
            await call("compare", {"references": ["long.txt", "lease.md"]}),
            await call("compare", {"references": ["long.txt", "lease.md", "Sloop"], "aspects": WORDS[:5]}),
            await call("list_documents", {}),
            await call("ask", {"question": f"What of {' '.join(WORDS)}?", "model": "built-in"}),
        ):
            assert not result.is_error, text_of(result)
            data = json.dumps(result.structured_content, ensure_ascii=False)
            assert estimate(text_of(result)) + estimate(data) <= RESULT_TOKENS
        assert "79 statements" in text_of(checked)
        [note] = (checked.structured_content or {})["notes"]
        assert "of 79 statements are shown" in note
        assert note in text_of(checked)

    driven(copied, session)
