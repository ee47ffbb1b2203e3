"""Fetches in parallel what the tool calls of one turn will read; the calls themselves still run in their order.

Each call is rehearsed in a thread of its own, on a copy of the run's state, and what the library answers is kept. The
run then executes one call after the other as always, and finds those answers there: references, budget and results are
the same as without a rehearsal.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Concatenate, ParamSpec, TypeVar

from desktop_rag.agent.tools.arguments import ArgumentError, Arguments
from desktop_rag.agent.tools.tool import Tool, ToolContext
from desktop_rag.errors import DesktopRagError
from desktop_rag.llm.chat import ToolCall
from desktop_rag.retrieval.api import Mode, Retriever
from desktop_rag.stop import Stop

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
