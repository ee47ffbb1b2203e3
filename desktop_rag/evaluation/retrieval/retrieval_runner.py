"""Runs a retrieval evaluation; the systems take turns at each question, so that load on the machine affects all."""

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from desktop_rag.agent.tools.query_phrasing import plain_query
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import Collection, CollectionQuestion
from desktop_rag.evaluation.indexing import Say, asked_so_far
from desktop_rag.evaluation.machine import absent, this_machine
from desktop_rag.evaluation.retrieval.passage_library import PassageLibrary, index_passages
from desktop_rag.evaluation.retrieval.retrieval_page import DEPTH, Ranking, Result, measured
from desktop_rag.evaluation.retrieval.systems import (
    BASELINES,
    BM25,
    WHOLE,
    Bm25s,
    OurSearch,
    RetrievalSystem,
    WholePassages,
)
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import chosen_encoder

MODES = (Mode.KEYWORD, Mode.SEMANTIC, Mode.HYBRID, Mode.RERANKED, Mode.LINKED, Mode.BEST)
ENGINE = "columnar"  # of the words, as results tell it


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """The systems to run; `keep` is the folder of libraries and vectors, reused by later runs.

    `boolean` asks the questions in their Boolean form, without baselines, `plain` without operators, as the built-in
    model does: a title in quotes is then no phrase that every hit must have.
    """

    modes: tuple[Mode, ...]
    keep: Path
    baselines: tuple[str, ...] = BASELINES
    boolean: bool = False
    plain: bool = False
    encoder: Path = field(default_factory=chosen_encoder)


def evaluate(collections: Iterable[Collection], plan: RetrievalPlan, say: Say) -> Iterator[Result]:
    """Index each collection, search for every question with every system, and measure; raises `BenchError`."""
    if missing := absent("The evaluation", "ir_measures"):
        raise BenchError(missing)
    form = boolean_questions if plan.boolean else plain_questions if plan.plain else lambda each: each
    for collection, asked in [(each, form(each)) for each in collections]:  # read before any is indexed
        yield _result(asked, plan, index_passages(collection, plan.keep, say), say)


def _result(collection: Collection, plan: RetrievalPlan, made: PassageLibrary, say: Say) -> Result:
    with ExitStack() as open_engines:
        systems: dict[str, RetrievalSystem] = {}
        for mode in plan.modes:  # an engine each: what one has encoded, another would find in its cache
            engine = open_engines.enter_context(closing(SearchEngine(made.library, plan.encoder)))
            systems[mode.value] = OurSearch(engine, mode, made)
        systems |= _baselines(collection, plan, made, say)
        answers = rankings(systems, collection.questions, lambda text: say(f"{collection.name}: {text}"))
    return Result(
        collection.name,
        len(collection.passages),
        {question.id: question.text for question in collection.questions},
        collection.multi_hop,
        ENGINE,
        this_machine().describe(),
        tuple(measured(name, found, collection.judged) for name, found in answers.items()),
        plan.encoder.name,
    )


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


def rankings(
    systems: Mapping[str, RetrievalSystem], questions: Sequence[CollectionQuestion], say: Say
) -> dict[str, dict[str, Ranking]]:
    """Return what each system answers, by its name and the question's id."""
    answers: dict[str, dict[str, Ranking]] = {name: {} for name in systems}
    for system in systems.values():  # warm-up: loading is not measured
        system.best(questions[0].text, DEPTH)
    began = time.monotonic()
    for number, question in enumerate(questions):
        say(asked_so_far(number, len(questions), began))
        for name, system in systems.items():
            started = time.perf_counter()
            found = system.best(question.text, DEPTH)
            answers[name][question.id] = Ranking(tuple(found), (time.perf_counter() - started) * 1000)
    return answers


_TOKEN = re.compile(r"\s*(?:#(?P<operator>and|or|not)\b|(?P<sign>[(),])|'(?P<quoted>[^']*)'|(?P<bare>[^\s(),#']+))")


def boolean_questions(collection: Collection) -> Collection:
    """Return the collection with only the questions that have a Boolean form, in that form."""
    asked = tuple(
        replace(one, text=as_query(one.boolean, f"{collection.name}, question “{one.id}”: "))
        for one in collection.questions
        if one.boolean
    )
    if not asked:
        raise BenchError(f"No question of {collection.name} has a Boolean form (`boolean` in queries.jsonl).")
    judged = {question.id: collection.judged[question.id] for question in asked}
    return replace(collection, name=f"{collection.name}-boolean", questions=asked, judged=judged)


def plain_questions(collection: Collection) -> Collection:
    """Return the collection with its questions without operators."""
    plain = tuple(replace(one, text=plain_query(one.text)) for one in collection.questions)
    return replace(collection, questions=plain)


def as_query(text: str, place: str = "") -> str:
    """Return the query; raises `BenchError` with its place, and the position of a syntax error."""
    reader = _Reader(text, place)
    query = reader.term()
    reader.expect_end()
    return query


class _Reader:
    def __init__(self, text: str, place: str) -> None:
        self._text = text
        self._place = place
        self._at = 0

    def term(self) -> str:
        """Read a word, or an operator with its parts."""
        found = self._take()
        operator = found["operator"]
        if operator is None:
            word = found["quoted"] if found["quoted"] is not None else found["bare"]
            if word is None:
                raise self._syntax_error()
            return f'"{word}"' if " " in word.strip() else word.strip()
        parts = self._parts()
        if operator == "not":
            return f"NOT ({' OR '.join(parts)})"
        joined = f" {operator.upper()} ".join(parts)
        return f"({joined})" if len(parts) > 1 else joined

    def expect_end(self) -> None:
        """Raise if more text follows."""
        if self._text[self._at :].strip(" \n;."):
            raise self._syntax_error()

    def _parts(self) -> list[str]:
        self._expect("(")
        parts = [self.term()]
        while (sign := self._sign()) == ",":
            parts.append(self.term())
        if sign != ")":
            raise self._syntax_error()
        return parts

    def _take(self) -> dict[str, str | None]:
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            raise self._syntax_error()
        self._at = match.end()
        return match.groupdict()

    def _sign(self) -> str | None:
        return self._take()["sign"]

    def _expect(self, sign: str) -> None:
        if self._sign() != sign:
            raise self._syntax_error()

    def _syntax_error(self) -> BenchError:
        return BenchError(f"{self._place}A Boolean question cannot be understood at character {self._at}: {self._text}")
