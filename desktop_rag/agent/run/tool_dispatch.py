"""Dispatch of tool calls: parses them, runs the tool, reports both to the user; every call gets a result."""

import json
import re
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace

from desktop_rag.agent.events import AgentEvent, ToolCalled, ToolReturned
from desktop_rag.agent.run.fetch_ahead import FetchAhead
from desktop_rag.agent.toolkits.toolkit import Toolkit
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, parse_arguments
from desktop_rag.agent.tools.tool import Tool, ToolContext, ToolResult, failure, marked
from desktop_rag.index.records import ChunkId
from desktop_rag.llm.chat import ToolCall, ToolMessage
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten

NOT_RUN = "Not run: the limit of this question is reached. Answer from what you have."
STOPPED = "Not finished: the user stopped the run."
ONE_A_STEP = "Not run: only {count} a step. Look at the result of the first, then call again if you still need this."
OVERLAP = 0.8  # share of results shown before that earns the model a hint
OVERLAP_MIN = 3  # results below which the share means little
_IGNORED = re.compile(r"[\s,;.?!…]+")  # marks that do not change a search, unlike operators and quotation marks
PRE_STEP_ID = "opening"  # prefix of the ids of calls that a toolkit's pre-step makes
MIN_RESULT = 200  # tokens a result always gets


@dataclass(frozen=True, slots=True)
class _CallRun:
    """A call that was run."""

    call_id: str
    summary: str
    is_empty: bool  # it showed nothing


@dataclass(frozen=True, slots=True)
class DispatchedCall:
    """The result message of a call; `kept` are the references a summary keeps, None for any other call."""

    message: ToolMessage
    kept: tuple[str, ...] | None
    failed: bool
    chunks: tuple[ChunkId, ...] = ()  # that were shown whole


@dataclass(slots=True)
class ToolDispatcher:
    """Runs the calls of one run; `repeats` counts consecutive calls that had been made before."""

    toolkit: Toolkit
    context: ToolContext
    repeats: int = 0
    fetching: FetchAhead | None = None  # what the calls of this turn read, fetched in parallel
    _open: ToolCalled | None = None  # the call shown as running
    _refused: tuple[str, str] = ("", "")  # name and arguments of the last call that could not be understood
    _calls: dict[str, _CallRun] = field(default_factory=dict)  # by normalised call
    _shown: dict[str, set[str]] = field(default_factory=dict)  # references already shown, by tool

    def dispatch(
        self, call: ToolCall, step: int, budget: int, stop: Stop
    ) -> Generator[AgentEvent, None, DispatchedCall]:
        """Report and run `call`; return the message for the model, in about `budget` tokens.

        Raises only `LibraryError`, `ProcessError` and `Stopped`; then call `abandon`.
        """
        self._open = ToolCalled(step, call.id, call.name, call.arguments, self.summarize(call))
        yield self._open
        self.context.budget = max(budget, MIN_RESULT)
        started = time.monotonic()
        if self.fetching is not None:
            self.fetching.wait(call, stop)
        result = marked(self.run(call, stop))
        seconds = time.monotonic() - started
        tokens = self.context.count_tokens(result.text)
        self._open = None
        yield ToolReturned(
            *(step, call.id, call.name, result.summary, result.sources, seconds, tokens),
            failed=result.failed,
            whole=result.chunks,
        )
        shown = tuple(replace(each, first_line=self.context.shown(each.first_line)) for each in result.evidence)
        return DispatchedCall(
            ToolMessage(call.id, call.name, result.text, shown), result.kept, result.failed, result.chunks
        )

    @contextmanager
    def fetching_ahead(self, calls: Sequence[ToolCall], stop: Stop) -> Generator[None]:
        """Fetch what `calls` will read in parallel while the block runs them one by one, if the library allows it."""
        retriever = self.context.retriever
        new = [call for call in calls if not self._was_made(call)]
        if len(new) < 2 or not isinstance(retriever, SearcherClient) or retriever.parallel < 2:
            yield
            return
        with closing(FetchAhead(new, self._read, self.context, stop)) as self.fetching:
            self.context.retriever = self.fetching.retriever
            try:
                yield
            finally:
                self.context.retriever, self.fetching = retriever, None

    def abandon(self, why: str) -> Generator[AgentEvent]:
        """Report the running call as failed, so that no step stays open."""
        if self._open:
            called, self._open = self._open, None
            yield ToolReturned(called.step, called.call_id, called.name, why, (), 0.0, 0, failed=True)

    def forget(self, emptied: frozenset[str]) -> None:
        """Allow calls to be repeated, and chunks to be shown again, whose results left the context."""
        left = emptied and frozenset(key for key, made in self._calls.items() if made.is_empty)
        self._calls = {
            key: made for key, made in self._calls.items() if made.call_id not in emptied and key not in left
        }
        chunks = self.context.chunks_in_context
        for chunk in [chunk for chunk, call in chunks.items() if call in emptied]:
            del chunks[chunk]

    def summarize(self, call: ToolCall) -> str:
        """Describe `call` for the user, even if it is invalid."""
        try:
            tool, arguments = self._read(call)
            return tool.summarize(arguments, self.context)
        except ArgumentError:
            return f"Calling {shorten(call.name, 40) or 'a tool'}"

    def run(self, call: ToolCall, stop: Stop) -> ToolResult:
        """Run `call` without reporting it and record the lines shown; raises as `dispatch` does."""
        try:
            tool, arguments = self._read(call)
            key = _call_key(tool, arguments)
            if made := self._calls.get(key):
                self.repeats += 1
                return _repeated(made)
            result = tool.run(arguments, self.context, stop)
        except ArgumentError as error:
            self.repeats += call.name == self._refused[0] and call.arguments == self._refused[1]
            self._refused = call.name, call.arguments
            return failure(str(error), "The call could not be understood")
        self.repeats = 0
        if not result.failed:
            self._calls[key] = _CallRun(call.id, result.summary, not result.evidence)
        self._note(result, call)
        return self._with_overlap(result, tool.spec.name)

    def _was_made(self, call: ToolCall) -> bool:
        try:
            return _call_key(*self._read(call)) in self._calls
        except ArgumentError:
            return True  # it will be refused

    def _read(self, call: ToolCall) -> tuple[Tool, Arguments]:
        tool = self.toolkit.tool(call.name.strip())
        if tool is None:
            names = ", ".join(spec.name for spec in self.toolkit.specs())
            raise ArgumentError(f'There is no tool "{shorten(call.name)}". The tools are: {names}.')
        return tool, parse_arguments(call.arguments, tool.parameters)

    def _with_overlap(self, result: ToolResult, tool: str) -> ToolResult:
        """Add a hint for the model if most results of this tool were shown before."""
        before = self._shown.setdefault(tool, set())
        names = {evidence.reference for evidence in result.evidence}
        again = len(names & before)
        before |= names
        if len(names) < OVERLAP_MIN or again < OVERLAP * len(names):
            return result
        hint = f"{again} of these {len(names)} results were shown before. Read them, or search with different words."
        return replace(result, text=f"{result.text}\n\n{hint}")

    def _note(self, result: ToolResult, call: ToolCall) -> None:
        for shown in result.evidence:
            reference = self.context.references.get(shown.reference)
            if reference:
                self.context.lines_read.record(reference.content, shown.first_line, shown.lines)
        self.context.chunks_in_context.update(dict.fromkeys(result.chunks, call.id))


def _call_key(tool: Tool, arguments: Arguments) -> str:
    """Return a key equal for calls that differ only in order, case or punctuation."""
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


def _repeated(made: _CallRun) -> ToolResult:
    return ToolResult(
        f"You have made this very call already (“{made.summary}”); its result stands above. Try other words, another "
        "mode, read or open a result, or answer.",
        "Already done",
    )
