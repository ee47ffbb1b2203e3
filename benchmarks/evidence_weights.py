"""Fits the weights of the built-in model's pairs of sentences, and tests them on collections they were not fitted on.

Each question runs through the agent loop once; its read sentences give the pairs of `evidence_chain`. A listwise
logistic regression raises the pairs that contain the right answer above the others of their question. The weights
that the product contains are those of all given collections together; copy them from the notes of the report.
"""

import argparse
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.report import OURS, Measurement, Report
from desktop_rag.agent.extractive.evidence_chain import pairs
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.extractive.run_state import state_of
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.evaluation.qa.question_records import QaSystem
from desktop_rag.evaluation.qa.question_sets import Choice, QaQuestion, question_sets_below, read_set
from desktop_rag.evaluation.qa.run_question import EngineWithoutEvidence, ask
from desktop_rag.evaluation.qa.summary import contains, normalised
from desktop_rag.llm.chat import ChatEvent, ChatRequest, Message
from desktop_rag.paths import encoder_folder
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Say = Callable[[str], None]

QUOTED = 3  # sentences whose words are compared with the answer
FOLLOWED = 40  # pairs, best first, that add a third sentence
PENALTY = 0.01  # L2, on the mean loss of a question
STEPS = 300
RATE = 0.1  # of Adam
DECAYS = (0.9, 0.999)
TINY = 1e-8


@dataclass(frozen=True, slots=True)
class PairedQuestion:
    """The pairs of one question: a row of features each, its two sentences, and whether a sentence has the answer."""

    features: "NDArray[np.float64]"
    sentences: tuple[tuple[int, int], ...]
    right: tuple[bool, ...]  # by sentence, best first

    def labels(self) -> list[bool]:
        """Return for each pair whether it contains the answer."""
        return [self.right[one] or self.right[other] for one, other in self.sentences]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="question sets, or folders of them")
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER", help="keep and reuse libraries there")
    parser.add_argument("--half", type=int, choices=(1, 2), default=1, help="the half of the questions to fit (1)")
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="questions of each set, sampled at random")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Fit on all collections but one, test on that one; then fit on all."""
    names: list[str] = []
    sets: dict[str, list[PairedQuestion]] = {}
    for folder in question_sets_below(options.folders):
        found = list(_paired_questions(folder, options, names, say))
        if found:
            sets[folder.name] = found
    if not sets:
        raise BenchError("No question has an answer whose words could be found in a sentence.")
    rows: list[Measurement] = []
    for name, questions in sets.items():
        others = [other for each, other in sets.items() if each != name]
        unseen = fit(others) if others else fit([questions])
        rows += _rows(name, questions, unseen, fit([questions]))
    weights = dict(zip(names, fit(list(sets.values())), strict=True))
    notes = (
        f"Share of the questions with an answer other than yes or no whose answer is in {QUOTED} sentences.",
        "Fitted on all: " + ", ".join(f'"{name}": {weight:.2f}' for name, weight in weights.items()),
    )
    return Report("Pairs of sentences of the built-in model", tuple(rows), notes, this_machine())


def _rows(
    name: str, questions: Sequence[PairedQuestion], unseen: Sequence[float], own: Sequence[float]
) -> list[Measurement]:
    best = tuple(float(any(question.right[:QUOTED])) for question in questions)
    shares = {
        OURS: _mean([has_answer(question, unseen) for question in questions]),
        "weights of this collection": _mean([has_answer(question, own) for question in questions]),
        "best sentences one by one": _mean(best),
        "all sentences read": _mean([any(question.right) for question in questions]),
    }
    return [Measurement(name, subject, "share", (share,), "more") for subject, share in shares.items()]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def has_answer(question: PairedQuestion, weights: Sequence[float]) -> bool:
    """Return whether the sentences of the best pairs contain the answer."""
    scores = question.features @ list(weights)
    order = sorted(range(len(scores)), key=lambda number: -scores[number])
    chosen = dict.fromkeys(one for number in order[:FOLLOWED] for one in question.sentences[number])
    return any(question.right[one] for one in list(chosen)[:QUOTED])


def fit(sets: Sequence[Sequence[PairedQuestion]]) -> list[float]:
    """Return the weights that raise the pairs with the answer; every collection counts the same."""
    import numpy as np

    rows = [
        (question.features, np.array(question.labels()), 1 / len(questions))
        for questions in sets
        for question in questions
        if any(question.labels())
    ]
    if not rows:
        raise BenchError("No pair of sentences contains an answer.")
    total = sum(share for *_, share in rows)
    weights = np.zeros(rows[0][0].shape[1])
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slope = PENALTY * weights
        for features, right, share in rows:
            scores = features @ weights
            odds = np.exp(scores - scores.max())
            slope += share / total * (features.T @ (odds / odds.sum() - odds * right / (odds[right].sum() + TINY)))
        mean = DECAYS[0] * mean + (1 - DECAYS[0]) * slope
        square = DECAYS[1] * square + (1 - DECAYS[1]) * slope**2
        step_size = RATE * (mean / (1 - DECAYS[0] ** step))
        weights = weights - step_size / (np.sqrt(square / (1 - DECAYS[1] ** step)) + TINY)
    return [float(weight) for weight in weights]


def _paired_questions(
    folder: Path, options: argparse.Namespace, names: list[str], say: Say
) -> Generator[PairedQuestion]:
    questions = read_set(folder, options.keep)
    questions.index(say)
    chosen = [one for one in Choice(options.limit, 1, options.half).of(questions.questions) if _has_words(one)]
    with closing(EngineWithoutEvidence(questions.library, encoder_folder())) as engine:
        for number, question in enumerate(chosen, 1):
            if number % 20 == 0:
                say(f"{questions.name}: {number:,} of {len(chosen):,} questions")
            model = _RecordingModel()
            ask(question, QaSystem("built-in", model.name, "full"), model, Limits(), engine, Stop())
            if paired := pair_up(model.messages, question.answers, names):
                yield paired


def _has_words(question: QaQuestion) -> bool:
    return question.answerable and all(normalised(answer) not in ("yes", "no") for answer in question.answers)


def pair_up(messages: Sequence[Message], answers: Sequence[str], names: list[str]) -> PairedQuestion | None:
    """Return the pairs of the sentences read for the first question; their feature names are put into `names`."""
    import numpy as np

    state = state_of(messages)
    ranked = state.ranked(1, Stop())
    numbers: Mapping[int, int] = {id(one): number for number, one in enumerate(ranked)}
    found = list(pairs(state.questions[0], ranked))
    if not found:
        return None
    names[:] = found[0].features
    return PairedQuestion(
        np.array([list(pair.features.values()) for pair in found]),
        tuple((numbers[id(pair.first)], numbers[id(pair.second)]) for pair in found),
        tuple(bool(contains(one.candidate.text, answers)) for one in ranked),
    )


class _RecordingModel(ExtractiveModel):
    """The built-in model, remembering the messages of its last turn."""

    def __init__(self) -> None:
        self.messages: tuple[Message, ...] = ()

    def chat(self, request: ChatRequest, stop: Stop) -> Generator[ChatEvent]:
        """Yield tool calls, or the answer."""
        self.messages = tuple(request.messages)
        yield from super().chat(request, stop)
