"""Standing questions: kept over a scope, and looked at again when documents are added or changed.

Only what was read since is searched. The last answer stays; what was found since, and what changed against it, is kept
beside it.
"""

from dataclasses import dataclass
from typing import NewType

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import Answered, Citation, RunStarted
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.work.report import Contradiction
from desktop_rag.work.table import TableId

StandingId = NewType("StandingId", int)

MOST_NEWS = 50  # passages that are kept until the question is asked


@dataclass(frozen=True, slots=True)
class Update:
    """What asking about new documents gave: what is added, and which statements of before they contradict.

    `gone` are citations of before whose words stand in no file any more.
    """

    answered: Answered
    asked_ns: int
    gone: tuple[Citation, ...] = ()
    contradicted: tuple[Contradiction, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """A question over a scope, or a table (`question` is its name) whose rows follow the scope.

    `seen` is the last content that was looked at. `news` are passages found since the last answer, `gone` its citations
    that stand nowhere any more; of a table, `documents` counts the rows that were added or changed since it was filled.
    """

    question: str
    filters: tuple[Filter, ...] = ()
    table: TableId | None = None
    notify: bool = True
    seen: int = 0
    checked_ns: int = 0
    answered: Answered | None = None
    answered_ns: int = 0
    updates: tuple[Update, ...] = ()  # the oldest first
    news: tuple[Citation, ...] = ()
    gone: tuple[Citation, ...] = ()
    documents: int = 0
    trouble: str = ""  # why the last look failed, as a sentence

    @property
    def count(self) -> int:
        """How much is new: passages, or documents of a table."""
        return self.documents if self.table else len(self.news)

    @property
    def since_ns(self) -> int:
        """Since when that is new."""
        return self.updates[-1].asked_ns if self.updates else self.answered_ns

    @property
    def answers(self) -> tuple[Answered, ...]:
        """The first answer and those of all updates."""
        return (*((self.answered,) if self.answered else ()), *(each.answered for each in self.updates))

    @property
    def citations(self) -> tuple[Citation, ...]:
        """All that is cited."""
        kept = (each.citations for each in self.answers)
        return (*self.news, *self.gone, *(each for cited in kept for each in cited))

    def turns(self) -> tuple[Turn, ...]:
        """Return the answers as turns, as exports take them."""
        asked = (self.answered_ns, *(each.asked_ns for each in self.updates))
        return tuple(
            Turn(number, self.question, (RunStarted(self.question, "", "", number), answered), at)
            for number, (answered, at) in enumerate(zip(self.answers, asked, strict=False), 1)
        )
