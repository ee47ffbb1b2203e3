"""The explanation why a file is found or not: its status in the library, and its matches and ranks in a search."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from desktop_rag.index.folders.path_status import PathStatus
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import Mode, Snippet


class QueryPart(StrEnum):
    """What a clause demands: that a passage has it, may have it, has it not, or that the file fulfils it."""

    REQUIRED = "demanded"
    OPTIONAL = "wished"
    EXCLUDED = "forbidden"
    OF_FILES = "of files"


@dataclass(frozen=True, slots=True)
class Clause:
    """A word, phrase or condition of a query; `matches` counts passages of the file, or is 1 if a condition holds.

    `elsewhere` says that another document of the library matches it.
    """

    text: str
    part: QueryPart
    matches: int
    elsewhere: bool = True


@dataclass(frozen=True, slots=True)
class ModeRank:
    """The rank of the file's best passage in one mode; None if it is not among the `length` ranked passages.

    `cut_off` says that there are more passages, which were not ranked.
    """

    mode: Mode
    rank: int | None
    length: int
    cut_off: bool = False


@dataclass(frozen=True, slots=True)
class BestLine:
    """The snippet of the file that matches the query best, and its page and section."""

    snippet: Snippet
    page: int | None
    section: str


@dataclass(frozen=True, slots=True)
class SearchExplanation:
    """The matches and ranks of a file in a search.

    `place` is the rank of its first hit in the result list (at most `limit` hits), `shown` the number of its hits
    there, `capped` the number of its passages omitted by the cap per file or by deduplication. `duplicate_of` is the
    path of the hit into which this file was deduplicated; `linked_from` the documents whose links
    boost it. `excluded`: a condition on files excludes it. `in_one_passage`: a single passage matches the whole query.
    """

    query: str
    mode: Mode
    limit: int
    place: int | None = None
    shown: int = 0
    capped: int = 0
    duplicate_of: Path | None = None
    clauses: tuple[Clause, ...] = ()
    ranks: tuple[ModeRank, ...] = ()
    linked_from: tuple[Path, ...] = ()
    excluded: bool = False
    in_one_passage: bool = False
    best: BestLine | None = None
    note: str = ""

    def rank_in(self, mode: Mode) -> ModeRank | None:
        """Return the rank in a mode, None if the search was not ranked by it."""
        return next((rank for rank in self.ranks if rank.mode is mode), None)


@dataclass(frozen=True, slots=True)
class Explanation:
    """The status of a file in the library, and its ranks in a search if one is explained.

    `coverage` is the share of its sentences with vectors; None for a file without text.
    """

    status: PathStatus
    content: ContentId | None = None
    coverage: float | None = None
    in_search: SearchExplanation | None = None

    @property
    def found(self) -> bool:
        """Return whether the search shows it; without a search, whether the library includes it."""
        if self.in_search is None:
            return self.status.included
        return self.in_search.place is not None
