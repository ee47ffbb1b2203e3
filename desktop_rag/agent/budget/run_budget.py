"""The budget of a run: its limits and their use so far."""

import math
import time
from dataclasses import dataclass, field, replace

from desktop_rag.agent.budget.costs import Prices
from desktop_rag.agent.events import LimitReached, RunUsage
from desktop_rag.llm.chat import TokenUsage
from desktop_rag.settings import Limits

EXTENSION = Limits(steps=5, tool_calls=20, seconds=120, context_tokens=0, total_tokens=100_000)  # on request
MORE_TOKENS = 20_000  # a run may be allowed more tokens in portions of this size
LEAST_TURN_SECONDS = 30.0  # of writing that every turn may take
_UNLIMITED = 1_000  # steps; every run has to end


@dataclass(slots=True)
class RunBudget:
    """The limits of a run and its counters; zero means no limit of that kind.

    The limit on seconds counts from the first tool result, so that every run can search once.
    """

    limits: Limits
    started: float = field(default_factory=time.monotonic)
    step: int = 0
    calls: int = 0
    paused: float = 0.0  # seconds the user paused the run
    excludes_waiting: bool = False  # whether the time until the model's first words does not count as searching
    _first_result: float | None = None  # seconds of the run at the first tool result
    _waited: float = 0.0  # seconds waited for the model since then
    prices: Prices | None = None
    usage: RunUsage = field(default_factory=lambda: RunUsage(0, 0, 0, estimated=False))

    @property
    def steps(self) -> int:
        """Return the maximum number of steps."""
        return max(self.limits.steps, 1) if self.limits.steps else _UNLIMITED

    def extend(self) -> None:
        """Raise every limit by `EXTENSION`."""
        self.limits = extended(self.limits)

    def offer(self, limit: str, request: int) -> int:
        """Return by how much the user may raise a limit that was reached; `request` is the size of the next request."""
        own = {"steps": EXTENSION.steps, "tool calls": EXTENSION.tool_calls, "seconds": EXTENSION.seconds}
        if limit == "total tokens":
            missing = self.usage.tokens - self.limits.total_tokens + request
            return max(1, -(-missing // MORE_TOKENS)) * MORE_TOKENS
        return own.get(limit, 0)

    def raise_limit(self, limit: str, more: int) -> None:
        """Raise the limit named as in `LimitReached` by `more`."""
        name = limit.replace(" ", "_")
        self.limits = replace(self.limits, **{name: getattr(self.limits, name) + more})

    def spend(self, usage: TokenUsage, prices: Prices | None = None) -> None:
        """Add the tokens of one request; `prices` are those of another model than the run's."""
        so_far, prices = self.usage, prices or self.prices
        cost = prices.cost(usage.prompt, usage.completion) if prices else None
        self.usage = RunUsage(
            so_far.prompt_tokens + usage.prompt,
            so_far.completion_tokens + usage.completion,
            so_far.requests + 1,
            estimated=so_far.estimated or usage.estimated,
            money=so_far.money if cost is None else (so_far.money or 0.0) + cost,
            cached=so_far.cached + usage.cached,
            reasoning=so_far.reasoning + usage.reasoning,
            per_second=usage.per_second,
        )

    def seconds(self) -> float:
        """Return the duration of the run without pauses."""
        return time.monotonic() - self.started - self.paused

    def searching(self) -> float:
        """Return the seconds that count against the limit."""
        since = 0.0 if self._first_result is None else self.seconds() - self._first_result
        return since - self._waited if self.excludes_waiting else since

    def turn_seconds(self, *, searching: bool) -> float:
        """Return the seconds one turn may write: what is left of the limit while `searching`, else all of it."""
        if not self.limits.seconds:
            return math.inf
        left = self.limits.seconds - self.searching() if searching else self.limits.seconds
        return max(left, LEAST_TURN_SECONDS)

    def note_result(self) -> None:
        """Start the limit on seconds at the first tool result."""
        if self._first_result is None:
            self._first_result = self.seconds()

    def note_wait(self, seconds: float) -> None:
        """Add seconds in which the model had not begun to write."""
        if self._first_result is not None:
            self._waited += seconds

    def calls_left(self) -> int | None:
        """Return how many more tool calls are allowed, None if there is no limit."""
        return max(self.limits.tool_calls - self.calls, 0) if self.limits.tool_calls else None

    def over(self) -> bool:
        """Return whether the limits forbid another tool call."""
        return self._is_late() or self.calls_left() == 0

    def reached(self) -> LimitReached | None:
        """Return the limit that forbids another step, if any."""
        limits = self.limits
        if self.step >= self.steps:
            return LimitReached("steps", f"The limit of {self.steps} steps is reached.")
        if self.calls_left() == 0:
            return LimitReached("tool calls", f"The limit of {limits.tool_calls} tool calls is reached.")
        return self.used_up()

    def used_up(self) -> LimitReached | None:
        """Return the limit on time or tokens that forbids any further request, also one that is no step."""
        limits, tokens = self.limits, self.usage.tokens
        if self._is_late():
            return LimitReached("seconds", f"The limit of {limits.seconds} seconds is reached.")
        if limits.total_tokens and tokens >= limits.total_tokens:
            return LimitReached("total tokens", f"The limit of {limits.total_tokens:,} tokens is reached.")
        return None

    def _is_late(self) -> bool:
        return bool(self.limits.seconds) and self.searching() >= self.limits.seconds


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
