"""`desktop-rag table`, `Library.table` and the MCP tool `fill_table` on a real library, and a killed filling."""

import json
import signal
import threading
from datetime import date
from pathlib import Path

import pytest
from mcp import Client

from desktop_rag import Library
from desktop_rag.errors import ArgumentTypeError, LibraryRefused
from desktop_rag.settings import Profile, Settings, save
from tests.endpoint import ScriptedEndpoint, Turn
from tests.integration.cli.conftest import Program
from tests.integration.cli.mcp_sessions import driven, text_of

pytestmark = pytest.mark.processes

RENT = ("--column", "Rent: amount", "--file", "lease.md", "--profile", "built-in")
CELL = {"type", "row", "path", "column", "value", "normal", "state", "found", "quote", "page", "lines", "mark", "says"}
CELL |= {"note", "by", "done", "of"}


def found(value: str, quote: str) -> Turn:
    return Turn(text=json.dumps({"value": value, "quote": quote}))


def with_endpoint(program: Program, endpoint: ScriptedEndpoint) -> None:
    profile = Profile("mine", endpoint.base_url, "scripted")
    save(program.home / "settings.json", Settings(profiles=(profile,), active_profile="mine", second_look=False))


def test_a_table_is_made_filled_printed_listed_and_deleted(copied: Program, tmp_path: Path) -> None:
    ran = copied.run("table", *RENT)
    assert ran.code == 0
    assert "| lease.md: Lease | 1,200 euros [^1] |" in ran.out
    assert copied.run("table").out == "    1  Rent  1 document, 1 of 1 cells\n"
    file = tmp_path / "rent.csv"
    assert copied.run("table", "Rent", "--no-fill", "--out", file).code == 0
    assert "1,200 euros a month" in file.read_text(encoding="utf-8-sig")
    assert copied.run("table", "1", "--delete").code == 0
    assert copied.run("table").code == 1
    assert "There is no table “9”" in copied.run("table", "9").err
    unknown = copied.run("table", *RENT, "--out", tmp_path / "rent.docx").err
    assert "“.docx” is no known format. Known endings: .xlsx, .csv, .md." in unknown
    assert "“foo” is no kind of answers" in copied.run("table", "--column", "Rent:foo").err
    assert copied.run("table").code == 1


def test_json_has_each_cell_as_it_comes_and_the_table(copied: Program) -> None:
    *events, table = copied.run("table", *RENT, "--json").objects
    assert [event["type"] for event in events] == ["checked", "cell", "filled"]
    assert set(events[1]) == CELL
    assert (events[1]["normal"], events[1]["lines"]) == ("1200|EUR", [5, 5])
    rows = table["rows"]
    assert isinstance(rows, list)
    assert rows[0]["cells"]["Rent"]["value"] == "1,200 euros"


def test_columns_that_contradict_and_too_few_documents_are_refused(copied: Program) -> None:
    twice = copied.run("table", "--column", "Rent", "--column", "rent: amount")
    assert (twice.code, "Two columns ask “rent”" in twice.err) == (1, True)
    none = copied.run("table", "--column", "Rent", "--type", "docx")
    assert (none.code, "No document fulfils" in none.err) == (1, True)


def test_shared_labels_are_suggested(copied: Program, tmp_path: Path) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.md").write_text(f"Landlord: {name}\n\nTenant: {name * 2}\n", encoding="utf-8")
    copied.run("index", folder)
    ran = copied.run("table", "--suggest", "--folder", folder)
    assert ran.out.startswith("Landlord  in 3 of 3 documents\nTenant  in 3 of 3 documents\n")


def test_nothing_is_sent_before_the_budget_is_confirmed(copied: Program) -> None:
    with ScriptedEndpoint([found("1,200 euros", "The rent is 1,200 euros a month")]) as endpoint:
        with_endpoint(copied, endpoint)
        refused = copied.run("table", "--column", "Rent: amount", "--file", "lease.md")
        assert refused.code == 2
        assert "1 cell: at most 2 requests" in refused.err
        assert not endpoint.requests
        ran = copied.run("table", "1", "--yes")
        assert ran.code == 0
        assert "1,200 euros [^1]" in ran.out


def test_a_killed_filling_keeps_its_cells_and_goes_on(copied: Program) -> None:
    never = threading.Event()
    answer = found("1,200 euros", "The rent is 1,200 euros a month")
    with ScriptedEndpoint([answer, Turn(hold=never)]) as endpoint:
        with_endpoint(copied, endpoint)
        columns = ("--column", "Rent: amount", "--column", "Notice: amount")
        filling = copied.start("table", *columns, "--file", "lease.md", "--yes", "--json")
        assert filling.stdout is not None
        for line in filling.stdout:
            if json.loads(line)["type"] == "cell":
                break
        busy = copied.run("table", "1", "--yes")
        assert "Another program is filling this table" in busy.err
        filling.send_signal(signal.SIGKILL)
        filling.wait()
        filling.stdout.close()
        if filling.stderr:
            filling.stderr.close()
    with ScriptedEndpoint([found("six months", "a notice period of six months")]) as endpoint:
        with_endpoint(copied, endpoint)
        *_, table = copied.run("table", "1", "--yes", "--json").objects
        assert len(endpoint.requests) == 1
    rows = table["rows"]
    assert isinstance(rows, list)
    assert [cell["value"] for cell in rows[0]["cells"].values()] == ["1,200 euros", "six months"]


def test_python_programs_fill_tables(copied: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(copied.home))
    with Library.open() as library:
        columns = ["Rent: amount", "Notice period", "Start: date"]
        table = library.table({"name": "lease.md"}, columns, name="Leases", profile="built-in")
        rent = table.rows[0]["Rent"]
        assert (rent.value, rent.unit, rent.first_line, rent.state) == (1200.0, "EUR", 5, "found")
        assert table.data["Rent"] == [1200.0]
        assert table.data["Start"] == [None]
        assert "<th>Notice period</th>" in table._repr_html_()
        hits = library.search("oil")
        grown = library.table(hits, ["Rent: amount", "Heating"], name="Leases", profile="built-in")
        assert (grown.id, len(grown), grown.columns) == (table.id, 2, ("Rent", "Heating"))
        assert grown.rows[0]["Rent"].value == 1200.0
        with pytest.raises(ArgumentTypeError, match="a list of texts"):
            library.table(None, "Rent")
        with pytest.raises(LibraryRefused, match="has no document"):
            library.table(["nowhere.md"], ["Rent"])
    assert isinstance(date.today(), date)


def test_a_report_is_outlined_written_listed_and_exported(copied: Program, tmp_path: Path) -> None:
    outline = tmp_path / "outline.md"
    outline.write_text("- Rent: What is the rent?\n- Moon: Who owns the moon base?\n", encoding="utf-8")
    asked = ("report", "What does the lease say?", "--profile", "built-in")
    assert copied.run(*asked, "--outline-only").out == "- What does the lease say?\n"
    ran = copied.run(*asked, "--outline", outline, "--tokens", "200000")
    assert ran.code == 0
    assert "1,200 euros" in ran.out
    assert "**Moon**: Not found. Searched for “Who owns the moon base" in ran.out
    assert copied.run("report").out == "    1  What does the lease say?  2 of 2 sections\n"
    assert copied.run("report", "1", "--out", tmp_path / "report.html").code == 0
    assert "1,200 euros" in (tmp_path / "report.html").read_text(encoding="utf-8")
    for kind, beginning in (("docx", b"PK"), ("pdf", b"%PDF-")):
        assert copied.run("report", "1", "--out", tmp_path / f"report.{kind}").code == 0
        assert (tmp_path / f"report.{kind}").read_bytes().startswith(beginning)
    assert "--format pdf needs --out FILE" in copied.run("report", "1", "--format", "pdf").err
    assert copied.run("settings", "language", "de").code == 0
    german = copied.run("report", "1").out
    assert "**Moon**: Nicht gefunden" in german
    assert "## Quellen" in german
    assert copied.run("settings", "language", "default").code == 0
    assert copied.run("report", "1", "--json").objects[-1]["type"] == "report"
    assert "“.xyz” is no known format" in copied.run("report", "1", "--out", tmp_path / "report.xyz").err
    assert copied.run("report", "1", "--delete").code == 0
    assert "There is no report 99." in copied.run("report", "99").err
    assert "A report needs a question." in copied.run("report", "").err
    assert copied.run("report").code == 1


def test_a_question_is_kept_and_tells_what_is_new(copied: Program, tmp_path: Path) -> None:
    assert copied.run("watch").code == 1
    added = copied.run("watch", "add", "What is the rent?", "--profile", "built-in")
    assert added.code == 0
    assert "1,200 euros" in added.out
    quiet = copied.run("watch", "run", "--profile", "built-in")
    assert (quiet.code, quiet.out) == (1, "    1  What is the rent?  nothing new\n")
    new = tmp_path / "new"
    new.mkdir()
    (new / "raise.md").write_text("# Raise\n\nThe rent is 1,350 euros a month from May.\n", encoding="utf-8")
    assert copied.run("index", new).code == 0
    told = copied.run("watch", "run", "--json")
    assert told.code == 0
    [found] = told.objects
    assert (found["id"], found["new"]) == (1, 1)
    assert "1,350 euros" in str(found["news"])
    asked = copied.run("watch", "run", "1", "--ask", "--profile", "built-in")
    assert asked.code == 0
    assert "1,350 euros" in asked.out
    assert copied.run("watch", "run").code == 1
    assert copied.run("table", "--name", "Leases", "--column", "Rent: amount", "--profile", "built-in").code == 0
    assert copied.run("watch", "add", "--table", "Leases").code == 0
    assert copied.run("table", "Leases", "--delete").code == 0
    lost = copied.run("watch", "run")
    assert lost.code == 1
    assert "The look at 2 failed" in lost.err
    assert "the last look failed" in lost.out
    assert copied.run("watch", "remove", "2").code == 0
    assert "There is no standing question 7" in copied.run("watch", "remove", "7").err
    assert copied.run("watch", "remove", "1").code == 0
    assert copied.run("watch").code == 1


def test_other_programs_have_reports_written(copied: Program) -> None:
    async def session(client: Client) -> None:
        arguments = {"question": "The lease", "sections": ["Rent: What is the rent?"], "model": "built-in"}
        written = await client.call_tool("write_report", arguments)
        assert not written.is_error
        assert "1,200 euros" in text_of(written)
        data = written.structured_content
        assert data is not None
        assert (data["sections"], data["left"]) == (1, 0)
        assert data["citations"][0]["path"].endswith("lease.md")

    driven(copied, session)


def test_other_programs_fill_tables_with_progress(copied: Program) -> None:
    told: list[str | None] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def session(client: Client) -> None:
        arguments = {"columns": ["Rent: amount", "Heating"], "model": "built-in"}
        filled = await client.call_tool("fill_table", arguments, progress_callback=note)
        assert not filled.is_error
        data = filled.structured_content
        assert data is not None
        rents = {row["cells"]["Rent"]["value"] for row in data["rows"]}
        assert rents == {"", "1,200 euros"}
        assert "- Rent: 1,200 euros [L5-5]" in text_of(filled)
        first = await client.call_tool("fill_table", {**arguments, "limit": 1})
        assert "2 documents left: go on with skip 1." in text_of(first)
        wrong = await client.call_tool("fill_table", {"columns": ["Law: one of German"]})
        assert wrong.is_error
        assert "needs 2 to 30 values" in text_of(wrong)
        many = await client.call_tool("fill_table", {"columns": [f"Column {number}" for number in range(11)]})
        assert "At most 10 columns" in text_of(many)

    driven(copied, session)
    assert told[-1] == "6 of 6 cells"
