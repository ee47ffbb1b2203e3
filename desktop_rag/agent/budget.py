"""The budget of a run: its limits and their use so far."""

import logging
import math
import threading
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Literal

import msgspec

from desktop_rag.agent.events import AgentEvent, Answered, ContextMeasured, LimitReached, Routed, RunUsage
from desktop_rag.decoding import decode_json
from desktop_rag.llm.chat import TokenUsage
from desktop_rag.paths import private_folder, write_durably
from desktop_rag.settings import Limits, MoneyLimits, Profile

# The money that requests to models have cost, by day; one small file for all libraries.

# The cost of a run by stage: tokens, and money if the profile states prices.

Stage = Literal["sorting", "answering"]
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of a model per million tokens."""

    sent: float
    received: float

    def cost(self, prompt: int, completion: int) -> float:
        """Return what these tokens cost."""
        return (prompt * self.sent + completion * self.received) / _MILLION


@dataclass(frozen=True, slots=True)
class Purse:
    """The prices of a run's model, and how much the user's limit still allows.

    `left` takes the cost of the run so far and returns what remains, None without a limit.
    """

    prices: Prices
    left: Callable[[float], float | None] = lambda _: None
    fast: Prices | None = None  # of the cheaper model; None: not known

    def too_dear(self, spent: float, prompt: int, answer: int) -> str:
        """Return what a request of so many tokens may cost if that is more than is left, else an empty text."""
        left, cost = self.left(spent), self.prices.cost(prompt, answer)
        if left is None or cost <= left:
            return ""
        return f"The next request may cost {amount_text(cost)}; {amount_text(max(left, 0.0))} is left of your limit."

    def of_fast(self) -> "Purse":
        """Return the purse of requests to the cheaper model; without its prices they count as the model's own."""
        return replace(self, prices=self.fast or self.prices)


@dataclass(frozen=True, slots=True)
class StageCost:
    """The cost of one stage; `money` is None without prices."""

    stage: Stage
    usage: RunUsage
    money: float | None

    @property
    def tokens(self) -> int:
        """Return input and output tokens together."""
        return self.usage.tokens


def stage_costs(events: Iterable[AgentEvent], profile: Profile | None) -> tuple[StageCost, ...]:
    """Return the cost of each stage of a run that called a model; `profile` is the one it ran with."""
    found: list[StageCost] = []
    for event in events:
        if isinstance(event, Routed) and event.usage.requests:
            found.append(StageCost("sorting", event.usage, _money(event.usage, profile.fast() if profile else None)))
        elif isinstance(event, Answered):
            money = event.usage.money  # requests to the cheaper model have other prices
            found.append(StageCost("answering", event.usage, _money(event.usage, profile) if money is None else money))
    return tuple(found)


def prices_of(profile: Profile | None) -> Prices | None:
    """Return the prices of a profile's model, None if it states none."""
    if profile is None or (profile.price_in is None and profile.price_out is None):
        return None
    return Prices(profile.price_in or 0.0, profile.price_out or 0.0)


def _money(usage: RunUsage, profile: Profile | None) -> float | None:
    prices = prices_of(profile)
    return prices.cost(usage.prompt_tokens, usage.completion_tokens) if prices else None


def amount_text(amount: float) -> str:
    """Return an amount of money without its currency; small ones with four decimals."""
    return f"{amount:.{4 if 0 < amount < 0.0995 else 2}f}"


_KEPT_DAYS = 400
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Spent:
    """The money spent today and this month."""

    day: float
    month: float


class Spending:
    """Adds up money by day; the methods that read or write the file are for background threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._days: dict[str, float] = {}

    def load(self, today: date | None = None) -> Spent:
        """Read the file, which another process may have written, and return the totals."""
        with self._lock:
            self._read()
        return self.spent(today)

    def spent(self, today: date | None = None) -> Spent:
        """Return the totals as of the last reading or writing."""
        day = (today or date.today()).isoformat()
        days = self._days
        month = sum(amount for each, amount in days.items() if each.startswith(day[:7]))
        return Spent(days.get(day, 0.0), month)

    def add(self, amount: float, today: date | None = None) -> None:
        """Add an amount; if it cannot be written, it counts until the program ends."""
        day = (today or date.today()).isoformat()
        with self._lock:
            self._read()
            days = {**self._days, day: self._days.get(day, 0.0) + amount}
            self._days = dict(sorted(days.items())[-_KEPT_DAYS:])
            try:
                private_folder(self._path.parent)
                write_durably(self._path, msgspec.json.format(msgspec.json.encode(self._days), indent=2))
            except OSError as error:
                _log.warning("the money spent could not be written: %s", error)

    def left(self, limits: MoneyLimits, today: date | None = None) -> float | None:
        """Return what may still be spent without passing a limit, None without a limit."""
        spent = self.load(today)
        rooms = [limits.day - spent.day] if limits.day else []
        rooms += [limits.month - spent.month] if limits.month else []
        return min(rooms, default=None)

    def _read(self) -> None:
        try:
            self._days = decode_json(self._path.read_bytes(), dict[str, float])
        except FileNotFoundError:
            return
        except (OSError, msgspec.DecodeError) as error:
            _log.warning("the money spent could not be read: %s", error)


def purse_of(profile: Profile | None, spending: Spending, limits: MoneyLimits) -> Purse | None:
    """Return the prices of a run with this profile and what is left of the limits, None without prices."""
    prices = prices_of(profile)
    if prices is None:
        return None

    def left(run: float) -> float | None:
        rooms = (spending.left(limits), limits.run - run if limits.run else None)
        return min((room for room in rooms if room is not None), default=None)

    return Purse(prices, left, prices_of(profile.fast() if profile else None))


def count_spending(events: Iterable[AgentEvent], profile: Profile | None, spending: Spending) -> Generator[AgentEvent]:
    """Pass on the events of a run and add what its requests cost."""
    fast = prices_of(profile.fast() if profile else None)
    counted = 0.0
    for event in events:
        if isinstance(event, ContextMeasured | Answered) and (event.usage.money or 0.0) > counted:
            spending.add((event.usage.money or 0.0) - counted)
            counted = event.usage.money or 0.0
        elif isinstance(event, Routed) and fast and event.by:
            spending.add(fast.cost(event.usage.prompt_tokens, event.usage.completion_tokens))
        yield event


EXTENSION = Limits(steps=5, tool_calls=20, seconds=120, context_tokens=0, total_tokens=100_000)  # on request
MORE_TOKENS = 20_000  # a run may be allowed more tokens in portions of this size
SEARCHING = 0.75  # of the seconds of a run; the rest is for the answer
_UNLIMITED = 1_000  # steps; every run has to end


@dataclass(slots=True)
class RunBudget:
    """The limits of a run and its counters; zero means no limit of that kind.

    The seconds count from the model's first words or the first tool result: before, a server may load the model. They
    hold for all that models write; a toolkit's own, smaller limit is for the search, without its waits for the model.
    """

    limits: Limits
    started: float = field(default_factory=time.monotonic)
    step: int = 0
    calls: int = 0
    most_seconds: int = 0  # of the whole run; those of `limits` may be fewer
    paused: float = 0.0  # seconds the user paused the run
    _paused_at: float | None = None  # of a pause that goes on
    _begun: float | None = None  # seconds of the run at the first words or result
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
        self.most_seconds = self.most_seconds and self.most_seconds + EXTENSION.seconds

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
        if limit == "seconds":
            self.most_seconds += more

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
            per_second=usage.per_second or so_far.per_second,
        )

    def seconds(self) -> float:
        """Return the duration of the run without pauses."""
        now = time.monotonic() if self._paused_at is None else self._paused_at
        return now - self.started - self.paused

    def pause(self) -> None:
        """Stop the clock."""
        self._paused_at = time.monotonic()

    def resume(self) -> None:
        """Let the clock go on."""
        if self._paused_at is not None:
            self.paused += time.monotonic() - self._paused_at
            self._paused_at = None

    def left(self, *, searching: bool = False) -> float:
        """Return the seconds that are left of the run, or of its search."""
        if not self.most_seconds or self._begun is None:
            return math.inf
        return self.most_seconds * (SEARCHING if searching else 1.0) - (self.seconds() - self._begun)

    def note_begin(self, waited: float = 0.0) -> None:
        """Note the first tool result, or that the model begins to write after it `waited` for so many seconds."""
        if self._begun is None:
            self._begun = self.seconds()
        else:
            self._waited += waited

    def calls_left(self) -> int | None:
        """Return how many more tool calls are allowed, None if there is no limit."""
        return max(self.limits.tool_calls - self.calls, 0) if self.limits.tool_calls else None

    def over(self) -> bool:
        """Return whether the limits forbid another tool call; every run may search once, however late it is."""
        return (self._is_late() and self.calls > 0) or self.calls_left() == 0

    def reached(self) -> LimitReached | None:
        """Return the limit that forbids another step, if any."""
        limits = self.limits
        if self.step >= self.steps:
            return LimitReached("steps", f"The limit of {self.steps} steps is reached.")
        if self.calls_left() == 0:
            return LimitReached("tool calls", f"The limit of {limits.tool_calls} tool calls is reached.")
        if self._is_late():
            return LimitReached("seconds", f"The limit of {limits.seconds} seconds is reached.")
        if self._is_dear():
            return LimitReached("total tokens", f"The limit of {limits.total_tokens:,} tokens is reached.")
        return None

    def used_up(self) -> bool:
        """Return whether the limits on time or tokens forbid any further request, also one that is no step."""
        return self.left() <= 0 or self._is_dear()

    def _is_dear(self) -> bool:
        return 0 < self.limits.total_tokens <= self.usage.tokens

    def _is_late(self) -> bool:
        searched = 0.0 if self._begun is None else self.seconds() - self._begun - self._waited
        return self.left(searching=True) <= 0 or 0 < self.limits.seconds <= searched


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
