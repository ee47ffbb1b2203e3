"""Tells an explanation in plain sentences, the decisive ones first; the command line and the window say the same."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.explain.explanation import Clause, Explanation, InSearch, ListPlace, QueryPart


class Bearing(StrEnum):
    """What a sentence says about being found."""

    HELPS = "helps"
    HINDERS = "hinders"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class ExplanationSentence:
    """One sentence, and whether it speaks for or against being found."""

    sentence: str
    bearing: Bearing = Bearing.PLAIN


_LIST_NAMES = {
    Mode.KEYWORD: "By its words",
    Mode.SEMANTIC: "By its meaning",
    Mode.HYBRID: "By words and meaning together",
    Mode.LINKED: "With what the best passages lead to",
    Mode.RERANKED: "By words and meaning, looked at more closely",
    Mode.EXACT: "By exact letters",
}


def told(explanation: Explanation) -> tuple[ExplanationSentence, ...]:
    """Return all there is to say."""
    return (*_of_file(explanation), *(_of_search(explanation.in_search) if explanation.in_search else ()))


def _of_file(explanation: Explanation) -> Iterator[ExplanationSentence]:
    standing = explanation.standing
    yield ExplanationSentence(standing.sentence, Bearing.HELPS if standing.included else Bearing.HINDERS)
    if explanation.coverage is not None and explanation.coverage < 1:
        share = int(explanation.coverage * 100)
        yield ExplanationSentence(f"Search by meaning knows {share} % of its sentences so far.", Bearing.HINDERS)


def _of_search(search: InSearch) -> Iterator[ExplanationSentence]:
    yield _verdict(search)
    yield from _conditions(search)
    if not search.excluded:
        yield from _words(search)
        yield from (ExplanationSentence(_placed(place, search)) for place in search.places if place.length)
    if search.led_by:
        names = ", ".join(f"“{path.name}”" for path in search.led_by)
        yield ExplanationSentence(f"It comes forward because {names} leads to it.", Bearing.HELPS)
    if search.capped:
        more = "1 more of its passages stands" if search.capped == 1 else f"{search.capped} more of its passages stand"
        yield ExplanationSentence(f"{more} high enough, but a list shows only so many of one file or text.")
    if search.note:
        yield ExplanationSentence(search.note, Bearing.HINDERS)


def _verdict(search: InSearch) -> ExplanationSentence:
    if search.place is not None and search.instead is not None:
        same = f"Found as {search.instead}, which holds the same text: place {search.place} of the list."
        return ExplanationSentence(same, Bearing.HELPS)
    if search.place is not None:
        also = f", with {search.shown} passages" if search.shown > 1 else ""
        return ExplanationSentence(f"Found: place {search.place} of the list{also}.", Bearing.HELPS)
    if search.excluded:
        return ExplanationSentence("Not found: a condition on files leaves it out.", Bearing.HINDERS)
    place = search.place_in(search.mode)
    if place is not None and place.rank is not None:
        further = f"its best passage comes at place {place.rank:,}, and the list shows {search.limit}"
        return ExplanationSentence(f"Further down: {further}.", Bearing.HINDERS)
    if place is not None and place.cut_off:
        return ExplanationSentence(f"Not found: it is not among the first {place.length:,} passages.", Bearing.HINDERS)
    return ExplanationSentence("Not found by this search.", Bearing.HINDERS)


def _conditions(search: InSearch) -> Iterator[ExplanationSentence]:
    for clause in search.clauses:
        if clause.part is QueryPart.OF_FILES:
            if clause.matches:
                yield ExplanationSentence(f"The condition {clause.text} holds.", Bearing.HELPS)
            else:
                yield ExplanationSentence(f"The condition {clause.text} does not hold.", Bearing.HINDERS)


def _words(search: InSearch) -> Iterator[ExplanationSentence]:
    words = [clause for clause in search.clauses if clause.part is not QueryPart.OF_FILES]
    yield from map(_word, words)
    demanded = [clause for clause in words if clause.part is QueryPart.DEMANDED]
    if demanded and not search.together and all(clause.matches for clause in demanded):
        forbidden = any(clause.matches for clause in words if clause.part is QueryPart.FORBIDDEN)
        if len(demanded) > 1 or forbidden:
            problem = "All that is demanded stands in it, but no single passage fulfils the whole query."
            yield ExplanationSentence(problem, Bearing.HINDERS)


def _word(clause: Clause) -> ExplanationSentence:
    times = "1 passage" if clause.matches == 1 else f"{clause.matches} passages"
    if clause.part is QueryPart.FORBIDDEN:
        if clause.matches:
            return ExplanationSentence(
                f"{_quoted(clause)} stands in {times} of it, which the query forbids.", Bearing.HINDERS
            )
        return ExplanationSentence(f"{_quoted(clause)}, which the query forbids, does not stand in it.", Bearing.HELPS)
    if clause.matches:
        return ExplanationSentence(f"{_quoted(clause)} stands in {times} of it.", Bearing.HELPS)
    where = "" if clause.elsewhere else ", nor anywhere else in the library"
    bearing = Bearing.HINDERS if clause.part is QueryPart.DEMANDED else Bearing.PLAIN
    return ExplanationSentence(f"{_quoted(clause)} does not stand in it{where}.", bearing)


def _placed(place: ListPlace, search: InSearch) -> str:
    name = _LIST_NAMES.get(place.mode, place.mode.value)
    of = f"{place.length:,}{' or more' if place.cut_off else ''}"
    if place.rank is None:
        return f"{name}: not among {'the first ' if place.cut_off else ''}{place.length:,} passages."
    shown = place.mode is search.mode and search.place not in (None, place.rank)
    each = ", with each that the list leaves out or shows but once" if shown else ""
    return f"{name}: place {place.rank:,} of {of} passages{each}."


def _quoted(clause: Clause) -> str:
    return clause.text if '"' in clause.text else f"“{clause.text}”"
