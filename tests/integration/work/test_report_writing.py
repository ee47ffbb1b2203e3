"""Reports: a proposed outline, sections written by runs of the agent, limits, faults, and what was not found."""

import json

import pytest

from desktop_rag.agent.conversations.erasing import Forgotten
from desktop_rag.errors import LibraryRefused, Stopped, WorkBusy
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from desktop_rag.work.report import (
    OPEN_POINTS,
    Report,
    ReportId,
    ReportLimits,
    Section,
    open_points,
    proposed,
    read_outline,
)
from desktop_rag.work.report_writing import ReportEnded, ReportEvent, SectionStep, SectionWritten, propose, write_report
from desktop_rag.work.work_store import WorkStore, erase_work
from tests.endpoint import Call, ScriptedEndpoint, ScriptEntry, Turn
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.work.conftest import filler_of

SECTIONS = (Section("Mill", "What is the rent of the mill?"), Section("Barn", "What is the rent of the barn?"))
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
    assert alone == (Section("What do the leases say?", "What do the leases say?"),)
    assert proposed("1. Rent: How much?\n2. Notice: How long?") == (
        Section("Rent", "How much?"),
        Section("Notice", "How long?"),
    )
    assert read_outline(["## Rent", "- Notice: How long?"]) == (Section("Rent", "Rent"), Section("Notice", "How long?"))
    with pytest.raises(LibraryRefused, match="has no section"):
        read_outline([" ", ""])


def test_each_section_is_a_run_whose_statements_have_their_lines(
    report: ReportId, store: WorkStore, engine: SearchEngine
) -> None:
    with ScriptedEndpoint([*MILL, *BARN]) as endpoint:
        events = written(report, store, engine, endpoint)
    assert [event.heading for event in events if isinstance(event, SectionWritten)] == ["Mill", "Barn"]
    assert any(isinstance(event, SectionStep) and "rent mill" in event.text for event in events)
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
    assert (last.written, last.left, last.title) == (1, 1, "The endpoint asks for a key")
    assert "**Barn**: The endpoint asks for a key" in open_points(store.report(report))
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
    sections = (Section("Rent", "What is the rent of the mill?"), Section("Helicopter", "Who pays for the helicopter?"))
    report = store.put_report(Report("What?", sections))
    assert written(report, store, engine, None)[-1] == ReportEnded(2, 0)
    *_, last = store.report(report).turns()
    assert last.question == OPEN_POINTS
    assert "**Helicopter**: not found. Searched for “Who pays for the helicopter" in open_points(store.report(report))


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
