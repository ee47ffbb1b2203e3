"""Lists documents by what they are called: words of file names, titles, authors and folders; no text is read."""

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_names import words_of
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem, terms
from desktop_rag.index.records import Content, ContentId, FilePlace
from desktop_rag.paths import valid_text
from desktop_rag.retrieval.api import DocumentCard, DocumentList, DocumentQuery, Order
from desktop_rag.retrieval.facets import count
from desktop_rag.retrieval.ranking.hit_assembly import path_of
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates
from desktop_rag.stop import Stop

NAME, TITLE, FOLDER = 1.0, 0.9, 0.5  # worth of a word by where it stands
NUMBER = 0.6  # of a number: another year of the right company is nearer than the right year of another
_MOST_WORDS = 24
_MOST_NAMED = 5_000  # documents that are looked at closely; words that more have in their names tell nothing
_BATCH = 1_000
_EMPTY = STOP_WORDS | frozenset(("file", "files", "document", "documents", "pdf", "all", "list", "show", "about"))


@dataclass(frozen=True, slots=True)
class _Fit:
    """A document that has some of the words."""

    content: ContentId
    words: frozenset[str]
    worth: dict[str, float]


def listed(catalog: CatalogReader, candidates: Candidates, query: DocumentQuery, stop: Stop) -> DocumentList:
    """Return one page of the candidates that `query` names, with what they have in common."""
    words = _words(query.words)
    unmatched: tuple[str, ...] = ()
    fits: dict[ContentId, float] = {}
    if words:
        found = _fitting(catalog, candidates, words, stop)
        fits = _scores(found, words, len(candidates.contents))
        unmatched = tuple(word for word in words if not any(word in fit.words for fit in found))
    chosen: Iterable[ContentId] = fits if words else candidates.contents
    places = candidates.places(chosen)
    ordered = _ordered(places, fits, query.order)
    page = ordered[query.skip : query.skip + query.limit]
    cards = tuple(card for content in page if (card := card_of(catalog, content)))
    facets = count(catalog, candidates, ordered, query.filters, stop)
    return DocumentList(
        len(ordered), cards, facets, tuple(round(fits.get(c.content, 0.0), 3) for c in cards), unmatched
    )


def _words(text: str) -> tuple[str, ...]:
    """Return the words that may name a document, as stems; all of them if none tells anything."""
    every = tuple(dict.fromkeys(stem(term.text) for term in terms(text)))[:_MOST_WORDS]
    empty = {stem(word) for word in _EMPTY}
    return tuple(word for word in every if word not in empty) or every


def _fitting(catalog: CatalogReader, candidates: Candidates, words: Sequence[str], stop: Stop) -> list[_Fit]:
    """Return the candidates with any of `words` in a name, and where each of the words stands."""
    mentioned = _mentioning(catalog, words) & candidates.contents
    found: list[_Fit] = []
    waiting = sorted(mentioned)
    for first in range(0, len(waiting), _BATCH):
        stop.check()
        some = waiting[first : first + _BATCH]
        known, places = catalog.contents(some), candidates.places(some)
        for content in some:
            if content in known and content in places:
                worth = _worth(known[content], places[content], words)
                if worth:
                    found.append(_Fit(content, frozenset(worth), worth))
    return found


def _mentioning(catalog: CatalogReader, words: Sequence[str]) -> set[ContentId]:
    """Return the contents that may have one of `words` in a file name, a title, an author or a folder.

    A word that very many have is left to the others, unless it is alone.
    """
    named = {word: catalog.names.holding([word]) | _written(catalog, word) for word in words}
    telling = [contents for contents in named.values() if len(contents) <= _MOST_NAMED] or list(named.values())
    return set[ContentId]().union(*telling)


def _written(catalog: CatalogReader, word: str) -> set[ContentId]:
    pattern = f"%{word}%"
    found = catalog.database.values(int, "SELECT id FROM content WHERE title LIKE ? OR author LIKE ?", (pattern,) * 2)
    folders = catalog.database.values(
        int,
        "SELECT file.content FROM file JOIN folder ON folder.id = file.folder WHERE file.content IS NOT NULL "
        "AND (CAST(file.path AS TEXT) LIKE ? OR CAST(folder.path AS TEXT) LIKE ?)",
        (pattern,) * 2,
    )
    return {ContentId(content) for content in (*found, *folders)}


def _worth(content: Content, places: Sequence[FilePlace], words: Sequence[str]) -> dict[str, float]:
    """Return for each of the words that name a document how well it does."""
    titled = {stem(term.text) for term in terms(f"{content.title} {content.author}")}
    named: set[str] = set()
    beside: set[str] = set()
    for place in places:
        path = PurePath(os.fsdecode(place.path))
        named |= words_of(os.fsencode(path.name))
        beside |= {stem(term.text) for term in terms(valid_text(" ".join(path.parts[-4:-1])))}
    worth: dict[str, float] = {}
    for word in words:
        if word in named:
            worth[word] = NAME
        elif word in titled:
            worth[word] = TITLE
        elif word in beside:
            worth[word] = FOLDER
    return worth


def _scores(found: Sequence[_Fit], words: Sequence[str], documents: int) -> dict[ContentId, float]:
    """Return for each document the share of the words it has, rare ones counting more."""
    rarity = {
        word: math.log(1 + (documents + 1) / (sum(word in fit.words for fit in found) + 0.5))
        * (NUMBER if word.isdigit() else 1.0)
        for word in words
    }
    total = sum(rarity.values()) or 1.0
    return {fit.content: sum(rarity[word] * share for word, share in fit.worth.items()) / total for fit in found}


def _ordered(
    places: dict[ContentId, tuple[FilePlace, ...]], fits: dict[ContentId, float], order: Order
) -> list[ContentId]:
    def name(content: ContentId) -> tuple[bytes, ContentId]:
        return places[content][0].path.lower(), content

    if order is Order.NEWEST:
        return sorted(places, key=lambda content: (-places[content][0].mtime_ns, name(content)))
    if order is Order.NAME or not fits:
        return sorted(places, key=name)
    return sorted(places, key=lambda content: (-fits[content], name(content)))


def card_of(catalog: CatalogReader, content: ContentId) -> DocumentCard | None:
    """Return what is known of a document, None if the library no longer holds it."""
    known = catalog.contents((content,)).get(content)
    if known is None:
        return None
    places = catalog.places((content,)).get(content, ())
    paths = tuple(path_of(place) for place in places)
    return DocumentCard(
        content=content,
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
        partial=known.partial,
        offline=catalog.is_offline(content),
    )
