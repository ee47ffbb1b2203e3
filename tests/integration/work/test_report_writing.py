"""Reports: a proposed outline, sections written by runs of the agent, limits, faults, and what was not found."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.agent.conversations.erasing import Forgotten
from desktop_rag.agent.events import Answered, Citation, ContextUse, RunUsage, ToolCalled, ToolReturned
from desktop_rag.agent.prompts import UNSURE
from desktop_rag.errors import LibraryRefused, Stopped, WorkBusy
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from desktop_rag.work.report import (
    Contradiction,
    Report,
    ReportId,
    ReportLimits,
    ReportSection,
    editable,
    edited,
    open_points,
    open_title,
    proposed,
    read_outline,
    steps_of,
    written_outline,
)
from desktop_rag.work.report_writing import (
    ReportEnded,
    ReportEvent,
    SectionEvent,
    SectionWritten,
    propose,
    write_report,
)
from desktop_rag.work.work_store import WorkStore, erase_work
from tests.endpoint import Call, ScriptedEndpoint, ScriptEntry, SeenRequest, Turn
from tests.integration.agent.gated_runs import library_of
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.work.conftest import filler_of

NO_USE, NO_USAGE = ContextUse(0, 0, 0, 0, 0, estimated=False), RunUsage(0, 0, 0, estimated=False)
SECTIONS = (
    ReportSection("Mill", "What is the rent of the mill?"),
    ReportSection("Barn", "What is the rent of the barn?"),
)
MILL: list[ScriptEntry] = [
    Turn(calls=[Call("search", '{"queries": ["rent mill"]}')]),
    Turn(text="The mill costs 900 euros a month [a.md, line 5]."),
]
BARN: list[ScriptEntry] = [
    Turn(calls=[Call("search", '{"queries": ["rent barn"]}')]),
    Turn(text="The barn costs 1,200 euros a month [b.md, line 5]."),
]


@pytest.fixture
def report(store: WorkStore) -> ReportId:
    return store.put_report(Report("What are the rents?", SECTIONS))


def written(
    report: ReportId,
    store: WorkStore,
    engine: SearchEngine,
    endpoint: ScriptedEndpoint | None,
    limits: ReportLimits | None = None,
) -> list[ReportEvent]:
    return list(write_report(report, store, filler_of(engine, endpoint), Stop(), limits))


def test_an_outline_is_proposed_and_read_in_any_form(engine: SearchEngine) -> None:
    sections = [{"heading": "Rent", "question": "How much is it?"}, {"heading": "Notice", "question": "How long?"}]
    with ScriptedEndpoint([Turn(text=json.dumps({"sections": sections})), Turn(text="I cannot.")]) as endpoint:
        filler = filler_of(engine, endpoint)
        found = propose("What do the leases say?", (), filler, Stop())
        assert "a.md: Lease of the mill" in endpoint.requests[0].last_text
        assert [(each.heading, each.question) for each in found] == [
            ("Rent", "How much is it?"),
            ("Notice", "How long?"),
        ]
        alone = propose("What do the leases say?", (), filler, Stop())
    assert alone == (ReportSection("What do the leases say?", "What do the leases say?"),)
    assert proposed("1. Rent: How much?\n2. Notice: How long?") == (
        ReportSection("Rent", "How much?"),
        ReportSection("Notice", "How long?"),
    )
    assert read_outline(["## Rent", "- Notice: How long?"]) == (
        ReportSection("Rent", "Rent"),
        ReportSection("Notice", "How long?"),
    )
    with pytest.raises(LibraryRefused, match="has no section"):
        read_outline([" ", ""])


def test_each_section_is_a_run_whose_statements_have_their_lines(
    report: ReportId, store: WorkStore, engine: SearchEngine
) -> None:
    with ScriptedEndpoint([*MILL, *BARN]) as endpoint:
        events = written(report, store, engine, endpoint)
    assert [event.heading for event in events if isinstance(event, SectionWritten)] == ["Mill", "Barn"]
    assert any(isinstance(event, SectionEvent) and "rent mill" in event.told for event in events)
    assert events[-1] == ReportEnded(2, 0)
    done = store.report(report)
    assert [each.path.rpartition("/")[2] for each in done.citations] == ["a.md", "b.md"]
    assert [turn.question for turn in done.turns()] == ["Mill", "Barn"]
    assert open_points(done) == ""
    text, citations, claims = done.merged()
    assert [text[each.start : each.end] for each in claims] == [
        "The mill costs 900 euros a month [1](cite:1).",
        "The barn costs 1,200 euros a month [2](cite:2).",
    ]
    assert [each.number for each in citations] == [1, 2]


def test_an_endpoint_that_ends_midway_loses_nothing_and_writing_goes_on(
    report: ReportId, store: WorkStore, engine: SearchEngine
) -> None:
    refused = Turn(status=401, body='{"error": {"message": "no", "code": "invalid_api_key"}}')
    with ScriptedEndpoint([*MILL, refused]) as endpoint:
        last = written(report, store, engine, endpoint)[-1]
    assert isinstance(last, ReportEnded)
    assert (last.written, last.left, last.title) == (1, 1, "The model asks for a key")
    assert "**Barn**: The model asks for a key" in open_points(store.report(report))
    with ScriptedEndpoint(BARN) as endpoint:
        assert written(report, store, engine, endpoint)[-1] == ReportEnded(2, 0)


def test_a_limit_ends_before_the_next_section(report: ReportId, store: WorkStore, engine: SearchEngine) -> None:
    with ScriptedEndpoint([*MILL, *BARN]) as endpoint:
        last = written(report, store, engine, endpoint, ReportLimits(tokens=50))[-1]
        assert isinstance(last, ReportEnded)
        assert (last.written, last.left) == (1, 1)
        assert "tokens of 50. What is written is kept" in last.trouble
        assert written(report, store, engine, endpoint)[-1] == ReportEnded(2, 0)


def test_what_was_searched_and_not_found_is_a_part_of_the_report(store: WorkStore, engine: SearchEngine) -> None:
    sections = (
        ReportSection("Rent", "What is the rent of the mill?"),
        ReportSection("Helicopter", "Who pays for the helicopter?"),
    )
    report = store.put_report(Report("What?", sections))
    assert written(report, store, engine, None)[-1] == ReportEnded(2, 0)
    *_, last = store.report(report).turns()
    assert last.question == open_title()
    assert "**Helicopter**: Not found. Searched for “Who pays for the helicopter" in open_points(store.report(report))


def test_what_is_not_surely_found_and_not_compared_is_told_without_a_model() -> None:
    def cited(number: int) -> Citation:
        return Citation(
            number, "turn1search1", ContentId(number), f"{number:064x}", f"/d/{number}.md", "", "md", None, 1, 1,
            "Rent", "Rent", 1, "verbatim",
        )  # fmt: skip

    answered = Answered(f"{UNSURE}\n\n> Rent [1](cite:1)", (cited(1), cited(2)), NO_USE, NO_USAGE, 0.0, 0, found=True)
    assert open_points(Report("What?", (ReportSection("Helicopter", "Who pays?", answered),))) == (
        "- **Helicopter**: Nothing was surely found for “Who pays?”.\n"
        "- What documents disagree on is looked for by a model and its second look only."
    )


def test_what_documents_disagree_on_is_told_with_their_words(
    store: WorkStore, engine: SearchEngine, library: SmallLibrary
) -> None:
    library.add({"d.md": "# Amendment\n\nThe rent of the mill is 950 euros a month.\n"})
    library.encode()

    def answering(request: SeenRequest) -> Turn:
        if request.is_look:
            looks.append(request.last_text)
            words = ["900 euros", "The rent of the mill is 950 euros a month"][len(looks) == 2]
            says = ["says", "contradicts"][len(looks) == 2]
            return Turn(text=f'1. {says} "{words}"\n2. silent')
        if all(each["role"] != "tool" for each in request.messages):
            return Turn(calls=[Call("search", '{"queries": ["rent mill"]}')])
        return Turn(text="The mill costs 900 euros a month [a.md, line 5]. An amendment was made [d.md, line 1].")

    looks: list[str] = []
    report = store.put_report(Report("Rent", (SECTIONS[0],)))
    with ScriptedEndpoint([answering] * 12, scripted_looks=True) as endpoint:
        filler = filler_of(engine, endpoint, look=True)
        assert list(write_report(report, store, filler, Stop()))[-1] == ReportEnded(1, 0)
    [section] = store.report(report).sections
    assert [look.count("d.md") for look in looks[1:]] == [1]  # of the passages of the other document
    assert section.disagreements == (
        Contradiction("The mill costs 900 euros a month .", "The rent of the mill is 950 euros a month", 2),
    )
    points = open_points(store.report(report))
    assert "“The mill costs 900 euros a month.” – Amendment says otherwise: “The rent of the mill is 950" in points
    assert edited(section, "Nothing.", Stop()).disagreements == ()


def test_stop_stops_a_second_program_is_told_and_forgetting_erases(
    report: ReportId, store: WorkStore, engine: SearchEngine, library: SmallLibrary
) -> None:
    stop = Stop()

    def write() -> None:
        for event in write_report(report, store, filler_of(engine, endpoint), stop):
            if isinstance(event, SectionWritten):
                stop.set()

    with ScriptedEndpoint([*MILL, *BARN]) as endpoint, pytest.raises(Stopped):
        write()
    assert len(store.report(report).written) == 1
    other = WorkStore(library.layout)
    with other.writing_report(report), pytest.raises(WorkBusy, match="Another program is writing this report"):
        written(report, store, engine, None)
    other.close()
    erase_work(library.layout, Forgotten(b"/elsewhere", frozenset((store.report(report).citations[0].sha256,))))
    assert store.reports() == ()


def test_steps_are_kept_without_what_was_read(report: ReportId, store: WorkStore, engine: SearchEngine) -> None:
    with ScriptedEndpoint([*MILL, *BARN]) as endpoint:
        live = [event.event for event in written(report, store, engine, endpoint) if isinstance(event, SectionEvent)]
    assert any(isinstance(event, ToolReturned) and event.sources for event in live)
    kept = list(steps_of(store.report(report).sections[0]))
    assert [event.summary for event in kept if isinstance(event, ToolCalled)] == ["Searching “rent mill”"]
    assert not any(isinstance(event, ToolReturned) and event.sources for event in kept)
    assert isinstance(kept[-1], Answered)
    erase_work(store._library, Forgotten(b"/elsewhere", frozenset(("0" * 64,))))
    assert store.report(report).sections[0].steps == ()


def test_one_section_is_written_again_and_an_outline_keeps_what_stays(
    report: ReportId, store: WorkStore, engine: SearchEngine
) -> None:
    again = [MILL[0], Turn(text="The rent of the mill is 900 euros [a.md, line 5].")]
    with ScriptedEndpoint([*MILL, *BARN, *again]) as endpoint:
        written(report, store, engine, endpoint)
        events = list(write_report(report, store, filler_of(engine, endpoint), Stop(), only=0))
    assert [event.section for event in events if isinstance(event, SectionWritten)] == [1]
    assert "The rent of the mill" in store.report(report).written[0].text
    assert written_outline(read_outline(["What is new?"])) == "- What is new?\n"  # not twice
    store.set_outline(report, read_outline(["New: What is new?", written_outline(SECTIONS[1:])]))
    kept = store.report(report).sections
    assert [(each.heading, each.answered is not None) for each in kept] == [("New", False), ("Barn", True)]


def test_an_edit_meanwhile_is_kept(report: ReportId, store: WorkStore, engine: SearchEngine) -> None:
    with ScriptedEndpoint([*MILL, *BARN]) as endpoint:
        for event in write_report(report, store, filler_of(engine, endpoint), Stop()):
            if isinstance(event, SectionWritten) and event.section == 1:
                store.put_section(report, 0, edited(store.report(report).sections[0], "Mine.", Stop()))
    done = store.report(report)
    assert [each.text for each in done.written] == ["Mine.", "The barn costs 1,200 euros a month [1](cite:1)."]


def test_an_edited_text_keeps_the_marks_of_what_stays_and_tells_facts_of_the_rest(
    report: ReportId, store: WorkStore, engine: SearchEngine
) -> None:
    with ScriptedEndpoint([*MILL, *BARN]) as endpoint:
        written(report, store, engine, endpoint)
    section = store.report(report).sections[0]
    assert section.answered is not None
    assert editable(section.answered.text) == "The mill costs 900 euros a month [1]."
    text = "The mill costs 900 euros a month [1]. The mill costs 950 euros a month [1].\n\nIt is old. See [7].\n"
    changed = edited(section, text, Stop())
    assert changed.edited
    answered = changed.answered
    assert answered is not None
    assert "[1](cite:1). The mill costs 950" in answered.text
    assert "See [7]." in answered.text
    marks = {answered.text[each.start : each.end].split(" [")[0]: each.mark for each in answered.claims}
    assert marks["The mill costs 900 euros a month"] == section.answered.claims[0].mark
    assert marks["The mill costs 950 euros a month"] in ("missing", "altered")
    assert marks["It is old."] == "uncited"
    assert edited(ReportSection("a", "b"), "text", Stop()).answered is None


def test_a_limit_on_money_ends_before_the_next_section(
    report: ReportId, store: WorkStore, engine: SearchEngine
) -> None:
    with ScriptedEndpoint([*MILL, *BARN]) as endpoint:
        profile = Profile("test", endpoint.base_url, "scripted", price_in=1000.0, price_out=1000.0)
        filler = filler_of(engine, endpoint, profile=profile)
        last = list(write_report(report, store, filler, Stop(), ReportLimits(money=0.01)))[-1]
    assert isinstance(last, ReportEnded)
    assert (last.written, last.left) == (1, 1)
    assert last.trouble == "This has cost 0.22. What is written is kept; it can go on."


def test_a_report_is_written_within_a_window_of_eight_thousand_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def answering(request: SeenRequest) -> Turn:
        sizes.append(len(json.dumps(request.body)) // 4)
        if sizes[-1] > 8_192:
            return Turn(status=400, body='{"error": {"message": "maximum context length is 8192 tokens"}}')
        if request.tool_names and all(each["role"] != "tool" for each in request.messages):
            return Turn(calls=[Call("search", '{"queries": ["rent of the mill"]}')])
        return Turn(text="The rent of part 7 is 900 euros a month [long.md, line 15].")

    lines = [f"## Part {n}\n\nThe rent of part {n} of the mill is {n * 100 + 200} euros a month." for n in range(3_000)]
    sections = tuple(ReportSection(f"Part {n}", f"What is the rent of part {n} of the mill?") for n in range(1, 9))
    with (
        library_of({"long.md": "\n\n".join(lines)}, tmp_path, monkeypatch) as library,
        closing(SearchEngine(library.layout.folder)) as engine,
        closing(WorkStore(library.layout)) as store,
        ScriptedEndpoint([answering] * 60) as endpoint,
    ):
        report = store.put_report(Report("What are the rents?", sections))
        profile = Profile("test", endpoint.base_url, "scripted", context_window=8_192, max_output=1_024)
        filler = replace(filler_of(engine, endpoint, profile=profile), profile=profile)
        assert propose("What are the rents?", (), filler, Stop())
        assert list(write_report(report, store, filler, Stop()))[-1] == ReportEnded(8, 0)
        text, _, _ = store.report(report).merged()
    assert text.count("## Part") == 8
    assert max(sizes) <= 8_192
