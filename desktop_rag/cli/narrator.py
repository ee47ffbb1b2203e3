"""Tells a person what a run does: steps on standard error, the answer and its sources on standard output."""

import re
from collections.abc import Sequence
from typing import assert_never

from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    Citation,
    ContextMeasured,
    LimitReached,
    Remark,
    Routed,
    RunFailed,
    RunStarted,
    RunStopped,
    RunUsage,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.agent.run.costs import StageCost
from desktop_rag.cli.output import Output, shown_path
from desktop_rag.cli.search_command import place_text
from desktop_rag.cli.verification_text import claims_text, coverage_lines, verdict_text
from desktop_rag.text.display import one_line, terminal_safe

SHOWN_SOURCES = 5
_LINK = re.compile(r"\[(\d+)\]\(cite:\1\)")


class Narrator:
    """Prints the events of one run in order; with `streaming` the answer appears while it is written."""

    def __init__(self, output: Output, *, streaming: bool) -> None:
        self._output = output
        self._streaming = streaming
        self._written = ""  # of the answer, on the terminal
        self._thinking = ""

    def tell(self, event: AgentEvent) -> None:
        """Print what a person wants to know of `event`."""
        if not isinstance(event, Thought | ContextMeasured):
            self._end_thought()
        match event:
            case Thought(text=text):
                self._thinking += text
            case ToolCalled(summary=summary):
                self._end_line()
                self._output.note(f"→ {one_line(summary)}", "cyan")
            case ToolReturned():
                self._tell_return(event)
            case AnswerDelta(text=text):
                self._write(text)
            case AnswerRestarted():
                self._end_line()
            case Remark() | LimitReached() | Routed():
                self._tell_aside(event)
            case Answered():
                self._tell_answer(event)
            case RunFailed(title=title, message=message, text=text, citations=citations):
                self._finish(text, citations)
                self._output.error(title, message)
            case RunStopped(text=text, citations=citations):
                self._finish(text, citations)
                self._output.note("Stopped.", "yellow")
            case RunStarted() | StepStarted() | ContextMeasured():
                return
            case _:
                assert_never(event)

    def _tell_aside(self, event: Remark | LimitReached | Routed) -> None:
        self._end_line()
        match event:
            case Remark(text=text):
                self._output.note(text, "dim italic")
            case LimitReached(message=message):
                self._output.note(message, "yellow")
            case Routed():
                by = f" (by {event.by}, {_total(event.usage):,} tokens)" if event.by else " (by rules)"
                self._output.note(f"{one_line(event.summary)}{by}", "dim italic")

    def _end_thought(self) -> None:
        if self._thinking.strip():
            self._end_line()
            self._output.note(self._thinking.strip(), "dim italic")
        self._thinking = ""

    def _tell_return(self, event: ToolReturned) -> None:
        note = self._output.note
        note(f"  {event.summary}  ({event.seconds:.1f} s, {event.tokens:,} tokens)", "red" if event.failed else "dim")
        for source in event.sources[:SHOWN_SOURCES]:
            place = place_text(source.page, source.first_line, source.last_line, source.section)
            note(f"    {shown_path(source.path)}, {place}")
        if len(event.sources) > SHOWN_SOURCES:
            note(f"    … and {len(event.sources) - SHOWN_SOURCES} more")

    def _write(self, text: str) -> None:
        if not self._streaming:
            return
        if not self._written:
            self._output.line("")
        self._written += text
        self._output.console.file.write(terminal_safe(plain_citations(text)))
        self._output.console.file.flush()

    def _end_line(self) -> None:
        """Leave the line on which an answer, or what looked like one, was being written."""
        if self._written:
            self._output.line("")
        self._written = ""

    def _finish(self, text: str, citations: tuple[Citation, ...]) -> None:
        """Print what was not on the terminal yet, and the sources."""
        if self._written.strip() == text.strip():
            self._end_line()
        else:
            self._end_line()
            if self._output.console.is_terminal:
                self._output.line("")
            self._output.line(plain_citations(text).strip())
        if citations:
            self._output.line("")
            self._output.line("Sources", "bold")
        for citation in citations:
            place = place_text(citation.page, citation.first_line, citation.last_line, citation.section)
            verdict = "" if citation.verdict == "verbatim" else f"  ({verdict_text(citation)})"
            self._output.line(f"[{citation.number}] {shown_path(citation.path)}, {place}{verdict}")
            self._output.line(f"    “{one_line(citation.quote)}”", "dim")

    def _tell_answer(self, event: Answered) -> None:
        self._finish(event.text, event.citations)
        if event.claims:
            self._output.line(f"\n{claims_text(event.claims)}", "dim")
        for sentence in coverage_lines(event.coverage) if event.coverage else ():
            self._output.line(sentence)
        mark = "~" if event.usage.estimated else ""
        steps = f"{event.steps} step{'s' if event.steps != 1 else ''}"
        self._output.note(f"\n{event.seconds:.1f} s, {steps}, {mark}{_total(event.usage):,} tokens")

    def tell_costs(self, costs: Sequence[StageCost]) -> None:
        """Print what each stage cost in money, where that is known."""
        known = [f"{cost.stage} {cost.money:.6f}" for cost in costs if cost.money is not None]
        if known:
            self._output.note(f"Cost: {', '.join(known)}")


def _total(usage: RunUsage) -> int:
    return usage.prompt_tokens + usage.completion_tokens


def plain_citations(text: str) -> str:
    """Return the answer with `[1](cite:1)` shown as `[1]`."""
    return _LINK.sub(r"[\1]", text)
