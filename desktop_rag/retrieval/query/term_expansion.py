"""What the parts of a query stand for in one library: files, forms of a word, names of files, spellings."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Protocol

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords import analysis, inflection
from desktop_rag.index.keywords.bm25 import lucene_idf
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.index.keywords.keyword_query import KeywordQuery
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.query.tree import FileLeaf, Node, Spelled, TextField, Word, wanted
from desktop_rag.retrieval.retrievers.spelled import chunks_with
from desktop_rag.stop import Stop
from desktop_rag.text.language_detection import word_scores
from desktop_rag.text.language_profiles import ARABIC, CYRILLIC, DEVANAGARI, LATIN

NAME_WEIGHT = 2.5  # more than any text can have: a name typed as a whole means the file
_TONGUES = {**LATIN, **CYRILLIC, **ARABIC, **DEVANAGARI}
_LEAST_SHARE = 0.15  # of a query's words; fewer common ones do not say its language
_LEAST_OF_FILES = 0.05  # in a language; in that of fewer, questions are hardly asked
_ALL = 1 << 20  # chunks
_MOST_WORDS = 5_000  # that begin alike and are looked at for forms of one

Holders = Callable[[FileLeaf], frozenset[ContentId]]
Forms = tuple[frozenset[ContentId], tuple[str, ...]]


class Resolver(Protocol):
    """Answers what the translation of a query asks of the library."""

    def empty(self) -> frozenset[str]:
        """Return the folded words that say nothing in the language of the query, if that is one of the library."""

    def holders(self, leaf: FileLeaf) -> frozenset[ContentId]:
        """Return the contents of which a file fulfils a condition."""

    def forms(self, term: str) -> tuple[Forms, ...]:
        """Return for each language of the library but English its contents and the forms of a folded word."""

    def named(self, term: str) -> Mapping[ContentId, float]:
        """Return the contents with a folded word in the name of a file, and what that is worth."""

    def named_like(self, pattern: re.Pattern[str]) -> Mapping[ContentId, float]:
        """Return the same for the words that a pattern matches."""

    def spelled(self, leaf: Spelled, likely: KeywordQuery) -> frozenset[ChunkId] | None:
        """Return the chunks, of those that `likely` finds, that hold a spelling; None if that is looked at later."""


class LibraryResolver:
    """Answers from the catalog and the keyword index as they are now; `limiting` are the contents that matter.

    To one that is `trusting`, whatever may hold a spelling does.
    """

    def __init__(
        self,
        catalog: CatalogReader,
        keywords: KeywordReader,
        holders: Holders,
        query: Node | None,
        stop: Stop,
        limiting: frozenset[ContentId] | None = None,
        *,
        trusting: bool = False,
    ) -> None:
        self._catalog = catalog
        self._keywords = keywords
        self._holders = holders
        self._query = query
        self._stop = stop
        self._limiting = limiting
        self._trusting = trusting
        self._known: dict[str, tuple[Forms, ...]] = {}

    def holders(self, leaf: FileLeaf) -> frozenset[ContentId]:
        """Return the contents of which a file fulfils a condition."""
        return self._holders(leaf)

    def empty(self) -> frozenset[str]:
        """Return the folded words that say nothing in the language of the query, if that is one of the library."""
        return self._empty

    def forms(self, term: str) -> tuple[Forms, ...]:
        """Return for each language of the library but English its contents and the forms of a folded word."""
        if term not in self._known:
            self._stop.check()
            self._known[term] = tuple(
                (contents, inflection.forms(term, language, self._words))
                for language, contents in self._languages.items()
            )
        return self._known[term]

    def named(self, term: str) -> Mapping[ContentId, float]:
        """Return the contents with a folded word in the name of a file, and what that is worth.

        That is the word's rarity among names, less for a query with words that the name has not.
        """
        return self._worth(self._of_name(term))

    def named_like(self, pattern: re.Pattern[str]) -> Mapping[ContentId, float]:
        """Return the contents with a word in the name of a file that a pattern matches."""
        return self._worth(self._catalog.file_names.matching(pattern))

    def spelled(self, leaf: Spelled, likely: KeywordQuery) -> frozenset[ChunkId] | None:
        """Return the chunks, of those that `likely` finds, that hold a spelling; None if that is looked at later."""
        if self._trusting:
            return None
        found = self._keywords.search(likely, _ALL, self._limiting, self._stop)
        return chunks_with(self._catalog, (chunk for chunk, _ in found), leaf, self._stop)

    @cached_property
    def _empty(self) -> frozenset[str]:
        asked = " ".join(leaf.text for leaf in wanted(self._query) if isinstance(leaf, Word))
        least = self._catalog.file_names.count() * _LEAST_OF_FILES
        common = {code for code, contents in self._languages.items() if len(contents) >= least}
        tongues = {code: tongue for code, tongue in _TONGUES.items() if code == "en" or code in common}
        if len(tongues) == 1:
            return frozenset()
        scores = word_scores(asked, tongues)
        spoken = max(scores, key=scores.__getitem__)
        if scores[spoken] < max(_LEAST_SHARE, 2 * scores["en"]):
            return frozenset()
        return frozenset(map(analysis.fold, tongues[spoken].words))

    @cached_property
    def _languages(self) -> dict[str, frozenset[ContentId]]:
        return self._catalog.languages.among(inflection.STEMMERS.keys())

    @cached_property
    def _shares(self) -> Mapping[ContentId, float]:
        """Return how much of the query is in the names of each content: the share of its words' rarity, squared."""
        asked = {
            term.text: None
            for leaf in wanted(self._query)
            if isinstance(leaf, Word) and leaf.field is TextField.ANY
            for term in analysis.terms(leaf.text, query=True)
            if term.text not in analysis.STOP_WORDS
        }
        held = {term: self._of_name(term) for term in asked}
        rarities = {term: self._rarity(contents) for term, contents in held.items()}
        shares: dict[ContentId, float] = {}
        for term, contents in held.items():
            for content in contents:
                shares[content] = shares.get(content, 0.0) + rarities[term]
        total = sum(rarities.values())
        return {content: (rarity / total) ** 2 for content, rarity in shares.items()}

    def _worth(self, contents: frozenset[ContentId]) -> Mapping[ContentId, float]:
        if not contents:
            return {}
        weight = NAME_WEIGHT * self._rarity(contents)
        return {content: weight * self._shares.get(content, 1.0) for content in contents}

    def _of_name(self, term: str) -> frozenset[ContentId]:
        words = {word for _, words in self.forms(term) for word in words}
        return self._catalog.file_names.holding({analysis.stem(word) for word in (term, *words)})

    def _rarity(self, contents: frozenset[ContentId]) -> float:
        return lucene_idf(max(1, self._catalog.file_names.count()), len(contents))

    def _words(self, beginning: str) -> Iterable[str]:
        return self._keywords.vocabulary(beginning, _MOST_WORDS)
