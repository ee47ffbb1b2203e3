"""The cost of a run by stage: tokens, and money if the profile states prices."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from desktop_rag.agent.events import AgentEvent, Answered, Routed, RunUsage
from desktop_rag.settings import Profile

Stage = Literal["sorting", "answering"]
_MILLION = 1_000_000


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
            found.append(StageCost("answering", event.usage, _money(event.usage, profile)))
    return tuple(found)


def _money(usage: RunUsage, profile: Profile | None) -> float | None:
    if profile is None or (profile.price_in is None and profile.price_out is None):
        return None
    sent = usage.prompt_tokens * (profile.price_in or 0.0)
    return (sent + usage.completion_tokens * (profile.price_out or 0.0)) / _MILLION
