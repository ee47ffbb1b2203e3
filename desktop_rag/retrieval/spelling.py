"""Looks for words in this very spelling (`=Term`): capitals, accents and inflection as typed, compared with the texts.

The keyword index knows folded words. It tells which chunks may hold the spelling; these are read in the catalog.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from desktop_rag.index.catalog.reader import CatalogReader
from desktop_rag.index.keywords.analysis import MARKED, WORD
from desktop_rag.index.records import ChunkId
from desktop_rag.retrieval.query_tree import Spelled, TextField
from desktop_rag.stop import Stop

_BATCH = 500
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
    """Return which of `chunks` hold the spelling in their text, or where else the leaf asks for it."""
    found: set[ChunkId] = set()
    waiting = sorted(chunks)
    search = pattern_of(leaf.text).search
    for first in range(0, len(waiting), _BATCH):
        stop.check()
        passages = list(catalog.passages(waiting[first : first + _BATCH]))
        titles = {}
        if leaf.field is not TextField.CONTENT:
            contents = catalog.contents({passage.content for passage in passages})
            titles = {content.id: content.title for content in contents.values()}
        for passage in passages:
            title = titles.get(passage.content, "")
            places = {
                TextField.ANY: (passage.text, passage.heading, title),
                TextField.CONTENT: (passage.text,),
                TextField.TITLE: (title,),
            }[leaf.field]
            if any(search(composed(place)) for place in places):
                found.add(passage.chunk)
    return frozenset(found)
