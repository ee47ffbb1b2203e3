"""A query while the user is typing: the last word also matches as a prefix."""

from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import All, Boosted, Either, Node, Prefer, Wildcard, Word

MIN_LETTERS = 2
_PREFIX_WEIGHT = 0.5  # of a prefix match, relative to the word itself


def unfinished(query: Query) -> Query:
    """Replace the last word, if the text ends with it, by the word or its prefix wildcard."""
    if query.words is None:
        return query
    return Query(query.text, _with_prefix(query.words, query.text), query.files)


def _with_prefix(node: Node, text: str) -> Node:
    match node:
        case Word(word, field, boost) if len(word) >= MIN_LETTERS and word.isalnum() and text.endswith(word):
            return Either((node, Wildcard(f"{word}*", field, boost * _PREFIX_WEIGHT)))
        case All(parts):
            return All((*parts[:-1], _with_prefix(parts[-1], text)))
        case Either(parts):
            return Either((*parts[:-1], _with_prefix(parts[-1], text)))
        case Prefer(required, optional):
            return Prefer(required, _with_prefix(optional, text))
        case Boosted():
            return node  # the text ends with its bracket or boost
        case _:
            return node
