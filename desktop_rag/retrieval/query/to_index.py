"""Translates a query tree into a keyword query: the fields, terms and weights to look up in the keyword index.

Bare words rank by their stems in text, title and headings, and by the names of files; phrases, wildcards and fuzzy
words ask for the words as they are written. In a text of another language than English a word stands for its forms in
that language. Among words of which any may match, a compound such as “T-cell-derived” ranks by its parts.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import assert_never

from desktop_rag.index.keywords import analysis
from desktop_rag.index.keywords.keyword_query import (
    AdjacentQuery,
    AllOfQuery,
    AnyOfQuery,
    FilteredQuery,
    FuzzyQuery,
    IdQuery,
    InflectedQuery,
    KeywordQuery,
    MaxOfQuery,
    NearQuery,
    PatternQuery,
    TermQuery,
    of_chunks,
    of_contents,
)
from desktop_rag.index.keywords.keyword_schema import CONTENT, HEADINGS, TEXT_EXACT, TEXT_STEM, TITLE
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.query.spelling_variants import is_code, is_number, other_ways
from desktop_rag.retrieval.query.term_expansion import Resolver
from desktop_rag.retrieval.query.tree import (
    All,
    Boosted,
    Either,
    FileFact,
    Fuzzy,
    Modified,
    Node,
    Not,
    Phrase,
    Prefer,
    Spelled,
    TextField,
    TextLeaf,
    Wildcard,
    Word,
)
from desktop_rag.retrieval.reading.highlights import wildcard_pattern

TITLE_WEIGHT, HEADINGS_WEIGHT = 0.2, 0.15  # measured: most texts say their title again, see docs/evaluation.md
_EXACT_SPELLING = 3.0  # how much more a fuzzy word counts where it is spelled as asked
# Words that only ask: among others they would lead to texts that ask, too. Measured, see docs/evaluation.md.
_ASKING = frozenset(("what", "which", "who", "whom", "whose", "when", "where", "why", "how"))
_LONG_RUN = 3  # terms; a longer run without spaces is a sentence, of which any part may match


def keyword_query(node: Node, resolver: Resolver) -> KeywordQuery | None:
    """Return the keyword query, None if no word is asked for."""
    return _Translation(resolver).query(node, 1.0)


class _Translation:
    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def query(self, node: Node, factor: float) -> KeywordQuery | None:
        match node:
            case All(parts):
                return self._all(parts, factor)
            case Either(parts):
                return self._either(parts, factor)
            case Not(part):
                query = self.query(part, factor)
                return AllOfQuery(forbidden=(query,)) if query is not None else None
            case Prefer(required, optional):
                base, wish = self.query(required, factor), self.query(optional, factor)
                return AllOfQuery((base,), optional=(wish,)) if base and wish else base or wish
            case Boosted(part, boost):
                return self.query(part, factor * boost)
            case FileFact() | Modified():
                return of_contents(self._resolver.holders(node))
            case Word() | Phrase() | Fuzzy() | Wildcard() | Spelled():
                return self._leaf(node, factor)
        assert_never(node)

    def _all(self, parts: tuple[Node, ...], factor: float) -> KeywordQuery | None:
        wanted = _every([self.query(p, factor) for p in _meaningful(parts) if not isinstance(p, Not)])
        unwanted = _any([self.query(p.part, factor) for p in parts if isinstance(p, Not)])
        if unwanted is None:
            return wanted
        return AllOfQuery((wanted,) if wanted else (), (unwanted,))

    def _either(self, parts: tuple[Node, ...], factor: float) -> KeywordQuery | None:
        return _any([self._wish(part, factor) for part in _meaningful(parts, _ASKING | self._resolver.empty())])

    def _wish(self, part: Node, factor: float) -> KeywordQuery | None:
        """Return the query for what need not be there."""
        if isinstance(part, Word):
            return self._ranked_word(part.text, part.field, part.boost * factor)
        return self.query(part, factor)

    def _leaf(self, leaf: TextLeaf, factor: float) -> KeywordQuery | None:
        boost = leaf.boost * factor
        match leaf:
            case Word(text, field):
                return self._word(text, field, boost)
            case Phrase(text, slop, field):
                return self._phrase(text, slop, field, boost)
            case Fuzzy(text, distance, field):
                return self._fuzzy(text, distance, field, boost)
            case Wildcard(pattern, field):
                return self._wildcard(analysis.fold(pattern), field, boost)
            case Spelled(text, field):
                return self._spelled(leaf, self._phrase(text, 0, field, boost))
        assert_never(leaf)

    def _ranked_word(self, text: str, field: TextField, boost: float) -> KeywordQuery | None:
        found = [term.text for term in analysis.terms(text, query=True)]
        if len(found) < 2 or is_number(text):
            return self._word(text, field, boost)
        telling = [part for part in found if part not in analysis.STOP_WORDS and not _is_letter(part)]
        # Of “e.g.” and “U.S.” no letter says anything alone.
        ranked = _any([self._term(part, field, boost) for part in telling])
        if ranked is None or is_code(text):
            return _any([ranked, self._phrase(text, 0, field, boost)])
        return ranked

    def _word(self, text: str, field: TextField, boost: float) -> KeywordQuery | None:
        written = self._as_written(text, field, boost)
        others = [self._side_by_side(way, 0, field, boost) for way in other_ways(text)]
        ways = [way for way in (written, *others) if way is not None]
        return MaxOfQuery(tuple(ways)) if len(ways) > 1 else written  # written in two ways it is still one word

    def _as_written(self, text: str, field: TextField, boost: float) -> KeywordQuery | None:
        found = list(analysis.terms(text, query=True))
        words = tuple(self._term(term.text, field, boost) for term in found)
        if len(words) < 2:
            return words[0] if words else None
        dense = any(later.start < earlier.end for earlier, later in pairwise(found))
        if dense and len(words) > _LONG_RUN:
            return AnyOfQuery(words)
        together = self._phrase(text, 0, field, boost)
        if is_number(text):
            return together
        return AllOfQuery((AllOfQuery(words),), optional=(together,)) if together else AllOfQuery(words)

    def _phrase(self, text: str, slop: int, field: TextField, boost: float) -> KeywordQuery | None:
        return self._side_by_side([term.text for term in analysis.terms(text, query=True)], slop, field, boost)

    def _side_by_side(self, words: Sequence[str], slop: int, field: TextField, boost: float) -> KeywordQuery | None:
        if not words:
            return None

        def in_field(name: str, weight: float) -> KeywordQuery:
            spelled = tuple(words if name == TEXT_EXACT else map(analysis.stem, words))
            if len(spelled) == 1:
                return TermQuery(name, spelled[0], weight)
            if slop:
                return NearQuery(name, spelled, slop, weight)
            return AdjacentQuery(name, spelled, weight)

        return _in_fields(field, boost, in_field, TEXT_EXACT)

    def _term(self, term: str, field: TextField, boost: float) -> KeywordQuery:
        stem = analysis.stem(term)
        forms = self._resolver.forms(term)

        def in_field(name: str, weight: float) -> KeywordQuery:
            if not forms:
                return TermQuery(name, stem, weight)
            if name == TEXT_STEM:
                return InflectedQuery(name, stem, TEXT_EXACT, forms, weight)
            stemmed = tuple((contents, tuple({analysis.stem(word) for word in words})) for contents, words in forms)
            return InflectedQuery(name, stem, name, stemmed, weight)

        return self._or_named(_in_fields(field, boost, in_field, TEXT_STEM), field, boost, self._resolver.named(term))

    def _wildcard(self, pattern: str, field: TextField, boost: float) -> KeywordQuery:
        found = _in_fields(field, boost, lambda name, weight: PatternQuery(name, pattern, weight), TEXT_EXACT)
        named = self._resolver.named_like(wildcard_pattern(pattern)) if field is TextField.ANY else {}
        return self._or_named(found, field, boost, named)

    def _or_named(
        self, query: KeywordQuery, field: TextField, boost: float, named: Mapping[ContentId, float]
    ) -> KeywordQuery:
        """Let the names of files answer, too, where no field is asked for."""
        if field is not TextField.ANY or not named:
            return query
        scores: dict[int, float] = {content: score * boost for content, score in named.items()}
        return AnyOfQuery((*_alternatives(query), IdQuery(CONTENT, scores)))

    def _spelled(self, leaf: Spelled, likely: KeywordQuery | None) -> KeywordQuery | None:
        if likely is None:
            return None
        holding = self._resolver.spelled(leaf, likely)
        return likely if holding is None else FilteredQuery(likely, of_chunks(holding))

    def _fuzzy(self, text: str, distance: int, field: TextField, boost: float) -> KeywordQuery:
        word = analysis.fold(text)

        def in_field(name: str, weight: float) -> KeywordQuery:
            near = FuzzyQuery(name, word, distance, weight)
            spelled = word if name == TEXT_EXACT else analysis.stem(word)
            return AnyOfQuery((near, TermQuery(name, spelled, weight * _EXACT_SPELLING)))

        return _in_fields(field, boost, in_field, TEXT_EXACT)


def _meaningful(parts: tuple[Node, ...], empty: frozenset[str] = frozenset()) -> tuple[Node, ...]:
    """Leave out words like “the”, and `empty` ones, where others say more: they match much and rank nothing."""
    said = tuple(part for part in parts if not (isinstance(part, Word) and _is_empty(part, empty)))
    return said if any(not isinstance(part, Not | FileFact | Modified) for part in said) else parts


def _is_empty(word: Word, empty: frozenset[str]) -> bool:
    return word.field is TextField.ANY and analysis.fold(word.text) in analysis.STOP_WORDS | empty


def _is_letter(part: str) -> bool:
    return len(part) == 1 and part.isascii()


def _every(queries: list[KeywordQuery | None]) -> KeywordQuery | None:
    present = tuple(query for query in queries if query is not None)
    return present[0] if len(present) == 1 else AllOfQuery(present) if present else None


def _any(queries: list[KeywordQuery | None]) -> KeywordQuery | None:
    """Return one flat OR: the sums are the same, and one union of all terms can skip more of them than nested ones."""
    present = tuple(part for query in queries if query is not None for part in _alternatives(query))
    return present[0] if len(present) == 1 else AnyOfQuery(present) if present else None


def _alternatives(query: KeywordQuery) -> tuple[KeywordQuery, ...]:
    return query.parts if isinstance(query, AnyOfQuery) else (query,)


def _in_fields(
    field: TextField, boost: float, make: Callable[[str, float], KeywordQuery], text_field: str
) -> KeywordQuery:
    """Return the query over the fields a word without a prefix is looked for in, or the one that was named."""
    match field:
        case TextField.TITLE:
            return make(TITLE, boost)
        case TextField.CONTENT:
            return make(text_field, boost)
        case TextField.ANY:
            return AnyOfQuery(
                (make(TITLE, boost * TITLE_WEIGHT), make(HEADINGS, boost * HEADINGS_WEIGHT), make(text_field, boost))
            )
    assert_never(field)
