"""Translates a query tree into a keyword query: the fields, terms and weights to look up in the keyword index.

Bare words match by their stems in text, title and headings, and in file names; phrases, wildcards and fuzzy words
match unstemmed. In texts of other languages than English a word matches its inflected forms in that language. In a
disjunction, a compound such as “T-cell-derived” ranks by its parts.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import assert_never

from desktop_rag.index.keywords import analysis
from desktop_rag.index.keywords.identifiers import LEAST_CODE, identifier_parts
from desktop_rag.index.keywords.keyword_query import (
    CONTENT,
    HEADINGS,
    TEXT_EXACT,
    TEXT_STEM,
    TITLE,
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
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.query.highlights import wildcard_pattern
from desktop_rag.retrieval.query.term_expansion import TermExpansion
from desktop_rag.retrieval.query.tokenizer import NUMBER, is_code, is_number
from desktop_rag.retrieval.query.tree import (
    CODE_PART,
    All,
    Boosted,
    Dated,
    Either,
    FileFact,
    Fuzzy,
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

TITLE_WEIGHT, HEADINGS_WEIGHT = 0.2, 0.15  # measured: most texts repeat their title, see docs/evaluation.md
COMPOUND_WEIGHT = 0.8  # of the parts of a compound together
_UNCHANGED_WEIGHT = 3.0  # factor for matches of a fuzzy word without edits
# Question words match texts that ask questions, not answers. Measured, see docs/evaluation.md.
ENGLISH_QUESTION_WORDS = frozenset(("what", "which", "who", "whom", "whose", "when", "where", "why", "how"))
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")  # with a line end inside, its hyphen is lost
_LONG_RUN = 3  # terms; a longer run without spaces is a sentence, whose terms are optional


def keyword_query(node: Node, expansion: TermExpansion) -> KeywordQuery | None:
    """Return the keyword query, None if the query has no word."""
    translation = _Translation(expansion)
    return translation.only_word(node) if isinstance(node, Word) else translation.query(node)


class _Translation:
    """Translates nodes; `factor` is the product of the boosts above them."""

    def __init__(self, expansion: TermExpansion, factor: float = 1.0) -> None:
        self._expansion = expansion
        self._factor = factor

    def query(self, node: Node) -> KeywordQuery | None:
        match node:
            case All(parts):
                wanted = _every([self.query(part) for part in parts if not isinstance(part, Not)])
                unwanted = _any([self.query(part.part) for part in parts if isinstance(part, Not)])
                return AllOfQuery((wanted,) if wanted else (), (unwanted,)) if unwanted is not None else wanted
            case Either(parts, typed):
                some = parts if typed else _without_stop_words(parts, self._expansion)
                return _any([self._ranked_word(part) if isinstance(part, Word) else self.query(part) for part in some])
            case Not(part):
                query = self.query(part)
                return AllOfQuery(forbidden=(query,)) if query is not None else None
            case Prefer(required, optional):
                base, extra = self.query(required), self.query(optional)
                return AllOfQuery((base,), optional=(extra,)) if base and extra else base or extra
            case Boosted(part, factor):
                return _Translation(self._expansion, self._factor * factor).query(part)
            case FileFact() | Dated():
                return of_contents(self._expansion.holders(node))
            case _:
                return self._leaf(node, node.boost * self._factor)

    def _leaf(self, leaf: TextLeaf, boost: float) -> KeywordQuery | None:
        match leaf:
            case Word(text, field):
                return self._word(text, field, boost)
            case Phrase(text, slop, field):
                return self._phrase(text, slop, field, boost)
            case Fuzzy(text, distance, field):
                return self._fuzzy(text, distance, field, boost)
            case Wildcard(pattern, field) if leaf.joined:
                likely = _in_fields(field, boost, partial(_parts_of_code, pattern), TEXT_EXACT)
                found = FilteredQuery(likely, of_chunks(self._expansion.verified(leaf, likely)))
                return self._or_file_names(found, field, boost, self._expansion.named_like(pattern))
            case Wildcard(pattern, field):
                return self._wildcard(analysis.fold(pattern), field, boost)
            case Spelled(text, field):
                return self._spelled(leaf, self._phrase(text, 0, field, boost))
        assert_never(leaf)

    def _ranked_word(self, word: Word) -> KeywordQuery | None:
        text, field, boost = word.text, word.field, word.boost * self._factor
        found = [term.text for term in analysis.terms(text, query=True)]
        if len(found) < 2 or is_number(text):
            written, spread = self._word(text, field, boost), self._compound_parts(word)
            return MaxOfQuery((written, AnyOfQuery(spread))) if written and spread else written
        # Single letters of “e.g.” and “U.S.” are not searched alone.
        parts = [part for part in found if part not in analysis.STOP_WORDS and not _is_letter(part)]
        ranked = _any([self._term(part, field, boost) for part in parts])
        if ranked is None or is_code(text):
            ranked = _any([ranked, self._phrase(text, 0, field, boost)])
        return self._or_named(text, ranked, field, boost)

    def only_word(self, word: Word) -> KeywordQuery | None:
        """Translate a query of one word; a compound also matches texts that have all its parts."""
        written, parts = self.query(word), self._compound_parts(word)
        return MaxOfQuery((written, AllOfQuery(parts))) if written and parts else written

    def _compound_parts(self, word: Word) -> tuple[KeywordQuery, ...]:
        """Return the queries of the parts of a German compound, which together count less than the whole."""
        found = [term.text for term in analysis.terms(word.text, query=True)]
        parts = self._expansion.compound(found[0]) if len(found) == 1 and word.field is not TextField.TITLE else ()
        share = word.boost * self._factor * COMPOUND_WEIGHT / max(1, len(parts))
        return tuple(InflectedQuery(TEXT_STEM, "", TEXT_EXACT, forms, share) for forms in parts)

    def _word(self, text: str, field: TextField, boost: float) -> KeywordQuery | None:
        written = self._as_written(text, field, boost)
        others = [self._adjacent(variant, 0, field, boost) for variant in spelling_variants(text)]
        variants = [variant for variant in (written, *others) if variant is not None]
        query = MaxOfQuery(tuple(variants)) if len(variants) > 1 else written  # the variants count as one word
        return self._or_named(text, query, field, boost)

    def _as_written(self, text: str, field: TextField, boost: float) -> KeywordQuery | None:
        found = list(analysis.terms(text, query=True))
        words = tuple(self._term(term.text, field, boost) for term in found)
        if len(words) < 2:
            return words[0] if words else None
        dense = any(later.start < earlier.end for earlier, later in pairwise(found))
        if dense and len(words) > _LONG_RUN:
            return AnyOfQuery(words)
        together = self._phrase(text, 0, field, boost)
        if is_number(text) or is_code(text):  # SORREL-2 is not what has “SORREL” here and “2” there
            return together
        return AllOfQuery((AllOfQuery(words),), optional=(together,)) if together else AllOfQuery(words)

    def _phrase(self, text: str, slop: int, field: TextField, boost: float) -> KeywordQuery | None:
        return self._adjacent([term.text for term in analysis.terms(text, query=True)], slop, field, boost)

    def _adjacent(self, words: Sequence[str], slop: int, field: TextField, boost: float) -> KeywordQuery | None:
        if not words:
            return None

        def in_field(name: str, weight: float) -> KeywordQuery:
            spelled = tuple(words if name == TEXT_EXACT else map(analysis.stem, words))
            if len(spelled) == 1:
                return TermQuery(name, spelled[0], weight)
            if slop:
                return NearQuery(name, spelled, slop, weight)
            return AdjacentQuery(name, spelled, weight)

        query = _in_fields(field, boost, in_field, TEXT_EXACT)
        if field is not TextField.TITLE:
            return query
        held = [self._expansion.in_names(word) for word in words]
        every = set(held[0]).intersection(*held[1:])
        return self._or_file_names(query, field, boost, {content: held[0][content] for content in every})

    def _term(self, term: str, field: TextField, boost: float) -> KeywordQuery:
        stem = analysis.stem(term)
        forms = self._expansion.forms(term)

        def in_field(name: str, weight: float) -> KeywordQuery:
            if not forms:
                return TermQuery(name, stem, weight)
            if name == TEXT_STEM:
                return InflectedQuery(name, stem, TEXT_EXACT, forms, weight)
            stemmed = tuple((contents, tuple({analysis.stem(word) for word in words})) for contents, words in forms)
            return InflectedQuery(name, stem, name, stemmed, weight)

        query = _in_fields(field, boost, in_field, TEXT_STEM)
        return self._or_file_names(query, field, boost, self._expansion.in_names(term))

    def _wildcard(self, pattern: str, field: TextField, boost: float) -> KeywordQuery:
        found = _in_fields(field, boost, lambda name, weight: PatternQuery(name, pattern, weight), TEXT_EXACT)
        prefix = re.split(r"[*?]", pattern, maxsplit=1)[0]
        by_text = field is TextField.CONTENT
        named = {} if by_text else self._expansion.in_names_like(wildcard_pattern(pattern), prefix)
        return self._or_file_names(found, field, boost, named)

    def _or_named(self, text: str, query: KeywordQuery | None, field: TextField, boost: float) -> KeywordQuery | None:
        """Add the contents with this word in a file name, its extension included."""
        named = self._expansion.named(text)
        return self._or_file_names(query, field, boost, named) if query is not None else None

    def _or_file_names(
        self, query: KeywordQuery, field: TextField, boost: float, named: Mapping[ContentId, float]
    ) -> KeywordQuery:
        """Add the contents with matching file names; for the title, those that have only their names for one."""
        if field is TextField.TITLE:
            named = self._expansion.untitled(named)
        if field is TextField.CONTENT or not named:
            return query
        scores: dict[int, float] = {content: score * boost for content, score in named.items()}
        return AnyOfQuery((*_alternatives(query), IdQuery(CONTENT, scores)))

    def _spelled(self, leaf: Spelled, likely: KeywordQuery | None) -> KeywordQuery | None:
        if likely is None:
            return None
        matching = self._expansion.spelled(leaf, likely)
        return likely if matching is None else FilteredQuery(likely, of_chunks(matching))

    def _fuzzy(self, text: str, distance: int, field: TextField, boost: float) -> KeywordQuery:
        word = analysis.fold(text)

        def in_field(name: str, weight: float) -> KeywordQuery:
            near = FuzzyQuery(name, word, distance, weight)
            spelled = word if name == TEXT_EXACT else analysis.stem(word)
            return AnyOfQuery((near, TermQuery(name, spelled, weight * _UNCHANGED_WEIGHT)))

        return _in_fields(field, boost, in_field, TEXT_EXACT)


def _without_stop_words(parts: tuple[Node, ...], expansion: TermExpansion) -> tuple[Node, ...]:
    """Leave out stop words, also of the query's language, unless there is nothing else to search for."""
    stop_words = analysis.STOP_WORDS | ENGLISH_QUESTION_WORDS | expansion.stop_words
    left = tuple(
        part
        for part in parts
        if not (isinstance(part, Word) and part.field is TextField.ANY and analysis.fold(part.text) in stop_words)
    )
    return left if any(not isinstance(part, Not | FileFact | Dated) for part in left) else parts


def _parts_of_code(pattern: str, name: str, weight: float) -> KeywordQuery:
    """Return the query for all parts of a code with wildcards, the signs aside; a part is known up to its wildcard."""
    parts = [re.match(r"([^*?]*)([*?]?)", analysis.fold(part)) for part in CODE_PART.findall(pattern)]
    known = [(part[1], bool(part[2])) for part in parts if part and part[1]]
    stemmed = name != TEXT_EXACT
    return AllOfQuery(
        tuple(
            PatternQuery(name, f"{text}*", weight)
            if open_end
            else TermQuery(name, analysis.stem(text) if stemmed else text, weight)
            for text, open_end in known
        )
    )


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
    """Return the query in the named field, or in all fields with their weights."""
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


def spelling_variants(word: str) -> list[tuple[str, ...]]:
    """Return other spellings of a number or identifier, each as adjacent words; none for other words."""
    if number := NUMBER.fullmatch(word):
        digits = number["plain"] or re.sub(r"\D", "", number["grouped"])
        fraction = number["cents"] or number["rest"]
        head = len(digits) % 3
        groups = (*([digits[:head]] if head else []), *(digits[at : at + 3] for at in range(head, len(digits), 3)))
        decimals = (fraction,) if fraction else ()
        variants = [(digits, *decimals), (*groups, *decimals)]
        return [variant for variant in variants if variant != (word,)] if len(digits) > 3 else []
    is_joinable = (is_code(word) and any(map(str.isdigit, word))) or _COMPOUND.fullmatch(word)
    joined = re.sub(r"[-./:']", "", word) if is_joinable else ""
    codes = [(analysis.fold(joined),)] if len(joined) >= LEAST_CODE and joined != word and joined.isalnum() else []
    found = tuple(part.text for part in identifier_parts(word))
    return [*codes, *([found] if found and found not in codes else [])]
