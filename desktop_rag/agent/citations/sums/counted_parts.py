"""Recomputes counts from the parts that a sentence lists: “nine for, four against”, “seven, three of them new”."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import chain, pairwise, permutations

from desktop_rag.agent.citations.check_words import NEGATIONS
from desktop_rag.agent.citations.sums.computed_pairs import amount, is_amount, is_result, stems, written
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.normalize import fold_quote, words
from desktop_rag.text.sentences import split_sentences
from desktop_rag.text.units import CURRENCIES

MAX_PARTS = 5
_LEAST = 2
_OF_WHICH = re.compile(
    r"\s*(?:of (?:which|whom|them|these)|davon|darunter|dont|de los cuales|de las cuales)\b|"
    r"\s*(?:of (?:the|its|their|our|his|her)|von den|der|des|de los|de las)\s*$",
    re.IGNORECASE,
)
_OUT_OF = re.compile(r"(?:^|[.!?]\s+)(?:out of|of|von(?: den)?|sur|de)\s(?:the |all |les |los )?$", re.IGNORECASE)
_LEFT = re.compile(
    r"\b(?:left|remain\w*|rest|other|others|unused|miss(?:ed|ing)|failed|absent|lack\w*|übrig\w*|restlich\w*|verbl\w+|restant\w*|reste\w*|resto)\b",
    re.IGNORECASE,
)
_PART_OF = re.compile(r"\s(?:[^\W\d]+ ){0,2}(?:out of|of)(?: the| its| all)?\s", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;:.]|\b(?:and|but|und|aber|et|y)\b")
_GENDERS = re.compile(
    r"\b(?:(?P<female>women|female|girls|frauen|weiblich\w*|femmes|mujeres)|"
    r"(?P<male>men|male|boys|männer\w*|männlich\w*|hommes|hombres))\b",
    re.IGNORECASE,
)
_SIDES = tuple(map(frozenset, (("for", "against"), ("für", "dafür", "gegen", "dagegen"), ("pour", "contre"))))


def recompute_count(target: Figure, claim: str, sources: Sequence[str]) -> str | None:
    """Return the sum or difference of counts of one sentence that yields the count, or None."""
    if found := next(chain(_fractions(target, claim, sources), _of_people(target, claim, sources)), None):
        return found
    if "%" in target.kinds:
        return next(_in_group(target, claim, sources), None)
    if target.fraction:
        return next(_complements(target, claim, sources), None)
    if not is_amount(target) or target.units or target.scales or not target.is_whole:
        return None
    for source in sources:
        read = read_figures(source)
        for start, end in split_sentences(read.plain):
            counts = [
                each for each in read.figures
                if start <= each.start < end and is_amount(each) and not each.units and each.is_whole
                and not (each.spelled and each.values[0] < _LEAST)  # “the larger one”
            ]  # fmt: skip
            found = _added(target, claim, counts, read.plain[start:end], start) or _rest(
                target, claim, counts, read.plain[:end]
            )
            if found:
                return f"{found} = {target.text}"
    return None


def _added(target: Figure, claim: str, counts: Sequence[Figure], sentence: str, start: int) -> str | None:
    """Return a sum of the counts of one thing: only the first names it, the others have their own words.

    A claim with the words of one part and not of the others is about that part: no one else voted against.
    """
    after = [sentence[each.end - start : (counts[at + 1].start - start) if at + 1 < len(counts) else None]
             for at, each in enumerate(counts[:MAX_PARTS])]  # fmt: skip
    parts = [_words(text) for text in after]
    said = _words(claim)
    for last in range(2, len(parts) + 1):
        if sum((each.values[0] for each in counts[:last]), Decimal(0)) != target.values[0]:
            continue
        own = [part.difference(*(other for other in parts[:last] if other is not part)) for part in parts[:last]]
        sides = {word for pair in _SIDES if len(pair & frozenset().union(*own)) > 1 for word in pair}
        named = [bool(part & (sides or part) & said) for part in own if part & sides or not sides]
        shares = bool(stems(claim) & stems(sentence))
        if shares and (all(named) or not any(named) or (not sides and named[0] and not any(named[1:]))):
            return " + ".join(map(written, counts[:last]))
    return None


def _rest(target: Figure, claim: str, counts: Sequence[Figure], plain: str) -> str | None:
    """Return what is left of a count without those taken out of it, if the claim does not say the same of the rest."""
    for one, other in pairwise(counts):
        if taken := _OF_WHICH.match(plain, other.end):
            whole, part, after = one, other, plain[taken.end() :]
        elif _OF_WHICH.fullmatch(plain[one.end : other.start]):
            whole, part, after = other, one, plain[other.end :]
        elif _PART_OF.fullmatch(plain[one.end : other.start]) and _LEFT.search(claim):  # “111 seasons out of 114”
            whole, part, after = other, one, ""
        elif _OUT_OF.search(plain, 0, one.start):  # “Of 60 members 45 agreed”
            whole, part, after = one, other, plain[other.end :]
        else:
            continue
        told = stems(_CLAUSE_END.split(after)[0]) - stems(f"{whole.noun} {part.noun}")
        if whole.values[0] - part.values[0] == target.values[0] and _differs(told, claim):
            return f"{written(whole)} − {written(part)}"
    return None


def _complements(target: Figure, claim: str, sources: Sequence[str]) -> Iterator[str]:
    """Yield one less a fraction of the lines, if the claim is about the rest."""
    for source in sources:
        for each in read_figures(source).figures:
            if each.fraction and each.values[0] + target.values[0] == 1 and _LEFT.search(claim):
                yield f"1 − {each.text} = {target.text}"


def _fractions(target: Figure, claim: str, sources: Sequence[str]) -> Iterator[str]:
    """Yield an amount of the lines that a claim divides: “a tenth of the fee is £15”."""
    said = read_figures(claim).figures
    parts = [each for each in said if each.fraction and each.after.split()[:1] == ["of"]]
    amounts = [each for each in said if is_amount(each) and each.kinds & CURRENCIES]
    if len(parts) != 1 or len(amounts) != 1 or target.start not in (parts[0].start, amounts[0].start):
        return
    for whole in (each for source in sources for each in read_figures(source).figures if is_amount(each)):
        if whole.kinds & amounts[0].kinds and amount(whole) * parts[0].values[0] == amount(amounts[0]):
            top, bottom = parts[0].fraction or (1, 1)
            yield f"{written(whole)} × {top} ÷ {bottom} = {written(amounts[0])}"


def _of_people(target: Figure, claim: str, sources: Sequence[str]) -> Iterator[str]:
    """Yield how many men or women are left of some people, or their share: “248 people, 131 of them women”."""
    said = _genders(re.split(r"\d|\band\b|[,;]", claim[claim.find(target.text) + len(target.text) :])[0]) or _genders(
        claim
    )
    percent = "%" in target.kinds
    if len(said) != 1 or not (percent or (target.is_whole and target.kinds <= {"people"} and not target.scales)):
        return
    for source in sources:
        read = read_figures(source)
        for whole, part in pairwise(read.figures):
            taken = _OF_WHICH.match(read.plain, part.end) or re.search(r"\b(?:davon|dont)\s$", read.plain[: part.start])
            told = _genders(_CLAUSE_END.split(read.plain[part.end :])[0])
            if not taken or len(told) != 1 or "people" not in whole.kinds or not is_amount(part):
                continue
            same = said == told
            count = written(part) if same else f"{_plain(whole)} − {written(part)}"
            value = part.values[0] if same else whole.values[0] - part.values[0]
            text = f"{count if same else f'({count})'} ÷ {_plain(whole)}" if percent else count
            if is_result(target, value / whole.values[0] * 100 if percent else value, target.units, (whole, part)):
                yield f"{text} = {target.text}"


def _in_group(target: Figure, claim: str, sources: Sequence[str]) -> Iterator[str]:
    """Yield the share of a group that a claim names, of its own count: “200 received veltoxin”, “38 in that group”."""
    said = stems(claim)
    for source in sources:
        read = read_figures(source)
        if "\t" in source or "|" in source:
            continue
        counts = [each for each in read.figures if is_amount(each) and each.is_whole and each.kinds <= {"people"}]
        ends = [*(each.start for each in counts[1:]), len(read.plain)][: len(counts)]
        told = [stems(_CLAUSE_END.split(read.plain[each.end : end])[0]) for each, end in zip(counts, ends, strict=True)]
        groups = [
            (whole, part, mine & theirs)
            for (whole, mine), (part, theirs) in permutations(zip(counts, told, strict=True), 2)
            if mine & theirs and part.values[0] < whole.values[0] and part.start > whole.start
        ]
        others = [names for _, _, names in groups]
        for whole, part, names in groups:
            own = names - frozenset[str]().union(*(other for other in others if other != names))
            alone = not any(other - names & other and (other - names) & said for other in others)
            sentence = next((read.plain[a:b] for a, b in split_sentences(read.plain) if a <= part.start < b), "")
            about = (stems(sentence) - names) & (said - names)
            if own & said and alone and about and len(others) > 1 and _is_percentage(target, part, whole):
                yield f"{written(part)} ÷ {written(whole)} = {target.text}"


def _is_percentage(target: Figure, part: Figure, whole: Figure) -> bool:
    return is_result(target, part.values[0] / whole.values[0] * 100, target.units, (part, whole))


def _plain(figure: Figure) -> str:
    return f"{figure.values[0].normalize():f}"


def _genders(text: str) -> frozenset[str]:
    return frozenset(match.lastgroup or "" for match in _GENDERS.finditer(text))


def _differs(told: frozenset[str], claim: str) -> bool:
    negated = not _words(claim).isdisjoint(NEGATIONS) or bool(_LEFT.search(claim))
    return negated or bool(told and not told <= stems(claim))


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(word.text) for word in words(fold_quote(text)))
