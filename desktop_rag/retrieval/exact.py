"""Literal search as in A-RAG (section 3.2): score(chunk) = Σ count(keyword, chunk) · len(keyword).

Keywords are the words and phrases of the query, found without regard to case and also inside words. AND, OR and
NOT decide which chunks count at all. Every text in reach is looked through; nothing has to be indexed first.
"""

import re
from collections.abc import Callable, Iterable
from typing import assert_never

from desktop_rag.index.catalog_reader import CatalogReader
from desktop_rag.index.records import ChunkId, Content, ContentId
from desktop_rag.retrieval.query_tree import (
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
    TextField,
    TextLeaf,
    Wildcard,
    Word,
    wanted,
)
from desktop_rag.stop import Stop

_BATCH = 500

Holders = Callable[[FileLeaf], frozenset[ContentId]]


def keywords(tree: Node | None) -> tuple[str, ...]:
    """Return what the query looks for, as it was typed."""
    return tuple(dict.fromkeys(_literal(leaf) for leaf in wanted(tree)))


def exact_search(
    catalog: CatalogReader, tree: Node, contents: frozenset[ContentId], holders: Holders, stop: Stop
) -> list[tuple[ChunkId, float]]:
    """Return every chunk that matches with its score, best first; equal scores in the order of the chunks."""
    scorer = _Scorer(tree, holders)
    found: list[tuple[ChunkId, float]] = []
    for some in _batches(sorted(contents)):
        for content in catalog.contents(some).values():
            stop.check()
            found += _in_content(catalog, content, scorer, stop)
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def _in_content(
    catalog: CatalogReader, content: Content, scorer: "_Scorer", stop: Stop
) -> Iterable[tuple[ChunkId, float]]:
    text = catalog.text(content.id)
    if not scorer.may_match(text, content):
        return
    for chunk, start, end in catalog.chunk_offsets(content.id):
        stop.check()
        score = scorer.score(text[start:end], content)
        if score is not None:
            yield chunk, score


class _Scorer:
    """Scores one text at a time by the tree of the query."""

    def __init__(self, tree: Node, holders: Holders) -> None:
        self._tree = tree
        self._leaves = tuple(wanted(tree))
        self._holders = holders
        self._held: dict[FileLeaf, frozenset[ContentId]] = {}

    def may_match(self, text: str, content: Content) -> bool:
        """Return False if no chunk of this text can have a score, without looking at the chunks."""
        if not self._leaves:
            return True
        lowered, title = _lowered(text), content.title.lower()
        return any(_count(leaf, lowered, title) for leaf in self._leaves)

    def score(self, text: str, content: Content) -> float | None:
        """Return the score of a chunk's text, None if it does not match."""
        return self._score(self._tree, _lowered(text), content.title.lower(), content.id)

    def _score(self, node: Node, text: str, title: str, content: ContentId) -> float | None:
        match node:
            case All(parts):
                scores = [self._score(part, text, title, content) for part in parts]
                return None if None in scores else _sum(scores)
            case Either(parts):
                scores = [self._score(part, text, title, content) for part in parts]
                return None if all(score is None for score in scores) else _sum(scores)
            case Prefer(required, optional):
                score = self._score(required, text, title, content)
                return None if score is None else score + (self._score(optional, text, title, content) or 0.0)
            case Not(part):
                return 0.0 if self._score(part, text, title, content) is None else None
            case Boosted(part, factor):
                score = self._score(part, text, title, content)
                return None if score is None else score * factor
            case FileFact() | Modified():
                return 0.0 if content in self._holding(node) else None
            case Word() | Phrase() | Fuzzy() | Wildcard():
                count = _count(node, text, title)
                return count * len(_literal(node)) * node.boost if count else None
        assert_never(node)

    def _holding(self, leaf: FileLeaf) -> frozenset[ContentId]:
        if leaf not in self._held:
            self._held[leaf] = self._holders(leaf)
        return self._held[leaf]


def _sum(scores: Iterable[float | None]) -> float:
    return sum(score for score in scores if score is not None)


def _count(leaf: TextLeaf, text: str, title: str) -> int:
    where = title if leaf.field is TextField.TITLE else text
    if isinstance(leaf, Wildcard):
        expression = "".join({"*": r"\w*", "?": r"\w"}.get(char) or re.escape(char) for char in leaf.pattern.lower())
        return sum(1 for _ in re.finditer(expression, where))
    return where.count(_literal(leaf).lower())


def _lowered(text: str) -> str:
    return text.lower().replace("\n", " ")  # a line's end parts words as a space does


def _literal(leaf: TextLeaf) -> str:
    return leaf.pattern.replace("*", "").replace("?", "") if isinstance(leaf, Wildcard) else leaf.text


def _batches(contents: list[ContentId]) -> Iterable[list[ContentId]]:
    return (contents[first : first + _BATCH] for first in range(0, len(contents), _BATCH))
