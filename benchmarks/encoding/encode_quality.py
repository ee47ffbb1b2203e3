"""What the precision of sentence vectors costs in search: labelled questions, for each encoder and storage format.

The hybrid score is a convex combination, each part divided by the question's maximum: BM25 (k1 1.2, b 0.75, English
stems, computed by bm25s), the whole passage's vector, and the best vector of its sentences and its title.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.report import OURS, Measurement
from desktop_rag.evaluation.datasets import (
    Collection,
    CollectionPassage,
    MeanDifference,
    Values,
    by_question,
    difference,
    mean,
)
from desktop_rag.evaluation.retrieval.systems import Floats, Say, VectorCache
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.text.sentences import split_sentences

DENSE_SHARE = 0.65  # weight in the hybrid score, half for the passage and half for its best sentence
MOST_LOST = 0.005  # allowed loss of a hybrid measure compared with float32
DEPTH = 100  # ranks that are evaluated


@dataclass(frozen=True, slots=True)
class Variant:
    """The encoders of documents and questions, and the storage format of document vectors."""

    name: str
    documents: Encoder
    questions: Encoder
    as_codes: bool  # int8 codes with a scale per row, as the vector files store them


@dataclass(frozen=True, slots=True)
class _Texts:
    """A collection's passages, whole and split: the sentences of passage i are rows starts[i] to starts[i + 1]."""

    whole: list[str]
    sentences: list[str]
    starts: list[int]

    @classmethod
    def of(cls, passages: Sequence[CollectionPassage]) -> "_Texts":
        cut = [_sentences(passage) for passage in passages]
        starts = np.concatenate([[0], np.cumsum([len(sentences) for sentences in cut])])
        whole = [f"{passage.title} {passage.text}".strip() for passage in passages]
        return cls(whole, [sentence for sentences in cut for sentence in sentences], starts.tolist())


def compare(
    collections: Sequence[Collection], variants: Sequence[Variant], cache: VectorCache, say: Say
) -> tuple[list[Measurement], list[str]]:
    """Return the measures of each variant, ours last, and the hybrid's differences from the first variant."""
    rows, notes = [], []
    for collection in collections:
        say(f"{collection.name}: {len(collection.passages):,} passages, {len(collection.questions):,} questions")
        found = _measured(collection, variants, cache, say)
        for (way, measure), values in found.items():
            what = f"{collection.name}, {way}, {measure}"
            exact = mean(values[variants[0].name])
            judged = way == "hybrid" and measure == _measures(collection)[0]
            for variant in variants:
                ours = variant is variants[-1]
                goal = exact - MOST_LOST if ours and judged else None
                subject = OURS if ours else variant.name
                rows.append(Measurement(what, subject, "", (mean(values[variant.name]),), "more", goal))
            if way == "hybrid":
                notes += [
                    f"{what}: {variant.name} − {variants[0].name} = {_told(values, variant, variants[0])}"
                    for variant in variants[1:]
                ]
    return rows, notes


def _told(values: Mapping[str, Values], variant: Variant, exact: Variant) -> MeanDifference:
    return difference(values[variant.name], values[exact.name])


def _measures(collection: Collection) -> tuple[str, ...]:
    return ("R@5", "nDCG@10") if collection.multi_hop else ("nDCG@10", "R@5")


def _measured(
    collection: Collection, variants: Sequence[Variant], cache: VectorCache, say: Say
) -> dict[tuple[str, str], dict[str, Values]]:
    """Return each variant's values by retriever and measure."""
    texts = _Texts.of(collection.passages)
    questions = [question.text for question in collection.questions]
    words = _bm25(texts.whole, questions)
    found: dict[tuple[str, str], dict[str, Values]] = {}
    for variant in variants:
        asked = cache.encode(variant.questions, questions, say, "questions")
        whole = cache.encode(variant.documents, texts.whole, say, f"passages of {collection.name}")
        parts = cache.encode(variant.documents, texts.sentences, say, f"sentences of {collection.name}")
        if variant.as_codes:
            whole, parts = as_kept(whole), as_kept(parts)
        passage = asked @ whole.T
        best = np.maximum.reduceat(asked @ parts.T, texts.starts[:-1], axis=1)
        dense = DENSE_SHARE / 2 * (_relative(passage) + _relative(best))
        hybrid = (1 - DENSE_SHARE) * _relative(words) + dense
        for way, scores in (("whole passage", passage), ("best sentence", best), ("hybrid", hybrid)):
            run = _run(collection, scores)
            for measure, values in by_question(collection.judged, run, _measures(collection)).items():
                found.setdefault((way, measure), {})[variant.name] = values
    return found


def _sentences(passage: CollectionPassage) -> list[str]:
    sentences = [passage.text[start:end] for start, end in split_sentences(passage.text)]
    return [passage.title, *sentences] if passage.title or not sentences else sentences


def _bm25(texts: Sequence[str], questions: Sequence[str]) -> Floats:
    """Return the BM25 scores of every text for every question."""
    import bm25s
    from Stemmer import Stemmer

    def words(some: Sequence[str]) -> list[list[str]]:
        return bm25s.tokenize(some, stemmer=Stemmer("english"), return_ids=False, show_progress=False)

    index = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    index.index(words(texts), show_progress=False)
    return np.stack([index.get_scores(question) for question in words(questions)])


def as_kept(vectors: Floats) -> Floats:
    """Return vectors as read back from the vector files."""
    scales = np.abs(vectors).max(axis=1, keepdims=True) / np.float32(127)
    codes: Floats = np.rint(vectors / scales) * scales
    return codes


def _relative(scores: Floats) -> Floats:
    """Return the scores of each question divided by their maximum; negative scores count as 0."""
    positive = np.maximum(scores, 0.0)
    relative: Floats = positive / np.maximum(positive.max(axis=1, keepdims=True), 1e-9)
    return relative


def _run(collection: Collection, scores: Floats) -> dict[str, dict[str, float]]:
    best = np.argsort(-scores, axis=1, kind="stable")[:, :DEPTH]
    return {
        question.id: {collection.passages[row].id: float(scores[number, row]) for row in best[number]}
        for number, question in enumerate(collection.questions)
    }
