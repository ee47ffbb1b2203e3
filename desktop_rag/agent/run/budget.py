"""The budget of a run: its limits and their use so far."""

import time
from dataclasses import dataclass, field, replace

from desktop_rag.agent.events import LimitReached, RunUsage
from desktop_rag.llm.chat import TokenUsage
from desktop_rag.settings import Limits

EXTENSION = Limits(steps=5, tool_calls=20, seconds=120, context_tokens=0, total_tokens=100_000)  # on request
_UNLIMITED = 1_000  # steps; every run has to end


@dataclass(slots=True)
class RunBudget:
    """The limits of a run and its counters; zero means no limit of that kind."""

    limits: Limits
    started: float = field(default_factory=time.monotonic)
    step: int = 0
    calls: int = 0
    paused: float = 0.0  # seconds the user paused the run
    usage: RunUsage = field(default_factory=lambda: RunUsage(0, 0, 0, estimated=False))

    @property
    def steps(self) -> int:
        """Return the maximum number of steps."""
        return max(self.limits.steps, 1) if self.limits.steps else _UNLIMITED

    def extend(self) -> None:
        """Raise every limit by `EXTENSION`."""
        self.limits = extended(self.limits)

    def spend(self, usage: TokenUsage) -> None:
        """Add the tokens of one request."""
        so_far = self.usage
        self.usage = RunUsage(
            so_far.prompt_tokens + usage.prompt,
            so_far.completion_tokens + usage.completion,
            so_far.requests + 1,
            estimated=so_far.estimated or usage.estimated,
        )

    def seconds(self) -> float:
        """Return the duration of the run without pauses."""
        return time.monotonic() - self.started - self.paused

    def calls_left(self) -> int | None:
        """Return how many more tool calls are allowed, None if there is no limit."""
        return max(self.limits.tool_calls - self.calls, 0) if self.limits.tool_calls else None

    def over(self) -> bool:
        """Return whether the limits forbid another tool call."""
        late = bool(self.limits.seconds) and self.seconds() >= self.limits.seconds
        return late or self.calls_left() == 0

    def reached(self) -> LimitReached | None:
        """Return the limit that forbids another step, if any."""
        limits = self.limits
        tokens = self.usage.prompt_tokens + self.usage.completion_tokens
        if self.step >= self.steps:
            return LimitReached("steps", f"The limit of {self.steps} steps is reached.")
        if self.calls_left() == 0:
            return LimitReached("tool calls", f"The limit of {limits.tool_calls} tool calls is reached.")
        if limits.seconds and self.seconds() >= limits.seconds:
            return LimitReached("seconds", f"The limit of {limits.seconds} seconds is reached.")
        if limits.total_tokens and tokens >= limits.total_tokens:
            return LimitReached("total tokens", f"The limit of {limits.total_tokens:,} tokens is reached.")
        return None


def extended(limits: Limits) -> Limits:
    """Return `limits` raised by `EXTENSION`; zero stays unlimited."""
    more = EXTENSION
    return replace(
        limits,
        steps=limits.steps and limits.steps + more.steps,
        tool_calls=limits.tool_calls and limits.tool_calls + more.tool_calls,
        seconds=limits.seconds and limits.seconds + more.seconds,
        total_tokens=limits.total_tokens and limits.total_tokens + more.total_tokens,
    )
