"""A query while it is being typed: its last word may only be the beginning of one."""

from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import All, Boosted, Either, Node, Prefer, Wildcard, Word

LEAST_LETTERS = 2
_BEGINNING = 0.5  # how much a word that only begins so counts against the word itself


def unfinished(query: Query) -> Query:
    """Let the last word, if the text ends with it, also stand for all words that begin with it."""
    if query.words is None:
        return query
    return Query(query.text, _with_open_end(query.words, query.text), query.files)


def _with_open_end(node: Node, text: str) -> Node:
    match node:
        case Word(word, field, boost) if len(word) >= LEAST_LETTERS and word.isalnum() and text.endswith(word):
            return Either((node, Wildcard(f"{word}*", field, boost * _BEGINNING)))
        case All(parts):
            return All((*parts[:-1], _with_open_end(parts[-1], text)))
        case Either(parts):
            return Either((*parts[:-1], _with_open_end(parts[-1], text)))
        case Prefer(required, optional):
            return Prefer(required, _with_open_end(optional, text))
        case Boosted():
            return node  # it is closed
        case _:
            return node
