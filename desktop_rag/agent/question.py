"""What is asked: the words, the conversation before them, the documents that may answer; and what could be."""

from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.query.tree import Filter

_BEGUN = Conversation()
_EVERYWHERE = Scope()


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the user; the model gets the names of what is `attached`, which `scope` has, too."""

    text: str
    conversation: Conversation = _BEGUN
    scope: Scope = _EVERYWHERE
    filters: tuple[Filter, ...] = ()  # of every search
    unwanted: tuple[Filter, ...] = ()  # that the user has removed: not to be derived from the words
    attached: tuple[bytes, ...] = ()  # paths
    closed: frozenset[ContentId] = frozenset()  # contents of earlier turns that this one may not read

    @property
    def is_narrowed(self) -> bool:
        """Return whether only a part of the library is searched."""
        return bool(self.scope.folders or self.scope.contents or self.filters)


class AskedOf(StrEnum):
    """What of a document an example asks for."""

    SECTION = "section"  # what stands under the heading `text`
    CELL = "cell"  # of the row `text`, in the column `column`
    SENTENCE = "sentence"  # how one goes on that begins with `text`


@dataclass(frozen=True, slots=True)
class ExampleTopic:
    """Something that lines `first` to `last` of a document say; `language` is the document's."""

    asked: AskedOf
    text: str
    document: str
    language: str
    sha256: str
    first: int
    last: int
    column: str = ""


@dataclass(frozen=True, slots=True)
class ExampleQuestion:
    """A question, and the name of the document that answers it."""

    text: str
    document: str = ""
