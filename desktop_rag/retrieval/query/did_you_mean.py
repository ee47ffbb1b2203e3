"""“Did you mean”: suggests similar words of the library for words of a query that do not occur in it."""

import re
from collections.abc import Callable

from desktop_rag.errors import QueryError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.index.keywords.keyword_query import TEXT_EXACT, KeywordQuery, TermQuery
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.query.highlights import Highlighter
from desktop_rag.retrieval.query.parser import Query, parse
from desktop_rag.retrieval.query.term_expansion import Holders, TermExpansion
from desktop_rag.retrieval.query.to_index import ENGLISH_QUESTION_WORDS, keyword_query
from desktop_rag.retrieval.query.tokenizer import FIELDS, bare
from desktop_rag.retrieval.query.tree import Fuzzy, Phrase, TextField, TextLeaf, Wildcard, Word, wanted
from desktop_rag.stop import Stop

Visible = Callable[[ContentId], bool]  # whether a content may be found

MAX_WORDS = 8  # of a query that are checked
_MIN_LETTERS = 4
_TWO_EDITS = 7  # letters of words in which two may be wrong
_MAX_VOCABULARY = 200_000  # words with the same first letter
_CANDIDATES = 30  # similar words, of which the most frequent one is taken
_LOOKED_AT = 20  # passages in which a word is looked for as it is written
_MAX_FREQUENCY = 1_000  # passages; frequencies above count the same


def suggestion(
    query: Query,
    keywords: KeywordReader,
    catalog: CatalogReader,
    holders: Holders,
    visible: Visible,
    stop: Stop,
) -> str:
    """Return the query with each unknown word replaced by the most likely similar one; empty if nothing changes.

    Only words of `visible` contents are suggested; words that ask (what, wann) are no slips.
    """
    text = query.text
    expansion = TermExpansion(catalog, keywords, holders, query.words, stop)
    asking = ENGLISH_QUESTION_WORDS | expansion.stop_words
    leaves = wanted(query.words) if query.words else ()
    for word in [word for leaf in leaves for word in _words(leaf)][:MAX_WORDS]:
        stop.check()
        if len(word.text) < _MIN_LETTERS or not word.text.isalpha() or word.field is not TextField.ANY:
            continue
        if fold(word.text) in asking or expansion.are_written((word,)):
            continue
        known = keyword_query(word, expansion)
        if known is None or keywords.search(known, 1, None, stop):
            continue
        if better := _similar(word.text, keywords, catalog, expansion, visible, stop):
            text = re.sub(rf"(?<!\w){re.escape(word.text)}(?!\w)", better, text, count=1)
    return text if text != query.text else ""


def _words(leaf: TextLeaf) -> tuple[Word, ...]:
    """Return the words of a leaf that may be misspelled: those of a phrase, too."""
    if isinstance(leaf, Phrase):
        return tuple(Word(text, leaf.field) for text in leaf.text.split())
    return (leaf,) if isinstance(leaf, Word) else ()


def _similar(
    word: str,
    keywords: KeywordReader,
    catalog: CatalogReader,
    expansion: TermExpansion,
    visible: Visible,
    stop: Stop,
) -> str:
    """Return the word of the library with the least edit distance, as written there; of several the most frequent.

    The first letter is rarely wrong, so other first letters are tried only if there is no similar word.
    """
    folded, distance = fold(word), 2 if len(word) >= _TWO_EDITS else 1
    if near := _nearest(folded, distance, keywords):
        terms = {term: TermQuery(TEXT_EXACT, term) for term in near}
        frequent = max(near, key=lambda term: len(keywords.search(terms[term], _MAX_FREQUENCY, None, stop)))
        return _as_written(Wildcard(frequent, TextField.CONTENT), terms[frequent], keywords, catalog, visible, stop)
    leaf = Fuzzy(word, 1, TextField.CONTENT)
    fuzzy = keyword_query(leaf, expansion)
    return _as_written(leaf, fuzzy, keywords, catalog, visible, stop) if fuzzy is not None else ""


def _nearest(folded: str, distance: int, keywords: KeywordReader) -> list[str]:
    """Return the words nearest by OSA distance, with the same first letter or the first two letters swapped."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    known = [
        *keywords.vocabulary(folded[0], _MAX_VOCABULARY),
        *keywords.vocabulary(folded[1] + folded[0], _MAX_VOCABULARY),
    ]
    found = extract(folded, known, scorer=OSA.distance, score_cutoff=distance, limit=_CANDIDATES)
    return [term for term, far, _ in found if far == found[0][1] and term.isalpha()]


def _as_written(
    leaf: TextLeaf, asked: KeywordQuery, keywords: KeywordReader, catalog: CatalogReader, visible: Visible, stop: Stop
) -> str:
    """Return the word as written in the best matching visible text, in lower case with its accents."""
    found = keywords.search(asked, _LOOKED_AT, None, stop)
    chunks = catalog.chunks.by_id(chunk for chunk, _ in found)
    for chunk in (chunks[id_] for id_, _ in found if id_ in chunks and visible(chunks[id_].content)):
        for mark in Highlighter((leaf,)).marks(chunk.text)[:1]:
            return chunk.text[mark.start : mark.end].lower()
    return ""


# Slips in valid queries: signs of other query languages (`&&`, `!`, `NEAR/5`) and a space after a field's colon.
#
# Also signs of words (`=`, `~`, `^`) on a field of mails or documents, and `*` in quoted words: they are taken
# literally.

NEAR_WORDS = 10  # between two words, where NEAR does not say how many
_BEGINNING = re.compile(r"\w{2,}\*")
_OPERATORS = {"&&": " AND ", "||": " OR ", "!": " NOT "}
_SLIP = re.compile(
    r'(?P<quoted>(?:"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»)(?:~\d*)?)'  # other signs in quoted words are left as they are
    r"|(?<![\w:])(?P<fact>(?:from|to|cc|subject|author):)(?P<exact>=?)(?P<value>\"[^\"]*\"|[^\s()\"~^=]+)"
    r"(?P<suffix>(?:~\d?|\^\d+)?)(?=[\s)]|$)"
    rf"|(?<!\S)(?P<field>{'|'.join(FIELDS)})\s?:\s+(?=\S)"
    r"|(?<!\S)(?P<one>\w[\w'’-]*)\s+(?:(?:NEAR|ADJ|WITHIN|W|N)/(?P<words>\d{1,3})|(?-i:NEAR))\s+(?P<other>\w[\w'’-]*)(?!\S)"
    r"|(?<=\S)\s+(?:(?P<sign>&&|\|\|)\s+(?=\S)|(?P<without>!)(?=[\w(\"“„«]))",
    re.IGNORECASE,
)


def without_slips(text: str) -> str:
    """Return the query as probably meant; empty if it has no slips, or if that would not parse."""
    meant = _SLIP.sub(_repaired, text)
    if meant == text:
        return ""
    try:
        parse(meant)
    except QueryError:
        return ""
    return meant


def _repaired(found: re.Match[str]) -> str:
    if quoted := found["quoted"]:
        words = [bare(word) for word in re.sub(r"~\d*$", "", quoted)[1:-1].split()]
        bound = found.string[: found.start()].endswith((":", "="))
        begun = any(_BEGINNING.fullmatch(word) for word in words) and all(words)
        return quoted if bound or not begun else words[0] if len(words) == 1 else f"({' AND '.join(words)})"
    if field := found["field"]:
        return f"{field.lower()}:"
    if fact := found["fact"]:
        return f"{fact}{found['value']}"
    if other := found["other"]:
        return f'"{found["one"]} {other}"~{found["words"] or NEAR_WORDS}'
    sign = found["sign"] or found["without"]
    return _OPERATORS[sign] if sign else found.group()
