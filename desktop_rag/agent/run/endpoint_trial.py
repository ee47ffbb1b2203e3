"""Examines an endpoint within a minute: what it accepts, then how it answers a real question of the sample library.

What is found decides how later questions are answered: by searches of the model, or of the program.
"""

import shutil
import tempfile
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    AnswerRestarted,
    RunFailed,
    RunStopped,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.agent.extractive.model_process import ExtractiveModelClient
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.run.short_path import FALLBACK_ID
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import LEAST_WINDOW, Run
from desktop_rag.errors import Stopped
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.llm.doctor import Finding, Rating, examine
from desktop_rag.llm.endpoint_traits import EndpointMemory
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.paths import resources
from desktop_rag.retrieval.api import Retriever
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.settings import Limits, Profile
from desktop_rag.stop import Stop

SECONDS = 60.0  # of the whole examination
ANSWER = "Nordvarme"  # to the question
STEPS = 4  # in which a model that searches well has found it
_ABOUT = "Method"


def trial_question() -> str:
    """Return the question of the sample library that a model is asked."""
    return (resources() / "sample_questions.txt").read_text(encoding="utf-8").splitlines()[1]


def examine_with_sample(
    profile: Profile, key: str, stop: Stop, memory: EndpointMemory | None = None, seconds: float = SECONDS
) -> Generator[Finding]:
    """Yield the findings on a profile as they come, for at most `seconds`; raises only `Stopped`."""
    expiring = Stop()
    timer = threading.Timer(seconds, expiring.set)
    timer.daemon = True
    with stop.interrupting(expiring.set):
        timer.start()
        try:
            yield from examine(profile, key, expiring, memory, partial(_trial, stop))
        except Stopped:
            stop.check()
            text = f"Ended after {seconds:.0f} seconds. What is not listed was not tried."
            yield Finding("Time", Rating.LIMITED, text)
        finally:
            timer.cancel()


def _trial(user: Stop, model: OpenAIChat, stop: Stop) -> Iterator[Finding]:
    """Ask the question of the sample by the short path, then with the tools if the model may be able to use them.

    `stop` is also set when the time is over; `user` only by the user.
    """
    model.note_examined(searches_well=None)
    model.ask_size(stop)
    with _sample(stop) as retriever, closing(ExtractiveModelClient()) as built_in:
        run = Run(toolkit("short"), model, retriever, stop, built_in=built_in)
        short = _Trial(tuple(_timed(answer(Question(trial_question()), run))))
        user.check()
        if short.failure:
            yield Finding("Answer", Rating.BAD, short.failure)
            return
        yield short.speed()
        small = model.traits.is_small() or model.context_window < LEAST_WINDOW
        if stop.is_set() or small:
            model.note_examined(searches_well=False)
            yield _program_searches(short, slow=stop.is_set(), small=small)
            return
        run = replace(run, toolkit=toolkit("full"), limits=Limits(steps=STEPS))
        searched = _Trial(tuple(_timed(answer(Question(trial_question()), run))))
        user.check()
    well = searched.is_right and searched.has_searched
    model.note_examined(searches_well=well)
    if well:
        text = "It searched the sample library by itself and found what was asked: “Thorough” suits it."
        yield Finding(_ABOUT, Rating.GOOD, text)
    else:
        yield _program_searches(short, slow=stop.is_set(), small=False)


def _program_searches(short: "_Trial", *, slow: bool, small: bool) -> Finding:
    """Return the finding that the program searches for the model from now on."""
    if slow:
        text = "It is slow: the program searches for it from now on, and shows its passages before the model's words."
    elif small:
        text = "It is small, or its window is: the program searches for it from now on."
    else:
        text = "It did not find by itself what was asked: the program searches for it from now on."
    return Finding(_ABOUT, Rating.GOOD if short.is_right else Rating.LIMITED, text)


@dataclass(frozen=True, slots=True)
class _Trial:
    """The events of a run, each with the seconds since its beginning."""

    events: tuple[tuple[float, AgentEvent], ...]

    @property
    def failure(self) -> str:
        """Why the run failed; empty if it did not."""
        last = self.events[-1][1]
        return f"{last.title}: {last.message}" if isinstance(last, RunFailed) else ""

    @property
    def is_right(self) -> bool:
        """Whether the first words of the answer name what was asked for."""
        last = self.events[-1][1]
        return isinstance(last, Answered) and ANSWER in last.text.split("\n\n")[0]

    @property
    def has_searched(self) -> bool:
        """Whether the model made the calls."""
        calls = (event for _, event in self.events if isinstance(event, ToolCalled))
        return any(not call.call_id.startswith(FALLBACK_ID) for call in calls)

    def speed(self) -> Finding:
        """Tell how fast the model reads and writes."""
        asked = max((at for at, event in self.events if isinstance(event, ToolReturned)), default=0.0)
        began = next((at for at, event in self.events if isinstance(event, AnswerRestarted) and at >= asked), 0.0)
        last = self.events[-1][1]
        if isinstance(last, RunStopped):
            return Finding("Speed", Rating.LIMITED, "It had not finished its answer when the time was over.")
        if not (began and isinstance(last, Answered)):
            return Finding("Speed", Rating.LIMITED, "The model wrote no answer to a question of the sample library.")
        waited = began - asked
        read, writes = last.usage.prompt_tokens, last.usage.per_second
        text = f"Its first words came after {waited:.1f} seconds, for which it read {read:,} tokens."
        if writes:
            rate = f"{writes:.0f}"
            text = f"Its first words came after {waited:.1f} seconds ({read:,} tokens read); it writes {rate} a second."
        return Finding("Speed", Rating.GOOD if waited <= _PATIENCE else Rating.LIMITED, text)


_PATIENCE = 15.0  # seconds until the first words


def _timed(events: Generator[AgentEvent]) -> Iterator[tuple[float, AgentEvent]]:
    began = time.monotonic()
    with closing(events):
        for event in events:
            yield time.monotonic() - began, event


@contextmanager
def _sample(stop: Stop) -> Generator[Retriever]:
    """Index the sample library in a folder that is removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="desktop-rag-sample-"))
    try:
        library = Library(folder)
        with closing(LibraryClient(library)) as client:
            client.add([resources() / "sample"], stop)
            with closing(client.follow(stop)) as statuses:
                for status in statuses:
                    if status.phase is IndexingPhase.IDLE and not any(each.scanning for each in status.folders):
                        break
            with closing(SearcherClient(library.folder)) as retriever:
                yield retriever
    finally:
        shutil.rmtree(folder, ignore_errors=True)
