"""Why a file is found or not: what is known of the file, and how it stands in a search."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from desktop_rag.index.folders.path_status import PathStatus as Standing
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import Mode, Snippet


class QueryPart(StrEnum):
    """What a query does with one of its clauses."""

    DEMANDED = "demanded"
    WISHED = "wished"
    FORBIDDEN = "forbidden"
    OF_FILES = "of files"


@dataclass(frozen=True, slots=True)
class Clause:
    """A word, phrase or condition of a query; `matches` counts passages of the file, or is 1 if a condition holds.

    `elsewhere` says that another document of the library has it.
    """

    text: str
    part: QueryPart
    matches: int
    elsewhere: bool = True


@dataclass(frozen=True, slots=True)
class ListPlace:
    """Where the best passage of the file stands in the list of one mode; `rank` is None where it does not.

    `length` passages were ranked; `cut_off` says that there are more, which nobody looked at.
    """

    mode: Mode
    rank: int | None
    length: int
    cut_off: bool = False


@dataclass(frozen=True, slots=True)
class BestLine:
    """What of the file comes nearest to the query, and where it stands."""

    snippet: Snippet
    page: int | None
    section: str


@dataclass(frozen=True, slots=True)
class InSearch:
    """How a file stands in a search.

    `place` is the number of its first hit in the list that the search shows (`limit` hits at most), `shown` how many
    hits it has there, `capped` how many of its passages were left out because a file may have only so many.
    `instead` is the place under which it is shown because its text is the same; `led_by` the documents whose best
    passages lead to it; `excluded` says that a condition on files leaves it out; `together` that one of its passages
    has all that the query demands.
    """

    query: str
    mode: Mode
    limit: int
    place: int | None = None
    shown: int = 0
    capped: int = 0
    instead: Path | None = None
    clauses: tuple[Clause, ...] = ()
    places: tuple[ListPlace, ...] = ()
    led_by: tuple[Path, ...] = ()
    excluded: bool = False
    together: bool = False
    best: BestLine | None = None
    note: str = ""

    def place_in(self, mode: Mode) -> ListPlace | None:
        """Return how it stands in the list of a mode, None if that was not looked at."""
        return next((place for place in self.places if place.mode is mode), None)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of a file, and how it stands in a search if one was asked about.

    `coverage` is the share of its sentences that search by meaning knows; None for a file without text.
    """

    standing: Standing
    content: ContentId | None = None
    coverage: float | None = None
    in_search: InSearch | None = None

    @property
    def found(self) -> bool:
        """Return whether the search shows it; without a search, whether the library holds it."""
        if self.in_search is None:
            return self.standing.included
        return self.in_search.place is not None
