"""The page of reports: outlined, written, stopped and gone on with, edited in place, exported."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.work.report_control import ReportControl, ReportDialog, WriteDialog
from desktop_rag.gui.work.sections_page import ReportPage
from desktop_rag.gui.work.work_control import ChosenDocuments
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile, Settings
from desktop_rag.work.report import Report, ReportSection
from desktop_rag.work.work_store import WorkStore
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn
from tests.gui.library_values import folder
from tests.gui.library_values import library as status_of
from tests.gui.work.test_table_page import dialog_of
from tests.integration.retrieval.conftest import SmallLibrary

OUTLINE = "Mill: What is the rent of the mill?\nBarn: What is the rent of the barn?"
Opened = Callable[..., ReportControl]


@pytest.fixture
def report_page(viewer: ViewerRequests, qtbot: QtBot) -> ReportPage:
    page = ReportPage(viewer)
    qtbot.addWidget(page)
    page.resize(900, 700)
    page.show()
    return page


@pytest.fixture
def opened_reports(report_page: ReportPage, small: SmallLibrary, engine: SearchEngine) -> Iterator[Opened]:
    made: list[ReportControl] = []

    def open_with(settings: Settings, page: ReportPage = report_page) -> ReportControl:
        status = ShownStatus()
        status.update(status_of(folder(7)))
        control = ReportControl(page, status, lambda: settings)
        control.show_library(small.layout, engine, ExtractiveModel())
        made.append(control)
        return control

    yield open_with
    report_page.hide()
    for control in made:
        control.close()


def answering(request: SeenRequest) -> Turn:
    """Answer as a capable model would: propose an outline, search, cite."""
    if "Some of the documents" in request.last_text:
        lines = (line.split(": ", 1) for line in OUTLINE.splitlines())
        sections = [{"heading": heading, "question": question} for heading, question in lines]
        return Turn(text=json.dumps({"sections": sections}))
    if all(each["role"] != "tool" for each in request.messages):
        return Turn(calls=[Call("search", '{"queries": ["rent"]}')])
    if "barn" in json.dumps(request.messages[1]):
        return Turn(text="The barn costs 1,200 euros a month [b.md, line 5].")
    return Turn(text="The mill costs 900 euros a month [a.md, line 5].")


def with_model(endpoint: ScriptedEndpoint) -> Settings:
    profile = Profile("mine", endpoint.base_url, "scripted", price_in=1.0, price_out=2.0)
    return Settings(profiles=(profile,), active_profile="mine", second_look=False)


def make(page: ReportPage, control: ReportControl, qtbot: QtBot, outline: str = "") -> None:
    """Make a report with the dialog; without an outline it is proposed first."""
    control.new_report()
    dialog = dialog_of(ReportDialog, qtbot)
    assert isinstance(dialog, ReportDialog)
    assert dialog.focusWidget() is dialog.question
    assert not dialog.act.isEnabled()
    dialog.question.setText("What are the rents?")
    if outline:
        dialog.outline.setPlainText(outline)
    else:
        assert dialog.act.text() == "Propose an outline"
        dialog.act.click()
        qtbot.waitUntil(lambda: bool(dialog.lines()))
    assert dialog.act.text() == "Make the report"
    dialog.act.click()
    qtbot.waitUntil(lambda: bool(page.views) and not page._waiting)


def write(page: ReportPage, qtbot: QtBot) -> None:
    """Agree to the budget, and wait until all is written."""
    page.write.click()
    dialog = dialog_of(WriteDialog, qtbot)
    assert isinstance(dialog, WriteDialog)
    assert dialog.tokens.text() == "No limit"
    dialog.act.click()
    qtbot.waitUntil(lambda: page._said.text().startswith("2 of 2 sections") and page.write.text() == "Write")


def test_an_outline_is_proposed_and_written_with_steps(
    report_page: ReportPage, opened_reports: Opened, qtbot: QtBot
) -> None:
    with ScriptedEndpoint([answering] * 9) as endpoint:
        control = opened_reports(with_model(endpoint))
        control.load()
        qtbot.waitUntil(lambda: report_page.placeholder.isVisible())
        make(report_page, control, qtbot)
        assert [view._heading.text() for view in report_page.views] == ["1. Mill", "2. Barn"]
        assert report_page.views[0]._told.text() == "not written yet"
        write(report_page, qtbot)
    first = report_page.views[0]
    assert first.answer.markdown == "The mill costs 900 euros a month [1](cite:1)."
    assert first.timeline is not None
    first.timeline.set_expanded(expanded=True)
    assert any("rent" in row.accessibleName() for row in first.timeline.rows())
    assert first._told.text() == "1 statement: 1 not checked"
    assert not report_page.write.isEnabled()
    cited = report_page.report.written[0].citations
    assert first.answer._answer == cited


def test_without_a_model_nothing_is_asked_and_what_is_missing_is_told(
    report_page: ReportPage, opened_reports: Opened, qtbot: QtBot
) -> None:
    control = opened_reports(Settings())
    make(report_page, control, qtbot, "Mill: What is the rent of the mill?\nMoon: Who owns the moon base?")
    report_page.write.click()
    qtbot.waitUntil(lambda: report_page._said.text() == "2 of 2 sections")
    told = "Moon: Not found. Searched for “Who owns the moon base"
    qtbot.waitUntil(lambda: told in report_page._points.as_plain_text())


def test_stopped_and_gone_on_with_after_a_restart(
    report_page: ReportPage, opened_reports: Opened, viewer: ViewerRequests, small: SmallLibrary, qtbot: QtBot
) -> None:
    held = threading.Event()

    def holding(request: SeenRequest) -> Turn:
        turn = answering(request)
        return Turn(text=turn.text, calls=turn.calls, hold=held)

    with ScriptedEndpoint([answering, answering, holding, answering, answering]) as endpoint:
        control = opened_reports(with_model(endpoint))
        make(report_page, control, qtbot, OUTLINE)
        report_page.write.click()
        dialog_of(WriteDialog, qtbot).accept()  # type: ignore[attr-defined]
        qtbot.waitUntil(lambda: len(endpoint.requests) == 3)
        assert report_page.write.text() == "Stop"
        report_page.write.click()
        qtbot.waitUntil(lambda: not control._worker.is_running())
        qtbot.waitUntil(lambda: report_page._said.text().startswith("1 of 2 sections"))
        assert report_page.views[1].timeline is not None
        control.close()
        later = ReportPage(viewer)
        qtbot.addWidget(later)
        later.show()
        opened_reports(with_model(endpoint), later).load()
        qtbot.waitUntil(lambda: len(later.views) == 2 and not later._waiting)
        assert "The mill costs" in later.views[0].answer.markdown
        write(later, qtbot)
        later.hide()
    store = WorkStore(small.layout)
    [(_, report)] = store.reports()
    store.close()
    assert [each.text.split(" costs")[0] for each in report.written] == ["The mill", "The barn"]


def test_pausing_holds_the_run_until_it_goes_on(report_page: ReportPage, opened_reports: Opened, qtbot: QtBot) -> None:
    held = threading.Event()

    def holding(request: SeenRequest) -> Turn:
        return Turn(calls=answering(request).calls, hold=held)

    with ScriptedEndpoint([holding, *[answering] * 8]) as endpoint:
        control = opened_reports(with_model(endpoint))
        make(report_page, control, qtbot, OUTLINE)
        report_page.write.click()
        dialog_of(WriteDialog, qtbot).accept()  # type: ignore[attr-defined]
        qtbot.waitUntil(lambda: len(endpoint.requests) == 1)
        report_page.pause.click()
        assert report_page.pause.accessibleName() == "Go on"
        held.set()
        view = report_page.views[0]
        qtbot.waitUntil(lambda: view.timeline is not None and "Paused" in view.timeline.header.accessibleName())
        assert len(endpoint.requests) == 1
        report_page.show_writing(writing=True)  # as when another section has been stored
        report_page.pause.click()
        qtbot.waitUntil(lambda: report_page._said.text().startswith("2 of 2 sections"))


def test_a_text_is_edited_in_place_with_its_marks(
    report_page: ReportPage, opened_reports: Opened, small: SmallLibrary, qtbot: QtBot
) -> None:
    with ScriptedEndpoint([answering] * 9) as endpoint:
        control = opened_reports(with_model(endpoint))
        make(report_page, control, qtbot, OUTLINE)
        write(report_page, qtbot)
    view = report_page.views[0]
    view.edit.click()
    assert view.editor.toPlainText() == "The mill costs 900 euros a month [1]."
    assert not view.again.isVisible()
    view.editor.appendPlainText("The mill costs 950 euros a month [1].")
    qtbot.waitUntil(lambda: "950" in view.answer.markdown)  # its marks are found while it is typed
    assert "2 statements" in view._told.text()
    view._cancel.click()
    assert "950" not in view.answer.markdown
    view.edit.click()
    view.editor.setPlainText("Mine [1].")
    view._save.click()
    qtbot.waitUntil(lambda: view.answer.markdown == "Mine [1](cite:1).")
    assert "edited by you" in view._told.text()
    store = WorkStore(small.layout)
    assert store.reports()[0][1].written[0].text == "Mine [1](cite:1)."
    store.close()


def test_the_outline_is_changed_and_the_report_exported_and_deleted(
    report_page: ReportPage,
    opened_reports: Opened,
    small: SmallLibrary,
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    control = opened_reports(Settings())
    make(report_page, control, qtbot, "Mill: What is the rent of the mill?")
    report_page.write.click()
    qtbot.waitUntil(lambda: report_page._said.text() == "1 of 1 sections")
    for kind, beginning in (("docx", b"PK"), ("pdf", b"%PDF-"), ("html", b"<!DOCTYPE"), ("md", b"# What are")):
        report_page.export_requested.emit(kind)
        dialog = dialog_of(QFileDialog, qtbot)
        assert isinstance(dialog, QFileDialog)
        path = tmp_path / f"report.{kind}"
        with qtbot.waitSignal(control.saved):
            dialog.filesSelected.emit([str(path)])
            dialog.reject()
        assert path.read_bytes().startswith(beginning)
    report_page.outline_requested.emit()
    changing = dialog_of(ReportDialog, qtbot)
    assert isinstance(changing, ReportDialog)
    assert changing.focusWidget() is changing.outline
    assert changing.lines() == ["- Mill: What is the rent of the mill?"]
    changing.outline.appendPlainText("Pier")
    changing.act.click()
    qtbot.waitUntil(lambda: report_page._said.text() == "1 of 2 sections")
    with qtbot.waitSignal(control._commands._worker._yielded):
        control._change(lambda store: store.delete_report(store.reports()[0][0]))
    qtbot.waitUntil(lambda: report_page.placeholder.isVisible())


def test_a_report_is_over_given_files_or_what_a_search_finds(
    report_page: ReportPage, opened_reports: Opened, small: SmallLibrary, qtbot: QtBot
) -> None:
    control = opened_reports(Settings())
    given, found = (str(small.files / "home" / name) for name in ("a.md", "b.md"))
    control.new_report(ChosenDocuments(paths=(os.fsencode(given),)))
    dialog = dialog_of(ReportDialog, qtbot)
    assert isinstance(dialog, ReportDialog)
    assert dialog.chosen.where.currentText() == "1 chosen document"
    dialog.question.setText("Rent?")
    dialog.outline.setPlainText("Mill")
    dialog.act.click()
    qtbot.waitUntil(lambda: report_page.report.filters == (Filter(FileField.PATH, given),))
    control.new_report()
    dialog = dialog_of(ReportDialog, qtbot)
    assert isinstance(dialog, ReportDialog)
    dialog.question.setText("Rent?")
    dialog.outline.setPlainText("Barn")
    dialog.chosen.where.setCurrentIndex(dialog.chosen.where.count() - 1)
    assert not dialog.act.isEnabled()  # nothing to search for is written
    dialog.chosen.query.setText('"zebra crossing"')
    dialog.act.click()
    qtbot.waitUntil(lambda: dialog._error.text() == "No document fulfils these conditions.")
    dialog.chosen.query.setText('"Lease of the barn"')
    dialog.act.click()
    qtbot.waitUntil(lambda: report_page.report.filters == (Filter(FileField.PATH, found),))


def test_many_sections_are_built_one_by_one(report_page: ReportPage, qtbot: QtBot) -> None:
    sections = tuple(ReportSection(f"Part {n}", f"What is part {n}?") for n in range(20))
    report_page.show_report(Report("What?", sections), same=False)
    assert not report_page.views
    qtbot.waitUntil(lambda: len(report_page.views) == 20)
