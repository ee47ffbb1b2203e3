"""Compares encoders in hybrid search: the same questions and passages in a library of each encoder.

    .venv/bin/python -m benchmarks.encoding.english FOLDER… --encoders FOLDER… --keep FOLDER [--questions 120]

FOLDER is a collection; its first questions are asked of the passages they need and of others, up to `--passages`.
With `--words N` only the N rarest words of each question are asked, as somebody types who searches by keywords.
Prints nDCG@10 in each mode and by how much it differs from that of the first encoder, for each collection and for the
mean of all, whose interval is that of a bootstrap of the questions within each.
"""

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from statistics import fmean

import numpy as np

from desktop_rag.evaluation.datasets import RESAMPLES, Collection, MeanDifference, Values, difference, read_collection
from desktop_rag.evaluation.retrieval.passage_library import index_passages
from desktop_rag.evaluation.retrieval.retrieval_page import measured
from desktop_rag.evaluation.retrieval.retrieval_runner import rankings
from desktop_rag.evaluation.retrieval.systems import OurSearch
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem, terms
from desktop_rag.paths import private_folder, settings_file
from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Settings, save
from desktop_rag.text.language_detection import QUESTION_WORDS

MODES = (Mode.SEMANTIC, Mode.HYBRID)
ByMode = dict[Mode, Values]


def main(arguments: Sequence[str]) -> int:
    """Measure and print a row for each collection and encoder; return the exit code."""
    options = _parser().parse_args(arguments)
    first, *others = options.encoders
    by_encoder: dict[Path, list[ByMode]] = {encoder: [] for encoder in options.encoders}
    for folder in options.folders:
        collection = sample(read_collection(folder), options.questions, options.passages)
        if options.words:
            collection = shortened(collection, options.words)
        for encoder, found in by_encoder.items():
            found.append(_ndcg(collection, encoder, options.keep / encoder.name, options.modes))
            own, base = found[-1], by_encoder[first][-1]
            changes = (f"{difference(own[mode], base[mode])}" for mode in options.modes)
            means = (f"{mode.value} {fmean(own[mode].values()):.3f}" for mode in options.modes)
            _row(collection.name, encoder.name, *map(" ".join, zip(means, changes, strict=True)))
    for encoder in others:
        pairs = (
            (mode, [[each[mode] for each in by_encoder[one]] for one in (encoder, first)]) for mode in options.modes
        )
        _row("mean", encoder.name, *(f"{mode.value} {mean_difference(*values)}" for mode, values in pairs))
    return 0


def mean_difference(ours: Sequence[Values], other: Sequence[Values]) -> MeanDifference:
    """Return the mean over the collections of the mean of ours − other, questions drawn anew within each."""
    chance = random.Random(1)
    deltas = [[one[question] - two[question] for question in sorted(one)] for one, two in zip(ours, other, strict=True)]
    drawn = [fmean(fmean(chance.choices(each, k=len(each))) for each in deltas) for _ in range(RESAMPLES)]
    low, high = np.percentile(drawn, (2.5, 97.5))
    return MeanDifference(fmean(map(fmean, deltas)), float(low), float(high))


def sample(collection: Collection, questions: int, passages: int) -> Collection:
    """Return the first questions with the passages that they need, and the first of the others up to `passages`."""
    asked = collection.questions[:questions]
    needed = set(chain.from_iterable(collection.judged[question.id] for question in asked))
    room = max(0, passages - len(needed))
    others = [each.id for each in collection.passages if each.id not in needed][:room]
    kept = needed.union(others)
    return replace(
        collection,
        passages=tuple(each for each in collection.passages if each.id in kept),
        questions=asked,
        judged={question.id: collection.judged[question.id] for question in asked},
    )


def shortened(collection: Collection, words: int) -> Collection:
    """Return the collection with questions of their words that are in the fewest of its passages, in their order."""
    counts = Counter(
        chain.from_iterable({stem(term.text) for term in terms(each.text)} for each in collection.passages)
    )
    unasked, asked = STOP_WORDS | QUESTION_WORDS["en"], []
    for question in collection.questions:
        every = dict.fromkeys(term.text for term in terms(question.text, query=True) if term.text not in unasked)
        rarest = sorted(every, key=lambda word: counts[stem(word)] or len(collection.passages) + 1)[:words]
        asked.append(replace(question, text=" ".join(word for word in every if word in rarest)))
    return replace(collection, questions=tuple(asked))


def _row(*cells: str) -> None:
    sys.stdout.write("\t".join(cells) + "\n")
    sys.stdout.flush()


def _ndcg(collection: Collection, encoder: Path, keep: Path, modes: Sequence[Mode]) -> ByMode:
    os.environ["DESKTOP_RAG_HOME"] = str(private_folder(keep / "home"))
    save(settings_file(), replace(Settings(), encoder=str(encoder.resolve())))
    made = index_passages(collection, keep, lambda _: None)
    with closing(SearchEngine(made.library, encoder)) as engine:
        systems = {mode.value: OurSearch(engine, mode, made) for mode in modes}
        answers = rankings(systems, collection.questions, lambda _: None)
    return {mode: measured(mode.value, answers[mode.value], collection.judged).measures["ndcg@10"] for mode in modes}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Compare encoders in hybrid search.")
    parser.add_argument("folders", type=Path, nargs="+", help="collections")
    parser.add_argument("--encoders", type=Path, nargs="+", required=True, help="their folders; the first is the base")
    parser.add_argument("--keep", type=Path, required=True, help="where the libraries are kept")
    parser.add_argument("--modes", type=Mode, nargs="+", default=MODES, metavar="MODE", help="semantic, hybrid, …")
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--passages", type=int, default=1000)
    parser.add_argument("--words", type=int, default=0, metavar="N", help="ask only the N rarest words of a question")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
