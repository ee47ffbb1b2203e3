"""The explanation why a file is found or not: its status in the library, and its matches and ranks in a search."""

from collections.abc import Iterator
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


# Renders an explanation as sentences for the command line and the window, the decisive ones first.


class Bearing(StrEnum):
    """Whether a sentence is a reason for or against finding the file."""

    HELPS = "helps"
    HINDERS = "hinders"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class ExplanationSentence:
    """One sentence, and whether it is a reason for or against finding the file."""

    sentence: str
    bearing: Bearing = Bearing.PLAIN


_MODE_NAMES = {
    Mode.KEYWORD: "By words",
    Mode.SEMANTIC: "By meaning",
    Mode.HYBRID: "By words and meaning together",
    Mode.LINKED: "With the links of the best passages",
    Mode.RERANKED: "By words and meaning, re-ranked",
    Mode.BEST: "Re-ranked, with the links of the best passages",
    Mode.EXACT: "By exact text",
}


def render_explanation(explanation: Explanation) -> tuple[ExplanationSentence, ...]:
    """Return the sentences about the file, then those about the search."""
    return (*_of_file(explanation), *(_of_search(explanation.in_search) if explanation.in_search else ()))


def _of_file(explanation: Explanation) -> Iterator[ExplanationSentence]:
    status = explanation.status
    yield ExplanationSentence(status.sentence, Bearing.HELPS if status.included else Bearing.HINDERS)
    if explanation.coverage is not None and explanation.coverage < 1:
        share = int(explanation.coverage * 100)
        yield ExplanationSentence(f"Search by meaning covers {share} % of its sentences so far.", Bearing.HINDERS)


def _of_search(search: SearchExplanation) -> Iterator[ExplanationSentence]:
    yield _verdict(search)
    yield from _conditions(search)
    if not search.excluded:
        yield from _words(search)
        yield from (ExplanationSentence(_ranked(rank, search)) for rank in search.ranks if rank.length)
    if search.linked_from:
        names = ", ".join(f"“{path.name}”" for path in search.linked_from)
        yield ExplanationSentence(f"It ranks higher because of a link from {names}.", Bearing.HELPS)
    if search.capped:
        more = "1 more of its passages ranks" if search.capped == 1 else f"{search.capped} more of its passages rank"
        yield ExplanationSentence(f"{more} high enough, but a list shows few of each file and each text only once.")
    if search.note:
        yield ExplanationSentence(search.note, Bearing.HINDERS)


def _verdict(search: SearchExplanation) -> ExplanationSentence:
    if search.place is not None and search.duplicate_of is not None:
        same = f"Found as {search.duplicate_of}, which has the same text: place {search.place} of the list."
        return ExplanationSentence(same, Bearing.HELPS)
    if search.place is not None:
        also = f", with {search.shown} passages" if search.shown > 1 else ""
        return ExplanationSentence(f"Found: place {search.place} of the list{also}.", Bearing.HELPS)
    if search.excluded:
        return ExplanationSentence("Not found: a condition on files excludes it.", Bearing.HINDERS)
    own = search.rank_in(search.mode)
    if own is not None and own.rank is not None:
        further = f"its best passage is at place {own.rank:,}, and the list shows {search.limit}"
        return ExplanationSentence(f"Further down: {further}.", Bearing.HINDERS)
    if own is not None and own.cut_off:
        return ExplanationSentence(f"Not found: it is not among the first {own.length:,} passages.", Bearing.HINDERS)
    return ExplanationSentence("Not found by this search.", Bearing.HINDERS)


def _conditions(search: SearchExplanation) -> Iterator[ExplanationSentence]:
    for clause in search.clauses:
        if clause.part is QueryPart.OF_FILES:
            if clause.matches:
                yield ExplanationSentence(f"The condition {clause.text} holds.", Bearing.HELPS)
            else:
                yield ExplanationSentence(f"The condition {clause.text} does not hold.", Bearing.HINDERS)


def _words(search: SearchExplanation) -> Iterator[ExplanationSentence]:
    words = [clause for clause in search.clauses if clause.part is not QueryPart.OF_FILES]
    yield from map(_word, words)
    required = [clause for clause in words if clause.part is QueryPart.REQUIRED]
    if required and not search.in_one_passage and all(clause.matches for clause in required):
        excluded = any(clause.matches for clause in words if clause.part is QueryPart.EXCLUDED)
        if len(required) > 1 or excluded:
            problem = "Everything required occurs in it, but no single passage matches the whole query."
            yield ExplanationSentence(problem, Bearing.HINDERS)


def _word(clause: Clause) -> ExplanationSentence:
    passages = f"{clause.matches} of its passages"
    if clause.part is QueryPart.EXCLUDED:
        if clause.matches:
            return ExplanationSentence(
                f"{_quoted(clause)}, which the query excludes, occurs in {passages}.", Bearing.HINDERS
            )
        return ExplanationSentence(f"{_quoted(clause)}, which the query excludes, does not occur in it.", Bearing.HELPS)
    if clause.matches:
        return ExplanationSentence(f"{_quoted(clause)} occurs in {passages}.", Bearing.HELPS)
    where = "" if clause.elsewhere else ", nor anywhere else in the library"
    bearing = Bearing.HINDERS if clause.part is QueryPart.REQUIRED else Bearing.PLAIN
    return ExplanationSentence(f"{_quoted(clause)} does not occur in it{where}.", bearing)


def _ranked(own: ModeRank, search: SearchExplanation) -> str:
    name = _MODE_NAMES[own.mode]
    of = f"{own.length:,}{' or more' if own.cut_off else ''}"
    if own.rank is None:
        return f"{name}: not among {'the first ' if own.cut_off else ''}{own.length:,} passages."
    differs = own.mode is search.mode and search.place not in (None, own.rank)
    omitted = ", counting those that the list omits" if differs else ""
    return f"{name}: place {own.rank:,} of {of} passages{omitted}."


def _quoted(clause: Clause) -> str:
    return clause.text if '"' in clause.text else f"“{clause.text}”"
