"""The clauses of a query: its leaves, whether each is required, optional or excluded, and its text as typed."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from math import inf

from desktop_rag.index.keywords.analysis import STOP_WORDS, fold
from desktop_rag.retrieval.api import ClauseCount, SearchRequest
from desktop_rag.retrieval.explain.explanation import QueryPart
from desktop_rag.retrieval.query.file_conditions import filter_condition
from desktop_rag.retrieval.query.parser import Query
from desktop_rag.retrieval.query.tree import (
    All,
    FileFact,
    FileLeaf,
    Fuzzy,
    Node,
    Phrase,
    QueryVisitor,
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
    every = _Clauses(QueryPart.REQUIRED).visit(node) if node is not None else []
    return [(leaf, part) for leaf, part in every if part is not QueryPart.OPTIONAL or not _is_stop_word(leaf)] or every


def file_clauses(node: Node | None) -> tuple[Node, ...]:
    """Return the conditions on files that all have to hold."""
    return node.parts if isinstance(node, All) else (node,) if node is not None else ()


def query_text(node: Node) -> str:
    """Return a part of a query as it could be typed."""
    return _QueryText().visit(node)


class _Clauses(QueryVisitor[list[LeafClause]]):
    """Collects the leaves below a node whose own part is `part`."""

    def __init__(self, part: QueryPart) -> None:
        self._part = part

    def all_of(self, parts: tuple[Node, ...]) -> list[LeafClause]:
        return [clause for part in parts for clause in self.visit(part)]

    def any_of(self, parts: tuple[Node, ...]) -> list[LeafClause]:
        match parts:
            case (Word(text), Wildcard(pattern) as prefix) if pattern == f"{text}*":
                return [(prefix, self._part)]  # the last word of an unfinished query
        return _Clauses(self._weaker()).all_of(parts)

    def negation(self, part: Node) -> list[LeafClause]:
        excluded = self._part is QueryPart.EXCLUDED
        return _Clauses(QueryPart.REQUIRED if excluded else QueryPart.EXCLUDED).visit(part)

    def preference(self, required: Node, optional: Node) -> list[LeafClause]:
        return self.visit(required) + _Clauses(self._weaker()).visit(optional)

    def boost(self, part: Node, factor: float) -> list[LeafClause]:
        return self.visit(part)

    def file_leaf(self, leaf: FileLeaf) -> list[LeafClause]:
        return [(leaf, self._part)]

    def text_leaf(self, leaf: TextLeaf) -> list[LeafClause]:
        return [(leaf, self._part)]

    def _weaker(self) -> QueryPart:
        return QueryPart.OPTIONAL if self._part is QueryPart.REQUIRED else self._part


class _QueryText(QueryVisitor[str]):
    def all_of(self, parts: Sequence[Node]) -> str:
        return " AND ".join(map(self.visit, parts))

    def any_of(self, parts: Sequence[Node]) -> str:
        return f"({' OR '.join(map(self.visit, parts))})"

    def negation(self, part: Node) -> str:
        return f"NOT {self.visit(part)}"

    def preference(self, required: Node, optional: Node) -> str:
        return self.visit(required)

    def boost(self, part: Node, factor: float) -> str:
        return self.visit(part)

    def file_leaf(self, leaf: FileLeaf) -> str:
        if isinstance(leaf, FileFact):
            return f'{leaf.field}:"{leaf.text}"' if " " in leaf.text else f"{leaf.field}:{leaf.text}"
        if leaf.month:
            return f"{leaf.field}:{ENGLISH_MONTHS[leaf.month - 1].lower()}"
        return f"{leaf.field}:[{_day(leaf.since_ns)} TO {_day(leaf.until_ns, last=True)}]"

    def text_leaf(self, leaf: TextLeaf) -> str:
        prefix = f"{leaf.field}:" if leaf.field else ""
        match leaf:
            case Phrase(text, slop):
                return f'{prefix}"{text}"' + (f"~{slop}" if slop else "")
            case Fuzzy(text, distance):
                return f"{prefix}{text}~{distance}"
            case Wildcard(pattern):
                return f"{prefix}{pattern}"
            case Spelled(text):
                return f'{prefix}="{text}"' if " " in text else f"{prefix}={text}"
            case Word(text):
                return f"{prefix}{text}"


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
