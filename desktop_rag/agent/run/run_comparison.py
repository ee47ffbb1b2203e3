"""Comparison of two runs: what each searched, read, cited, spent and answered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    Citation,
    Claim,
    ContextMeasured,
    RunEnd,
    RunFailed,
    RunStarted,
    RunStopped,
    RunUsage,
    Source,
    StepStarted,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.agent.run.replay import query_words


@dataclass(frozen=True, slots=True)
class RunFacts:
    """The facts of one run; documents are (path, title), in order of appearance."""

    question: str
    toolkit: str
    model: str
    outcome: str  # "answered", "not found", "stopped", "failed", "unfinished"
    steps: int
    seconds: float
    tokens: int
    estimated: bool
    queries: tuple[str, ...]
    documents: tuple[tuple[str, str], ...]
    citations: tuple[Citation, ...]
    text: str
    claims: tuple[Claim, ...] = ()
    uses_model: bool = False  # otherwise tokens mean nothing
    money: float | None = None


@dataclass(frozen=True, slots=True)
class SharedItems:
    """The items of two lists that are in both, only in the left and only in the right, in order."""

    both: tuple[str, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs and what they share; `cited` are the documents that were cited."""

    left: RunFacts
    right: RunFacts
    queries: SharedItems
    documents: SharedItems
    cited: SharedItems


def compare_runs(left: Turn, right: Turn) -> RunComparison:
    """Compare two runs."""
    one, other = facts_of(left), facts_of(right)
    return RunComparison(
        one,
        other,
        _shared(one.queries, other.queries),
        _shared((path for path, _ in one.documents), (path for path, _ in other.documents)),
        _shared((c.path for c in one.citations), (c.path for c in other.citations)),
    )


def facts_of(turn: Turn) -> RunFacts:
    """Return the facts of one run."""
    started = next((event for event in turn.events if isinstance(event, RunStarted)), None)
    last = turn.events[-1] if turn.events else None
    called = [event for event in turn.events if isinstance(event, ToolCalled)]
    usages = [event.usage for event in turn.events if isinstance(event, ContextMeasured | Answered)]
    usage = usages[-1] if usages else RunUsage(0, 0, 0, estimated=True)
    end = last if isinstance(last, RunEnd) else None
    return RunFacts(
        turn.question,
        started.toolkit if started else "",
        started.model if started else "",
        _outcome(last),
        max((event.step for event in turn.events if isinstance(event, StepStarted)), default=0),
        last.seconds if isinstance(last, Answered | RunStopped) else 0.0,
        usage.tokens,
        usage.estimated,
        tuple(dict.fromkeys(query for call in called for query in query_words(call.arguments))),
        tuple({source.path: (source.path, source.title) for source in _sources(turn.events)}.values()),
        end.citations if end else (),
        end.text if end else "",
        last.claims if isinstance(last, Answered) else (),
        uses_model=started is not None and started.uses_model,
        money=usage.money,
    )


def _outcome(last: AgentEvent | None) -> str:
    match last:
        case Answered(found=True):
            return "answered"
        case Answered():
            return "not found"
        case RunStopped():
            return "stopped"
        case RunFailed():
            return "failed"
        case _:
            return "unfinished"


def _sources(events: Sequence[AgentEvent]) -> Iterable[Source]:
    return (source for event in events if isinstance(event, ToolReturned) for source in event.sources)


def _shared(left: Iterable[str], right: Iterable[str]) -> SharedItems:
    one, other = dict.fromkeys(left), dict.fromkeys(right)
    return SharedItems(
        tuple(item for item in one if item in other),
        tuple(item for item in one if item not in other),
        tuple(item for item in other if item not in one),
    )
