"""Counts what a run has used and says which limit ends it."""

import time
from dataclasses import dataclass, field

from desktop_rag.agent.events import LimitReached, RunUsage
from desktop_rag.llm.chat import TokenUsage
from desktop_rag.settings import Limits


@dataclass(slots=True)
class Budget:
    """The person's limits and the run's counters; zero means no limit of that kind."""

    limits: Limits
    steps: int
    started: float = field(default_factory=time.monotonic)
    step: int = 0
    calls: int = 0
    usage: RunUsage = field(default_factory=lambda: RunUsage(0, 0, 0, estimated=False))

    def spend(self, usage: TokenUsage) -> None:
        """Add one request."""
        so_far = self.usage
        self.usage = RunUsage(
            so_far.prompt_tokens + usage.prompt,
            so_far.completion_tokens + usage.completion,
            so_far.requests + 1,
            estimated=so_far.estimated or usage.estimated,
        )

    def seconds(self) -> float:
        """Return how long the run has taken."""
        return time.monotonic() - self.started

    def calls_left(self) -> bool:
        """Return whether another tool call is allowed."""
        return not self.limits.tool_calls or self.calls < self.limits.tool_calls

    def reached(self) -> LimitReached | None:
        """Return the limit that forbids another step, if one does."""
        limits = self.limits
        tokens = self.usage.prompt_tokens + self.usage.completion_tokens
        if self.step >= self.steps:
            return LimitReached("steps", f"The limit of {self.steps} steps is reached.")
        if not self.calls_left():
            return LimitReached("tool calls", f"The limit of {limits.tool_calls} tool calls is reached.")
        if limits.seconds and self.seconds() >= limits.seconds:
            return LimitReached("seconds", f"The limit of {limits.seconds} seconds is reached.")
        if limits.total_tokens and tokens >= limits.total_tokens:
            return LimitReached("total tokens", f"The limit of {limits.total_tokens:,} tokens is reached.")
        return None
