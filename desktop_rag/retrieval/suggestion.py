"""Suggests another spelling for words of a query that stand nowhere in the library."""

import re

from desktop_rag.index.catalog.reader import CatalogReader
from desktop_rag.index.keywords.engine import KeywordReader
from desktop_rag.retrieval.keyword_query import keyword_query
from desktop_rag.retrieval.marking import Marker
from desktop_rag.retrieval.query import Query
from desktop_rag.retrieval.query_tree import Fuzzy, TextField, Word, wanted
from desktop_rag.retrieval.resolving import Holders, LibraryResolver
from desktop_rag.stop import Stop

MOST_WORDS = 8  # that are looked at
_LEAST_LETTERS = 4
_TWO_WRONG = 7  # letters from which on two of them may be wrong


def suggestion(
    query: Query,
    keywords: KeywordReader,
    catalog: CatalogReader,
    holders: Holders,
    stop: Stop,
) -> str:
    """Return the query with each word that stands nowhere replaced by the likeliest similar one; empty if none is."""
    text = query.text
    resolver = LibraryResolver(catalog, keywords, holders, query.words, stop)
    words = [leaf for leaf in wanted(query.words) if isinstance(leaf, Word)] if query.words else []
    for word in words[:MOST_WORDS]:
        stop.check()
        if len(word.text) < _LEAST_LETTERS or not word.text.isalpha() or word.field is not TextField.ANY:
            continue
        known = keyword_query(word, resolver)
        if known is None or keywords.search(known, 1, None, stop):
            continue
        if better := _similar(word.text, keywords, catalog, resolver, stop):
            text = re.sub(rf"(?<!\w){re.escape(word.text)}(?!\w)", better, text, count=1)
    return text if text != query.text else ""


def _similar(
    word: str,
    keywords: KeywordReader,
    catalog: CatalogReader,
    resolver: LibraryResolver,
    stop: Stop,
) -> str:
    """Return the word that stands in the text which answers best when some letters may be wrong."""
    for distance in (1, 2) if len(word) >= _TWO_WRONG else (1,):
        leaf = Fuzzy(word, distance, TextField.CONTENT)
        asked = keyword_query(leaf, resolver)
        found = keywords.search(asked, 1, None, stop) if asked is not None else []
        for chunk in catalog.chunks(chunk for chunk, _ in found).values():
            for mark in Marker((leaf,)).marks(chunk.text)[:1]:
                return chunk.text[mark.start : mark.end].lower()
    return ""
