"""Events of typical runs, as the widgets receive them."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.agent.events import (
    AgentEvent,
    AnswerDelta,
    Answered,
    Citation,
    ContextMeasured,
    ContextUse,
    LimitReached,
    RunFailed,
    RunStarted,
    RunStopped,
    RunUsage,
    Source,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
    Verdict,
)
from desktop_rag.gui.conversation.conversation_requests import ConversationRequests
from desktop_rag.gui.conversation.conversation_view import ConversationView
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.index.records import ContentId
from tests.endpoint import ScriptedEndpoint
from tests.gui.conversation.conversation_table import Table

FILES = ("notes.md", "lease.pdf", "2024-03 increase.eml", "house rules.docx", "rent.xlsx")
QUESTION = "How much notice must the landlord give before raising the rent?"

ANSWER = """## Rent increases in your lease

The landlord may raise the rent **once every twelve months** [1](cite:1), and must announce it in writing \
*at least three months ahead* [2](cite:2)[3](cite:3). The cap is `3.5 %` a year.

1. The notice names the new rent and the reason [1](cite:1).
2. You have two months to answer:
   - agree in writing, or
   - object with reasons [4](cite:4)
3. Without agreement the old rent stands.

| Year | Rent | Change |
|:-----|-----:|:------:|
| 2023 | 840 € | – |
| 2024 | 869 € | +3.5 % |

> The tenant shall be notified in text form.

```python
def next_rent(rent: float, cap: float = 0.035) -> float:
    return round(rent * (1 + cap), 2)  # never more than the cap
```

See also [the act](https://www.example.org/act) and ![a plan of the flat](file:///etc/passwd).
"""

CONTEXT = ContextUse(instructions=812, history=640, evidence=1_760, answer=200, limit=32_768, estimated=False)
USAGE = RunUsage(prompt_tokens=6_804, completion_tokens=400, requests=3, estimated=False)


def source(number: int, path: str = "", page: int | None = None) -> Source:
    path = path or f"/home/ada/Flat/{FILES[number % len(FILES)]}"
    page = 3 if path.endswith(".pdf") and page is None else page
    return Source(
        reference=f"turn1search{number}",
        content=ContentId(number),
        title="Lease agreement",
        path=path,
        first_line=10 + number,
        last_line=14 + number,
        page=page,
        preview="The landlord shall announce any increase of the rent in writing, at least three months ahead.",
    )


def citation(number: int, verdict: Verdict = "verbatim", path: str = "/home/ada/Flat/lease.pdf") -> Citation:
    quote = "The landlord shall announce any increase of the rent in writing, at least three months ahead."
    return Citation(
        number=number,
        reference=f"turn1search{number}",
        content=ContentId(number),
        sha256="0" * 64,
        path=path,
        title="Lease agreement",
        format="pdf",
        page=3 if path.endswith(".pdf") else None,
        first_line=10 + number,
        last_line=13 + number,
        quote=quote,
        passage=f"Section 4\n{quote}\nSection 5",
        passage_first_line=9 + number,
        verdict=verdict,
    )


CITATIONS = (
    citation(1),
    citation(2, "paraphrase", "/home/ada/Flat/letters/2024-03 increase.eml"),
    citation(3, "misattributed", "/home/ada/Flat/notes.md"),
    citation(4, "not found", "/home/ada/Flat/rent.xlsx"),
)


def working_events() -> list[AgentEvent]:
    """A run up to the moment when its answer begins."""
    found = tuple(source(number) for number in range(1, 9))
    return [
        RunStarted(QUESTION, "full", "qwen3:8b", 1),
        StepStarted(1, 15),
        Thought(1, "The lease and the letters about it should say. "),
        Thought(1, "I search for the notice period first."),
        ToolCalled(1, "c1", "search", '{"queries":["rent increase"]}', "Searching “rent increase”"),
        ToolCalled(1, "c2", "search", '{"queries":["notice period"]}', "Searching “notice period”"),
        ToolReturned(1, "c1", "search", "8 passages in 3 files", found, 0.42, 812, False),
        ToolReturned(1, "c2", "search", "Nothing found", (), 0.08, 24, False),
        ContextMeasured(CONTEXT, RunUsage(2_100, 90, 1, estimated=False)),
        StepStarted(2, 15),
        ToolCalled(2, "c1", "open", '{"reference":"turn1search1"}', "Reading lease.pdf, lines 1–40"),
        ToolReturned(2, "c1", "open", "40 of 312 lines", (source(1),), 0.03, 940, False),
        StepStarted(3, 15),
    ]


def answer_deltas() -> list[AgentEvent]:
    return [AnswerDelta(ANSWER[start : start + 7]) for start in range(0, len(ANSWER), 7)]


def answered(text: str = ANSWER, citations: tuple[Citation, ...] = CITATIONS, *, found: bool = True) -> Answered:
    return Answered(text, citations, CONTEXT, USAGE, 12.3, 3, found)


@pytest.fixture
def requests(qapp: QApplication) -> ConversationRequests:
    return ConversationRequests(ViewerRequests())


@pytest.fixture
def finished_run() -> list[AgentEvent]:
    return [*working_events(), *answer_deltas(), answered()]


@pytest.fixture
def running_run() -> list[AgentEvent]:
    return working_events()


@pytest.fixture
def failed_run() -> list[AgentEvent]:
    words = "http://localhost:11434/v1 does not answer. Start the server, or check the address in the settings."
    failed = RunFailed("The model cannot be reached", words, "The landlord may", ())
    return [*working_events()[:8], AnswerDelta("The landlord may"), failed]


@pytest.fixture
def stopped_run() -> list[AgentEvent]:
    return [*working_events(), AnswerDelta("The landlord may raise"), RunStopped("The landlord may raise", (), 4.2)]


@pytest.fixture
def limited_run() -> list[AgentEvent]:
    words = "15 steps are used up. The answer is made from what was found until then."
    return [*working_events(), LimitReached("steps", words), answered()]


@pytest.fixture
def not_found_run() -> list[AgentEvent]:
    text = "I searched 4 phrasings in 12 files and read 2 passages. None of them names a pet clause."
    return [*working_events(), answered(text, (), found=False)]


@pytest.fixture
def make_citation() -> Callable[[int], Citation]:
    return citation


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as endpoint:
        yield endpoint


@pytest.fixture
def table(tmp_path: Path, endpoint: ScriptedEndpoint, qtbot: QtBot) -> Iterator[Table]:
    table = Table(tmp_path, endpoint, qtbot)
    yield table
    table.close()


@pytest.fixture
def held() -> threading.Event:
    return threading.Event()


@pytest.fixture
def view(qtbot: QtBot, requests: ConversationRequests) -> ConversationView:
    """Return an empty conversation on the screen."""
    view = ConversationView(requests)
    qtbot.addWidget(view)
    view.resize(800, 500)
    view.show()
    qtbot.waitExposed(view)
    return view
