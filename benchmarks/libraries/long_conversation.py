"""A conversation of 10,000 messages, as somebody has it who has asked in the same one for years."""

from contextlib import closing
from pathlib import Path

from benchmarks.libraries.endpoint import ANSWER
from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import ConversationId, Turn
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    Citation,
    Claim,
    ContextUse,
    RunStarted,
    RunUsage,
    Source,
    StepStarted,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.index.records import ContentId

TURNS = 5_000
_LINE = "The rent is due monthly, as the third part of the lease says, on the first working day."


def write_long_conversation(file: Path, turns: int = TURNS) -> ConversationId:
    """Write the conversation into a new store, and return its number."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(ConversationStore(file)) as store:
        number = store.begin(_question(1))
        places = range(1, turns + 1)
        store.save_all(number, (Turn(place, _question(place), _events(place), place, place - 1) for place in places))
        return number


def _question(place: int) -> str:
    return f"What is the rent of house {place}, and who pays it?"


def _events(place: int) -> tuple[AgentEvent, ...]:
    """Return a run of one search; every tenth answer is as long as the endpoint's."""
    long = place % 10 == 0
    text = f"The rent of house {place} is due **monthly** [1](cite:1).\n\n- Who pays: the tenant [2](cite:2)."
    text = ANSWER.replace("[turn1search1]", "[1](cite:1)") if long else text
    citations = tuple(_citation(number) for number in (1, 2))
    claims = (Claim(0, text.index("."), "unchecked", (1,)),)
    use = ContextUse(800, 0, 900, 300, 32_768, estimated=False)
    use = ContextUse(800, 0, 900, 300, 32_768, estimated=False)
    usage = RunUsage(2_100, 300, 2, estimated=False)
    return (
        RunStarted(_question(place), "full", "scripted", place),
        StepStarted(1, 15),
        ToolCalled(1, "call1", "search", '{"queries": ["rent"]}', "Searching “rent”"),
        ToolReturned(1, "call1", "search", "8 passages", tuple(map(_source, range(1, 9))), 0.1, 800, failed=False),
        StepStarted(2, 15),
        Answered(text, citations, use, usage, 3.0, 2, found=True, claims=claims),
    )


def _source(number: int) -> Source:
    path = f"/home/ada/Leases/lease {number}.pdf"
    return Source(f"turn1search{number}", ContentId(number), "Lease", path, 10, 14, 3, _LINE)


def _citation(number: int) -> Citation:
    path = f"/home/ada/Leases/lease {number}.pdf"
    place = (ContentId(number), f"{number:064x}", path, "Lease", "pdf", 3, 10, 10)
    return Citation(number, f"turn1search{number}", *place, _LINE, _LINE, 10, "verbatim")
