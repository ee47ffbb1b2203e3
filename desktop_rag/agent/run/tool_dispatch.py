"""Dispatch of tool calls: parses them, runs the tool, reports both to the user; every call gets a result."""

import json
import re
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Concatenate, ParamSpec, TypeVar

from desktop_rag.agent.events import AgentEvent, ToolCalled, ToolReturned
from desktop_rag.agent.toolkits.toolkit import Toolkit
from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, parse_arguments
from desktop_rag.agent.tools.tool import Tool, ToolContext, ToolResult, failure, marked
from desktop_rag.errors import DesktopRagError
from desktop_rag.index.records import ChunkId
from desktop_rag.llm.chat import ToolCall, ToolMessage
from desktop_rag.retrieval.api import Mode, Retriever
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.stop import Stop
from desktop_rag.text.display import shorten

# Fetches in parallel what the tool calls of one turn will read; the calls themselves still run in their order.
#
# Each call is rehearsed in a thread of its own, on a copy of the run's state, and what the library answers is kept. The
# run then executes one call after the other as always, and finds those answers there: references, budget and results
# are the same as without a rehearsal.

MOST = 4  # calls at once: more than there are searchers would only wait

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")
Read = Callable[[ToolCall], tuple[Tool, Arguments]]


def _kept(
    method: Callable[Concatenate[Retriever, Parameters], Returned],
) -> Callable[Concatenate["KeptAnswers", Parameters], Returned]:
    """Return the method that asks the library once for the same arguments; the last one is a `Stop`."""

    def ask(kept: "KeptAnswers", /, *given: Parameters.args, **named: Parameters.kwargs) -> Returned:
        return kept.answer(method, given, named)

    ask.__name__, ask.__doc__ = method.__name__, method.__doc__
    return ask


class KeptAnswers:
    """A `Retriever` that keeps the answers of another one, for any thread; failures are asked for again."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever
        self._answers: dict[object, Future[object]] = {}
        self._lock = threading.Lock()

    def answer(
        self, method: Callable[..., Returned], given: tuple[object, ...], named: Mapping[str, object]
    ) -> Returned:
        """Return the kept answer, wait for the one that another thread is asking for, or ask."""
        *arguments, stop = (*given, *named.values())
        assert isinstance(stop, Stop)
        key = method.__name__, *arguments
        with self._lock:
            known = self._answers.get(key)
            if known is None:
                mine = self._answers[key] = Future()
        if known is not None and (found := _awaited(known, stop)):
            return found[0]  # type: ignore[return-value]
        ask: Callable[..., Returned] = getattr(self._retriever, method.__name__)
        if known is not None:
            return ask(*given, **named)
        try:
            answer = ask(*given, **named)
        except BaseException as error:
            with self._lock:
                del self._answers[key]
            mine.set_exception(error)
            raise
        mine.set_result(answer)
        return answer

    search = _kept(Retriever.search)
    clauses = _kept(Retriever.clauses)
    find = _kept(Retriever.find)
    read_lines = _kept(Retriever.read_lines)
    read_windows = _kept(Retriever.read_windows)
    read_chunks = _kept(Retriever.read_chunks)
    describe = _kept(Retriever.describe)
    lookup = _kept(Retriever.lookup)
    layout = _kept(Retriever.layout)
    facets = _kept(Retriever.facets)
    documents = _kept(Retriever.documents)
    difference = _kept(Retriever.difference)
    guide = _kept(Retriever.guide)
    attachments = _kept(Retriever.attachments)
    attached_contents = _kept(Retriever.attached_contents)
    file_copy = _kept(Retriever.file_copy)
    facts = _kept(Retriever.facts)


class FetchAhead:
    """The rehearsals of the calls of one turn; `retriever` has what they fetch. Close it when the calls have run."""

    def __init__(self, calls: Sequence[ToolCall], read: Read, context: ToolContext, stop: Stop) -> None:
        self._stop = Stop()
        self.retriever = KeptAnswers(context.retriever)
        self._threads = ThreadPoolExecutor(min(len(calls), MOST), "fetch ahead")
        self._rehearsals: dict[str, Future[None]] = {}
        for number, call in enumerate(calls):
            state = replace(
                context,
                retriever=self.retriever,
                references=context.references.copy(),
                # Only the first search of a run counts documents.
                phrasings={**context.phrasings, **({("", Mode.KEYWORD): (0, False)} if number else {})},
            )
            self._rehearsals[call.id] = self._threads.submit(self._rehearse, call, read, state, stop)

    def wait(self, call: ToolCall, stop: Stop) -> None:
        """Wait until what a call reads has been fetched; raises `Stopped`."""
        if rehearsal := self._rehearsals.get(call.id):
            _awaited(rehearsal, stop)

    def close(self) -> None:
        """Stop what is still being fetched, and wait for its threads."""
        self._stop.set()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _rehearse(self, call: ToolCall, read: Read, state: ToolContext, stop: Stop) -> None:
        # What fails here fails again when the call runs, and is told then.
        with suppress(ArgumentError, DesktopRagError), stop.interrupting(self._stop.set):
            tool, arguments = read(call)
            tool.run(arguments, state, self._stop)


def _awaited(future: Future[Returned], stop: Stop) -> tuple[Returned] | None:
    """Return the result of a future in a tuple, or None if it failed; raises `Stopped`."""
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    with stop.interrupting(done.set):
        done.wait()
    stop.check()
    return (future.result(),) if not future.cancelled() and future.exception() is None else None


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
