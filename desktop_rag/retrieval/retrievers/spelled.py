"""Verifies `=Spelled` words (case, accents and inflection as typed) and codes with wildcards (try_acq*) in the texts.

The keyword index holds folded words only; it yields candidate chunks, whose texts are read from the catalog.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.analysis import WORD, marked
from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.query.tree import All, Boosted, Node, Prefer, Spelled, TextField, Wildcard
from desktop_rag.stop import Stop

_BATCH = 500
_CACHED = 8  # spellings

VerifiedLeaf = Spelled | Wildcard


@lru_cache(maxsize=64)
def code_pattern(pattern: str) -> re.Pattern[str]:
    """Return the pattern that matches a code with wildcards, ignoring case; `*` runs over further parts_too."""
    special = {"*": r"\w*", "?": r"\w"}
    expression = "".join(special.get(char) or re.escape(char) for char in composed(pattern))
    return re.compile(rf"(?<!{WORD}){expression}(?!{WORD}|{marked()})", re.IGNORECASE)


@lru_cache(maxsize=64)
def pattern_of(text: str) -> re.Pattern[str]:
    """Return the pattern that matches a spelling as whole words, across line breaks."""
    words = [re.escape(word) for word in unicodedata.normalize("NFC", text).split()]
    letter = re.compile(WORD)
    before = rf"(?<!{WORD})" if letter.match(text.strip()) else ""
    after = f"(?!{WORD}|{marked()})" if letter.match(text.strip()[-1:]) else f"(?!{marked()})"
    return re.compile(before + r"\s+".join(words) + after)


def composed(text: str) -> str:
    """Return a text in NFC, in which a letter and its accent are one character, as in a typed query."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def chunks_with(
    catalog: CatalogReader, chunks: Iterable[ChunkId], leaf: VerifiedLeaf, stop: Stop
) -> frozenset[ChunkId]:
    """Return those of `chunks` that contain the spelling or code in the fields the leaf names.

    Chunks never change, so the results are cached for the next search.
    """
    known = catalog.spelling_matches.setdefault(leaf, {})
    while len(catalog.spelling_matches) > _CACHED:
        del catalog.spelling_matches[next(iter(catalog.spelling_matches))]
    asked = list(chunks)
    waiting = sorted(chunk for chunk in asked if chunk not in known)
    for first in range(0, len(waiting), _BATCH):
        stop.check()
        some = waiting[first : first + _BATCH]
        known.update(dict.fromkeys(some, False))
        known.update(dict.fromkeys(_matching(catalog, some, leaf), True))
    return frozenset(chunk for chunk in asked if known[chunk])


def required_spellings(node: Node) -> tuple[Spelled, ...]:
    """Return the spellings without which nothing can match `node`."""
    match node:
        case Spelled():
            return (node,)
        case All(parts):
            return tuple(leaf for part in parts for leaf in required_spellings(part))
        case Prefer(part) | Boosted(part):
            return required_spellings(part)
        case _:
            return ()


def _matching(catalog: CatalogReader, chunks: Sequence[ChunkId], leaf: VerifiedLeaf) -> Iterator[ChunkId]:
    passages = list(catalog.chunks.passages(chunks))
    contents = catalog.contents.by_id({passage.content for passage in passages})
    titles = {content.id: content.title for content in contents.values()}
    for passage in passages:
        title = titles.get(passage.content, "")
        match leaf.field:
            case TextField.ANY:
                texts: tuple[str, ...] = (passage.text, passage.heading, title)
            case TextField.CONTENT:
                texts = (passage.text,)
            case TextField.TITLE:
                texts = (title,)
        if any(_contains(text, leaf) for text in texts):
            yield passage.chunk


def _contains(text: str, leaf: VerifiedLeaf) -> bool:
    if isinstance(leaf, Wildcard):
        return code_pattern(leaf.pattern).search(composed(text)) is not None
    return contains_spelling(text, leaf.text)


def contains_spelling(text: str, spelling: str) -> bool:
    """Return whether a text contains a spelling; finds its first word before it matches, which is much faster."""
    text = composed(text)
    word = composed(spelling).split()[0]
    match = pattern_of(spelling).match
    at = text.find(word)
    while at >= 0:
        if match(text, at):
            return True
        at = text.find(word, at + 1)
    return False
