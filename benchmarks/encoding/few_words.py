"""Measures how near the nearest passage is to queries that no passage is about: the limits of queries of few words.

    .venv/bin/python -m benchmarks.encoding.few_words PASSAGES OTHER… --encoders FOLDER… [--queries 150]

PASSAGES and OTHER are collections. Asked of the passages are single words and two words in a row that only the others
have, words of the passages with two letters exchanged, and questions of the others. Prints the percentiles of the score
of the nearest sentence, and which score of each encoder is exceeded as often as the limits are by the first one.
"""

import argparse
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.evaluation.datasets import Collection, read_collection
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.encoding.encoder_description import EncoderDescription
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.sentences import split_sentences

PERCENTILES = (50, 90, 95, 99)
_WORD = re.compile(r"[a-z]{5,}")
_SEED = 1
Floats = npt.NDArray[np.float64]


def main(arguments: Sequence[str]) -> int:
    """Measure, print a row for each encoder and kind of query, and return the exit code."""
    options = _parser().parse_args(arguments)
    collection = read_collection(options.passages)
    kinds = queries_of(collection, list(map(read_collection, options.others)), options.queries)
    texts = [each.text for each in collection.passages]
    sentences = [text[start:end] for text in texts for start, end in split_sentences(text)]
    first: dict[str, Floats] | None = None
    for folder in options.encoders:
        encoder = Encoder.load(folder)
        passages = encoder.encode(sentences)
        found = {kind: _nearest(encoder, passages, queries) for kind, queries in kinds.items()}
        first = first or found
        for kind, scores in found.items():
            limit = limits(kind)
            exceeded = float(np.mean(first[kind] > limit))
            same = float(np.quantile(scores, 1 - exceeded))
            cells = [f"{np.percentile(scores, percent):.3f}" for percent in PERCENTILES]
            _row(folder.name, kind, *cells, f"over {limit} in the first: {exceeded:.3f}, here over {same:.3f}")
    return 0


def limits(kind: str) -> float:
    """Return the limit in use for a kind of query, by the scores of the encoder that ships."""
    described = EncoderDescription()
    words = {"word": 1, "slip": 1, "two words": 2}.get(kind)
    return described.close if words is None else described.close_to_word if words == 1 else described.close_to_few


def queries_of(passages: Collection, others: Sequence[Collection], count: int) -> Mapping[str, Sequence[str]]:
    """Return up to `count` queries of each kind."""
    chance = random.Random(_SEED)
    own = {word for each in passages.passages for word in _WORD.findall(f"{each.title} {each.text}".lower())}
    known = {stem(word) for word in own}
    rows = [_WORD.findall(each.text.lower()) for other in others for each in other.passages]

    def some(found: Iterator[str]) -> list[str]:
        every = sorted(set(found))
        return chance.sample(every, min(count, len(every)))

    def is_absent(word: str) -> bool:
        return stem(word) not in known and word not in STOP_WORDS

    return {
        "word": some(word for row in rows for word in row if is_absent(word)),
        "two words": some(" ".join(pair) for row in rows for pair in pairwise(row) if all(map(is_absent, pair))),
        "slip": some(slip for slip in map(_slip, sorted(own)) if is_absent(slip)),
        "question": some(question.text for other in others for question in other.questions),
    }


def _slip(word: str) -> str:
    """Return a word with its third and fourth letters exchanged."""
    return word[:2] + word[3] + word[2] + word[4:]


def _nearest(encoder: Encoder, passages: npt.NDArray[np.float32], queries: Sequence[str]) -> Floats:
    cosines = [float((passages @ encoder.encode_query(query)).max()) for query in queries]
    return np.array([encoder.description.scaled(cosine) for cosine in cosines])


def _row(*cells: str) -> None:
    sys.stdout.write("\t".join(cells) + "\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure scores of queries that no passage is about.")
    parser.add_argument("passages", type=Path, help="a collection")
    parser.add_argument("others", type=Path, nargs="+", help="collections whose words and questions are asked of it")
    parser.add_argument("--encoders", type=Path, nargs="+", required=True, help="their folders, the shipped one first")
    parser.add_argument("--queries", type=int, default=150, help="of each kind (150)")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
