"""The cost of a run by stage: tokens, and money if the profile states prices."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from desktop_rag.agent.events import AgentEvent, Answered, Routed, RunUsage
from desktop_rag.settings import Profile

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
