"""What is asked: the words, the conversation before them, and the documents that may answer."""

from dataclasses import dataclass

from desktop_rag.agent.conversations.transcript import Conversation
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import Filter, Scope

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
