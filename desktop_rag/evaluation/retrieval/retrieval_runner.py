"""Asks the questions of a collection, in turns: every system meets the same busy moments of the machine."""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import Collection, CollectionQuestion
from desktop_rag.evaluation.indexing import Say
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.evaluation.peers import absent
from desktop_rag.evaluation.retrieval.boolean import boolean_questions
from desktop_rag.evaluation.retrieval.passage_library import PassageLibrary, indexed
from desktop_rag.evaluation.retrieval.reference_engine import FloatVectors, stock_keywords
from desktop_rag.evaluation.retrieval.results import DEPTH, Answer, Result, measured
from desktop_rag.evaluation.retrieval.systems import (
    BASELINES,
    BM25,
    FLOAT32,
    WHOLE,
    Bm25s,
    OurSearch,
    RetrievalSystem,
    WholePassages,
)
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.keywords.keyword_engine import KeywordEngine
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.service.search_engine import SearchEngine


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """What to ask whom; `keep` is where libraries and vectors stay for the next run.

    `boolean` asks the questions in their Boolean form, which only this program understands. `float32` is the folder of
    the encoder that has not been rounded: search by meaning with it, on the same sentences, is one more baseline.
    """

    modes: tuple[Mode, ...]
    keep: Path
    baselines: tuple[str, ...] = BASELINES
    boolean: bool = False
    engine: KeywordEngine = KeywordEngine.COLUMNAR
    encoder: Path = field(default_factory=encoder_folder)
    float32: Path | None = None


def evaluate(collection: Collection, plan: RetrievalPlan, say: Say) -> Result:
    """Index a collection, ask every question of every system, and measure; raises `BenchError`."""
    if missing := absent("The evaluation", "ir_measures"):
        raise BenchError(missing)
    made = indexed(collection, plan.keep, say)
    if plan.boolean:
        collection = boolean_questions(collection)
    with ExitStack() as open_engines:
        engine = open_engines.enter_context(closing(_engine(plan, made, say)))
        systems: dict[str, RetrievalSystem] = {mode.value: OurSearch(engine, mode, made) for mode in plan.modes}
        if plan.float32 is not None:
            unrounded = open_engines.enter_context(closing(_unrounded(plan.float32, made, say)))
            systems[FLOAT32] = OurSearch(unrounded, Mode.SEMANTIC, made)
        systems |= _baselines(collection, plan, made, say)
        answers = _asked(systems, collection.questions, say)
    return Result(
        collection.name,
        len(collection.passages),
        {question.id: question.text for question in collection.questions},
        collection.multi_hop,
        plan.engine.value,
        this_machine().describe(),
        tuple(measured(name, found, collection.judged) for name, found in answers.items()),
    )


def _engine(plan: RetrievalPlan, made: PassageLibrary, say: Say) -> SearchEngine:
    if plan.engine is KeywordEngine.COLUMNAR:
        return SearchEngine(made.library, plan.encoder)
    vectors = FloatVectors(made, Encoder.load(plan.encoder), say)
    return SearchEngine(made.library, plan.encoder, keywords=stock_keywords(made, say), vectors=vectors)


def _unrounded(encoder: Path, made: PassageLibrary, say: Say) -> SearchEngine:
    """Return search with float32 vectors by an encoder in float32: what sentence-transformers would compute."""
    return SearchEngine(made.library, encoder, vectors=FloatVectors(made, Encoder.load(encoder), say))


def _baselines(
    collection: Collection, plan: RetrievalPlan, made: PassageLibrary, say: Say
) -> dict[str, RetrievalSystem]:
    systems: dict[str, RetrievalSystem] = {}
    if plan.boolean:
        return systems
    if BM25 in plan.baselines:
        if missing := absent(BM25, "bm25s", "Stemmer"):
            say(missing)
        else:
            systems[BM25] = Bm25s(collection.passages)
    if WHOLE in plan.baselines:
        systems[WHOLE] = WholePassages(collection.passages, Encoder.load(plan.encoder), made.folder / "whole", say)
    return systems


def _asked(
    systems: Mapping[str, RetrievalSystem], questions: Sequence[CollectionQuestion], say: Say
) -> dict[str, dict[str, Answer]]:
    answers: dict[str, dict[str, Answer]] = {name: {} for name in systems}
    for system in systems.values():  # what is loaded at the first question is no part of the second one's time
        system.best(questions[0].text, DEPTH)
    for number, question in enumerate(questions, 1):
        if number % 50 == 1:
            say(f"Asking question {number:,} of {len(questions):,}")
        for name, system in systems.items():
            began = time.perf_counter()
            found = system.best(question.text, DEPTH)
            answers[name][question.id] = Answer(tuple(found), (time.perf_counter() - began) * 1000)
    return answers
