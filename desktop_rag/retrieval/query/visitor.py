"""A visitor over query trees: one method for each kind of node."""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar, assert_never

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
)

Result = TypeVar("Result")


class QueryVisitor(ABC, Generic[Result]):
    """Computes a value for a query; each method visits those of its parts that it needs."""

    def visit(self, node: Node) -> Result:
        """Return the value of a node."""
        match node:
            case All(parts):
                return self.all_of(parts)
            case Either(parts):
                return self.any_of(parts)
            case Not(part):
                return self.negation(part)
            case Prefer(required, optional):
                return self.preference(required, optional)
            case Boosted(part, factor):
                return self.boost(part, factor)
            case FileFact() | Dated():
                return self.file_leaf(node)
            case Word() | Phrase() | Fuzzy() | Wildcard() | Spelled():
                return self.text_leaf(node)
        assert_never(node)

    @abstractmethod
    def all_of(self, parts: tuple[Node, ...]) -> Result:
        """Return the value of parts joined by AND."""

    @abstractmethod
    def any_of(self, parts: tuple[Node, ...]) -> Result:
        """Return the value of parts joined by OR."""

    @abstractmethod
    def negation(self, part: Node) -> Result:
        """Return the value of NOT `part`."""

    @abstractmethod
    def preference(self, required: Node, optional: Node) -> Result:
        """Return the value of `required` with an `optional` part that only ranks higher."""

    @abstractmethod
    def boost(self, part: Node, factor: float) -> Result:
        """Return the value of a part that counts `factor` times in the ranking."""

    @abstractmethod
    def file_leaf(self, leaf: FileLeaf) -> Result:
        """Return the value of a condition on files."""

    @abstractmethod
    def text_leaf(self, leaf: TextLeaf) -> Result:
        """Return the value of a word, phrase, fuzzy word, wildcard or spelling."""
