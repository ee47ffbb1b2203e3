"""The tool `write_report`: an outline of its own or a given one, written section by section with its lines."""

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.gate.run_rules import withheld_among
from desktop_rag.agent.run.model_choice import BUILT_IN
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, choice, integer, strings
from desktop_rag.agent.tools.tool import tool_spec
from desktop_rag.errors import LibraryRefused, SendingRefused
from desktop_rag.index.library import Library
from desktop_rag.retrieval.api import Retriever
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.settings import privacy
from desktop_rag.stop import Stop
from desktop_rag.work.filling import usual_filler
from desktop_rag.work.report import Report, ReportLimits, read_outline
from desktop_rag.work.report_writing import ReportEnded, SectionEvent, SectionWritten, propose, write_report
from desktop_rag.work.work_store import WorkStore

MOST_SECTIONS = 8
WRITE_REPORT = tool_spec(
    "write_report",
    "Let the agent of the library write a report: each section is searched, written, and checked against the cited "
    "lines. It uses the model that the user has chosen in Desktop RAG, takes minutes, and reports its progress.",
    {
        "question": {"type": "string", "description": "what the report is about"},
        "sections": {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": MOST_SECTIONS,
            "description": "its outline, each “Heading: question”; default: one that is proposed by the model",
        },
        "tokens": {"type": "integer", "description": "after which no further section is begun"},
        "model": {"type": "string", "enum": ["chosen", "built-in"], "description": "built-in: quotes, no model"},
    },
    "question",
)


def report_for_program(
    arguments: Arguments, filters: tuple[Filter, ...], report: Callable[[str], None], stop: Stop, retriever: Retriever
) -> tuple[Report, ReportEnded]:
    """Write a report that is not kept, without documents that are never sent; raises `ArgumentError` and our errors."""
    [question, *_] = strings(arguments, ("question",), 1, 2_000)
    profile = BUILT_IN if choice(arguments, ("model",), ("chosen", "built-in"), "chosen") == "built-in" else None
    lines = strings(arguments, ("sections",), MOST_SECTIONS + 1, 800) if arguments.get("sections") else ()
    if len(lines) > MOST_SECTIONS:
        raise ArgumentError(f"At most {MOST_SECTIONS} sections are written at a time.")
    filler, withheld = usual_filler(retriever, ExtractiveModel(), profile=profile), privacy().withheld()
    limits = ReportLimits(integer(arguments, ("tokens",), 0, 0, 100_000_000))
    try:
        sections = read_outline(lines) if lines else propose(question, filters, filler, stop)[:MOST_SECTIONS]
    except LibraryRefused as error:
        raise ArgumentError(str(error)) from error
    ended = ReportEnded(0, len(sections))
    with (
        tempfile.TemporaryDirectory(prefix="desktop-rag-report-") as folder,
        closing(WorkStore(Library(Path(folder)))) as store,
    ):
        number = store.put_report(Report(question, sections, filters, time.time_ns()))
        with closing(write_report(number, store, filler, stop, limits, withheld)) as events:
            for event in events:
                match event:
                    case SectionEvent() if event.told:
                        report(event.told)
                    case SectionWritten(section, of, heading):
                        report(f"{section} of {of} sections: {heading}")
                    case ReportEnded():
                        ended = event
        written = store.report(number)
    if withheld_among(retriever, written.citations, privacy().withheld(), stop):
        raise SendingRefused("A document of this report was marked as never sent meanwhile. Write it again.")
    return written, ended
