"""The printed form of an agent run."""

from dataclasses import replace

import pytest

from desktop_rag.agent.events import (
    BUILT_IN_MODEL,
    AgentEvent,
    Alteration,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    AnswerWritten,
    Citation,
    Claim,
    ContextUse,
    Coverage,
    Judgment,
    ModelProgress,
    Operand,
    Phrasing,
    ReadDocument,
    RunFailed,
    RunStarted,
    RunUsage,
    Source,
    Thought,
    ToolCalled,
    ToolReturned,
    Unread,
)
from desktop_rag.agent.events_json import event_json
from desktop_rag.agent.extractive.answer import NOTE
from desktop_rag.cli.narrator import Narrator, coverage_lines, plain_citations
from desktop_rag.cli.output import Output
from desktop_rag.index.records import ContentId
from desktop_rag.text.display import location_text

CITATION = Citation(
    1,
    "turn1search1",
    ContentId(4),
    "ab",
    "/home/me/lease.pdf",
    "Lease",
    "pdf",
    3,
    12,
    14,
    "It is due.",
    "",
    1,
    "paraphrase",
)
USAGE = RunUsage(90, 10, 2, estimated=True)
ANSWERED = Answered(
    "It is due monthly [1](cite:1).", (CITATION,), ContextUse(1, 1, 1, 1, 9, estimated=True), USAGE, 1.25, 2, found=True
)
SOURCE = Source("turn1search1", ContentId(4), "Lease", "/home/me/lease.pdf", 12, 14, 3, "It is due.")


def told(capsys: pytest.CaptureFixture[str], *events: AgentEvent, streaming: bool = False) -> tuple[str, str]:
    narrator = Narrator(Output(as_json=False), streaming=streaming)
    for event in events:
        narrator.print(event)
    return capsys.readouterr()


def test_an_answer_ends_with_its_sources_and_its_cost(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = told(capsys, AnswerDelta("It is due "), ANSWERED)
    assert out == (
        "It is due monthly [1].\n\nSources\n"
        "[1] /home/me/lease.pdf, page 3, lines 12–14  (Not word for word in these lines.)\n"
        "    “It is due.”\n"
    )
    assert err == "\n1.2 s, 2 steps, ~100 tokens\n"
    _, err = told(capsys, replace(ANSWERED, usage=replace(ANSWERED.usage, per_second=12.4)))
    assert err == "\n1.2 s, 2 steps, ~100 tokens, 12 a second\n"


def test_a_streamed_answer_is_written_once(capsys: pytest.CaptureFixture[str]) -> None:
    pieces = [AnswerDelta("It is due "), AnswerDelta("monthly [1](cite:1).")]
    out, _ = told(capsys, *pieces, ANSWERED, streaming=True)
    assert out.count("It is due monthly [1].") == 1


def test_a_preamble_is_followed_by_the_whole_answer(capsys: pytest.CaptureFixture[str]) -> None:
    events = (AnswerDelta("Let me look."), AnswerRestarted(1), AnswerDelta("It is due monthly [1](cite:1)."), ANSWERED)
    out, _ = told(capsys, *events, streaming=True)
    assert out.startswith("\nLet me look.\n\nIt is due monthly [1].\n")


def test_steps_are_printed_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    called = ToolCalled(1, "a", "search", "{}", "Searching “rent”\x1b")
    returned = ToolReturned(1, "a", "search", "7 passages", (SOURCE,) * 7, 0.5, 1234, failed=False)
    out, err = told(capsys, Thought(1, "Let me "), Thought(1, "look."), called, returned)
    assert out == ""
    assert err.splitlines()[:3] == ["Let me look.", "→ Searching “rent”\ufffd", "  7 passages  (0.5 s, 1,234 tokens)"]
    assert err.splitlines()[3] == "    /home/me/lease.pdf, page 3, lines 12–14"
    assert err.splitlines()[-1] == "    … and 2 more"


def test_the_built_in_model_has_no_tokens(capsys: pytest.CaptureFixture[str]) -> None:
    started = RunStarted("When?", "full", BUILT_IN_MODEL, 1)
    returned = ToolReturned(1, "a", "search", "7 passages", (), 0.5, 1234, failed=False)
    _, err = told(capsys, started, returned, ANSWERED)
    assert err == "  7 passages  (0.5 s)\n\n1.2 s, 2 steps\n"


def test_a_failure_without_an_answer_prints_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = told(capsys, RunFailed("No way", "Nobody answers.", "", ()))
    assert (out, err) == ("", "No way\nNobody answers.\n")


def test_links_to_citations_become_numbers() -> None:
    assert plain_citations("a [1](cite:1), [12](cite:12), [a](b)") == "a [1], [12], [a](b)"


def test_a_location_has_page_and_lines() -> None:
    assert location_text(None, 4, 4) == "line 4"
    assert location_text(2, 4, 9) == "page 2, lines 4–9"


def test_events_are_named_by_their_type() -> None:
    returned = ToolReturned(1, "a", "search", "1 passage", (SOURCE,), 0.12345, 9, failed=False)
    shape = event_json(returned)
    assert (shape["type"], shape["seconds"]) == ("tool_returned", 0.123)
    assert event_json(ANSWERED)["citations"] == [
        {
            "n": 1,
            "path": "/home/me/lease.pdf",
            "page": 3,
            "section": "",
            "lines": [12, 14],
            "quote": "It is due.",
            "verdict": "paraphrase",
            "named": "",
        }
    ]


def test_an_answer_is_followed_by_its_claims(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = replace(CITATION, verdict="not found", passage="Other words.")
    moved = replace(CITATION, number=2, verdict="misattributed", named="lease.pdf, line 2")
    claims = (
        Claim(0, 3, "unchecked", (1,)),
        Claim(6, 17, "computed", (1,), computed="3 − 1 = 2", operands=(Operand("3", 1),)),
        Claim(3, 9, "read", (2,), judgment=Judgment("says", "due monthly")),
        Claim(0, 9, "altered", (1,), altered=Alteration("9.0", "900.0"), missing=("Edinburgh",)),
        Claim(10, 17, "uncited"),
    )
    answered = replace(ANSWERED, citations=(wrong, moved), claims=claims)
    out, _ = told(capsys, answered)
    assert "lines 12–14  (The quoted words are nowhere in what was read.)" in out
    assert "lines 12–14  (The words are here; the model named lease.pdf, line 2.)" in out
    counted = (
        "5 statements: 1 read by the model, 1 where the lines seem to say otherwise, 1 computed here, 1 not checked, "
        "1 without a source"
    )
    told_of = "The lines seem to say otherwise: “900.0”, not “9.0”. “Edinburgh” is not written in the cited lines."
    assert out.split("\n\n")[-1].splitlines() == [
        counted,
        "  “due monthly” Computed here: 3 − 1 = 2, from [1].",
        "  “is due” Read by the model: “due monthly”.",
        f"  “It is due” {told_of}",
        "  “monthly” The model names no source in your documents for this.",
    ]
    shape = event_json(answered)["claims"]
    assert isinstance(shape, dict)
    names = ("version", "total", "read", "computed", "altered", "quoted", "says")
    assert {name: shape[name] for name in names} == {
        "version": 2,
        "total": 5,
        "read": 1,
        "computed": 1,
        "altered": 1,
        "quoted": 0,
        "says": counted,
    }
    assert isinstance(each := shape["each"], list)
    assert isinstance(altered := each[3], dict)
    assert (altered["altered"], altered["missing"]) == ({"text": "9.0", "found": "900.0"}, ["Edinburgh"])
    assert altered["says"] == told_of


def test_a_run_without_result_prints_its_search_report(capsys: pytest.CaptureFixture[str]) -> None:
    report = Coverage(
        phrasings=(Phrasing("unicorn rent", "keyword", 0), Phrasing("unicorn", "hybrid", 3, more=True)),
        unmatched=("unicorn",),
        documents=1_240,
        read=(ReadDocument("/home/me/lease.pdf", "Lease", 40),),
        by_meaning=0.5,
        waiting=4,
        failed=1,
        partial=3,
        scans=2,
        scan_pages=37,
        offline=("/media/stick",),
        unread=(Unread("/home/me/broken.pdf", "It is damaged."),),
    )
    out, _ = told(capsys, replace(ANSWERED, text="Nothing.", citations=(), found=False, coverage=report))
    assert out.splitlines()[2:] == [
        "Searched 1,240 documents in the library",
        "  searched by words for “unicorn rent”: 0 passages",
        "  searched for “unicorn”: the best 3 passages",
        "  in no document: unicorn",
        "  read 40 lines of /home/me/lease.pdf",
        "  not searched: 4 files still to be read",
        "  not searched: search by meaning covers 50% so far",
        "  not searched: 37 pages without text in 2 files",
        "  not searched: 1 file that could not be read",
        "  not searched: parts of 1 file",
        "  not searched: the folder /media/stick, which is not connected (its text as last read was searched)",
        "    /home/me/broken.pdf  It is damaged.",
    ]


def test_where_nothing_was_searched_or_read_no_search_is_claimed() -> None:
    assert list(coverage_lines(Coverage((), (), 8, ()))) == ["\nNo search was made"]
    chosen = list(coverage_lines(Coverage((), (), 8, (), scoped=True), "Mail"))
    assert chosen == ["\nNo search was made in the 8 documents chosen: Mail"]
    searched, *_ = coverage_lines(Coverage((), (), 8, (ReadDocument("/a.md", "A", 2),)))
    assert searched == "\nSearched 8 documents in the library"


def test_notes_of_the_built_in_model_are_in_the_language_of_the_question(capsys: pytest.CaptureFixture[str]) -> None:
    text = f"> The rent is due. [1](cite:1)\n\n{NOTE}"
    started = RunStarted("Wann muss die Miete gezahlt werden?", "full", BUILT_IN_MODEL, 1)
    deltas = [AnswerDelta(f"{word} ") for word in text.split(" ")]
    deltas[-1] = AnswerDelta(text.split(" ")[-1])
    out, _ = told(capsys, started, *deltas, replace(ANSWERED, text=text), streaming=True)
    assert out.count("Kein Sprachmodell hat dies geschrieben.") == 1
    assert "No language model" not in out
    whole, _ = told(capsys, started, replace(ANSWERED, text=text))
    assert "Kein Sprachmodell hat dies geschrieben." in whole


def test_a_line_of_the_built_in_model_is_shown_when_it_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    started, delta = RunStarted("Rent?", "full", BUILT_IN_MODEL, 1), AnswerDelta("The rent")
    begun, _ = told(capsys, started, delta, streaming=True)
    broken_off, _ = told(capsys, started, delta, AnswerRestarted(1), streaming=True)
    assert "The rent" not in begun
    assert "The rent" in broken_off


def test_requests_about_the_answer_are_told_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small model is asked about each statement for a word: the progress of these requests says nothing."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    pieces: list[AgentEvent] = [
        ModelProgress(1, "reading", 5, 10),
        AnswerDelta("It is due "),
        AnswerDelta("monthly [1](cite:1)."),
    ]
    written = AnswerWritten(ANSWERED.text, ANSWERED.citations, ())
    again: list[AgentEvent] = [ModelProgress(1, "reading", done, 10) for done in (1, 9, 10, 9, 10)]
    out, err = told(capsys, *pieces, written, *again, ANSWERED, streaming=True)
    assert out.count("It is due monthly [1].") == 1
    assert err.count("The model reads") == 1
    assert err.count("looks at its statements again") == 1
