"""A query while the user is typing: a last word that no document has matches as a prefix, too."""

from collections.abc import Callable

from desktop_rag.errors import LibraryError
from desktop_rag.index.keywords.analysis import STOP_WORDS, terms
from desktop_rag.index.keywords.keyword_engine import KeywordReader
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import All, Boosted, Either, Node, Prefer, Wildcard, Word

MIN_LETTERS = 2
_PREFIX_WEIGHT = 0.5  # of a prefix match, relative to the word itself


def unfinished(query: Query, is_whole: Callable[[str], bool]) -> Query:
    """Replace the last word, if the text ends with it and `is_whole` denies it, by the word or its prefix wildcard.

    A whole word is not changed, so that typing it and searching for it find the same.
    """
    if query.words is None:
        return query
    return Query(query.text, _with_prefix(query.words, query.text, is_whole), query.files)


def is_indexed(keywords: Callable[[], KeywordReader], word: str) -> bool:
    """Return whether a document has `word`, or all have it; False if the index cannot be read."""
    folded = [term.text for term in terms(word, query=True)]
    try:
        return bool(folded) and all(text in STOP_WORDS or keywords().vocabulary(text, 1) == [text] for text in folded)
    except LibraryError:
        return False


def _with_prefix(node: Node, text: str, is_whole: Callable[[str], bool]) -> Node:
    match node:
        case Word(word, field, boost) if len(word) >= MIN_LETTERS and word.isalnum() and text.endswith(word):
            if is_whole(word):
                return node
            return Either((node, Wildcard(f"{word}*", field, boost * _PREFIX_WEIGHT)))
        case All(parts):
            return All((*parts[:-1], _with_prefix(parts[-1], text, is_whole)))
        case Either(parts):
            return Either((*parts[:-1], _with_prefix(parts[-1], text, is_whole)))
        case Prefer(required, optional):
            return Prefer(required, _with_prefix(optional, text, is_whole))
        case Boosted():
            return node  # the text ends with its bracket or boost
        case _:
            return node
