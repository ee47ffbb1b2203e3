"""The clauses of a query: its leaves, whether each is required, optional or excluded, and its text as typed."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from math import inf

from desktop_rag.index.keywords.analysis import STOP_WORDS, fold
from desktop_rag.retrieval.api import ClauseCount, SearchRequest
from desktop_rag.retrieval.explain.explanation import QueryPart
from desktop_rag.retrieval.query.file_conditions import filter_condition
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import (
    All,
    Boosted,
    Dated,
    Either,
    FileFact,
    FileLeaf,
    Fuzzy,
    Node,
    Not,
    Phrase,
    Prefer,
    Spelled,
    TextLeaf,
    Wildcard,
    Word,
    join_all,
)
from desktop_rag.text.dates import ENGLISH_MONTHS

LeafClause = tuple[TextLeaf | FileLeaf, QueryPart]


def text_clauses(node: Node | None) -> list[LeafClause]:
    """Return the leaves from left to right with their parts; stop words if demanded, or if there is nothing else."""
    every = _clauses(node, QueryPart.REQUIRED) if node is not None else []
    return [(leaf, part) for leaf, part in every if part is not QueryPart.OPTIONAL or not _is_stop_word(leaf)] or every


def file_clauses(node: Node | None) -> tuple[Node, ...]:
    """Return the conditions on files that all have to hold."""
    return node.parts if isinstance(node, All) else (node,) if node is not None else ()


def _clauses(node: Node, part: QueryPart) -> list[LeafClause]:
    """Return the leaves below a node whose own part is `part`."""
    weaker = QueryPart.OPTIONAL if part is QueryPart.REQUIRED else part
    match node:
        case All(nodes):
            return [clause for each in nodes for clause in _clauses(each, part)]
        case Either((Word(text), Wildcard(pattern) as prefix)) if pattern == f"{text}*":
            return [(prefix, part)]  # the last word of an unfinished query
        case Either(nodes):
            return [clause for each in nodes for clause in _clauses(each, weaker)]
        case Not(inner):
            return _clauses(inner, QueryPart.REQUIRED if part is QueryPart.EXCLUDED else QueryPart.EXCLUDED)
        case Prefer(required, optional):
            return _clauses(required, part) + _clauses(optional, weaker)
        case Boosted(inner):
            return _clauses(inner, part)
        case _:
            return [(node, part)]


def query_text(node: Node) -> str:
    """Return a part of a query as it could be typed."""
    match node:
        case All(parts):
            return " AND ".join(map(query_text, parts))
        case Either(parts):
            return f"({' OR '.join(map(query_text, parts))})"
        case Not(part):
            return f"NOT {query_text(part)}"
        case Prefer(part) | Boosted(part):
            return query_text(part)
        case FileFact(field, text):
            return f'{field}:"{text}"' if " " in text else f"{field}:{text}"
        case Dated(since_ns, until_ns, field, month):
            days = f"[{_day(since_ns)} TO {_day(until_ns, last=True)}]"
            return f"{field}:{ENGLISH_MONTHS[month - 1].lower() if month else days}"
        case _:
            return f"{node.field}:{_leaf_text(node)}" if node.field else _leaf_text(node)


def _leaf_text(leaf: TextLeaf) -> str:
    match leaf:
        case Phrase(text, slop):
            return f'"{text}"' + (f"~{slop}" if slop else "")
        case Fuzzy(text, distance):
            return f"{text}~{distance}"
        case Spelled(text):
            return f'="{text}"' if " " in text else f"={text}"
        case Word(text) | Wildcard(text):
            return text


def _is_stop_word(leaf: TextLeaf | FileLeaf) -> bool:
    return isinstance(leaf, Word) and not leaf.field and fold(leaf.text) in STOP_WORDS


def _day(moment_ns: int | None, *, last: bool = False) -> str:
    """Return the day that begins at a moment, or with `last` the one that ends there; * for None."""
    if moment_ns is None:
        return "*"
    moment = datetime.fromtimestamp(moment_ns // 1_000_000_000 - last, UTC).astimezone()
    return f"{moment:%Y-%m-%d}"


# Counts the documents that match each clause of a query by itself: what made a search find nothing.

MAX_CLAUSES = 40  # of a query


def clause_counts(
    query: Query, request: SearchRequest, count: Callable[[Node | None, Node | None], int], exactly: float = inf
) -> tuple[ClauseCount, ...]:
    """Return the words, phrases and conditions of a query from left to right, each once.

    `count` is asked for the documents with a word that fulfil a condition; above `exactly` its answer is about.
    """
    filtered = filter_condition(request.filters, date.today())
    clauses: list[tuple[Node, Node | None, Node | None, bool]] = [
        *((leaf, leaf, filtered, part is QueryPart.EXCLUDED) for leaf, part in text_clauses(query.words)[:MAX_CLAUSES]),
        *((node, None, join_all((node, filtered)), False) for node in file_clauses(query.files)),
    ]
    counts: dict[str, ClauseCount] = {}
    for clause, words, condition, excluded in clauses:
        if (text := query_text(clause)) not in counts:
            documents = count(words, condition)
            counts[text] = ClauseCount(text, documents, excluded, documents > exactly)
    return tuple(counts.values())
