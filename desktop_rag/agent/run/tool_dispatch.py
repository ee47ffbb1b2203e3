"""Carries out the tool calls of a run, seen by the person; whatever the model sends, it gets a text back."""

import json
import re
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace

from desktop_rag.agent.events import AgentEvent, ToolCalled, ToolReturned
from desktop_rag.agent.prompts import framed
from desktop_rag.agent.toolkits.toolkit import Toolkit
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, parse_arguments
from desktop_rag.agent.tools.tool import Tool, ToolContext, ToolResult, failure, shorten
from desktop_rag.llm.chat import ToolCall, ToolMessage
from desktop_rag.stop import Stop

NOT_RUN = "Not run: the limit of this question is reached. Answer from what you have."
STOPPED = "Not finished: the person stopped the run."
ONE_A_STEP = "Not run: only {count} a step. Look at the result of the first, then call again if you still need this."
OVERLAP = 0.8  # share of results shown before from which on the model is told
OVERLAP_OF = 3  # results below which it says little
_IGNORED = re.compile(r"[\s,;.?!…]+")  # marks that change no search; operators and quotation marks do
OPENING_ID = "opening"  # how the ids of calls begin that a toolkit makes before its model works
LEAST_RESULT = 200  # tokens a result always gets


@dataclass(frozen=True, slots=True)
class _Made:
    """A call that was carried out."""

    call_id: str
    summary: str


@dataclass(slots=True)
class ToolDispatcher:
    """The calls made so far; `repeats` counts calls in a row that had been made before."""

    toolkit: Toolkit
    context: ToolContext
    repeats: int = 0
    _open: ToolCalled | None = None  # the call the person sees running
    last: ToolResult | None = None  # what the latest call brought
    _made: dict[str, _Made] = field(default_factory=dict)  # by what was asked
    _shown: dict[str, set[str]] = field(default_factory=dict)  # references each tool has brought

    def carry_out(self, call: ToolCall, step: int, budget: int, stop: Stop) -> Generator[AgentEvent, None, ToolMessage]:
        """Show `call` and what came of it; return what the model gets to read, in about `budget` tokens.

        Raises only `LibraryError`, `ProcessError` and `Stopped`; `abandon` says what has to be shown then.
        """
        self._open = ToolCalled(step, call.id, call.name, call.arguments, self.summarize(call))
        yield self._open
        self.context.budget = max(budget, LEAST_RESULT)
        started = time.monotonic()
        result = self.last = self.run(call, stop)
        seconds = time.monotonic() - started
        text = framed(result.text) if result.evidence else result.text
        tokens = self.context.count_tokens(text)
        self._open = None
        yield ToolReturned(
            *(step, call.id, call.name, result.summary, result.sources, seconds, tokens),
            failed=result.failed,
            whole=result.chunks,
        )
        shown = tuple(replace(each, first_line=self.context.shown(each.first_line)) for each in result.evidence)
        return ToolMessage(call.id, call.name, text, shown)

    def abandon(self, why: str) -> Generator[AgentEvent]:
        """Close the call that was running, so that no step stays open for ever."""
        if self._open:
            called, self._open = self._open, None
            yield ToolReturned(called.step, called.call_id, called.name, why, (), 0.0, 0, failed=True)

    def forget(self, emptied: frozenset[str]) -> None:
        """Allow again what left the context together with the results of these calls."""
        self._made = {asked: made for asked, made in self._made.items() if made.call_id not in emptied}
        chunks = self.context.chunks_in_context
        for chunk in [chunk for chunk, call in chunks.items() if call in emptied]:
            del chunks[chunk]

    def summarize(self, call: ToolCall) -> str:
        """Say for a person what `call` is about to do, even if it cannot be done."""
        try:
            tool, arguments = self._read(call)
            return tool.summarize(arguments, self.context)
        except ArgumentError:
            return f"Calling {shorten(call.name, 40) or 'a tool'}"

    def run(self, call: ToolCall, stop: Stop) -> ToolResult:
        """Carry out `call` unseen and note what it showed; raises as `carry_out` does."""
        try:
            tool, arguments = self._read(call)
            asked = _asked(tool, arguments)
            if made := self._made.get(asked):
                self.repeats += 1
                return _repeated(made)
            result = tool.run(arguments, self.context, stop)
        except ArgumentError as error:
            return failure(str(error), "The call could not be understood")
        self.repeats = 0
        if not result.failed:
            self._made[asked] = _Made(call.id, result.summary)
        self._note(result, call)
        return self._with_overlap(result, tool.spec.name)

    def _read(self, call: ToolCall) -> tuple[Tool, Arguments]:
        tool = self.toolkit.tool(call.name.strip())
        if tool is None:
            names = ", ".join(spec.name for spec in self.toolkit.specs())
            raise ArgumentError(f'There is no tool "{shorten(call.name)}". The tools are: {names}.')
        return tool, parse_arguments(call.arguments, tool.parameters)

    def _with_overlap(self, result: ToolResult, tool: str) -> ToolResult:
        """Tell the model when a tool mostly brings what it has brought before."""
        before = self._shown.setdefault(tool, set())
        names = {evidence.reference for evidence in result.evidence}
        again = len(names & before)
        before |= names
        if len(names) < OVERLAP_OF or again < OVERLAP * len(names):
            return result
        hint = f"{again} of these {len(names)} results were shown before. Read them, or search with different words."
        return replace(result, text=f"{result.text}\n\n{hint}")

    def _note(self, result: ToolResult, call: ToolCall) -> None:
        for shown in result.evidence:
            reference = self.context.references.get(shown.reference)
            if reference:
                self.context.reading.record(reference.content, shown.first_line, shown.lines)
        self.context.chunks_in_context.update(dict.fromkeys(result.chunks, call.id))


def _asked(tool: Tool, arguments: Arguments) -> str:
    """Return what a call asks for, whatever the order, the case and the punctuation of its words."""
    return f"{tool.spec.name} {json.dumps(_plain(arguments), sort_keys=True)}"


def _plain(value: object) -> object:
    match value:
        case str():
            return " ".join(_IGNORED.sub(" ", value.casefold()).split())
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return sorted((_plain(item) for item in value), key=json.dumps)
        case _:
            return value


def _repeated(made: _Made) -> ToolResult:
    return ToolResult(
        f"You have made this very call already (“{made.summary}”); its result stands above. Try other words, another "
        "mode, read or open a result, or answer.",
        "Already done",
    )
