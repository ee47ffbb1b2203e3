"""How searches follow one another: whether a query put anew brings anything new (LogicalRAG, appendix F)."""

from collections.abc import Sequence
from itertools import pairwise

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.evaluation.qa.question_records import RecordedSearch

ALIKE = 0.5  # share of the words of the shorter query that makes two queries one intent, where no judge says so

BY_WORDS = "intents by the lines of the model's plan, where there is one, else by shared words"
BY_JUDGE = "intents by the judge"


def same_intent_overlap(searches: Sequence[RecordedSearch], intents: Sequence[int] = ()) -> float | None:
    """Return the share of results that the next search for the same brings again; None if there is none."""
    shares = []
    for group in grouped(searches, intents):
        steps = [_shared(first, second) for first, second in pairwise(group)]
        if steps:
            shares.append(sum(steps) / len(steps))
    return sum(shares) / len(shares) if shares else None


def intent_recovery(searches: Sequence[RecordedSearch], intents: Sequence[int] = ()) -> float | None:
    """Return the share of intents whose first search failed and a later one did not; None if none could recover.

    A search succeeded if evidence was among what it brought.
    """
    failed = [group for group in grouped(searches, intents) if len(group) > 1 and not group[0].gold]
    recovered = [group for group in failed if any(search.gold for search in group)]
    return len(recovered) / len(failed) if failed else None


def grouped(searches: Sequence[RecordedSearch], intents: Sequence[int] = ()) -> list[list[RecordedSearch]]:
    """Return searches by what they want to know: as a judge grouped them, else by the words they share."""
    if len(intents) != len(searches):
        return _by_words(searches)
    groups: dict[int, list[RecordedSearch]] = {}
    for search, intent in zip(searches, intents, strict=True):
        groups.setdefault(intent, []).append(search)
    return list(groups.values())


def planned_intents(searches: Sequence[RecordedSearch], plan: Sequence[str]) -> tuple[int, ...]:
    """Return for each search the line of the plan it shares most words with; nothing for a plan of a single line."""
    lines = [set(stems(line)) for line in plan]
    if len(lines) <= 1:
        return ()
    words = [set(stems(search.queries)) for search in searches]
    return tuple(max(range(len(lines)), key=lambda line: len(said & lines[line])) for said in words)


def _by_words(searches: Sequence[RecordedSearch]) -> list[list[RecordedSearch]]:
    groups: list[tuple[set[str], list[RecordedSearch]]] = []
    for search in searches:
        words = set(stems(search.queries))
        known = next((group for group in groups if _alike(words, group[0])), None)
        if known:
            known[1].append(search)
        else:
            groups.append((words, [search]))
    return [group for _, group in groups]


def _alike(words: set[str], others: set[str]) -> bool:
    return len(words & others) >= ALIKE * max(min(len(words), len(others)), 1)


def _shared(first: RecordedSearch, second: RecordedSearch) -> float:
    """Return the share of passages that two searches have in common, of the shorter list."""
    fewer = min(len(set(first.results)), len(set(second.results)))
    return len({*first.results} & {*second.results}) / fewer if fewer else 0.0
