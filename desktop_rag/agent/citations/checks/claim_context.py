"""Finds what a claim takes out of its context: another speaker, period or side of a figure, a condition made a fact.

Silent unless the cited lines write both: the words of the claim, and the speaker, period, verb or “if” beside them.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise

from desktop_rag.agent.citations.check_words import CONDITIONS, WEAK_MODALS, word_set
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_words import ClaimWord, is_content, is_negation, split_words, stems_of
from desktop_rag.agent.citations.numbers import is_same
from desktop_rag.agent.citations.sums.computed_pairs import is_amount
from desktop_rag.agent.events import ClaimFault
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.text.dates import MONTHS
from desktop_rag.text.figures import Figure, read_figures

MIN_DENIED = 0.6  # share of what is denied that a claim states
MOSTLY = 0.6  # of a claim's content words
SAME_SPEECH = 0.6  # share of the words of a report that a quotation has
_UPPER = "A-ZÀ-ÖØ-Þ"
_SPEAKER = rf"(?P<name>[{_UPPER}][\w'’-]*(?: [{_UPPER}][\w'’-]*){{0,3}})"
_SAYS = (
    r"(?:said|says|stated|states|reported|reports|told|wrote|writes|explained|replied|answered|argued|warned|"
    r"announced|claimed|sagte|sagt|berichtete|erklärte|schrieb|meinte|antwortete|a dit|déclare|dijo)"
)
_SPEECHES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_SPEAKER} {_SAYS}\b(?: that\b|, dass\b| que\b)?[,:]? ?(?P<words>[“”\"„«][^“”\"»\n]+|[^.!?\n]+)",
        rf"\b(?:[Aa]ccording to|[Ll]aut) {_SPEAKER},? (?P<words>[^.!?\n]+)",
    )
)
_PERIODS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:hourly|(?:an|per|each|every) hour|stündlich|pro stunde)\b",
        r"\b(?:daily|(?:a|per|each|every) day|täglich|pro tag|par jour|(?:al|por) día)\b",
        r"\b(?:weekly|(?:a|per|each|every) week|wöchentlich|pro woche|par semaine|por semana)\b",
        r"\b(?:monthly|(?:a|per|each|every) month|monatlich\w*|(?:pro|im) monat|par mois|mensuel\w*|mensual\w*|"
        r"(?:al|por) mes)\b",
        r"\b(?:quarterly|(?:a|per|each|every) quarter|vierteljährlich\w*|(?:pro|im) quartal|"
        r"(?:par|por) trimestre|trimestr(?:iel|al)\w*)\b",
        r"\b(?:yearly|annual|annually|(?:a|per|each|every) year|jährlich\w*|pro jahr|im jahr(?! \d)|par an|"
        r"annuel\w*|anual\w*|(?:al|por) año)\b",
    )
)
_TOTAL = re.compile(r"\b(?:totals?|totalled|altogether|overall|in all|sum|insgesamt|gesamt\w*|summe)\b", re.IGNORECASE)
_CELL = re.compile(r"\s*[|\t]\s*|,(?=\S)")
_CONDITION = re.compile(r"\b(?:if|unless|provided that|wenn|falls|sofern)\s+([^,.;:!?\n]+)", re.IGNORECASE)
_CONDITIONAL = CONDITIONS | WEAK_MODALS | word_set("would unless whether ob wurde ware waren")
_MUST = re.compile(r"\b(?:must|(?:has|have|had|needs?) to|muss|müssen|doit|doivent|debe)\b", re.IGNORECASE)
_DENIAL = re.compile(
    r"\b(?:den(?:y|ies|ied)|dismiss\w*|refut\w+|bestr(?:eitet|itt|itten)|dementiert\w*|dément\w*|n(?:iega|egó|egaron))\b"
    r"(?: that\b|, dass\b| que\b)?\s+([^,.;:!?\n]+)",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:den(?:y|ies|ied|ial)|dismiss\w*|refut\w+|bestr[ei]\w+|dementi\w*|dément\w*|nieg\w+|neg[óa]\w*)\b", re.I
)
_HEDGE = re.compile(
    # “May be terminated” is a permission.
    r"\b(?:(?:may|might|could) have|(?:might|could) be|may be(?! (?:\w+ly )?\w+(?:ed|en|de|ld|wn|pt|ut|id)\b)|"
    r"allegedly|reportedly|supposedly|presumably|vermutlich|möglicherweise|"
    r"angeblich|mutmaßlich|vraisemblablement|prétendument|presuntamente)\b",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"\b(?:may|might|could|can|should|would|if|kann|könnte\w*|dürfte\w*|soll\w*|peut|puede)\b", re.IGNORECASE
)
_ONLY_IF = re.compile(
    r"\b(?:only (?:if|when|with|after)|nur (?:wenn|falls|mit|nach)|seulement si|solo si)\b", re.IGNORECASE
)
_ALWAYS = re.compile(
    r"\b(?:at any time|at all times|in (?:all|any|every) cases?|jederzeit|à tout moment|en todo momento)\b", re.I
)
_EVERY = re.compile(
    r"\bevery (?:(?P<other>other )|(?P<count>\d+|two|three|four|six) )?(?P<unit>day|week|month|year)s?\b|"
    r"\b(?P<often>daily|weekly|fortnightly|biweekly|monthly|quarterly|yearly|annually)\b",
    re.IGNORECASE,
)
_DAYS_OF = {"day": 1, "week": 7, "month": 30, "year": 365}
_OFTEN = {"daily": 1, "weekly": 7, "fortnightly": 14, "biweekly": 14, "monthly": 30, "quarterly": 90, "yearly": 365}
_COUNTS = {"two": 2, "three": 3, "four": 4, "six": 6}
_OF_ALL = re.compile(
    r" of (?:the|its|their|our|his|her) | von (?:den|ihren|unseren) | d(?:er|es) | de (?:los|las) ", re.IGNORECASE
)


def out_of_context(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield what a claim says of a speaker, a period, a side or a condition against its lines.

    `sentence` is the one of the `lines` that is most like the claim.
    """
    claim, sentence, lines = statement.text, evidence.nearest, evidence.lines
    yield from _misattributed(claim, lines)
    yield from other_period(statement, evidence)
    yield from _made_fact(claim, sentence)
    yield from _made_certain(claim, sentence)
    yield from _other_rhythm(claim, sentence)
    yield from _part_as_total(claim, lines)
    yield from _whole_for_part(claim, sentence)


@lru_cache(maxsize=256)
def _speeches(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the speakers of a text, with the stems of their statements."""
    found = (match for pattern in _SPEECHES for match in pattern.finditer(text))
    return tuple(
        (match["name"], frozenset(word.stem for word in split_words(match["words"]) if is_content(word)))
        for match in found
    )


def _misattributed(claim: str, lines: str) -> Iterator[ClaimFault]:
    for name, words in _speeches(claim):
        theirs = [(other, len(words & said) / len(words)) for other, said in _speeches(lines) if words]
        same = [other for other, share in theirs if share >= SAME_SPEECH]
        own = [other for other, _ in theirs if _surname(other) == _surname(name)]
        if own and len(set(map(_surname, same))) == 1 and _surname(same[0]) != _surname(name):
            yield ClaimFault("name", name, same[0])
            return


def _surname(name: str) -> str:
    return fold(name.split()[-1])


def other_period(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the period of a rate that the lines give for another one: £4,250 a year, the monthly rent is £4,250."""
    claim, sentence = statement.text, evidence.nearest
    mine = [(number, match) for number, each in enumerate(_PERIODS) if (match := each.search(claim))]
    theirs = {number: match for number, each in enumerate(_PERIODS) if (match := each.search(sentence))}
    if len(mine) != 1 or len(theirs) != 1 or mine[0][0] in theirs:
        return
    said, written = _amounts(claim), _amounts(sentence)
    if said and all(any(is_same(each, other) for other in written) for each in said):
        yield ClaimFault("figure", mine[0][1][0], next(iter(theirs.values()))[0])


def _amounts(text: str) -> list[Figure]:
    return [each for each in read_figures(text).figures if not each.when and not each.spelled and not each.name]


def _part_as_total(claim: str, lines: str) -> Iterator[ClaimFault]:
    """Yield a figure that the claim calls a total, of a row of a part: of January, or beside a row of the total."""
    if not _TOTAL.search(claim):
        return
    rows = [line for line in lines.split("\n") if _CELL.search(line) and not _is_header(line)]
    if any(_TOTAL.search(line) for line in lines.split("\n") if not _amounts(line)):
        return  # the heading of a column or of the table
    totals = [figure for row in rows if _TOTAL.search(row) for figure in _amounts(row)]
    for figure in _amounts(claim):
        held = [row for row in rows if any(is_same(figure, other) for other in _amounts(row))]
        parts = [_CELL.split(row, 1)[0].strip() for row in held]
        if not held or any(is_same(figure, other) for other in totals):
            continue
        unnamed = all(part and fold(part) not in fold(claim) for part in parts)
        if unnamed and (totals or all(fold(part) in MONTHS or _is_period(part) for part in parts)):
            yield ClaimFault("figure", claim[figure.start : figure.end], parts[0])


def _is_header(row: str) -> bool:
    """Return whether the only figures of a row are years and dates: it heads the columns of a table."""
    figures = read_figures(row).figures
    return bool(figures) and all(each.when or (each.is_year and not is_amount(each)) for each in figures)


def _whole_for_part(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield the number of all that a claim says of some: five lenses failed, two of the five lenses failed."""
    read = read_figures(sentence)
    said = _amounts_said(claim)
    for part, whole in pairwise(read.figures):
        if not _OF_ALL.fullmatch(read.plain[part.end : whole.start]) or any(is_same(part, each) for each in said):
            continue
        told = [word.stem for word in split_words(read.plain[whole.end :]) if is_content(word)][1:3]
        named = [each for each in said if is_same(each, whole)]
        if named and told and set(told) <= stems_of(claim) and not any(map(is_negation, split_words(claim))):
            yield ClaimFault("figure", named[0].text, part.text)
            return


def _amounts_said(claim: str) -> list[Figure]:
    return [each for each in read_figures(claim).figures if each.values and not each.ordinal]


def _is_period(label: str) -> bool:
    figures = read_figures(label).figures
    return any(each.when or each.period or each.is_year for each in figures)


def _made_fact(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield the words of a condition that a claim states as a fact: “if the bank grants the loan”."""
    words = split_words(claim)
    if any(word.fold in _CONDITIONAL or is_negation(word) for word in words) or _MUST.search(claim):
        return
    content: list[ClaimWord] = [word for word in words if is_content(word)]
    for condition in _CONDITION.finditer(sentence):
        inside = stems_of(condition[1])
        outside = stems_of(f"{sentence[: condition.start()]} {sentence[condition.end() :]}")
        for one, other in combinations(content[:2], 2):
            if {one.stem, other.stem} <= inside - outside:
                yield ClaimFault("extent", f"{one.text} {other.text}", condition[0])
                return


def _made_certain(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield what a claim states as a fact that the sentence denies or guesses, or allows under a condition only."""
    content = [word for word in split_words(claim) if is_content(word)]
    if _ALWAYS.search(claim) and (only := _ONLY_IF.search(sentence)) and _shared(content, sentence):
        yield ClaimFault("extent", _ALWAYS.findall(claim)[0], only[0])
    if any(is_negation(word) for word in split_words(claim)) or _DENIES.search(claim):
        return
    for denial in _DENIAL.finditer(sentence):
        denied = stems_of(denial[1])
        told = [word for word in content if word.stem in denied]
        if told and len(told) >= MIN_DENIED * sum(map(is_content, split_words(denial[1]))):
            yield ClaimFault("negation", told[-1].text, denial[0].split()[0])
            return
    if (hedge := _HEDGE.search(sentence)) and not _MODAL.search(claim) and not _HEDGE.search(claim):
        after = [word.stem for word in split_words(sentence[hedge.end() :]) if is_content(word)][:2]
        told = [word for word in content if word.stem in after]
        if told and _shared(content, sentence):
            yield ClaimFault("extent", told[0].text, hedge[0])


def _shared(content: list[ClaimWord], sentence: str) -> bool:
    """Return whether most content words of a claim stand in a sentence."""
    held = stems_of(sentence)
    return bool(content) and sum(word.stem in held for word in content) >= MOSTLY * len(content)


def _other_rhythm(claim: str, sentence: str) -> Iterator[ClaimFault]:
    """Yield “weekly” where the sentence says “every two weeks”; amounts per period are compared elsewhere."""
    mine, theirs = list(_EVERY.finditer(claim)), list(_EVERY.finditer(sentence))
    if len(mine) == 1 and len(theirs) == 1 and not _amounts(claim):
        days, other = _days_of(mine[0]), _days_of(theirs[0])
        if days != other:
            yield ClaimFault("figure", mine[0][0], theirs[0][0])


def _days_of(every: re.Match[str]) -> int:
    if often := every["often"]:
        return _OFTEN.get(often.lower(), 365)
    count = every["count"] or ""
    times = 2 if every["other"] else _COUNTS.get(count.lower()) or int(count or 1)
    return times * _DAYS_OF[every["unit"].lower()]
