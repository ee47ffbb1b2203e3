"""Stop ends a run within bounded work, whatever the model wrote: between two looks at it little is computed."""

import gc
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FrameType

import pytest

from desktop_rag.agent.events import AgentEvent, AnswerDelta, Answered, LimitReached, RunStopped, Thought
from desktop_rag.agent.prompts import NO_ANSWER_FOUND
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Limits, Profile
from desktop_rag.stop import Stop
from tests.integration.llm.faults.fault import CALLED, STOP, call, delta
from tests.raw_endpoint import RawEndpoint, Step, stream

SEARCHED = stream(call('{"queries": ["rent"]}'), CALLED)
QUESTION = "When is the rent due?"
MOST_SECONDS = 0.5  # of processor time between two looks; unbounded work took from one to more than a hundred
_RANDOM = random.Random(17)
_WORDS = ["".join(_RANDOM.choices("abcdefghijklmnop", k=_RANDOM.randint(2, 9))) for _ in range(3_000)]


def _prose(size: int) -> str:
    return " ".join(_RANDOM.choices(_WORDS, k=size // 6))


def _written(whole: str, size: int = 3_000) -> tuple[Step, ...]:
    return stream(b"".join(delta(content=whole[at : at + size]) for at in range(0, len(whole), size)), STOP)


_CITED = " [turn1search1 L1]."
HOSTILE: Mapping[str, Callable[[], Sequence[Step]]] = {  # written only when their tests run
    "figures, cited": lambda: _written(" ".join(str(number * 7_919 % 100_000) for number in range(18_000)) + _CITED),
    "a sentence of names": lambda: _written(
        " ".join(word.capitalize() for word in _RANDOM.choices(_WORDS, k=3_000)) + _CITED
    ),
    "a word of 190,000 characters": lambda: _written("".join(_RANDOM.choices("abcdefgh", k=190_000))),
    "10 MB in one line": lambda: _written(_prose(10_000_000), 20_000),
    "brackets": lambda: _written("".join(_RANDOM.choices("([{)]}x ", k=100_000))),
    "objects in objects": lambda: _written('{"tool": {"a": ' * 6_000),
    "tags of parameters": lambda: _written("<tool_call>search" + "<arg_key>" * 10_000),
    "objects in lines": lambda: _written('\n{"name":' * 10_000),
    "a table of 100,000 rows": lambda: _written(
        "| a | b |\n|---|---|\n" + "".join(f"| r{n} | {n} |\n" for n in range(100_000))
    ),
    "signs without words": lambda: _written("".join(_RANDOM.choices("😀漢字🇩🇪", k=60_000))),
    "quotations without end": lambda: _written('[turn1search1 "' * 6_000),
    "thinking without end": lambda: stream(b"".join(delta(reasoning_content=_prose(3_000)) for _ in range(200)), STOP),
    "6,000 calls": lambda: stream(
        b"".join(call(json.dumps({"queries": [f"rent {n}"]}), "search", n, f"c{n}") for n in range(6_000)), CALLED
    ),
}


def _hostile(name: str) -> Sequence[Step]:
    _RANDOM.seed(17)  # the same text whichever tests run before
    return HOSTILE[name]()


class _WatchedStop(Stop):
    """Notes the processor time of its thread between two looks; set at the look number `at`."""

    def __init__(self, at: int = 0) -> None:
        super().__init__()
        self.looks = 0
        self.longest = (0.0, "")
        self._at = at
        self._last = time.thread_time()

    def check(self) -> None:
        self.note()
        super().check()

    def is_set(self) -> bool:
        self.note()
        return super().is_set()

    def note(self) -> None:
        """Note the time since the last look."""
        frame: FrameType | None = sys._getframe(2)
        now = time.thread_time()
        self.longest = max(self.longest, (now - self._last, f"before {frame.f_code.co_qualname}" if frame else ""))
        self._last = time.thread_time()
        self.looks += 1
        if self.looks == self._at:
            self.set()


@pytest.fixture(scope="module", autouse=True)
def searched(engine: SearchEngine) -> None:
    """Search once: the first search of an engine loads its model."""
    with RawEndpoint([SEARCHED, _written("Rent.")]) as endpoint:
        list(_run(engine, endpoint, Stop()))


def _run(engine: SearchEngine, endpoint: RawEndpoint, stop: Stop) -> Iterator[AgentEvent]:
    model = OpenAIChat(Profile("test", endpoint.base_url, "m"), "", proves_arrival=False)
    return answer(Question(QUESTION), Run(toolkit("full"), model, engine, stop, Limits(steps=2)))


@pytest.fixture
def only_own_objects() -> Iterator[None]:
    """Leave the objects of earlier tests out of collections: a full one takes half a second in a long-lived process."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.slow
@pytest.mark.usefixtures("only_own_objects")
@pytest.mark.parametrize("name", HOSTILE)
def test_little_is_computed_between_two_looks_at_stop(engine: SearchEngine, name: str) -> None:
    stop = _WatchedStop()
    with RawEndpoint([SEARCHED, _hostile(name)]) as endpoint:
        for _ in _run(engine, endpoint, stop):
            stop.note()
    assert stop.longest[0] < MOST_SECONDS, stop.longest
    assert stop.looks > 10


def test_a_run_stopped_anywhere_keeps_the_text_that_was_shown(engine: SearchEngine) -> None:
    said = "".join(
        f"The rent of flat {n} is due on day {n} [turn1search1 L1]. Pets cost {n} euros.\n" for n in range(40)
    )
    whole = _WatchedStop()
    with RawEndpoint([SEARCHED, _written(said, 300)]) as endpoint:
        list(_run(engine, endpoint, whole))
    ends = set()
    for at in range(5, whole.looks, whole.looks // 12):
        with RawEndpoint([SEARCHED, _written(said, 300)]) as endpoint:
            events = list(_run(engine, endpoint, stop := _WatchedStop(at)))
        last = events[-1]
        assert isinstance(last, RunStopped | Answered)
        ends.add(type(last))
        assert stop.looks <= at + 5, "it goes on after Stop"
        assert last.text.startswith("".join(each.text for each in events if isinstance(each, AnswerDelta)))
    assert RunStopped in ends


def test_an_answer_longer_than_anyone_reads_is_cut_and_says_so(engine: SearchEngine) -> None:
    with RawEndpoint([SEARCHED, _hostile("10 MB in one line")]) as endpoint:
        events = list(_run(engine, endpoint, Stop()))
    assert isinstance(events[-1], Answered)
    assert 100_000 <= len(events[-1].text) < 101_000
    told = [each.message for each in events if isinstance(each, LimitReached)]
    assert told == ["The model's answer did not end; it was cut off after 100,000 characters."]
    assert max(len(each.text) for each in events if isinstance(each, AnswerDelta)) < 2_100


def test_thinking_without_end_is_told_as_such(engine: SearchEngine) -> None:
    with RawEndpoint([SEARCHED, _hostile("thinking without end")]) as endpoint:
        events = list(_run(engine, endpoint, Stop()))
    assert "thinking did not end" in next(each.message for each in events if isinstance(each, LimitReached))
    assert any(
        "used up its output before it wrote an answer" in each.text for each in events if isinstance(each, Thought)
    )
    assert isinstance(events[-1], Answered)
    assert events[-1].text.startswith(NO_ANSWER_FOUND)
