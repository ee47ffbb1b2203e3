"""Prints an agent run: steps on standard error, the answer and its sources on standard output."""

import re
from collections.abc import Iterator, Sequence
from typing import assert_never

from desktop_rag.agent.answer_notes import in_language_of
from desktop_rag.agent.budget import StageCost
from desktop_rag.agent.citations.marks import count_claims, describe_claim, describe_verdict
from desktop_rag.agent.citations.plain_answer import numbered
from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    AnswerWritten,
    Citation,
    Claim,
    ContextMeasured,
    Coverage,
    LimitAsked,
    LimitReached,
    ModelProgress,
    Remark,
    RetryAnnounced,
    Routed,
    RunFailed,
    RunStarted,
    RunStopped,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.cli.output import Output, shown_path
from desktop_rag.retrieval.api import Mode
from desktop_rag.text.display import location_text, one_line, plural, printable, shorten, terminal_safe

SHOWN_SOURCES = 5
SHOWN_DOCUMENTS = 5
SHOWN_STATEMENT = 80  # characters of a statement
GIVES_ORDERS = "  (contains instructions to a model)"
_HOW = {
    Mode.KEYWORD.value: " by words",
    Mode.EXACT.value: " letter by letter",
    Mode.SEMANTIC.value: " by meaning",
    Mode.LINKED.value: " with related passages",
    Mode.BEST.value: " with related passages",
}
_ESCAPED = re.compile(r"\\([\\`*_~\[\]<>#&.)+-])")


class Narrator:
    """Prints the events of one run in order; with `streaming` the answer while it is generated.

    `scope` names the documents that are searched, in the query language; empty for all.
    """

    def __init__(self, output: Output, *, streaming: bool, scope: str = "") -> None:
        self._output = output
        self._scope = scope
        self._streaming = streaming
        self._uses_model = True
        self._question = ""
        self._written = ""  # part of the answer on the terminal so far, in English
        self._line = ""  # of it, a line of the built-in model that is not complete yet
        self._thinking = ""
        self._progress = (0, "", 0)
        self._looks_again = False  # the model is asked about its answer, in short requests

    def print(self, event: AgentEvent) -> None:
        """Print one event."""
        if not isinstance(event, Thought | ContextMeasured):
            self._end_thought()
        match event:
            case Thought(text=text):
                self._thinking += text
            case ModelProgress() | AnswerWritten():
                self._print_progress(event)
            case ToolCalled(summary=summary):
                self._end_line()
                self._output.note(f"→ {one_line(summary)}", "cyan")
            case ToolReturned():
                self._print_return(event)
            case AnswerDelta(text=text):
                self._write(text)
            case AnswerRestarted():
                self._end_line()
            case Remark() | LimitReached() | Routed() | RetryAnnounced():
                self._print_remark(event)
            case Answered() | RunFailed() | RunStopped():
                self._print_end(event)
            case RunStarted():
                self._uses_model, self._question = event.uses_model, event.question
            case StepStarted() | ContextMeasured() | LimitAsked():
                return
            case _:
                assert_never(event)

    def _print_remark(self, event: Remark | LimitReached | Routed | RetryAnnounced) -> None:
        self._end_line()
        match event:
            case Remark(text=text):
                self._output.note(text, "dim italic")
            case LimitReached(message=message):
                self._output.note(message, "yellow")
            case RetryAnnounced(seconds=seconds, reason=reason):
                self._output.note(f"{one_line(reason)}. Trying again in {seconds:.1f} s.", "yellow")
            case Routed():
                by = f" (by {event.by}, {event.usage.tokens:,} tokens)" if event.by else " (by rules)"
                self._output.note(f"{one_line(event.summary)}{by}", "dim italic")

    def _print_progress(self, event: ModelProgress | AnswerWritten) -> None:
        """Print what the server does, at once and then every ten per cent, on a terminal only."""
        if isinstance(event, AnswerWritten):
            self._looks_again = True
            if self._output.console.is_terminal:
                self._output.note("\n\nThe model looks at its statements again.", "dim")
            return
        tenth = 10 * event.done // event.total if event.total else 0
        shown = (event.step, event.stage, tenth)
        tells = self._output.console.is_terminal and not self._looks_again
        if tells and shown != self._progress and event.stage != "writing":
            what = "Loading the model" if event.stage == "loading" else "The model reads"
            idle = "Checking whether the server read the whole question"
            idle = idle if event.stage == "proving" else "The model is writing another answer"
            left = f", about {event.left:.0f} s left" if event.left >= 1 else ""
            self._output.note(f"{what}: {10 * tenth} %{left}" if event.total else idle, "dim")
        self._progress = shown

    def _end_thought(self) -> None:
        if self._thinking.strip():
            self._end_line()
            self._output.note(self._thinking.strip(), "dim italic")
        self._thinking = ""

    def _print_return(self, event: ToolReturned) -> None:
        note = self._output.note
        cost = self._cost(event.seconds, f"{event.tokens:,} tokens")
        note(f"  {event.summary}  ({cost})", "red" if event.failed else "dim")
        for source in event.sources[:SHOWN_SOURCES]:
            place = location_text(source.page, source.first_line, source.last_line, source.section)
            note(f"    {shown_path(source.path)}, {place}{GIVES_ORDERS if source.gives_orders else ''}")
        if len(event.sources) > SHOWN_SOURCES:
            note(f"    … and {len(event.sources) - SHOWN_SOURCES} more")

    def _write(self, text: str) -> None:
        if not self._streaming:
            return
        if not self._written:
            self._output.line("")
        self._written += text
        if not self._uses_model:  # its notes are translated whole
            complete, end, self._line = f"{self._line}{text}".rpartition("\n")
            text = complete + end
        self._show(text)

    def _show(self, text: str) -> None:
        shown = text if self._uses_model else in_language_of(self._question, text)
        self._output.console.file.write(terminal_safe(plain_citations(shown)))
        self._output.console.file.flush()

    def _end_line(self) -> None:
        """End the line on which an answer was being written."""
        if self._written:
            self._show(self._line)
            self._line = ""
            self._output.line("")
        self._written = ""

    def _finish(self, text: str, citations: tuple[Citation, ...]) -> None:
        """Print the answer unless it is on the terminal already, and the sources."""
        if self._written.strip() == text.strip():
            self._end_line()
        else:
            self._end_line()
            if self._output.console.is_terminal:
                self._output.line("")
            self._output.line(plain_citations(in_language_of(self._question, text)).strip())
        if citations:
            self._output.line("")
            self._output.line("Sources", "bold")
        for citation in citations:
            place = location_text(citation.page, citation.first_line, citation.last_line, citation.section)
            verdict = "" if citation.verdict == "verbatim" else f"  ({describe_verdict(citation)})"
            self._output.line(f"[{citation.number}] {shown_path(citation.path)}, {place}{verdict}")
            self._output.line(f"    “{one_line(shown_words(citation))}”", "dim")

    def _print_end(self, event: Answered | RunFailed | RunStopped) -> None:
        if isinstance(event, Answered):
            self._print_answer(event)
            return
        self._finish(event.text, event.citations)
        if isinstance(event, RunFailed):
            self._output.error(event.title, event.message)
        else:
            self._output.note("Stopped.", "yellow")

    def _print_answer(self, event: Answered) -> None:
        self._finish(event.text, event.citations)
        if event.claims:
            self._output.line("")
            for line in claim_lines(event.text, event.claims):
                self._output.line(line, "dim")
        for sentence in coverage_lines(event.coverage, self._scope) if event.coverage else ():
            self._output.line(sentence)
        mark = "~" if event.usage.estimated else ""
        steps = plural(event.steps, "step")
        rate = f", {event.usage.per_second:.0f} a second" if event.usage.per_second else ""
        self._output.note(f"\n{self._cost(event.seconds, f'{mark}{event.usage.tokens:,} tokens{rate}', steps)}")

    def _cost(self, seconds: float, tokens: str, *parts: str) -> str:
        """Return time, parts and tokens; the built-in model has no tokens that cost anything."""
        return ", ".join((f"{seconds:.1f} s", *parts, *((tokens,) if self._uses_model else ())))

    def print_costs(self, costs: Sequence[StageCost]) -> None:
        """Print the cost of each stage whose price is known."""
        known = [f"{cost.stage} {cost.money:.6f}" for cost in costs if cost.money is not None]
        if known:
            self._output.note(f"Cost: {', '.join(known)}")


def plain_citations(text: str) -> str:
    """Return the answer with `[1](cite:1)` replaced by `[1]`, and escaped Markdown characters by themselves."""
    return _ESCAPED.sub(r"\1", numbered(text))


def claim_lines(text: str, claims: Sequence[Claim]) -> Iterator[str]:
    """Yield the count of claims, and of each claim what is known of it."""
    yield count_claims(claims)
    for claim in claims:
        if claim.mark not in ("quoted", "unchecked", "earlier"):
            statement = shorten(one_line(plain_citations(text[claim.start : claim.end])), SHOWN_STATEMENT)
            yield f"  “{statement}” {describe_claim(claim)}"


def coverage_lines(report: Coverage, scope: str = "") -> Iterator[str]:
    """Yield the searches, the documents read and the parts that could not be searched."""
    documents = plural(report.documents, "document")
    named = f": {one_line(printable(scope))}" if scope else ""
    if not report.phrasings and not report.read:
        yield f"\nNo search was made in the {documents} chosen{named}" if report.scoped else "\nNo search was made"
        return
    chosen, searched = f"No answer found in the {documents} chosen{named}", f"Searched {documents} in the library"
    yield f"\n{chosen if report.scoped else searched}"
    for phrasing in report.phrasings:
        how, best = _HOW.get(phrasing.mode, ""), "the best " if phrasing.more else ""
        yield f"  searched{how} for “{one_line(phrasing.query)}”: {best}{plural(phrasing.found, 'passage')}"
    if not report.phrasings:
        yield "  no search was made"
    if report.unmatched:
        yield f"  in no document: {', '.join(map(one_line, report.unmatched))}"
    for document in report.read[:SHOWN_DOCUMENTS]:
        yield f"  read {plural(document.lines, 'line')} of {shown_path(document.path)}"
    if len(report.read) > SHOWN_DOCUMENTS:
        yield f"  … and of {plural(len(report.read) - SHOWN_DOCUMENTS, 'other document')}"
    yield from (f"  not searched: {gap}" for gap in _unsearched(report))
    for file in report.unread:
        yield f"    {shown_path(file.path)}  {one_line(file.reason)}"


def _unsearched(report: Coverage) -> Iterator[str]:
    """Yield the parts of the library that could not be searched."""
    if report.waiting:
        yield f"{plural(report.waiting, 'file')} still to be read"
    if report.by_meaning < 1:
        yield f"search by meaning covers {report.by_meaning:.0%} so far"
    if report.scans:
        yield f"{plural(report.scan_pages, 'page')} without text in {plural(report.scans, 'file')}"
    if report.failed:
        yield f"{plural(report.failed, 'file')} that could not be read"
    if report.skipped:
        yield f"{plural(report.skipped, 'file')} left out"
    if (rest := report.partial - report.scans) > 0:
        yield f"parts of {plural(rest, 'file')}"
    for path in report.offline:
        yield f"the folder {shown_path(path)}, which is not connected (its text as last read was searched)"
