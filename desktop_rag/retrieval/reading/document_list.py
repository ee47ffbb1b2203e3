"""Lists documents by words of their file names, titles, authors and folders; their texts are not read."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_names import words_of
from desktop_rag.index.catalog.file_table import sorted_by_path
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold, stem, terms
from desktop_rag.index.records import Content, ContentId, FilePlace
from desktop_rag.paths import valid_text
from desktop_rag.retrieval.api import DocumentCard, DocumentList, DocumentQuery, Facets, Order
from desktop_rag.retrieval.query.own_dates import own_date_ns
from desktop_rag.retrieval.ranking.hit_assembly import path_of
from desktop_rag.retrieval.reading.facets import count_facets
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates, document_table
from desktop_rag.stop import Stop

NAME, TITLE, FOLDER = 1.0, 0.9, 0.5  # weight of a word by the field that has it
JOINED = 0.8  # the same for a word inside a longer one: “Lockheed Martin” in LOCKHEEDMARTIN_2021
MIN_JOINED = 4  # letters of such a word
NUMBER = 0.6  # factor for numbers: another year of the right company fits better than the right year of another
MIN_STEM = 3  # letters of a word whose final i may be a y that was stemmed
_ACCENTED = (*range(0xC0, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x2000))  # Latin, Greek, Cyrillic
_MAX_WORDS = 24
_MAX_MATCHES = 5_000  # documents of one word that are scored; more frequent words do not select any
_BATCH = 1_000
_STOP_WORDS = STOP_WORDS | frozenset(("file", "files", "document", "documents", "pdf", "all", "list", "show", "about"))


@dataclass(frozen=True, slots=True)
class _Match:
    """A document with the weight of each of the words it has."""

    content: ContentId
    weights: dict[str, float]


def list_documents(catalog: CatalogReader, candidates: Candidates, query: DocumentQuery, stop: Stop) -> DocumentList:
    """Return one page of the candidates that match `query`, and the facets of all of them if it asks for these."""
    words = _words(query.words)
    unmatched: tuple[str, ...] = ()
    fits: dict[ContentId, float] = {}
    if words:
        found = _matches(catalog, candidates, words, stop)
        fits = _scores(found, words, len(candidates.contents))
        unmatched = tuple(word for word in words if not any(word in match.weights for match in found))
    ordered = _ordered(catalog, candidates, fits if words else None, query.order, stop)
    stop.check()
    page = ordered[query.skip : query.skip + query.limit]
    cards = document_cards(catalog, page)
    facets = count_facets(catalog, candidates, ordered, query.filters, stop) if query.with_facets else Facets(0)
    return DocumentList(
        len(ordered), cards, facets, tuple(round(fits.get(c.content, 0.0), 3) for c in cards), unmatched
    )


def _words(text: str) -> tuple[str, ...]:
    """Return the stems of a text without stop words; with them if there is nothing else."""
    every = tuple(dict.fromkeys(stem(term.text) for term in terms(text)))[:_MAX_WORDS]
    stop_words = {stem(word) for word in _STOP_WORDS}
    return tuple(word for word in every if word not in stop_words) or every


def _matches(catalog: CatalogReader, candidates: Candidates, words: Sequence[str], stop: Stop) -> list[_Match]:
    """Return the candidates that have any of `words` in a name, title, author or folder."""
    found: list[_Match] = []
    waiting = sorted(_with_words(catalog, words) & candidates.contents)
    for first in range(0, len(waiting), _BATCH):
        stop.check()
        some = waiting[first : first + _BATCH]
        known, places = catalog.contents.by_id(some), candidates.places(some)
        for content in some:
            if content in known and content in places:
                weights = _weights(known[content], places[content], words)
                if weights:
                    found.append(_Match(content, weights))
    return found


def _with_words(catalog: CatalogReader, words: Sequence[str]) -> set[ContentId]:
    """Return the contents that may have one of `words` in a file name, title, author or folder.

    Very frequent words are ignored unless all are.
    """
    by_word = [catalog.file_names.holding([word]) | _with_substring(catalog, word) for word in words]
    selective = [contents for contents in by_word if len(contents) <= _MAX_MATCHES] or by_word
    return set[ContentId]().union(*selective)


def _with_substring(catalog: CatalogReader, word: str) -> set[ContentId]:
    """Return the contents whose title, author or path may have a folded stem, in any case and with any accents."""
    written = word[:-1] if len(word) > MIN_STEM and word.endswith("i") else word  # compani: company
    found = set[ContentId]()
    for spelled in dict.fromkeys((written, written.replace("ss", "ß"))):
        accented = f"*{''.join(map(_letter_class, spelled))}*"  # slow; only for texts with other letters than ASCII
        found.update(catalog.contents.with_title_or_author(f"%{spelled}%", accented))
        found.update(catalog.files.contents_with_path(f"%{spelled}%", accented))
    return found


def _letter_class(letter: str) -> str:
    """Return the GLOB pattern of the letters that are folded to a letter: of u also U, ü and Ü."""
    return f"[{letter}{_folded_to().get(letter, '')}]" if letter.isalnum() else "?"


@lru_cache(maxsize=1)
def _folded_to() -> dict[str, str]:
    found: dict[str, str] = {}
    for letter in map(chr, (*range(0x41, 0x5B), *_ACCENTED)):
        folded = fold(letter)
        if folded != letter and len(folded) == 1:
            found[folded] = found.get(folded, "") + letter
    return found


def _weights(content: Content, places: Sequence[FilePlace], words: Sequence[str]) -> dict[str, float]:
    """Return the weight of each word that a document has, by the best field that has it."""
    titled = {stem(term.text) for term in terms(f"{content.title} {content.author}")}
    named: set[str] = set()
    folders: set[str] = set()
    for place in places:
        path = PurePath(os.fsdecode(place.path))
        named |= words_of(os.fsencode(path.name))
        folders |= {stem(term.text) for term in terms(valid_text(" ".join(path.parts[-4:-1])))}
    weights: dict[str, float] = {}
    for word in words:
        if word in named:
            weights[word] = NAME
        elif len(word) >= MIN_JOINED and any(word in name for name in named):
            weights[word] = JOINED
        elif word in titled:
            weights[word] = TITLE
        elif word in folders:
            weights[word] = FOLDER
    return weights


def _scores(found: Sequence[_Match], words: Sequence[str], documents: int) -> dict[ContentId, float]:
    """Return for each document the idf-weighted share of the words it has."""
    idf = {
        word: math.log(1 + (documents + 1) / (sum(word in match.weights for match in found) + 0.5))
        * (NUMBER if word.isdigit() else 1.0)
        for word in words
    }
    total = sum(idf.values()) or 1.0
    return {match.content: sum(idf[word] * weight for word, weight in match.weights.items()) / total for match in found}


def _ordered(
    catalog: CatalogReader, candidates: Candidates, fits: dict[ContentId, float] | None, order: Order, stop: Stop
) -> Sequence[ContentId]:
    """Return the contents of `fits`, sorted; without those that have no file to show, unless all are wanted."""
    if fits is None and order is Order.READ:
        return sorted(candidates.by_path(), reverse=True)
    if fits is None and order is Order.NEWEST and candidates.are_all:
        return document_table(catalog, stop).newest_first
    if fits is None and order is not Order.NEWEST:
        return candidates.by_path()
    places = candidates.places(candidates.contents if fits is None else fits)
    ordered = sorted_by_path(places)
    if order is Order.NEWEST:
        known = catalog.contents.by_id(places)
        dates = {content: own_date_ns(known[content], places[content][0]) for content in ordered if content in known}
        return sorted(dates, key=lambda content: -dates[content])
    return ordered if fits is None or order is Order.NAME else sorted(ordered, key=lambda content: -fits[content])


def document_card(catalog: CatalogReader, content: ContentId) -> DocumentCard | None:
    """Return the metadata of a document, None if the library no longer has it."""
    return next(iter(document_cards(catalog, (content,))), None)


def document_cards(catalog: CatalogReader, contents: Sequence[ContentId]) -> tuple[DocumentCard, ...]:
    """Return the metadata of those of these documents that the library has, in this order."""
    known, places = catalog.contents.by_id(contents), catalog.files.every_place(contents)
    offline = catalog.files.offline_among(contents)
    return tuple(
        _card(known[content], places.get(content, ()), offline=content in offline)
        for content in contents
        if content in known
    )


def _card(known: Content, places: Sequence[FilePlace], *, offline: bool) -> DocumentCard:
    paths = tuple(path_of(place) for place in places)
    return DocumentCard(
        content=known.id,
        sha256=known.sha256.hex(),
        path=paths[0] if paths else None,
        also=paths[1:],
        format=known.format,
        title=known.title or (valid_text(paths[0].name) if paths else ""),
        author=known.author,
        created=known.created,
        language=known.language,
        modified_ns=places[0].mtime_ns if places else 0,
        lines=known.line_count,
        words=known.word_count,
        pages=known.page_count,
        partial=known.missing or known.partial,
        offline=offline,
    )
