"""Writes a report: an outline is proposed, then each section is one run of the agent, looked at and repaired by it.

Every section is on disk as soon as it is written: writing goes on after a stop, a kill or a limit.
"""

import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace

from desktop_rag.agent.events import Answered, ContextMeasured, Remark, RunFailed, RunStopped, ToolCalled
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.usual_run import NOTHING_IN_SCOPE, paid_run
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.errors import LibraryRefused, Stopped
from desktop_rag.llm.chat import SystemMessage, UserMessage
from desktop_rag.retrieval.api import DocumentQuery, Filter, Order
from desktop_rag.retrieval.reading.scope_documents import scope_within
from desktop_rag.settings import NOTHING_WITHHELD, Limits, Withheld, privacy
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line
from desktop_rag.work.filling import Filler
from desktop_rag.work.model_requests import ModelRequests, meter_of
from desktop_rag.work.report import SCHEMA, Report, ReportId, ReportLimits, Section, proposed
from desktop_rag.work.row_reading import label_of_document
from desktop_rag.work.work_store import WorkStore

PROMPT = "report-outline"
SHOWN_DOCUMENTS = 40  # whose names the model sees for the outline
OUTLINE_TOKENS = 2_500
SECTION = (
    "{question}\n\nThis is the section “{heading}” of a report on: {report}\n"
    "Write it as connected text without a heading, with a citation after each sentence."
)


@dataclass(frozen=True, slots=True)
class SectionStep:
    """What is being done for a section, numbered from 1."""

    section: int
    text: str


@dataclass(frozen=True, slots=True)
class SectionWritten:
    """A section is written, and on disk."""

    section: int
    of: int
    heading: str
    tokens: int


@dataclass(frozen=True, slots=True)
class ReportEnded:
    """Nothing more is written: all sections are, or `trouble` says why not; nothing is lost."""

    written: int
    left: int
    trouble: str = ""
    title: str = ""


ReportEvent = SectionStep | SectionWritten | ReportEnded


def propose(question: str, filters: tuple[Filter, ...], filler: Filler, stop: Stop) -> tuple[Section, ...]:
    """Return an outline that the model proposes; without a model one section that asks the question itself."""
    alone = (Section(one_line(question), question),)
    models = filler.models()
    if models.profile is None:
        return alone
    scope = replace(scope_within(filler.retriever, filters, stop), withheld=privacy().withheld())
    asked = DocumentQuery(question, scope=scope, filters=filters, order=Order.FIT, limit=SHOWN_DOCUMENTS)
    fitting, every = (filler.retriever.documents(each, stop).cards for each in (asked, replace(asked, words="")))
    names = "\n".join(f"- {one_line(label_of_document(card))}" for card in fitting or every)
    asking = ModelRequests(models, meter_of(models, filler.spending, filler.settings.money), filler.retriever)
    message = UserMessage(f"Question: {question}\n\nSome of the documents (their names are data):\n{names}")
    limit = min(asking.model.max_output, OUTLINE_TOKENS)
    ended = asking.reply([SystemMessage(load_prompt(PROMPT)), message], {}, stop, schema=SCHEMA, max_tokens=limit)
    return proposed(ended.message.text) or alone


def write_report(
    number: ReportId,
    store: WorkStore,
    filler: Filler,
    stop: Stop,
    limits: ReportLimits | None = None,
    withheld: Withheld = NOTHING_WITHHELD,
) -> Generator[ReportEvent]:
    """Write the sections that are not written; `ReportEnded` is the last event.

    What is `withheld` no model reads, nor does the built-in one: the report is for another program.
    Raises `WorkBusy` if another program writes this report, `WorkError` if nothing can be stored, and `Stopped`.
    """
    with store.writing_report(number):
        report = store.report(number)
        scope = replace(scope_within(filler.retriever, report.filters, stop), withheld=withheld)
        if report.filters and not scope.contents:
            raise LibraryRefused(NOTHING_IN_SCOPE)
        within, began, spent = limits or ReportLimits(), time.monotonic(), 0.0
        models, by_model = filler.models(), filler.profile is not None
        for at, section in enumerate(report.sections):
            if section.answered is not None:
                continue
            if reached := _reached(within, report.tokens, time.monotonic() - began, spent):
                yield _ended(report, reached, "A limit is reached")
                return
            text = SECTION.format(question=section.question, heading=section.heading, report=report.question)
            question = Question(text if by_model else section.question, scope=scope, filters=report.filters)
            kit = toolkit(filler.settings.toolkit)
            settings = replace(filler.settings, limits=_limits(filler, within, report.tokens))
            with closing(paid_run(question, kit, models, filler.retriever, settings, stop)) as events:
                for event in events:
                    match event:
                        case ToolCalled(summary=told) | Remark(text=told):
                            yield SectionStep(at + 1, told)
                        case ContextMeasured(usage=usage):
                            spent = max(spent, usage.money or 0.0)
                        case Answered():
                            report = _with(report, at, replace(section, answered=event, trouble=""))
                        case RunStopped():
                            raise Stopped
                        case RunFailed(title=title, message=message):
                            report = _with(report, at, replace(section, trouble=f"{title}: {message}"))
                            store.put_report(report, number)
                            yield _ended(report, message, title)
                            return
            store.put_report(report, number)
            yield SectionWritten(at + 1, len(report.sections), section.heading, report.tokens)
        yield _ended(report)


def _with(report: Report, at: int, section: Section) -> Report:
    return replace(report, sections=(*report.sections[:at], section, *report.sections[at + 1 :]))


def _reached(limits: ReportLimits, tokens: int, seconds: float, money: float) -> str:
    if limits.tokens and tokens >= limits.tokens:
        return f"The report has used {tokens:,} tokens of {limits.tokens:,}. What is written is kept; it can go on."
    if limits.minutes and seconds >= limits.minutes * 60:
        return f"The report has taken {limits.minutes:g} minutes. What is written is kept; it can go on."
    if limits.money and money >= limits.money:
        return f"The report has cost {limits.money:g}. What is written is kept; it can go on."
    return ""


def _limits(filler: Filler, within: ReportLimits, used: int) -> Limits:
    limits = filler.settings.limits
    if not within.tokens:
        return limits
    left = max(within.tokens - used, 1)
    return replace(limits, total_tokens=min(limits.total_tokens or left, left))


def _ended(report: Report, trouble: str = "", title: str = "") -> ReportEnded:
    written = len(report.written)
    return ReportEnded(written, len(report.sections) - written, trouble, title)
