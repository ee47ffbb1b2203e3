"""`desktop-rag cite`: the citations of a text from elsewhere, checked on a real library."""

import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest

from desktop_rag.agent.citations.written.citation_forms import read_citations
from tests.integration.cli.conftest import Object, Program, Ran
from tests.slow_cases import slow_but

pytestmark = pytest.mark.processes


def cite(program: Program, folder: Path, text: str, *options: str) -> Ran:
    file = folder / "draft.md"
    file.write_text(text, encoding="utf-8")
    return program.run("cite", file, *options)


def marks(ran: Ran) -> list[object]:
    claims = ran.object["claims"]
    assert isinstance(claims, dict)
    return [each["mark"] for each in claims["each"]]


def places(ran: Ran) -> list[tuple[object, object]]:
    citations = ran.object["citations"]
    assert isinstance(citations, list)
    return [(each["lines"], each["named"]) for each in citations]


WRITTEN = [
    "The rent is 1,200 euros a month [lease.md, line 5].",
    "The rent is 1,200 euros a month (documents/lease.md, lines 5-6).",
    "The rent is 1,200 euros a month [lease.md:5].",
    "The rent is 1,200 euros a month (lease.md#L5).",
    "The rent is 1,200 euros [a month](documents/lease.md#L5-L6).",
    'The rent is 1,200 euros a month [lease.md L5 "1,200 euros a month"].',
    "The rent is 1,200 euros a month [LEASE.MD].",
    "The rent is 1,200 euros a month [1].\n\n1. documents/lease.md, line 5\n",
    "The rent is 1,200 euros a month [^1].\n\n[^1]: lease.md, line 5: “The rent”\n",
    "The rent is 1,200 euros a month (lease.md, Zeile 5).",
    "The rent is 1,200 euros a month [lease.md#L5](lease.md#L5).",
    "The rent is 1,200 euros a month ([lease.md](documents/lease.md#L5)).",
    "The rent is 1,200 euros a month [lease.md#L5](desktop-rag://open?file=/gone/documents/lease.md&line=5&sha256=SHA).",
    "The rent is 1,200 euros a month [the lease](desktop-rag://open?file=PATH&line=5).",
    "The rent is 1,200 euros a month [lease.md](file://PATH#L5).",
    "The rent is 1,200 euros a month [lease.md, lines 3 and 5].",
    "The rent is 1,200 euros a month [lease.md:5:3].",
    "The rent is 1,200 euros a month 【lease.md, line 5】.",
    "The rent is 1,200 euros a month [Source: lease.md, line 5].",
    "The rent is 1,200 euros a month (lease.md, line 5; line 9).",
    "The rent is 1,200 euros a month [../documents/./lease.md:5].",
    "The rent is 1,200 euros a month[^a].\n\n[^a]: lease.md, line 5\n",
    "The rent is 1,200 euros a month [1].\n\nSources\n1. [lease.md](lease.md#L5)\n",
    "The rent is 1,200 euros a month [1].\n\n[1]: <lease.md#L5>\n",
    "The rent is 1,200 euros a month [1, 2].\n\n[1] lease.md:5\n[2] lease.md:9\n",
    "The rent is 1,200 euros a month [lease.md:5].\n\n## Sources\n\n- Lease. lease.md.\n",
    "“The rent is 1,200 euros a month.”\n— Lease (lease.md), line 5\nPATH",
    "> The rent is 1,200 euros a month.\n>\n> — **Lease (lease.md)**, line 5  \n"
    "> [lease.md#L5](desktop-rag://open?file=PATH&line=5)",
    "The rent is 1,200 euros a month ([lease.md#L5](lease.md#L5)).",
    "The rent is 1,200 euros a month【4:0†lease.md】.",
    "The rent is 1,200 euros a month [lease.md, lines 5 and 6].",
    "The rent is 1,200 euros a month [lease.md:5:7].",
    "The rent is 1,200 euros a month (lease.md, line 3; lease.md, line 5).",
    "The rent is 1,200 euros a month [File: lease.md, Line: 5].",
    "The rent is 1,200 euros a month [../documents/lease.md:5].",
    "The rent is 1,200 euros a month (Lease, line 5).",
    "The rent is 1,200 euros a month (Lease (lease.md), line 5).",
    "The rent is 1,200 euros a month (lease.md,\nline 5).",
    "The rent is 1,200 euros a month [[lease.md#L5]].",
    "The rent is 1,200 euros a month [^a].\n\n[^a]: lease.md, line 5\n",
    "The rent is 1,200 euros a month.¹\n\n¹ lease.md, line 5\n",
    "The rent is 1,200 euros a month [cite: 1].\n\n[1] **lease.md** – line 5\n",
    "The rent is 1,200 euros a month [1].\n\nSources: [1] lease.md, line 5; [2] boat.txt, line 1\n",
    "The rent is 1,200 euros a month [S1].\n\nWorks cited\n[S1] Lease. lease.md, lines 3–5.\n",
    "The rent is 1,200 euros a month（lease.md，第 5 行）。",
    "According to lease.md:5, the rent is 1,200 euros a month.",
    "As stated in `lease.md` (line 5), the rent is 1,200 euros a month.",
    "Line 5 of lease.md says that the rent is 1,200 euros a month.",
    "The rent is 1,200 euros a month. Source: lease.md, line 5",
    "The rent is 1,200 euros a month.\n\n**Source:** lease.md, line 5\n",
    "The rent is 1,200 euros a month.\n\nSources:\n- boat.txt, line 1\n- lease.md, line 5\n",
    "> The rent is 1,200 euros a month.\n> — lease.md, line 5\n",
]


@pytest.mark.parametrize("written", slow_but(WRITTEN[::6], WRITTEN))
def test_a_citation_is_found_however_it_is_written(indexed: Program, tmp_path: Path, written: str) -> None:
    lease = indexed.home.parent / "documents" / "lease.md"
    written = written.replace("PATH", str(lease)).replace("SHA", sha256(lease.read_bytes()).hexdigest())
    ran = cite(indexed, tmp_path, written, "--json")
    assert marks(ran) in (["quoted"], ["unchecked"]), ran.out
    assert ran.code == 0
    citations = ran.object["citations"]
    assert isinstance(citations, list)
    assert str(citations[0]["path"]).endswith("documents/lease.md")


BOTH = "The keel is oak and the rent is 1,200 euros"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (f"{BOTH} [boat.txt, line 2][lease.md, line 5].", ["unchecked"]),
        (f"{BOTH} [boat.txt:2][lease.md:5].", ["unchecked"]),
        (f"{BOTH} [boat.txt L2](lease.md, line 5).", ["unchecked"]),
        (f"{BOTH} [1][2].\n\n[1] boat.txt, line 2\n[2] lease.md, line 5\n", ["unchecked"]),
        (f"{BOTH} [boat.txt#L2](boat.txt#L2)[lease.md#L5](lease.md#L5).", ["unchecked"]),
        (
            "According to boat.txt:2, the keel is oak, and according to lease.md:5 the rent is 1,200 euros.",
            ["unchecked"] * 2,
        ),
        (
            "boat.txt (line 2) says the keel is oak, and lease.md (line 5) says it is 900 euros.",
            ["unchecked", "missing"],
        ),
        (
            "The keel is oak.\nSource: boat.txt, line 2\n\nThe rent is 1,200 euros.\nSource: lease.md, line 5\n",
            ["quoted", "unchecked"],
        ),
        (
            "The keel is oak [1].\n\n[1] boat.txt:2\n\nThe rent is 1,200 euros [1].\n\n[1] lease.md:5\n",
            ["quoted", "unchecked"],
        ),
    ],
)
def test_each_statement_is_compared_with_its_own_citations(
    indexed: Program, tmp_path: Path, written: str, expected: list[str]
) -> None:
    ran = cite(indexed, tmp_path, written, "--json")
    assert marks(ran) == expected, ran.out
    assert ran.object["unresolved"] == []


@pytest.mark.parametrize(
    ("written", "expected", "dangling"),
    [
        ("The rent is 1,200 euros [no.md, line 3][lease.md, line 5].", ["unchecked"], "[no.md, line 3]"),
        ("The rent is 1,200 euros [no.md:5]. It is 1,200 euros [lease.md:5].", ["uncited", "unchecked"], "[no.md:5]"),
        ("The rent is 1,200 euros [no.md:5] and the keel is oak [boat.txt:2].", ["uncited", "unchecked"], "[no.md:5]"),
        (
            "The rent is 1,200 euros [turn9search9 L5]. It is 1,200 euros [lease.md:5].",
            ["uncited", "unchecked"],
            "[turn9search9 L5]",
        ),
        ("The rent is 1,200 euros [3]. It is 1,200 euros [1].\n\n[1] lease.md:5\n", ["uncited", "unchecked"], "[3]"),
        ("The rent is 1,200 euros [1].\n\n[1] https://example.org/lease\n", ["uncited"], "[1]"),
        ("The rent is 1,200 euros.\n\nSources:\n- lease.md, line 5\n- no.md\n", ["unchecked"], "- no.md"),
    ],
)
def test_a_citation_of_nothing_is_told_and_its_statement_has_no_other_source(
    indexed: Program, tmp_path: Path, written: str, expected: list[str], dangling: str
) -> None:
    ran = cite(indexed, tmp_path, written, "--json")
    assert marks(ran) == expected, ran.out
    unresolved = ran.object["unresolved"]
    assert isinstance(unresolved, list)
    assert [each["citation"] for each in unresolved] == [dangling]
    assert ran.code == 1
    assert "cite:1000" not in str(ran.object["text"])


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (
            "The rent is 1,300 euros a month [lease.md, line 5].",
            "The lines seem to say otherwise: “1,200 euros”, not “1,300 euros”.",
        ),
        ('The mast is old [boat.txt:1 "the mast is made of steel"].', "stands nowhere in what was read"),
    ],
)
def test_what_the_lines_do_not_say_is_told(indexed: Program, tmp_path: Path, written: str, why: str) -> None:
    ran = cite(indexed, tmp_path, written)
    assert why in ran.out
    assert "1 statement: 1 where the lines seem to say otherwise" in ran.out
    assert ran.code == 1


@pytest.mark.parametrize(
    ("citation", "why"),
    [
        ("[nothing.md:5]", "There is no such document in the library"),
        ("[lease.md:500]", "lease.md has 9 lines"),
        ("(lease.md, page 3)", "lease.md has no page 3"),
        ("[turn1search3 L4]", "Nothing that it could mean was found"),
        ("[/etc/passwd:1]", "There is no such document in the library"),
    ],
)
def test_a_citation_that_points_at_nothing_is_told(indexed: Program, tmp_path: Path, citation: str, why: str) -> None:
    ran = cite(indexed, tmp_path, f"The rent is 1,200 euros {citation}.")
    assert why in ran.out
    assert "It cites a file or line that your library does not have." in ran.out
    assert "names no source" not in ran.out
    assert ran.code == 1


def test_lines_beyond_the_end_are_told_and_the_others_compared(indexed: Program, tmp_path: Path) -> None:
    ran = cite(indexed, tmp_path, "The rent is 1,200 euros [lease.md, lines 3-25].")
    assert "lease.md has 9 lines: those from 3 on were compared." in ran.out
    assert "1 statement: 1 not checked" in ran.out


@pytest.mark.skipif(sys.platform == "win32", reason="links of folders need a right there")
def test_a_path_through_a_linked_folder_is_found(indexed: Program, tmp_path: Path) -> None:
    (tmp_path / "linked").symlink_to(indexed.home.parent / "documents", target_is_directory=True)
    ran = cite(indexed, tmp_path, f"The keel is oak [{tmp_path}/linked/deep/boat.txt:2].", "--json")
    assert (marks(ran), ran.code) == (["quoted"], 0), ran.out
    other = tmp_path / "boat.txt"  # no document of the library
    other.write_text("The keel is oak.\n", encoding="utf-8")
    assert "There is no such document" in cite(indexed, tmp_path, f"The keel is oak [{other}:1].").out


def test_an_empty_line_leads_to_the_line_beside_it_that_says_it(indexed: Program, tmp_path: Path) -> None:
    ran = cite(indexed, tmp_path, "The rent is 1,200 euros [lease.md, line 4].", "--json")
    assert (marks(ran), ran.code) == (["unchecked"], 0), ran.out
    ran = cite(indexed, tmp_path, "The rent is 1,300 euros [lease.md, line 4].")
    assert "Line 4 of lease.md is empty" in ran.out
    assert ran.code == 1


@pytest.mark.parametrize(
    ("statement", "mark"), [("The keel is oak", "quoted"), ("It says “the keel is oak”", "unchecked")]
)
def test_a_citation_one_line_off_is_told(indexed: Program, tmp_path: Path, statement: str, mark: str) -> None:
    ran = cite(indexed, tmp_path, f"{statement} [boat.txt:1].", "--json")
    assert (marks(ran), places(ran)) == ([mark], [([2, 2], "boat.txt, line 1")]), ran.out
    assert ran.code == 0
    assert "The words are here; the model named" in cite(indexed, tmp_path, f"{statement} [boat.txt:1].").out


def test_words_that_the_model_did_not_write_move_no_citation(indexed: Program, tmp_path: Path) -> None:
    ran = cite(indexed, tmp_path, "The keel is of oak [boat.txt:1].", "--json")
    assert (marks(ran), places(ran), ran.code) == (["unchecked"], [([1, 1], "")], 0), ran.out


def test_no_citation_one_line_off_is_lost_beside_another(indexed: Program, tmp_path: Path) -> None:
    ran = cite(indexed, tmp_path, "The keel is oak [boat.txt:2][boat.txt:1].", "--json")
    assert (marks(ran), places(ran)) == (["quoted"], [([2, 2], ""), ([2, 2], "boat.txt, line 1")]), ran.out
    ran = cite(indexed, tmp_path, "The rent is 1,200 euros a month [lease.md:7][lease.md:6].", "--json")
    assert (marks(ran), [named for _, named in places(ran)]) == (
        ["quoted"],
        ["lease.md, line 7", "lease.md, line 6"],
    ), ran.out


@pytest.mark.parametrize("between", ["", " "])
@pytest.mark.parametrize("place", ["[{}, line {}]", "[{}:{}]", "({} L{})"])
def test_citations_side_by_side_all_count(indexed: Program, tmp_path: Path, place: str, between: str) -> None:
    both = f"{place.format('boat.txt', 2)}{between}{place.format('lease.md', 5)}"
    ran = cite(indexed, tmp_path, f"The keel is oak and the rent is 1,200 euros {both}.", "--json")
    assert (marks(ran), ran.code) == (["unchecked"], 0), ran.out
    missing = cite(indexed, tmp_path, f"The rent is 1,200 euros {both.replace('boat', 'no')}.")
    assert "no.txt" in missing.out
    assert missing.code == 1


def test_a_statement_whose_citation_points_at_nothing_shares_no_other(indexed: Program, tmp_path: Path) -> None:
    text = "The rent is 1,200 euros [no.md:5]. It is 1,200 euros a month [lease.md:5]."
    ran = cite(indexed, tmp_path, text, "--json")
    assert marks(ran) == ["uncited", "unchecked"]
    assert str(ran.object["text"]).startswith("The rent is 1,200 euros. It is")
    claims = ran.object["claims"]
    assert isinstance(claims, dict)
    first, second = claims["each"]
    assert str(ran.object["text"])[first["from"] : first["to"]].startswith("The rent is 1,200 euros")
    assert str(ran.object["text"])[second["from"] : second["to"]].startswith("It is 1,200 euros")


def test_a_conversation_that_was_exported_is_checked(copied: Program, tmp_path: Path) -> None:
    asked = subprocess.run(
        copied.command("ask", "-i", "--profile", "built-in"),
        input="What is the rent?\n/save\n/quit\n",
        capture_output=True,
        text=True,
        env=copied.environment,
        check=False,
    )
    assert "Saved as conversation" in asked.stdout + asked.stderr
    file = tmp_path / "conversation.md"
    assert copied.run("export", "last", "--out", file).code == 0
    ran = copied.run("cite", file, "--json")
    assert marks(ran) == ["quoted"], ran.out
    file.write_text(file.read_text(encoding="utf-8").replace("> The rent is **1,200", "> The rent is **1,300"))
    assert marks(copied.run("cite", file, "--json")) == ["missing"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    ["[a](", "[a.md:3]", "((((", "[" * 50, "\n> ", "\n— a.md, line 3", "[1] a.md\n", "[^a]: a.md\n", "(a; b.md "],
)
def test_a_hostile_text_takes_no_longer_than_a_plain_one(part: str) -> None:
    text = (part * (200_000 // len(part)))[:200_000]
    started = time.process_time()
    assert read_citations(text).parts
    assert time.process_time() - started < 10


def test_a_text_without_statements_proves_nothing(indexed: Program, tmp_path: Path) -> None:
    ran = cite(indexed, tmp_path, "# Title\n")
    assert ran.out.strip() == "The text makes no statement that could be checked."
    assert ran.code == 1


def test_ordinary_brackets_and_links_are_no_citations(indexed: Program, tmp_path: Path) -> None:
    text = "Heating takes oil (see above) [sic] and [a page](https://example.org/a.html) [audit.txt:2]."
    found: Object = cite(indexed, tmp_path, text, "--json").object
    assert found["unresolved"] == []
    assert len(found["citations"]) == 1  # type: ignore[arg-type]


def test_the_text_may_come_from_standard_input(indexed: Program) -> None:
    done = subprocess.run(
        indexed.command("cite", "-"),
        input=b"The keel is oak [boat.txt:2]. \xff\xfe The rent is 1,300 euros a month [lease.md:5].",
        capture_output=True,
        env=indexed.environment,
        check=False,
    )
    assert b"1 quoted word for word, 1 where the lines seem to say otherwise" in done.stdout
    assert done.returncode == 1


def test_a_missing_file_and_a_huge_one_end_in_a_sentence(indexed: Program, tmp_path: Path) -> None:
    missing = indexed.run("cite", tmp_path / "no.md")
    assert (missing.code, "No such file" in missing.err) == (1, True)
    huge = cite(indexed, tmp_path, "a " * 150_000)
    assert (huge.code, "at most 200,000 are checked at once" in huge.err) == (1, True)


@pytest.mark.parametrize("name", ["bytes.bin", "wide.txt"])
def test_what_is_no_text_is_refused(indexed: Program, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(b"\x7fELF\0\0" if name == "bytes.bin" else "The rent [lease.md:5].".encode("utf-16"))
    ran = indexed.run("cite", file, "--json")
    assert (ran.code, ran.object["type"]) == (1, "error")
    assert "It is no text" in str(ran.object["message"])


def test_a_statement_is_compared_with_what_stands_above_its_line(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    rows = "| Item (£ thousand) | 2022 | 2023 |\n|---|---|---|\n| Grants | 4.0 | 2.5 |\n| Fees | 9.2 | 10.0 |\n"
    (documents / "kiln.md").write_text(f"# Accounts\n\n{rows}", encoding="utf-8")
    header = "From: Ada Ort <ada@example.org>\nTo: Bo Lind <bo@example.org>\nDate: Tue, 07 Mar 2023 09:12:00 +0100\n"
    (documents / "crane.eml").write_text(f"{header}Subject: Crane\n\nThe crane costs 640 euros.\n", encoding="utf-8")
    program = Program(tmp_path / "home")
    assert program.run("index", documents).code == 0
    for written, mark in (
        ("Fees were £10,000 in 2023 [kiln.md, line 6].", "unchecked"),
        ("Fees were £9,300 in 2023 [kiln.md, line 6].", "missing"),
        ("Ada Ort wrote on 7 March 2023 that the crane costs 640 euros [crane.eml, line 6].", "unchecked"),
        ("Cy Moor wrote that the crane costs 640 euros [crane.eml, line 6].", "missing"),
    ):
        assert marks(cite(program, tmp_path, written, "--json")) == [mark], written
