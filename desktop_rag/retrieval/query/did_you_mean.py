"""Suggests another spelling for words of a query that stand nowhere in the library."""

import re

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.index.keywords.keyword_query import KeywordQuery, TermQuery
from desktop_rag.index.keywords.keyword_schema import TEXT_EXACT
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.term_expansion import Holders, LibraryResolver
from desktop_rag.retrieval.query.to_index import keyword_query
from desktop_rag.retrieval.query.tree import Fuzzy, TextField, TextLeaf, Wildcard, Word, wanted
from desktop_rag.retrieval.reading.highlights import Highlighter
from desktop_rag.stop import Stop

MOST_WORDS = 8  # that are looked at
_LEAST_LETTERS = 4
_TWO_WRONG = 7  # letters from which on two of them may be wrong
_MOST_ALIKE = 200_000  # words with the same first letter
_CHOICE = 30  # similar words of which the most frequent one is taken
_FREQUENT = 1_000  # passages; more make no word likelier


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
    """Return the nearest word of the texts, as it is written there; the more frequent one of several.

    The first letter is seldom wrong, so another one is looked for only where nothing begins alike.
    """
    folded, distance = fold(word), 2 if len(word) >= _TWO_WRONG else 1
    if near := _nearest(folded, distance, keywords):
        terms = {term: TermQuery(TEXT_EXACT, term) for term in near}
        frequent = max(near, key=lambda term: len(keywords.search(terms[term], _FREQUENT, None, stop)))
        return _as_written(Wildcard(frequent, TextField.CONTENT), terms[frequent], keywords, catalog, stop)
    leaf = Fuzzy(word, 1, TextField.CONTENT)
    asked = keyword_query(leaf, resolver)
    return _as_written(leaf, asked, keywords, catalog, stop) if asked is not None else ""


def _nearest(folded: str, distance: int, keywords: KeywordReader) -> list[str]:
    """Return the words with the fewest wrong or swapped letters that begin alike, or with the first two swapped."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    known = [*keywords.vocabulary(folded[0], _MOST_ALIKE), *keywords.vocabulary(folded[1] + folded[0], _MOST_ALIKE)]
    found = extract(folded, known, scorer=OSA.distance, score_cutoff=distance, limit=_CHOICE)
    return [term for term, far, _ in found if far == found[0][1] and term.isalpha()]


def _as_written(
    leaf: TextLeaf, asked: KeywordQuery, keywords: KeywordReader, catalog: CatalogReader, stop: Stop
) -> str:
    """Return what the text that answers best has of a word, with its accents."""
    found = keywords.search(asked, 1, None, stop)
    for chunk in catalog.chunks.by_id(chunk for chunk, _ in found).values():
        for mark in Highlighter((leaf,)).marks(chunk.text)[:1]:
            return chunk.text[mark.start : mark.end].lower()
    return ""
