"""A process that is killed while it fills, writes or asks loses nothing that was stored, and holds nothing."""

import subprocess
import sys

import pytest

from desktop_rag.index.library import Library
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from desktop_rag.work.report import Report, ReportId
from desktop_rag.work.report_writing import ReportEnded, write_report
from desktop_rag.work.standing_check import begin, check
from desktop_rag.work.table import TableId
from desktop_rag.work.work_store import WorkStore
from tests.integration.retrieval.conftest import SmallLibrary
from tests.integration.work.conftest import filled, filler_of
from tests.integration.work.test_report_writing import SECTIONS
from tests.integration.work.test_standing import AMENDMENT, QUESTION, add, ended

KILLED = """
import os, signal, sys
from contextlib import closing
from pathlib import Path
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.index.library import Library
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop
from desktop_rag.work import filling, report_writing, standing_check
from desktop_rag.work.work_store import WorkStore

library, job, number = Library(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])
store, engine = WorkStore(library), SearchEngine(library.folder)
filler = filling.usual_filler(engine, ExtractiveModel(), profile="built-in")
jobs = {
    "table": lambda: filling.fill(number, store, filler, Stop()),
    "report": lambda: report_writing.write_report(number, store, filler, Stop()),
    "standing": lambda: standing_check.ask(number, store, filler, Stop()),
}
for event in jobs[job]():
    if type(event).__name__ in ("CellFilled", "SectionWritten", "Answered"):
        os.kill(os.getpid(), signal.SIGKILL)
"""

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL"),
]


def killed(library: Library, job: str, number: int) -> None:
    ran = subprocess.run([sys.executable, "-c", KILLED, str(library.folder), job, str(number)], check=False)
    assert ran.returncode == -9


def test_a_table_keeps_its_cells(table: TableId, store: WorkStore, engine: SearchEngine, library: SmallLibrary) -> None:
    killed(library.layout, "table", table)
    assert 1 <= sum(cell.is_asked for cell in store.load(table).cells.values()) < 6
    filled(table, store, engine)
    assert all(cell.is_asked for cell in store.load(table).cells.values())


def test_a_report_keeps_its_sections_and_goes_on(store: WorkStore, engine: SearchEngine, library: SmallLibrary) -> None:
    report: ReportId = store.put_report(Report("What are the rents?", SECTIONS))
    killed(library.layout, "report", report)
    assert [each.answered is not None for each in store.report(report).sections] == [True, False]
    assert list(write_report(report, store, filler_of(engine, None), Stop()))[-1] == ReportEnded(2, 0)


def test_a_standing_question_keeps_what_was_new(store: WorkStore, engine: SearchEngine, library: SmallLibrary) -> None:
    number = ended(begin(QUESTION, store, filler_of(engine, None), Stop()))
    add(library, {"d.md": AMENDMENT})
    news = check(number, store, filler_of(engine, None), Stop()).news
    killed(library.layout, "standing", number)
    after = store.standing(number)
    assert (after.news, after.updates) == (news, ())
