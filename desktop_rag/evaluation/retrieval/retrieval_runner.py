"""Runs a retrieval evaluation; the systems take turns at each question, so that load on the machine affects all."""

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
from desktop_rag.evaluation.retrieval.passage_library import PassageLibrary, index_passages
from desktop_rag.evaluation.retrieval.reference_engine import FloatVectors, stock_keywords
from desktop_rag.evaluation.retrieval.results import DEPTH, Ranking, Result, measured
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
    """The systems to run; `keep` is the folder of libraries and vectors, reused by later runs.

    `boolean` asks the questions in their Boolean form, without baselines. `float32` is the folder of the encoder in
    float32, if any: semantic search with it is one more baseline.
    """

    modes: tuple[Mode, ...]
    keep: Path
    baselines: tuple[str, ...] = BASELINES
    boolean: bool = False
    engine: KeywordEngine = KeywordEngine.COLUMNAR
    encoder: Path = field(default_factory=encoder_folder)
    float32: Path | None = None


def evaluate(collection: Collection, plan: RetrievalPlan, say: Say) -> Result:
    """Index a collection, search for every question with every system, and measure; raises `BenchError`."""
    if missing := absent("The evaluation", "ir_measures"):
        raise BenchError(missing)
    made = index_passages(collection, plan.keep, say)
    if plan.boolean:
        collection = boolean_questions(collection)
    with ExitStack() as open_engines:
        engine = open_engines.enter_context(closing(_engine(plan, made, say)))
        systems: dict[str, RetrievalSystem] = {mode.value: OurSearch(engine, mode, made) for mode in plan.modes}
        if plan.float32 is not None:
            unrounded = open_engines.enter_context(closing(_unrounded(plan.float32, made, say)))
            systems[FLOAT32] = OurSearch(unrounded, Mode.SEMANTIC, made)
        systems |= _baselines(collection, plan, made, say)
        answers = _rankings(systems, collection.questions, say)
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
    """Return an engine with float32 vectors of a float32 encoder: what sentence-transformers would compute."""
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


def _rankings(
    systems: Mapping[str, RetrievalSystem], questions: Sequence[CollectionQuestion], say: Say
) -> dict[str, dict[str, Ranking]]:
    answers: dict[str, dict[str, Ranking]] = {name: {} for name in systems}
    for system in systems.values():  # warm-up: loading is not measured
        system.best(questions[0].text, DEPTH)
    for number, question in enumerate(questions, 1):
        if number % 50 == 1:
            say(f"Asking question {number:,} of {len(questions):,}")
        for name, system in systems.items():
            started = time.perf_counter()
            found = system.best(question.text, DEPTH)
            answers[name][question.id] = Ranking(tuple(found), (time.perf_counter() - started) * 1000)
    return answers
