"""Trajectory measures: whether reformulated queries of one intent find new results (LogicalRAG, appendix F)."""

from collections.abc import Sequence
from itertools import pairwise

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.evaluation.qa.question_records import RecordedSearch

SAME_INTENT = 0.5  # share of the shorter query's words that two queries of one intent share, without a judge

BY_WORDS = "intents by the lines of the model's plan if there is one, else by shared words"
BY_JUDGE = "intents by the judge"


def same_intent_overlap(searches: Sequence[RecordedSearch], intents: Sequence[int] = ()) -> float | None:
    """Return the mean overlap of the results of consecutive searches of one intent; None without any."""
    shares = []
    for group in grouped(searches, intents):
        steps = [_shared(first, second) for first, second in pairwise(group)]
        if steps:
            shares.append(sum(steps) / len(steps))
    return sum(shares) / len(shares) if shares else None


def intent_recovery(searches: Sequence[RecordedSearch], intents: Sequence[int] = ()) -> float | None:
    """Return the share of intents whose first search failed and a later one succeeded; None without any to recover.

    A search succeeds if its results include gold evidence.
    """
    failed = [group for group in grouped(searches, intents) if len(group) > 1 and not group[0].gold]
    recovered = [group for group in failed if any(search.gold for search in group)]
    return len(recovered) / len(failed) if failed else None


def grouped(searches: Sequence[RecordedSearch], intents: Sequence[int] = ()) -> list[list[RecordedSearch]]:
    """Group searches by intent: as judged, else by shared words."""
    if len(intents) != len(searches):
        return _by_words(searches)
    groups: dict[int, list[RecordedSearch]] = {}
    for search, intent in zip(searches, intents, strict=True):
        groups.setdefault(intent, []).append(search)
    return list(groups.values())


def planned_intents(searches: Sequence[RecordedSearch], plan: Sequence[str]) -> tuple[int, ...]:
    """Return for each search the plan line with which it shares most words; () for a plan of one line."""
    lines = [set(stems(line)) for line in plan]
    if len(lines) <= 1:
        return ()
    words = [set(stems(search.queries)) for search in searches]
    return tuple(max(range(len(lines)), key=lambda line: len(query & lines[line])) for query in words)


def _by_words(searches: Sequence[RecordedSearch]) -> list[list[RecordedSearch]]:
    groups: list[tuple[set[str], list[RecordedSearch]]] = []
    for search in searches:
        words = set(stems(search.queries))
        known = next((group for group in groups if _same_intent(words, group[0])), None)
        if known:
            known[1].append(search)
        else:
            groups.append((words, [search]))
    return [group for _, group in groups]


def _same_intent(words: set[str], others: set[str]) -> bool:
    return len(words & others) >= SAME_INTENT * max(min(len(words), len(others)), 1)


def _shared(first: RecordedSearch, second: RecordedSearch) -> float:
    """Return the share of the shorter result list that two searches have in common."""
    fewer = min(len(set(first.results)), len(set(second.results)))
    return len({*first.results} & {*second.results}) / fewer if fewer else 0.0
