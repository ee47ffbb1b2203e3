"""Texts for benchmarks: the files of any folder, split into passages and extended with synthetic ones.

Synthetic passages are random sentences of the real ones: the same word frequencies, in real sentences; woven ones are
of pieces of a few words, so that no sentence comes twice. The same folder and number always give the same passages.
"""

import argparse
import gzip
import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from desktop_rag.documents.file_types import is_supported, suffix_of
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import BenchError, DocumentError
from desktop_rag.paths import resources
from desktop_rag.text.sentences import split_sentences

PASSAGE_WORDS = 200
FEWEST_WORDS = 20  # a shorter remainder of a text is dropped
RECORDS = ("jsonl", "ndjson")  # record files: their texts count, not their punctuation
SEED = 1
_LEAVES = 0.5  # share of words after which a woven text goes on as another one

Synthetic = Callable[[list[str]], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Passages of about 200 words, the `real` ones first."""

    folder: Path
    passages: list[str]
    real: int

    def describe(self) -> str:
        """Return where the passages come from, for the notes of a report."""
        told = f"{len(self.passages):,} passages of {PASSAGE_WORDS} words from {self.folder.name}"
        if self.real == len(self.passages):
            return f"{told}, all of them real."
        return f"{told}: {self.real:,} real, the others consist of their sentences in random order."

    def sentences(self) -> Iterator[str]:
        """Yield the sentences of the passages, in order."""
        for passage in self.passages:
            yield from sentences_of(passage)


def add_corpus_arguments(parser: argparse.ArgumentParser, passages: int) -> None:
    """Declare `--corpus` and `--passages`."""
    parser.add_argument(
        "--corpus", type=Path, default=resources() / "sample", metavar="FOLDER", help="use the texts of these files"
    )
    parser.add_argument("--passages", type=int, default=passages, metavar="N", help=f"how many passages ({passages:,})")


def corpus_of(options: argparse.Namespace, say: Callable[[str], None], synthetic: Synthetic | None = None) -> Corpus:
    """Return the passages the options ask for."""
    say(f"Reading {options.passages:,} passages from {options.corpus} …")
    return build(options.corpus, options.passages, synthetic)


def build(folder: Path, count: int, synthetic: Synthetic | None = None) -> Corpus:
    """Return `count` passages of the files below `folder`; raise `BenchError` if they contain no text."""
    real = list(islice(passages_of(texts(folder)), count))
    if not real:
        raise BenchError(f"No text was found in {folder}. Name a folder with documents: --corpus FOLDER")
    return Corpus(folder, real + list(islice((synthetic or shuffled)(real), count - len(real))), len(real))


def texts(folder: Path) -> Iterator[str]:
    """Yield the text of every readable file below `folder`, by path; each record of a file is a text."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            yield from _texts_of(Path(place, name))


def passages_of(texts: Iterator[str]) -> Iterator[str]:
    """Yield pieces of 200 words; none crosses the end of a text."""
    for text in texts:
        words = text.split()
        for start in range(0, len(words), PASSAGE_WORDS):
            piece = words[start : start + PASSAGE_WORDS]
            if len(piece) >= FEWEST_WORDS:
                yield " ".join(piece)


def sentences_of(text: str) -> Iterator[str]:
    """Yield the sentences of one text."""
    for start, end in split_sentences(text):
        yield text[start:end]


def shuffled(passages: list[str], seed: int = SEED) -> Iterator[str]:
    """Yield passages without end, from random sentences of `passages`."""
    pool = [sentence for passage in passages for sentence in sentences_of(passage)]
    lengths = [len(sentence.split()) for sentence in pool]
    chance = random.Random(seed)
    while True:
        made, words = [], 0
        while words < PASSAGE_WORDS:
            drawn = int(chance.random() * len(pool))
            made.append(pool[drawn])
            words += lengths[drawn]
        yield " ".join(made)


def woven(passages: list[str], seed: int = SEED) -> Iterator[str]:
    """Yield passages without end that go on from any word, every second time, as another passage does."""
    words = [word for passage in passages for word in passage.split()]
    places: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        places.setdefault(word, []).append(at)
    chance = random.Random(seed).random
    while True:
        at, made = int(chance() * len(words)), list[str]()
        for _ in range(PASSAGE_WORDS):
            made.append(words[at])
            if chance() < _LEAVES:
                same = places[words[at]]
                at = same[int(chance() * len(same))]
            at = (at + 1) % len(words)
        yield " ".join(made)


def _texts_of(file: Path) -> Iterator[str]:
    name = file.name.removesuffix(".gz")
    if not is_supported(name):
        return
    try:
        data = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        if suffix_of(name) in RECORDS:
            yield from _texts_of_records(data)
        else:
            yield read_document(name, data).text
    except (OSError, EOFError, DocumentError):  # unreadable files are skipped
        return


def _texts_of_records(data: bytes) -> Iterator[str]:
    for line in data.decode("utf-8", "replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield "\n".join(value for value in record.values() if isinstance(value, str) and " " in value)
