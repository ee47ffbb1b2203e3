"""Makes the cases of every kind from the documents, the same ones each time."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from benchmarks.lies.altered import ALTERATIONS
from benchmarks.lies.cases import HALVES, LieCase
from benchmarks.lies.documents import StoredDocument
from benchmarks.lies.facts import SourceSentence, TableRow, rows_of, sentences_of
from benchmarks.lies.honest import (
    chat_turns,
    computed,
    introduced,
    list_of_rows,
    list_of_sentences,
    merged,
    miscomputed,
    reworded,
    rounded,
    row_rounded,
    row_statement,
    row_year,
    search_report,
    translated_birth,
    translated_row,
    verbatim,
)
from benchmarks.lies.misplaced import (
    altered_case,
    invented_quotation,
    second_claim,
    uncited_sentence,
    uncited_tail,
    wrong_file,
    wrong_line,
)
from benchmarks.lies.paraphrases import OTHER_FORMS, OTHER_WORDS, SAME_NAMES

SEED = 1
SENTENCES = 24  # of a document from which cases are made; five times as many of a PDF file
PER_KIND = 30  # of each half
PER_DOCUMENT = 2  # of one kind from a document of sentences
PER_FILING = 8  # of one kind from the rows of a filing


@dataclass(frozen=True, slots=True)
class _Material:
    sentences: Sequence[SourceSentence]
    rows: Sequence[TableRow]
    chats: Sequence[StoredDocument]


def make_cases(stored: Mapping[str, StoredDocument]) -> list[LieCase]:
    """Return at most `PER_KIND` cases of each kind in each half."""
    material = _material(stored, random.Random(SEED))
    found: list[LieCase] = []
    for cases in (
        _honest(material),
        _altered(material),
        _row_lies(material),
        _misplaced(material),
        _invented(material),
    ):
        found += cases
    return _capped(found)


def _material(stored: Mapping[str, StoredDocument], chance: random.Random) -> _Material:
    """Return sentences and rows, shuffled so that collections and documents alternate."""
    by_collection: dict[str, list[SourceSentence]] = {}
    rows: list[TableRow] = []
    for document in stored.values():
        if document.source.collection != "lihua":
            by_collection.setdefault(document.source.collection, []).extend(_some(document, chance))
        if document.source.collection == "financebench":
            rows += rows_of(document)
    for sentences in by_collection.values():
        chance.shuffle(sentences)
    chance.shuffle(rows)
    alternating = [s for several in zip_longest(*by_collection.values()) for s in several if s]
    chats = [document for document in stored.values() if document.source.collection == "lihua"]
    return _Material(alternating, rows, chats)


def _some(document: StoredDocument, chance: random.Random) -> list[SourceSentence]:
    """Return some sentences of a document, in random order."""
    sentences = sentences_of(document)
    return chance.sample(sentences, min(len(sentences), SENTENCES * (5 if document.name.endswith(".pdf") else 1)))


def _honest(material: _Material) -> Iterator[LieCase]:
    chance = random.Random(SEED)
    for source in material.sentences:
        for kind, rules in (("paraphrase", OTHER_WORDS), ("names in another form", SAME_NAMES),
                            ("dates and counts in another form", OTHER_FORMS)):  # fmt: skip
            if case := reworded(kind, rules, source, chance):
                yield case
        for maker in (rounded, translated_birth, introduced):
            if case := maker(source, chance):
                yield case
        yield verbatim(source, chance)
        yield search_report(source, chance)
    for row in material.rows:
        yield row_statement(row, chance)
        for made in (row_rounded(row, chance), computed(row, chance), translated_row(row, chance)):
            if made:
                yield made
    for document in material.chats:
        yield from chat_turns(document, chance)
    yield from _lists(material, chance)


def _lists(material: _Material, chance: random.Random) -> Iterator[LieCase]:
    by_document: dict[str, list[SourceSentence]] = {}
    for source in material.sentences:
        by_document.setdefault(source.document.name, []).append(source)
    for sentences in by_document.values():
        if len(sentences) >= 2 and (case := merged(sentences[0], sentences[1], chance)):
            yield case
        if len(sentences) >= 3:
            yield list_of_sentences(sentences[:3], chance)
    by_table: dict[tuple[str, int], dict[str, TableRow]] = {}
    for row in material.rows:
        by_table.setdefault((row.document.name, row.header), {}).setdefault(row.label, row)
    for rows in by_table.values():
        if len(rows) >= 2:
            yield list_of_rows(list(rows.values())[:3], chance)


def _altered(material: _Material) -> Iterator[LieCase]:
    chance = random.Random(SEED)
    for number, source in enumerate(material.sentences):
        for kind, group, rule in ALTERATIONS:
            if (altered := rule(source, chance)) and (case := altered_case(kind, group, source, altered, chance)):
                yield case
        _, group, rule = ALTERATIONS[number % len(ALTERATIONS)]
        if group in ("figures", "names") and (case := second_claim(group, source, rule, chance)):
            yield case


def _row_lies(material: _Material) -> Iterator[LieCase]:
    chance = random.Random(SEED)
    for row in material.rows:
        for made in (miscomputed(row, chance), row_year(row, chance)):
            if made:
                yield made


def _misplaced(material: _Material) -> Iterator[LieCase]:
    chance = random.Random(SEED)
    documents = list({source.document.name: source.document for source in material.sentences}.values())
    for source in material.sentences:
        other = chance.choice(material.sentences)
        if other.document.name == source.document.name:
            continue
        for made in (
            wrong_file(source, chance.choice(documents), chance),
            wrong_line(source, chance),
            uncited_sentence(source, other, chance),
            uncited_tail(source, other, chance),
        ):
            if made:
                yield made


def _invented(material: _Material) -> Iterator[LieCase]:
    chance = random.Random(SEED)
    for source in material.sentences:
        other = chance.choice(material.sentences)
        if other.document.name != source.document.name and (case := invented_quotation(source, other, chance)):
            yield case


def _capped(cases: Iterable[LieCase]) -> list[LieCase]:
    """Return the first cases of each kind in each half, few of each document."""
    kinds: Counter[tuple[str, str]] = Counter()
    documents: Counter[tuple[str, str]] = Counter()
    kept: list[LieCase] = []
    for case in cases:
        most = PER_FILING if case.source.endswith(".pdf") else PER_DOCUMENT
        kind, document = (case.kind, case.half), (case.kind, case.source)
        if kinds[kind] < PER_KIND and documents[document] < most:
            kinds[kind] += 1
            documents[document] += 1
            kept.append(case)
    return sorted(kept, key=lambda case: (HALVES.index(case.half), case.kind))
