"""Compares the direction of a claim (“rose to 7”) with figures: its own, those that its lines compare, those of a row.

“Fell to 10.2 billion” over “10.2 billion compared to 8.6 billion” needs no word of the lines to be wrong, nor does
“grew from 7 to 5”. A difference (“124 million higher”) is no amount.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

from desktop_rag.agent.citations.check_words import FALLS, RISES, word_set
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.checks.claim_names import MONTHS
from desktop_rag.agent.citations.claim_fault import ClaimFault
from desktop_rag.agent.citations.claim_words import ClaimWord, content_stems, is_negation, share_of, split_words
from desktop_rag.agent.citations.numbers import agrees, is_same
from desktop_rag.agent.citations.sums.calculations import operand_figures
from desktop_rag.agent.citations.sums.computed_pairs import PERCENT, is_amount, is_result, stems
from desktop_rag.agent.citations.sums.source_rows import scaled_amount, source_rows
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.text.figures import Figure, FigureText, read_figures

NAMED = 0.5  # share of the words of a row's label that a claim about the row has
_COMPARED = re.compile(
    r"[^\n.]{0,24}?(?:(?:compared|in comparison) (?:to|with)|versus|vs\.?|against|(?:up |down )?from|gegenüber|"
    r"verglichen mit|nach|contre|par rapport à|frente a|(?:prior|previous|last) year:?|Vorjahr:?)\W{0,3}",
    re.IGNORECASE,
)
_FROM = re.compile(r"\b(?:from|von|de|desde)\W{0,3}$", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|um|de|en)\W{0,3}(?:[^\W\d]+\W)?$", re.IGNORECASE)  # by 154, from 3,850
_STEP = re.compile(r"(?:[^.;:!?]|\.\d){1,90}$")  # the words of a sentence before a figure
_MARGIN = r"(?:(?:only|just|about|around|some|roughly|approximately|nearly|almost|nur|etwa|rund)\s)?[$€£]?\s?$"
_TO_IT = re.compile(rf"\b(?:to|auf|à)\s{_MARGIN}", re.IGNORECASE)
_BY_IT = re.compile(rf"\b(?:by|um)\s{_MARGIN}", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:since|seit|depuis|desde|as in|than in|compared (?:to|with))\b", re.IGNORECASE)
_TO = re.compile(r"(?:\W+(?:[^\W\d]+|(?:19|20)\d\d)){0,5}?\W+(?:to|auf|à|a|hasta)\W{1,3}", re.IGNORECASE)
_SENTENCE = re.compile(r"\n|(?<=[^\W\d][.;])\s")
_START = re.compile(
    r"\s*(?:at the (?:start|beginning|outset)|zu Beginn|am Anfang|au début|al (?:principio|inicio))\b", re.I
)
_FINISH = re.compile(r"\s*(?:at the (?:end|close)|am (?:Ende|Schluss)|à la fin|al final)\b", re.I)
_CELLS = re.compile(r"\t|\|")
BRACKETS = re.compile(r"\(\s*[$€£]?\s*\d")  # a loss: its rise makes it smaller

_GOES = word_set("go goes going gone went come comes came")
_GROWN = re.compile(
    r"\b([^\W\d_]{3,})\s+(?:ha(?:d|s|ve)\s+)?(?:grew|grown|rose|risen|increased|fell|fallen|dropped|declined|decreased|"
    r"shrank|shrunk)\s+(?:[^\W\d_]+\s+){0,2}by\b|\b([^\W\d_]{3,})\s+(?:stieg|wuchs|sank|fiel)(?:en)?\s+um\b",
    re.IGNORECASE,
)
_MULTIPLES = re.compile(
    r"\b(?:(?P<half>halved|halbiert\w*)|(?P<two>doubled|verdoppelt\w*|doublé|duplicado)|"
    r"(?P<three>tripled|trebled|verdreifacht\w*|triplé|triplicado)|(?P<four>quadrupled|vervierfacht\w*)|"
    r"(?P<ten>(?:ten|10) times as))\b",
    re.IGNORECASE,
)
_FACTORS = {"half": 0.5, "two": 2, "three": 3, "four": 4, "ten": 10}
_ROUGHLY = 0.25  # “doubled” over 1.6 to 2.5 times

_YEAR_FIRST = re.compile(r"\s?[:=(]\s?[€$£]?")
_YEAR_LAST = re.compile(r" ?\(?(?:in |im Jahr |en |for )?(?:fiscal |FY ?)?", re.IGNORECASE)
_IN = re.compile(r"\b(?:in|im Jahr|en)\s$", re.IGNORECASE)
_FEW_WORDS = re.compile(r",?(?:\s[^\W\d]+){1,4}\s[€$£]?")

_Pair = tuple[Figure, Figure]  # the later figure and the earlier one


def wrong_direction(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the direction of a claim that its own figures contradict, or those of its lines or of a row of a table.

    `lines` are the cited lines, `table` the same with the headings above them.
    """
    claim, lines, table = statement.text, evidence.lines, evidence.table
    word = direction(claim)
    if word is None:
        return
    up = rises(word)
    said = read_figures(claim)
    own = [*pairs(said), *(pair for _, pair in _by_date(claim))]
    theirs = [*pairs(read_figures(lines)), *_columns(claim, table)]
    scales = read_figures(table).scales
    dated = list(_by_date(lines))
    turned = [*theirs, *(pair for _, pair in dated)]
    if any(_goes(pair) not in (0, 1 if up else -1) or _is_reversed(pair, turned, scales) for pair in own):
        yield ClaimFault("direction", word.text)
        return
    if not own and not BRACKETS.search(lines) and _moved_otherwise(claim, lines, table, rises=up):
        yield ClaimFault("direction", word.text)
        return
    since = list(_since_then(claim, lines))
    if not any(map(is_amount, said.figures)) and any(each.is_year for each in said.figures):
        since += [] if BRACKETS.search(lines) else _columns(claim, table)
    if since and all(_goes(pair) == (-1 if up else 1) for pair in since):
        yield ClaimFault("direction", word.text, f"{since[0][1].text} → {since[0][0].text}")
        return
    if not any(map(is_amount, said.figures)):  # “debt grew”
        about = content_stems([each for each in split_words(claim) if each is not word])
        told = [pair for part, pair in dated if share_of(about, part) >= NAMED]
        if len(told) == 1 and _goes(told[0]) == (-1 if up else 1):
            yield ClaimFault("direction", word.text, f"{told[0][1].text} → {told[0][0].text}")
    amounts = [each for each in said.figures if is_amount(each) and "%" not in each.kinds]
    if own or len(amounts) != 1 or BRACKETS.search(lines):
        return
    meant = [pair for pair in theirs if agrees(amounts[0], pair[0], said.scales, scales)]
    if meant and all(_goes(pair) == (-1 if up else 1) for pair in meant):
        yield ClaimFault("direction", word.text, f"{meant[0][1].text} → {meant[0][0].text}")


def amount_or_change(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield “by 288” of a change where the lines have “to 288” only, and the other way round."""
    said, read = read_figures(statement.text), read_figures(evidence.lines)
    for figure in () if statement.sums else filter(is_amount, said.figures):
        mine = _step(said.plain, figure)
        theirs = [_step(read.plain, each) for each in read.figures if is_same(figure, each)]
        if mine and theirs and all(each and each != mine for each in theirs):
            yield ClaimFault("direction", f"{mine} {figure.text}", f"{theirs[0]} {figure.text}")
            return


def _step(text: str, figure: Figure) -> str:
    """Return “by” before how much something changed, “to” before what it became; empty if neither."""
    before = _STEP.search(text, 0, figure.start)
    if before is None or not any(word.fold in RISES | FALLS for word in split_words(before[0])):
        return ""
    return "to" if _TO_IT.search(text, 0, figure.start) else "by" if _BY_IT.search(text, 0, figure.start) else ""


def wrong_multiple(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield a multiple (“doubled since 2011”) that the amounts of the years that the claim names contradict."""
    claim, lines, table = statement.text, evidence.lines, evidence.table
    word = _MULTIPLES.search(claim)
    if word is None or BRACKETS.search(lines) or not any(each.is_year for each in read_figures(claim).figures):
        return
    if any(map(is_negation, split_words(claim))):
        return
    factor = _FACTORS[word.lastgroup or ""]
    pairs_meant = [*_since_then(claim, lines), *_columns(claim, table)]
    ratios = [float(scaled_amount(one) / scaled_amount(other)) for one, other in pairs_meant if scaled_amount(other)]
    if ratios and all(abs(each - factor) > _ROUGHLY * factor for each in ratios):
        later, earlier = pairs_meant[0]
        yield ClaimFault("direction", word[0], f"{earlier.text} → {later.text}")


def _by_date(lines: str) -> Iterator[tuple[str, _Pair]]:
    """Yield the sentences with two amounts alike of two years, or of the start and the end, and these amounts."""
    for part in _SENTENCE.split(lines):
        dated = sorted(dated_amounts(part), key=lambda each: each[0])
        if len(dated) == 2 and dated[0][0] != dated[1][0] and dated[0][1].kinds == dated[1][1].kinds:
            yield part, (dated[1][1], dated[0][1])
        read = read_figures(part)
        amounts = [each for each in read.figures if is_amount(each)]
        ends = [[each for each in amounts if mark.match(read.plain, each.end)] for mark in (_START, _FINISH)]
        if len(amounts) == 2 and len(ends[0]) == len(ends[1]) == 1:
            yield part, (ends[1][0], ends[0][0])


def _moved_otherwise(claim: str, lines: str, table: str, *, rises: bool) -> bool:
    """Return whether a change that a claim tells (“by 10 %”) is one of dated amounts, only the other way."""
    said, scales = read_figures(claim), read_figures(table).scales
    dated = sorted(dated_amounts(lines, loosely=True), key=lambda each: each[0])
    prose = [(other, one) for (year, one), (later, other) in combinations(dated, 2) if year != later]
    changes: list[bool] = []
    for later, earlier in (*prose, *_columns(claim, table), *_between_months(claim, lines)):
        before, after = scaled_amount(earlier), scaled_amount(later)
        if before <= 0 or before == after or earlier.kinds != later.kinds:
            continue
        growth = (after - before) / before * 100
        for each in filter(is_amount, said.figures):
            if "%" in each.kinds and "%" not in later.kinds:
                fits = is_result(each, growth, PERCENT, (later, earlier))
            else:
                units = later.units or each.units
                fits = is_result(each, after - before, units, (later, earlier), said.scales, scales)
            changes += [after > before] if fits else []
    return bool(changes) and all(change != rises for change in changes)


def _between_months(claim: str, lines: str) -> Iterator[_Pair]:
    """Yield the amounts of each column in the rows of the two months that a claim names, the later one first."""
    named = sorted({month for word in split_words(claim) if (month := MONTHS.get(word.fold))})
    if len(named) != 2:
        return
    rows: dict[int, tuple[Figure, ...]] = {}
    for line in lines.split("\n"):
        months = {month for word in split_words(line) if (month := MONTHS.get(word.fold))}
        if len(months) == 1 and _CELLS.search(line):
            read = read_figures(line).figures
            rows[months.pop()] = tuple(each for each in read if is_amount(each) or each.is_year)
    earlier, later = (rows.get(month, ()) for month in named)
    if len(earlier) == len(later):
        yield from zip(later, earlier, strict=True)


def rises(word: ClaimWord) -> bool:
    """Return whether a word for a direction says that something rose."""
    return word.fold in RISES or word.fold == "up"


def direction(claim: str) -> ClaimWord | None:
    """Return the word of a claim that says whether something rose or fell; None if it says both, or denies it."""
    words = split_words(claim)
    found = [word for word in words if word.fold in RISES or word.fold in FALLS]
    found += [word for before, word in pairwise(words) if before.fold in _GOES and word.fold in ("up", "down")]
    if not found or any(map(is_negation, words)) or len(set(map(rises, found))) > 1:
        return None
    return found[0]


def other_counted(claim: str, operands: Iterable[str], cited: str, read: Iterable[str]) -> Iterator[ClaimFault]:
    """Yield what grew in a claim if lines that were `read` count it, and the growth was computed from another count.

    “The members grew by 610 %” over figures of visitors; a word that no figure counts may be a synonym.
    """
    grown = _GROWN.search(claim)
    nouns = [{fold(each.noun) for each in operand_figures(text, cited)} for text in operands] if grown else []
    counted = set[str]().union(*nouns)
    if not grown or len(counted) != 1 or "" in counted or counted & {word.fold for word in split_words(claim)}:
        return
    who = next(filter(None, grown.groups()))
    lines = [line for line in read if fold(who) in fold(line)]
    if any(fold(each.noun) == fold(who) for line in lines for each in read_figures(line).figures):
        yield ClaimFault("wording", who, next(iter(counted)))


def other_direction(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the direction of a claim in another language than its lines if they have the opposite one only."""
    claim, lines = statement.text, evidence.lines
    word = direction(claim)
    if word is None:
        return
    said = [each for each in read_figures(claim).figures if each.values]
    parts = [part for part in re.split(r"\n|(?<=[^\W\d][.;])\s|(?<=%\.)\s", lines) if part.strip()]
    meant = [
        part
        for part in parts
        if any(agrees(mine, each, frozenset(), frozenset()) for each in read_figures(part).figures for mine in said)
    ]
    words = [each for part in (meant or parts) for each in split_words(part)]
    same, opposite = (RISES, FALLS) if rises(word) else (FALLS, RISES)
    contrary = next((each for each in words if each.fold in opposite), None)
    if contrary and not any(each.fold in same or is_negation(each) for each in words):
        yield ClaimFault("direction", word.text, contrary.text)


def _is_reversed(pair: _Pair, others: Sequence[_Pair], scales: frozenset[int]) -> bool:
    said = frozenset[int]()
    return any(
        agrees(pair[0], earlier, said, scales) and agrees(pair[1], later, said, scales) for later, earlier in others
    )


def _goes(pair: _Pair) -> int:
    later, earlier = (scaled_amount(each) for each in pair)
    return (later > earlier) - (later < earlier)


def pairs(read: FigureText) -> Iterator[_Pair]:
    """Yield the pairs that a text compares: “7 compared to 5”, “from 5 to 7”."""
    amounts = [each for each in read.figures if is_amount(each)]
    for one, other in pairwise(amounts):
        if (one.kinds and one.kinds != other.kinds) or one.negative or other.negative or is_same(one, other):
            continue
        between = read.plain[one.end : other.start]
        if _FROM.search(read.plain, max(one.start - 8, 0), one.start) and _TO.fullmatch(between):
            yield other, one
        elif _COMPARED.fullmatch(between) and not _BY.search(read.plain, max(one.start - 12, 0), one.start):
            yield one, other


def _columns(claim: str, table: str) -> Iterator[_Pair]:
    """Yield the figures of the last two years of the rows that a claim names."""
    wanted = stems(claim)
    for row in source_rows(read_figures(table), 0):
        called = stems(row.label)
        figures = [each for each, label in row.figures if label is row.label and "%" not in each.kinds]
        if not called or len(called & wanted) < NAMED * len(called) or len(set(row.years)) != len(row.years):
            continue
        if len(figures) == len(row.years) > 1 and not any(each.negative for each in figures):
            by_year = dict(zip(row.years, figures, strict=True))
            later, earlier = _years_meant(claim, row.years)
            yield by_year[later], by_year[earlier]


def _years_meant(claim: str, years: Sequence[int]) -> tuple[int, int]:
    """Return the last and the first of the years that a claim names, of one the year before, else the last two."""
    said = [int(each.values[0]) for each in read_figures(claim).figures if each.is_year and each.values]
    named = sorted({year for year in said if year in years})
    if len(named) > 1:
        return named[-1], named[0]
    if named and named[0] - 1 in years and not _SINCE.search(claim):
        return named[0], named[0] - 1
    last, before, *_ = sorted(years, reverse=True)
    return last, before


def _since_then(claim: str, lines: str) -> Iterator[_Pair]:
    """Yield the amount of today and that of the year that a claim names: “6,200 a day; in 2011 it was 4,960”."""
    said = {int(each.values[0]) for each in read_figures(claim).figures if each.is_year and each.values}
    for line in lines.split("\n") if _SINCE.search(claim) else ():
        for part in re.split(r"(?<=[^\W\d]\.)\s", line):
            read = read_figures(part)
            amounts = [each for each in read.figures if is_amount(each)]
            years = {int(each.values[0]) for each in read.figures if each.is_year and each.values}
            dated = [each for year, each in dated_amounts(part, loosely=True) if year in said]
            if len(amounts) == 2 and len(dated) == 1 and len(years) == 1 and amounts[0].kinds == amounts[1].kinds:
                now = next(each for each in amounts if each.start != dated[0].start)
                yield now, dated[0]


def dated_amounts(text: str, *, loosely: bool = False) -> list[tuple[int, Figure]]:
    """Return the amounts that a text binds to a year: “2021: 450”, “450 in 2021”; loosely also “In 2021 it had 450”."""
    read = read_figures(text)
    figures = [each for each in read.figures if is_amount(each) or each.is_year]
    found: list[tuple[int, Figure]] = []
    if "\t" in read.plain or "|" in read.plain:  # 3100 in the next cell is no year
        return found
    for one, other in pairwise(figures):
        between = read.plain[one.end : other.start]
        if (
            one.is_year
            and not other.is_year
            and (
                _YEAR_FIRST.fullmatch(between)
                or (loosely and _IN.search(read.plain, 0, one.start) and _FEW_WORDS.fullmatch(between))
            )
        ):
            found.append((int(one.values[0]), other))
        elif other.is_year and not one.is_year and _YEAR_LAST.fullmatch(between):
            found.append((int(other.values[0]), one))
    return found
