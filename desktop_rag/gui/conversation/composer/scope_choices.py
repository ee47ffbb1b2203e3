"""What a question can be limited to: folders, types, tags, dates and documents, found by a few letters after an @."""

import re
from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from pathlib import Path

from desktop_rag.agent.conversations.transcript import ChosenScope
from desktop_rag.gui.formatting import file_name
from desktop_rag.gui.search.filter_labels import filter_label
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Facet, Facets, Filter, Order, Retriever
from desktop_rag.retrieval.query.date_ranges import period
from desktop_rag.retrieval.query.tree import FileField
from desktop_rag.stop import Stop
from desktop_rag.text.normalize import fold

MOST_OF_KIND = 4
MOST_FILES = 6
_MENTION = re.compile(r"(?:^|(?<=\s))@(\S{0,60})$")


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """A document, or a filter; `documents` is how many a filter lets through, `detail` the folder of a document."""

    label: str
    filter: Filter | None = None
    sha256: str = ""
    documents: int = 0
    detail: str = ""

    def added_to(self, scope: ChosenScope) -> ChosenScope:
        """Return a scope that is limited to this, too."""
        if self.filter is not None:
            others = (each for each in scope.filters if each != self.filter)
            return replace(scope, filters=(*others, self.filter))
        if self.sha256 in scope.documents:
            return scope
        named = len(scope.names) == len(scope.documents)  # documents that a search found give way to the chosen one
        before = scope if named else replace(scope, documents=(), names=(), about="")
        return replace(before, documents=(*before.documents, self.sha256), names=(*before.names, self.label))


@dataclass(frozen=True, slots=True)
class FoundChoices:
    """The choices for the letters after the @, and the facets they are from."""

    words: str
    choices: tuple[ScopeChoice, ...]
    facets: Facets


@dataclass(frozen=True, slots=True)
class DroppedChoices:
    """What dropped files and folders are in the library, and the files and folders it does not have."""

    choices: tuple[ScopeChoice, ...]
    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()


def mention(text: str) -> str | None:
    """Return the letters after an @ that begins the last word of `text`, or None."""
    found = _MENTION.search(text)
    return found[1] if found else None


def find_choices(retriever: Retriever, words: str, known: Facets | None, stop: Stop) -> Generator[FoundChoices]:
    """Yield the choices for some letters; `known` facets are not counted again. For a background thread."""
    facets = known or retriever.documents(DocumentQuery(limit=0, with_facets=True), stop).facets
    listed = (facets.folders, facets.types, facets.tags)
    choices = [*(choice for found in listed for choice in _fitting(found, words)), *_dates(facets.dates, words)]
    begun = " ".join(f"{word}*" for word in words.split())
    named = DocumentQuery(filters=(Filter(FileField.NAME, begun),), order=Order.NEWEST, limit=MOST_FILES)
    cards = retriever.documents(named, stop).cards if words else ()
    yield FoundChoices(words, (*choices, *(_of_card(card) for card in cards)), facets)


def find_dropped(retriever: Retriever, paths: tuple[Path, ...], stop: Stop) -> Generator[DroppedChoices]:
    """Yield the choices for dropped files and folders; for a background thread, as a drive may be slow."""
    choices: list[ScopeChoice] = []
    files: list[Path] = []
    folders: list[Path] = []
    for path in paths:
        card = retriever.lookup("", path, stop)
        inside = Filter(FileField.FOLDER, str(path))
        count = 0 if card else retriever.documents(DocumentQuery(filters=(inside,), limit=0), stop).total
        if card is not None:
            choices.append(_of_card(card))
        elif count:
            choices.append(ScopeChoice(filter_label(inside), inside, documents=count))
        else:
            (folders if path.is_dir() else files).append(path)
    yield DroppedChoices(tuple(choices), tuple(files), tuple(folders))


def _fitting(facets: Iterable[Facet], words: str) -> Iterable[ScopeChoice]:
    wanted = fold(words)
    fitting = (facet for facet in facets if wanted in fold(facet.label) or wanted in fold(filter_label(facet.filter)))
    for facet in islice(fitting, MOST_OF_KIND):
        yield ScopeChoice(filter_label(facet.filter), facet.filter, documents=facet.count)


def _dates(facets: tuple[Facet, ...], words: str) -> Iterable[ScopeChoice]:
    """Return the newest dates that fit, else a date or range that is written out: 2023..2024-03."""
    fitting = list(_fitting(reversed(facets), words))
    written = words.replace("..", " TO ")
    if not fitting and any(letter.isdigit() for letter in words) and period(written, date.today()):
        chosen = Filter(FileField.DATE, written)
        fitting = [ScopeChoice(filter_label(chosen), chosen)]
    return fitting


def _of_card(card: DocumentCard) -> ScopeChoice:
    path = str(card.path) if card.path else ""
    return ScopeChoice(
        file_name(path, card.title), sha256=card.sha256, detail=card.path.parent.name if card.path else ""
    )
