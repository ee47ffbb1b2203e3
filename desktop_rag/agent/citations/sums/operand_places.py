"""Checks that the operands of a sum are where the claim says: in the columns of its years, beside its group.

“From 2022 to 2023 fees rose by 1,150” is no difference of the columns of 2023 and 2024, and 57 of the 200 with placebo
are no share of the other group.
"""

import re
from collections.abc import Iterator, Sequence

from desktop_rag.agent.citations.sums.computed_pairs import is_amount, stems, written
from desktop_rag.agent.citations.sums.source_rows import source_rows
from desktop_rag.index.keywords.analysis import STOP_WORDS, stem
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.normalize import fold_quote, words
from desktop_rag.text.sentences import split_sentences

_OPERAND = re.compile(r"\d(?:[\d.,]*\d)?")
_SPAN = re.compile(r"\b(?:from|between|since|von|zwischen|seit|de|entre|depuis|desde)\b", re.IGNORECASE)
_SHARE = re.compile(r"([\d.,]+) ÷ ([\d.,]+) = ")
_PAIR = 2


def is_misplaced(computed: str, claim: str, sources: Sequence[str]) -> bool:
    """Return whether a sum was computed from the columns of other years or the counts of another group."""
    return (
        _is_whole_and_part(computed, sources)
        or _is_of_other_years(computed, claim, sources)
        or _is_of_other_group(computed, claim, sources)
    )


def _is_whole_and_part(computed: str, sources: Sequence[str]) -> bool:
    """Return whether a sum adds a part to its whole: 84 plots and “6 of them”."""
    terms = computed.rpartition(" = ")[0].split(" + ")
    parts = (
        rf"(?<![\d.,]){re.escape(each)},?(?: \w+)? (?:of (?:them|which|whom|these)|davon|dont)\b" for each in terms
    )
    return len(terms) > 1 and any(re.search(part, source, re.IGNORECASE) for part in parts for source in sources)


def _is_of_other_years(computed: str, claim: str, sources: Sequence[str]) -> bool:
    operands = _OPERAND.findall(computed.rpartition(" = ")[0])
    cells: dict[str, set[tuple[int, int]]] = {}
    known: set[int] = set()
    for index, source in enumerate(sources):
        for row in source_rows(read_figures(source), index * 10_000):
            if len(row.years) == len(row.figures) > 1:
                known |= set(row.years)
                for (figure, _), year in zip(row.figures, row.years, strict=True):
                    cells.setdefault(written(figure), set()).add((year, row.number))
    said = {int(each.values[0]) for each in read_figures(claim).figures if each.is_year and each.values} & known
    places = [cells.get(each, set()) for each in operands]
    if not said or not all(places):
        return False
    is_change = " − " in computed
    first = min(said) - (is_change and len(said) > 1 and not _SPAN.search(claim))
    years = [{year for year, _ in place} for place in places]
    if len(said) > 1:
        return any(not any(first <= year <= max(said) for year in each) for each in years)
    rows = [{row for _, row in place} for place in places]
    if len(places) == _PAIR and rows[0].isdisjoint(rows[1]):
        return any(each.isdisjoint(said) for each in years)
    return all(each.isdisjoint(said) for each in years)


def _is_of_other_group(computed: str, claim: str, sources: Sequence[str]) -> bool:
    """Return whether the part of a share counts another group than the claim names, and the claim's is counted, too."""
    share = _SHARE.search(computed)
    wanted = stems(claim)
    if share is None:
        return False
    for figures in (group for source in sources for group in _groups(source)):
        for figure, mine in figures:
            if written(figure) != share[1]:
                continue
            others = [theirs for other, theirs in figures if other is not figure]
            for theirs in others:
                own, its = _apart(mine, theirs)
                if own and its and own.isdisjoint(wanted) and its & wanted:
                    return True
    return False


def _groups(source: str) -> Iterator[list[tuple[Figure, list[str]]]]:
    """Yield the counts of each sentence with the words after each, up to the next one."""
    read = read_figures(source)
    if "\t" in source or "|" in source:
        return
    for start, end in split_sentences(read.plain):
        counts = [each for each in read.figures if start <= each.start < end and is_amount(each) and not each.units]
        ends = [each.start for each in counts[1:]] + [end]
        yield [(each, _content(read.plain[each.end : until])) for each, until in zip(counts, ends, strict=False)]


def _content(text: str) -> list[str]:
    return [stem(word.text) for word in words(fold_quote(text)) if word.text not in STOP_WORDS]


def _apart(one: Sequence[str], other: Sequence[str]) -> tuple[set[str], set[str]]:
    """Return the words of two counts before the first that both have: veltoxin and placebo of two groups."""
    common = next((word for word in one if word in other), None)
    if common is None:
        return set(), set()
    return set(one[: one.index(common)]), set(other[: other.index(common)])
