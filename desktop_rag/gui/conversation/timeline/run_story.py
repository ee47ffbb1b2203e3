"""The state of a run as the timeline shows it: the current phase, the steps so far, the outcome."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    AnswerRestarted,
    AnswerWritten,
    ContextMeasured,
    LimitAsked,
    ModelProgress,
    Remark,
    RetryAnnounced,
    Routed,
    RunFailed,
    RunStarted,
    RunStopped,
    RunUsage,
    Source,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.gui.catalogues import sentence
from desktop_rag.index.records import ContentId


class StoryPhase(StrEnum):
    """What a run is doing, or how it ended."""

    QUEUED = "queued"  # until another run ends
    THINKING = "thinking"
    ACTING = "acting"
    WRITING = "writing"
    COMPARING = "comparing"  # the statements of the answer with the lines they cite
    PAUSED = "paused"  # by the user, until resumed
    PREPARING = "preparing"  # the model is loaded, or reads the prompt
    WAITING = "waiting"  # before a failed request is repeated
    ASKING = "asking"  # whether to raise a limit
    ANSWERED = "answered"
    STOPPED = "stopped"
    FAILED = "failed"

    @property
    def over(self) -> bool:
        """Return whether the run has ended."""
        return self in (StoryPhase.ANSWERED, StoryPhase.STOPPED, StoryPhase.FAILED)


@dataclass(slots=True)
class StoryEntry:
    """One row of the timeline: a tool call, a thought or a remark (both without `tool`); `key` is stable."""

    key: str
    step: int
    tool: str = ""
    summary: str = ""
    result: str = ""
    thought: str = ""
    remark: str = ""  # the kind of a remark, which chooses its icon
    sources: tuple[Source, ...] = ()
    seconds: float = 0.0
    tokens: int = 0
    failed: bool = False
    done: bool = False


@dataclass(frozen=True, slots=True)
class StepCost:
    """What one step took: tokens of its requests, money if prices are known, seconds."""

    tokens: int
    money: float | None
    seconds: float
    estimated: bool
    cached: int = 0  # tokens of the prompt that the server still knew
    reasoning: int = 0  # tokens of thinking
    per_second: float = 0.0  # tokens written; 0: unknown


@dataclass(slots=True)
class RunStory:
    """Built from the events of one run, in order."""

    phase: StoryPhase = StoryPhase.THINKING
    activity: str = ""  # what the running tool does, as shown to the user
    entries: list[StoryEntry] = field(default_factory=list)
    toolkit: str = ""
    model: str = ""
    uses_model: bool = False  # otherwise token counts mean nothing
    found: bool = True
    steps: int = 0
    costs: dict[int, StepCost] = field(default_factory=dict)  # by step
    documents: set[ContentId] = field(default_factory=set)  # of which the run has seen lines
    seconds: float | None = None
    usage: RunUsage | None = None
    asked: LimitAsked | None = None  # the last question
    retry: RetryAnnounced | None = None  # the last one announced
    progress: ModelProgress | None = None  # the last one
    silent: bool = False  # the model was asked and has not sent a word yet
    _before: tuple[int, float, float] = (0, 0.0, 0.0)  # tokens, money and seconds up to the current step
    _measured: tuple[int, float, float] = (0, 0.0, 0.0)  # up to now
    _details_before: tuple[int, int] = (0, 0)  # cached and thinking tokens up to the current step
    _details: tuple[int, int] = (0, 0)  # up to now

    @property
    def searched(self) -> bool:
        """Return whether any tool was called."""
        return bool(self.documents) or any(entry.tool for entry in self.entries)

    def apply(self, event: AgentEvent) -> StoryEntry | None:
        """Update the story with the next event; return the entry it added or changed."""
        if self.phase in (StoryPhase.QUEUED, StoryPhase.WAITING, StoryPhase.ASKING, StoryPhase.PREPARING):
            self.phase = StoryPhase.THINKING
        self.silent = isinstance(event, StepStarted) or (self.silent and isinstance(event, ContextMeasured))
        match event:
            case Thought():
                return self._apply_thought(event)
            case Remark() | Routed() | RetryAnnounced():
                return self._apply_remark(event)
            case ToolCalled():
                return self._apply_call(event)
            case ToolReturned():
                return self._apply_result(event)
            case _:
                self._apply_state(event)
        return None

    def _apply_state(self, event: AgentEvent) -> None:
        """Apply an event without a row."""
        match event:
            case RunStarted():
                self.toolkit, self.model, self.uses_model = event.toolkit, event.model, event.uses_model
            case StepStarted():
                self.steps = max(self.steps, event.step)
                self.phase = StoryPhase.THINKING
                self._before = self._measured
            case ModelProgress(stage="writing"):
                self.phase = StoryPhase.THINKING
            case ModelProgress():
                self.phase, self.progress = StoryPhase.PREPARING, event
            case LimitAsked():
                self.phase, self.asked = StoryPhase.ASKING, event
            case AnswerDelta() | AnswerRestarted():
                self.phase = StoryPhase.WRITING if isinstance(event, AnswerDelta) else StoryPhase.THINKING
            case AnswerWritten():
                self.phase = StoryPhase.COMPARING
            case ContextMeasured():
                self._apply_measure(event)
            case Answered():
                self.usage, self.steps, self.found = event.usage, event.steps, event.found
                self._end(StoryPhase.ANSWERED, event.seconds)
            case RunStopped():
                self._end(StoryPhase.STOPPED, event.seconds or None)
            case RunFailed():
                self._end(StoryPhase.FAILED, None)
            case _:
                pass

    def _apply_measure(self, event: ContextMeasured) -> None:
        self.usage = event.usage
        self._measured = (event.usage.tokens, event.usage.money or 0.0, event.seconds)
        tokens, money, seconds = (now - before for now, before in zip(self._measured, self._before, strict=True))
        usage, known = event.usage, event.usage.money is not None
        details = (usage.cached, usage.reasoning)
        if self.steps not in self.costs:
            self._details_before = self._details
        cached, reasoning = (now - before for now, before in zip(details, self._details_before, strict=True))
        self._details = details
        self.costs[self.steps] = StepCost(
            round(tokens), money if known else None, seconds, usage.estimated, cached, reasoning, usage.per_second
        )

    def _apply_thought(self, event: Thought) -> StoryEntry:
        last = self.entries[-1] if self.entries else None
        if last is None or last.tool or last.remark or last.step != event.step:
            last = StoryEntry(f"thought {len(self.entries)}", event.step, done=True)
            self.entries.append(last)
        last.thought += event.text
        return last

    def _apply_remark(self, event: Remark | Routed | RetryAnnounced) -> StoryEntry:
        if isinstance(event, Routed):
            text, step, kind = sentence(event.summary), 0, "route"
        elif isinstance(event, RetryAnnounced):
            text, step, kind = sentence(event.reason), event.step, "retry"
            self.phase, self.retry = StoryPhase.WAITING, event
        else:
            own = event.kind not in ("plan", "note")  # these are the words of the model and of the user
            text, step, kind = sentence(event.text) if own else event.text, event.step, event.kind
            if event.kind == "reading":
                self.phase, self.activity = StoryPhase.ACTING, text
            if event.kind in ("paused", "resumed"):
                self.phase = StoryPhase.PAUSED if event.kind == "paused" else StoryPhase.THINKING
        entry = StoryEntry(f"remark {len(self.entries)}", step, thought=text, remark=kind, done=True)
        entry.seconds = event.seconds if isinstance(event, RetryAnnounced) else 0.0
        self.entries.append(entry)
        return entry

    def _apply_call(self, event: ToolCalled) -> StoryEntry:
        entry = StoryEntry(f"{event.step} {event.call_id}", event.step, event.name, sentence(event.summary))
        self.entries.append(entry)
        self.phase, self.activity = StoryPhase.ACTING, sentence(event.summary)
        return entry

    def _apply_result(self, event: ToolReturned) -> StoryEntry:
        key = f"{event.step} {event.call_id}"
        entry = next((entry for entry in reversed(self.entries) if entry.key == key), None)
        if entry is None:
            entry = self._apply_call(ToolCalled(event.step, event.call_id, event.name, "", event.summary))
        entry.result, entry.sources = sentence(event.summary), event.sources
        self.documents |= {source.content for source in event.sources}
        entry.seconds, entry.tokens, entry.failed, entry.done = event.seconds, event.tokens, event.failed, True
        waiting = [other for other in self.entries if not other.done]
        if waiting:
            self.activity = waiting[-1].summary
        elif self.phase is StoryPhase.ACTING:
            self.phase = StoryPhase.THINKING
        return entry

    def _end(self, phase: StoryPhase, seconds: float | None) -> None:
        self.phase, self.seconds = phase, seconds
        for entry in self.entries:
            entry.done = True


@dataclass(frozen=True, slots=True)
class StepState:
    """What a run had after a step: the text written, the passages and documents it had seen."""

    text: str
    passages: int
    documents: int


def state_after(events: Iterable[AgentEvent], step: int) -> StepState:
    """Return the state of a run after `step`."""
    text, seen = "", set[tuple[ContentId, int, int]]()
    for event in events:
        match event:
            case StepStarted() if event.step > step:
                break
            case AnswerDelta():
                text += event.text
            case AnswerRestarted():
                text = ""
            case ToolReturned():
                seen |= {(source.content, source.first_line, source.last_line) for source in event.sources}
            case _:
                pass
    return StepState(text, len(seen), len({content for content, _, _ in seen}))
