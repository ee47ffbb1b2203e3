"""The money that requests to models have cost, by day; one small file for all libraries."""

import logging
import threading
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Literal

import msgspec

from desktop_rag.agent.events import AgentEvent, Answered, ContextMeasured, Routed, RunUsage
from desktop_rag.decoding import decode_json
from desktop_rag.paths import private_folder, write_durably
from desktop_rag.settings import MoneyLimits, Profile

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
