"""Term expansion of a query in one library: inflected forms, stop words, file names, file conditions, spellings."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Protocol

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_names import without_extension
from desktop_rag.index.keywords import analysis, inflection
from desktop_rag.index.keywords.analysis import WORD, marked
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.index.keywords.keyword_query import TEXT_EXACT, AllOfQuery, KeywordQuery, TermQuery, lucene_idf
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.query.tree import (
    FileFact,
    FileField,
    FileLeaf,
    Node,
    Spelled,
    TextField,
    Wildcard,
    Word,
    conjuncts,
    wanted,
    wildcard_expression,
)
from desktop_rag.stop import Stop
from desktop_rag.text.language_detection import QUESTION_WORDS, word_scores
from desktop_rag.text.language_profiles import EVERY

# Verifies `=Spelled` words (case, accents and inflection as typed) and codes with wildcards (try_acq*) in the texts.
#
# The keyword index holds folded words only; it yields candidate chunks, whose texts are read from the catalog.

_BATCH = 500
_CACHED = 8  # spellings

VerifiedLeaf = Spelled | Wildcard


@lru_cache(maxsize=64)
def code_pattern(pattern: str) -> re.Pattern[str]:
    """Return the pattern that matches a code with wildcards, ignoring case; `*` runs over further parts_too."""
    expression = wildcard_expression(composed(pattern), r"\w")
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
    return tuple(part for part in conjuncts(node) if isinstance(part, Spelled))


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


# Splits German compounds into words that the library itself has: “Mietvertragsende” into “Miete”, “Vertrag”, “Ende”.
#
# Of all splits, with the linking elements that German puts between parts, the one whose parts are fewest is taken; of
# several, the one with the longest last part, which is the head.

COMPOUNDING = "de"
LEAST_COMPOUND, _LONGEST = 8, 40  # letters of a word that is split
_LINKS = ("", "s", "n", "es", "en", "er", "e", "ens")  # between parts: Vertrag-s-ende, Straße-n-bau
SHORTEST_PART = 4  # letters of a part
_MOST_PARTS = 4

IsKnown = Callable[[str], bool]


def compound_parts(word: str, is_known: IsKnown) -> tuple[str, ...]:
    """Return the parts of a folded word, all of them known to the library; empty if it is no compound of such words."""
    for count in range(2, _MOST_PARTS + 1) if LEAST_COMPOUND <= len(word) <= _LONGEST else ():
        if found := _split(word, count, is_known):
            return found
    return ()


def is_part(word: str, compound: str) -> bool:
    """Return whether a folded word begins or ends a longer one that may be a compound."""
    if not SHORTEST_PART <= len(word) < len(compound) >= LEAST_COMPOUND:
        return False
    return compound.endswith(word) or compound.startswith(word.removesuffix("e"))


def _split(word: str, count: int, is_known: IsKnown) -> tuple[str, ...]:
    if count == 1:
        return (word,) if is_known(word) else ()
    for end in range(SHORTEST_PART, len(word) - SHORTEST_PART * (count - 1) + 1):
        first = _part(word[:end], is_known)
        if first and (others := _split(word[end:], count - 1, is_known)):
            return (first, *others)
    return ()


def _part(written: str, is_known: IsKnown) -> str:
    """Return the word written so inside a compound: without its linking element, or with an “e” that it lost."""
    for link in _LINKS:
        stem = written.removesuffix(link) if link else written
        if len(stem) >= SHORTEST_PART and (link == "" or written.endswith(link)) and is_known(stem):
            return stem
    return f"{written}e" if is_known(f"{written}e") else ""


NAME_WEIGHT = 2.5  # more than the idf weight of any text, so that a complete file name ranks the file first
_MIN_WORDS = 0.15  # share of common words that identifies the language of a query
_MIN_FILES = 0.05  # share of files in a language in which queries are expected
_ALL = 1 << 20  # chunks
_MAX_WORDS = 5_000  # with the same prefix that are checked for being forms of a word

Forms = tuple[frozenset[ContentId], tuple[str, ...]]


class Holders(Protocol):
    """Finds the contents, of all or `among` some, with a file that fulfils a condition."""

    def __call__(self, leaf: FileLeaf, among: frozenset[ContentId] | None = None) -> frozenset[ContentId]:
        """Return these contents."""


class TermExpansion:
    """Expands the terms of one query by the current catalog and keyword index.

    `restriction` are the contents that may be found. With `verify_later`, the caller verifies spellings in the texts.
    """

    def __init__(
        self,
        catalog: CatalogReader,
        keywords: KeywordReader,
        holders: Holders,
        query: Node | None,
        stop: Stop,
        restriction: frozenset[ContentId] | None = None,
        *,
        verify_later: bool = False,
    ) -> None:
        self._catalog = catalog
        self._keywords = keywords
        self._holders = holders
        self._query = query
        self._stop = stop
        self._restriction = restriction
        self._verify_later = verify_later
        self._forms: dict[str, tuple[Forms, ...]] = {}
        self._beginning_so: dict[str, frozenset[str]] = {}

    def holders(self, leaf: FileLeaf) -> frozenset[ContentId]:
        """Return the contents with a file that fulfils a condition."""
        return self._holders(leaf)

    def forms(self, term: str) -> tuple[Forms, ...]:
        """Return (contents, inflected forms of a folded word) for each language of the library except English."""
        if term not in self._forms:
            self._stop.check()
            self._forms[term] = tuple(
                (contents, inflection.inflected_forms(term, language, self._words))
                for language, contents in self._languages.items()
            )
        return self._forms[term]

    def are_written(self, words: Sequence[Word]) -> bool:
        """Return whether a text has all words exactly so; far less work than a search for their forms."""
        exact = self.as_written(words)
        return exact is not None and bool(self._keywords.search(exact, 1, None, self._stop))

    def as_written(self, words: Sequence[Word]) -> KeywordQuery | None:
        """Return the query for texts that have all words exactly so; None for words of titles."""
        if any(word.field is TextField.TITLE for word in words):
            return None
        return AllOfQuery(tuple(TermQuery(TEXT_EXACT, analysis.fold(word.text)) for word in words))

    def compound(self, term: str) -> tuple[tuple[Forms, ...], ...]:
        """Return (German contents, inflected forms) of each part of a German compound, if the library has its parts."""
        contents = self._languages.get(COMPOUNDING)
        if not contents or not term.isascii() or not term.isalpha():
            return ()
        self._stop.check()
        parts = compound_parts(term, self._is_word)
        return tuple(((contents, inflection.inflected_forms(part, COMPOUNDING, self._words)),) for part in parts)

    def in_names(self, term: str) -> Mapping[ContentId, float]:
        """Return the contents with a folded word in a file name, and its weight.

        The weight is the word's idf among names, less if the name lacks other words of the query.
        """
        return self._weighted(self._with_name(term))

    def named(self, word: str) -> Mapping[ContentId, float]:
        """Return the contents with a word that has an extension (“lease.txt”) in a file name, and its weight."""
        if (stem := without_extension(word)) == word:
            return {}
        held = [self._with_name(term.text) for term in analysis.terms(stem, query=True)]
        if not held or not (contents := held[0].intersection(*held[1:])):
            return {}
        contents = self._holders(FileFact(FileField.NAME, word), contents)
        return dict.fromkeys(contents, NAME_WEIGHT * self._idf(contents))

    def in_names_like(self, pattern: re.Pattern[str], prefix: str) -> Mapping[ContentId, float]:
        """Return the contents with a word in a file name that matches a pattern, and its weight."""
        return self._weighted(self._catalog.file_names.matching(pattern, prefix))

    def named_like(self, pattern: str) -> Mapping[ContentId, float]:
        """Return the contents with a code in a file name that matches a pattern, and its weight."""
        return self._weighted(self._holders(FileFact(FileField.NAME, pattern)))

    def untitled(self, named: Mapping[ContentId, float]) -> Mapping[ContentId, float]:
        """Return those of some contents that have no title of their own, so that their file names are used."""
        known = self._catalog.contents.by_id(named)
        return {content: weight for content, weight in named.items() if content in known and not known[content].title}

    def spelled(self, leaf: Spelled, likely: KeywordQuery) -> frozenset[ChunkId] | None:
        """Return the chunks found by `likely` that contain a spelling; None if they are verified later."""
        return None if self._verify_later else self.verified(leaf, likely)

    def verified(self, leaf: VerifiedLeaf, likely: KeywordQuery) -> frozenset[ChunkId]:
        """Return the chunks found by `likely` whose texts match."""
        found = self._keywords.search(likely, _ALL, self._restriction, self._stop)
        return chunks_with(self._catalog, (chunk for chunk, _ in found), leaf, self._stop)

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """The folded stop and question words of the query's language, if it is one of the library; none for English."""
        words = " ".join(leaf.text for leaf in wanted(self._query) if isinstance(leaf, Word))
        least = self._catalog.file_names.count() * _MIN_FILES
        common = {code for code, contents in self._languages.items() if len(contents) >= least}
        profiles = {code: profile for code, profile in EVERY.items() if code == "en" or code in common}
        if len(profiles) == 1:
            return frozenset()
        scores = word_scores(words, profiles)
        language = max(scores, key=scores.__getitem__)
        if scores[language] < max(_MIN_WORDS, 2 * scores["en"]):
            return frozenset()
        return frozenset(map(analysis.fold, profiles[language].words | QUESTION_WORDS.get(language, frozenset())))

    @cached_property
    def _languages(self) -> dict[str, frozenset[ContentId]]:
        return self._catalog.languages.among(inflection.STEMMERS.keys())

    @cached_property
    def _shares(self) -> Mapping[ContentId, float]:
        """The square of the idf-weighted share of the query's words that each content has in its file names."""
        asked = {
            term.text: None
            for leaf in wanted(self._query)
            if isinstance(leaf, Word) and leaf.field is TextField.ANY
            for term in analysis.terms(leaf.text, query=True)
            if term.text not in analysis.STOP_WORDS
        }
        found = {term: self._with_name(term) for term in asked}
        idf = {term: self._idf(contents) for term, contents in found.items()}
        shares: dict[ContentId, float] = {}
        for term, contents in found.items():
            for content in contents:
                shares[content] = shares.get(content, 0.0) + idf[term]
        total = sum(idf.values())
        return {content: (share / total) ** 2 for content, share in shares.items()}

    def _weighted(self, contents: frozenset[ContentId]) -> Mapping[ContentId, float]:
        if not contents:
            return {}
        weight = NAME_WEIGHT * self._idf(contents)
        return {content: weight * self._shares.get(content, 1.0) for content in contents}

    def _with_name(self, term: str) -> frozenset[ContentId]:
        words = {word for _, words in self.forms(term) for word in words}
        return self._catalog.file_names.holding({analysis.stem(word) for word in (term, *words)})

    def _idf(self, contents: frozenset[ContentId]) -> float:
        return lucene_idf(max(1, self._catalog.file_names.count()), len(contents))

    def _is_word(self, word: str) -> bool:
        beginning = word[:SHORTEST_PART]  # one look into the vocabulary for all words that may be a part here
        if beginning not in self._beginning_so:
            self._beginning_so[beginning] = frozenset(self._words(beginning))
        return word in self._beginning_so[beginning]

    def _words(self, prefix: str) -> Iterable[str]:
        return self._keywords.vocabulary(prefix, _MAX_WORDS)
