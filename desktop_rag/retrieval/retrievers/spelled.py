"""Looks for words in this very spelling (`=Term`): capitals, accents and inflection as typed, compared with the texts.

The keyword index knows folded words. It tells which chunks may hold the spelling; these are read in the catalog.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.analysis import MARKED, WORD
from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.query.tree import All, Boosted, Node, Prefer, Spelled, TextField
from desktop_rag.stop import Stop

_BATCH = 500
_REMEMBERED = 8  # spellings
_LETTER = re.compile(WORD)
_INSIDE = f"(?:{WORD}|{MARKED})"


@lru_cache(maxsize=64)
def pattern_of(text: str) -> re.Pattern[str]:
    """Return what finds a spelling as whole words; where a line ends does not matter."""
    words = [re.escape(word) for word in unicodedata.normalize("NFC", text).split()]
    before = rf"(?<!{WORD})" if _LETTER.match(text.strip()) else ""
    after = f"(?!{_INSIDE})" if _LETTER.match(text.strip()[-1:]) else rf"(?!{MARKED})"
    return re.compile(before + r"\s+".join(words) + after)


def composed(text: str) -> str:
    """Return a text in which a letter and its accent are one character, as a query is typed."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def chunks_with(catalog: CatalogReader, chunks: Iterable[ChunkId], leaf: Spelled, stop: Stop) -> frozenset[ChunkId]:
    """Return which of `chunks` hold the spelling in their text, or where else the leaf asks for it.

    What a chunk holds never changes, so it is remembered for the next search.
    """
    known = catalog.remembered.setdefault((leaf.text, leaf.field), {})
    while len(catalog.remembered) > _REMEMBERED:
        del catalog.remembered[next(iter(catalog.remembered))]
    asked = list(chunks)
    waiting = sorted(chunk for chunk in asked if chunk not in known)
    for first in range(0, len(waiting), _BATCH):
        stop.check()
        some = waiting[first : first + _BATCH]
        known.update(dict.fromkeys(some, False))
        known.update(dict.fromkeys(_read(catalog, some, leaf), True))
    return frozenset(chunk for chunk in asked if known[chunk])


def must_hold(node: Node) -> tuple[Spelled, ...]:
    """Return the spellings without which nothing can match `node`."""
    match node:
        case Spelled():
            return (node,)
        case All(parts):
            return tuple(leaf for part in parts for leaf in must_hold(part))
        case Prefer(part) | Boosted(part):
            return must_hold(part)
        case _:
            return ()


def _read(catalog: CatalogReader, chunks: Sequence[ChunkId], leaf: Spelled) -> Iterator[ChunkId]:
    passages = list(catalog.passages(chunks))
    contents = catalog.contents({passage.content for passage in passages})
    titles = {content.id: content.title for content in contents.values()}
    for passage in passages:
        title = titles.get(passage.content, "")
        match leaf.field:
            case TextField.ANY:
                places: tuple[str, ...] = (passage.text, passage.heading, title)
            case TextField.CONTENT:
                places = (passage.text,)
            case TextField.TITLE:
                places = (title,)
        if any(holds(place, leaf.text) for place in places):
            yield passage.chunk


def holds(text: str, spelling: str) -> bool:
    """Return whether a spelling stands in a text; looks for its first word first, which is much faster."""
    text = composed(text)
    word = composed(spelling).split()[0]
    match = pattern_of(spelling).match
    at = text.find(word)
    while at >= 0:
        if match(text, at):
            return True
        at = text.find(word, at + 1)
    return False
