"""Writes a report: an outline is proposed, then each section is one run of the agent, looked at and repaired by it.

Every section is on disk as soon as it is written: writing goes on after a stop, a kill or a limit.
"""

import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace

from desktop_rag.agent.budget import amount_text
from desktop_rag.agent.events import AgentEvent, Answered, Citation, Remark, RunFailed, ToolCalled
from desktop_rag.agent.feedback import Feedback
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.statements import Statement, statements_of
from desktop_rag.agent.run.usual_run import NOTHING_IN_SCOPE, RunModels, paid_run
from desktop_rag.errors import LibraryRefused, Stopped
from desktop_rag.llm.chat import SystemMessage, UserMessage
from desktop_rag.retrieval.api import DocumentQuery, Order
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.retrieval.reading.scope_documents import scope_within
from desktop_rag.settings import NOTHING_WITHHELD, Settings, Withheld, privacy
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shorten
from desktop_rag.work.cell_notes import HAS_COST, LIMIT_REACHED, TOOK_MINUTES, USED_TOKENS
from desktop_rag.work.filling import Filler
from desktop_rag.work.model_requests import ModelRequests, contradictions, look_of, meter_of
from desktop_rag.work.report import (
    SCHEMA,
    Contradiction,
    Report,
    ReportId,
    ReportLimits,
    ReportSection,
    kept_steps,
    proposed,
)
from desktop_rag.work.row_reading import label_of_document
from desktop_rag.work.work_store import WorkStore

PROMPT = "report-outline"
SHOWN_DOCUMENTS = 40  # whose names the model sees for the outline
OUTLINE_TOKENS = 2_500
LONGEST_LABEL = 160  # characters of such a name
SECTION = (
    "{question}\n\nThis is the section “{heading}” of a report on: {report}\n"
    "Write it as connected text without a heading, with a citation after each sentence. "
    "Where documents say different things, say so and cite each."
)


@dataclass(frozen=True, slots=True)
class SectionEvent:
    """An event of the run of a section, numbered from 1; `told` is what it does, for people, or empty."""

    section: int
    event: AgentEvent

    @property
    def told(self) -> str:
        """Return what is being done."""
        match self.event:
            case ToolCalled(summary=told) | Remark(text=told):
                return told
        return ""


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


ReportEvent = SectionEvent | SectionWritten | ReportEnded


def propose(question: str, filters: tuple[Filter, ...], filler: Filler, stop: Stop) -> tuple[ReportSection, ...]:
    """Return an outline that the model proposes; without a model one section that asks the question itself."""
    alone = (ReportSection(one_line(question), question),)
    models = filler.models()
    if models.profile is None:
        return alone
    scope = replace(scope_within(filler.retriever, filters, stop), withheld=privacy().withheld())
    asked = DocumentQuery(question, scope=scope, filters=filters, order=Order.FIT, limit=SHOWN_DOCUMENTS)
    fitting, every = (filler.retriever.documents(each, stop).cards for each in (asked, replace(asked, words="")))
    names = "\n".join(f"- {shorten(one_line(label_of_document(card)), LONGEST_LABEL)}" for card in fitting or every)
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
    feedback: Feedback | None = None,
    only: int | None = None,
) -> Generator[ReportEvent]:
    """Write the sections that are not written, or the one at `only` again; `ReportEnded` is the last event.

    What is `withheld` no model reads, nor does the built-in one: the report is for another program.
    Raises `WorkBusy` if another program writes this report, `WorkError` if nothing can be stored, and `Stopped`.
    """
    with store.writing_report(number):
        report = store.report(number)
        scope = replace(scope_within(filler.retriever, report.filters, stop), withheld=withheld)
        if report.filters and not scope.contents:
            raise LibraryRefused(NOTHING_IN_SCOPE)
        within, used = limits or ReportLimits(), _Used(time.monotonic())
        models, by_model = filler.models(), filler.profile is not None
        for at, section in enumerate(report.sections):
            if (section.answered is not None and at != only) or only not in (None, at):
                continue
            if reached := _reached(within, used):
                yield _ended(report, reached, LIMIT_REACHED)
                return
            text = SECTION.format(question=section.question, heading=section.heading, report=report.question)
            question = Question(text if by_model else section.question, scope=scope, filters=report.filters)
            from desktop_rag.agent.toolkits.registry import toolkit  # the window starts without it

            kit, settings = toolkit(filler.settings.toolkit), _within(filler.settings, within, used)
            seen: list[AgentEvent] = []
            with closing(paid_run(question, kit, models, filler.retriever, settings, stop, feedback)) as events:
                for event in events:
                    seen.append(event)
                    yield SectionEvent(at + 1, event)
            match seen[-1]:
                case Answered() as answered:
                    used.tokens += answered.usage.tokens
                    used.money += answered.usage.money or 0.0
                    others = None if _reached(within, used) else _disagreements(answered, filler, models, stop)
                    asked, steps = (section.heading, section.question), kept_steps(seen)
                    written = ReportSection(*asked, answered, steps=steps, disagreements=others)
                    report = store.put_section(number, at, written)
                    yield SectionWritten(at + 1, len(report.sections), section.heading, report.tokens)
                case RunFailed(title=title, message=message):
                    failed = replace(section, trouble=f"{title}: {message}", steps=kept_steps(seen))
                    yield _ended(store.put_section(number, at, failed), message, title)
                    return
                case _:
                    raise Stopped
        yield _ended(report)


def _disagreements(
    answered: Answered, filler: Filler, models: RunModels, stop: Stop
) -> tuple[Contradiction, ...] | None:
    """Return the statements that passages of other documents of the section contradict; None: nothing was compared."""
    if models.profile is None or not filler.settings.second_look:
        return None
    asked: list[Statement] = []
    for statement in statements_of(answered.text, answered.claims, answered.citations):
        own = {each.sha256 for each in statement.citations}
        if others := tuple(_whole(each) for each in answered.citations if each.sha256 not in own):
            asked.append(replace(statement, citations=others))
    look = look_of(models, filler.spending, filler.settings.money)
    found = contradictions(asked, look, filler.retriever, stop) if asked else ()
    return None if look.trouble else found


def _whole(citation: Citation) -> Citation:
    """Return a citation of all lines of its passage: what lies around the cited ones may say otherwise, too."""
    first, lines = citation.passage_first_line, citation.passage.count("\n")
    return replace(citation, first_line=first, last_line=first + lines)


@dataclass(slots=True)
class _Used:
    """What this writing has used."""

    began: float
    tokens: int = 0
    money: float = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began


def _reached(limits: ReportLimits, used: _Used) -> str:
    if limits.tokens and used.tokens >= limits.tokens:
        return USED_TOKENS.format(f"{used.tokens:,}", f"{limits.tokens:,}")
    if limits.minutes and used.seconds >= limits.minutes * 60:
        return TOOK_MINUTES.format(f"{limits.minutes:g}")
    return HAS_COST.format(amount_text(used.money)) if limits.money and used.money >= limits.money else ""


def _within(settings: Settings, limits: ReportLimits, used: _Used) -> Settings:
    """Return the settings with what is left of tokens and minutes: a run that reaches them answers with what it has.

    One without money left could only quote, so that limit is looked at between the sections.
    """
    run = settings.limits
    if limits.tokens:
        run = replace(run, total_tokens=_smaller(run.total_tokens, max(limits.tokens - used.tokens, 1)))
    if limits.minutes:
        run = replace(run, seconds=_smaller(run.seconds, max(int(limits.minutes * 60 - used.seconds), 1)))
    return replace(settings, limits=run)


def _smaller(one: int, other: int) -> int:
    return min(one or other, other)


def _ended(report: Report, trouble: str = "", title: str = "") -> ReportEnded:
    written = len(report.written)
    return ReportEnded(written, len(report.sections) - written, trouble, title)
