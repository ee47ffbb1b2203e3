"""The clauses of a query one by one: what it demands, wishes and forbids, spelled as a person would type it."""

from datetime import UTC, datetime

from desktop_rag.index.keywords.analysis import STOP_WORDS, fold
from desktop_rag.retrieval.explain.explanation import QueryPart
from desktop_rag.retrieval.query.tree import (
    All,
    Boosted,
    Either,
    FileFact,
    FileLeaf,
    Fuzzy,
    Modified,
    Node,
    Not,
    Phrase,
    Prefer,
    Spelled,
    TextLeaf,
    Wildcard,
    Word,
    children,
)

Demand = tuple[TextLeaf | FileLeaf, QueryPart]


def demands(node: Node | None, part: QueryPart = QueryPart.DEMANDED) -> list[Demand]:
    """Return the leaves of a query from left to right, and what it does with each."""
    match node:
        case None:
            return []
        case Either((Word(text) as word, Wildcard(pattern) as begun)) if pattern == f"{text}*":
            return [(begun if word.text else word, part)]  # a word that is still being typed
        case Either(parts):
            return [leaf for each in parts for leaf in demands(each, _weaker(part))]
        case Not(inner):
            return demands(inner, QueryPart.DEMANDED if part is QueryPart.FORBIDDEN else QueryPart.FORBIDDEN)
        case Prefer(required, optional):
            return demands(required, part) + demands(optional, _weaker(part))
        case All() | Boosted():
            return [leaf for each in children(node) for leaf in demands(each, part)]
        case _:
            return [(node, part)]


def spelled(node: Node) -> str:
    """Return a part of a query as it could be typed."""
    match node:
        case Phrase(text, slop, field):
            return f'{_named(field)}"{text}"' + (f"~{slop}" if slop else "")
        case Fuzzy(text, distance, field):
            return f"{_named(field)}{text}~{distance}"
        case Wildcard(pattern, field):
            return f"{_named(field)}{pattern}"
        case Spelled(text, field):
            return f'{_named(field)}="{text}"' if " " in text else f"{_named(field)}={text}"
        case FileFact(field, text):
            return f'{field}:"{text}"' if " " in text else f"{field}:{text}"
        case Modified(since, until):
            return f"modified:[{_day(since)} TO {_day(until, last=True)}]"
        case Not(part):
            return f"NOT {spelled(part)}"
        case All(parts):
            return " AND ".join(map(spelled, parts))
        case Either(parts):
            return f"({' OR '.join(map(spelled, parts))})"
        case Prefer(required, _):
            return spelled(required)
        case Boosted(part):
            return spelled(part)
        case _:
            return f"{_named(node.field)}{node.text}"


def says_nothing(leaf: TextLeaf | FileLeaf) -> bool:
    """Return whether a part of a query is a word like “the”, which nearly everything holds."""
    return isinstance(leaf, Word) and not leaf.field and fold(leaf.text) in STOP_WORDS


def _weaker(part: QueryPart) -> QueryPart:
    return QueryPart.WISHED if part is QueryPart.DEMANDED else part


def _named(field: str) -> str:
    return f"{field}:" if field else ""


def _day(moment_ns: int | None, *, last: bool = False) -> str:
    """Return the day that begins at a moment, or the one that ends there; * without one."""
    if moment_ns is None:
        return "*"
    moment = datetime.fromtimestamp(moment_ns // 1_000_000_000 - last, UTC).astimezone()
    return f"{moment:%Y-%m-%d}"
