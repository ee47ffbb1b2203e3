"""Finds what a claim binds to another name, label or year than its lines: “A is treasurer” over “B (treasurer)”.

Silent unless the lines bind both: the role of the claim to another name, and the name of the claim to another role; the
label of the claim to another amount, and its amount to another label.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from desktop_rag.agent.citations.check_words import word_set
from desktop_rag.agent.citations.checks.claim_evidence import CitedEvidence, ClaimText
from desktop_rag.agent.citations.claim_words import is_negation, is_ordinary, split_words
from desktop_rag.agent.citations.numbers import agrees
from desktop_rag.agent.citations.sums.computed_pairs import is_amount, stems
from desktop_rag.agent.events import ClaimFault
from desktop_rag.index.keywords.analysis import fold, stem
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.sentences import split_sentences

_SURE_DIGITS = 3
MAX_LABEL = 6  # words before an amount that name it
_UPPER = "A-ZÀ-ÖØ-Þ"
_NAME = (
    rf"[{_UPPER}][\w'’-]*\.?(?: (?:(?:de|van|von|der|la|del|di|da|du|&) ){{0,2}}[{_UPPER}][\w'’-]*\.?){{0,3}}(?<![.])"
)
_ROLE = r"[^\W\d_A-ZÀ-Þ][\w'’-]*(?: [^\W\d_A-ZÀ-Þ][\w'’-]*){0,3}"
_THE = r"(?:(?:the|a|an|its|our|their|der|die|das|ihr|sein|le|la|l['’]|el|los) ?)?"
_IS = r"(?:is|was|are|were|acts as|acted as|serves as|served as|became|remains|ist|war|wurde|est|était|es|era|fue)"
_BINDINGS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<name>{_NAME}) \((?:the )?(?P<role>[^()\d]{{2,40}})\)",
        rf"(?P<name>{_NAME}) {_IS} {_THE}(?P<role>{_ROLE})",
        rf"\b(?:[Tt]he|[Dd]er|[Dd]ie|[Ll]e|[Ll]a|[Ee]l|[Ii]ts|[Oo]ur) (?P<role>{_ROLE}) {_IS} (?P<name>{_NAME})",
        rf"(?P<name>{_NAME}) (?P<role>chair)ed\b",
        rf"(?P<name>{_NAME}), {_THE}(?P<role>{_ROLE})(?=[,;.)]|$| and )",
        rf"(?P<name>{_NAME}) (?:ist|war|wurde) (?:die |der |das )?(?P<role>[{_UPPER}][\w-]+)",
        rf"\b(?:[Tt]he|[Ii]ts|[Oo]ur|[Dd]er|[Dd]ie) (?P<role>{_ROLE}), (?P<name>{_NAME})(?=[,;.)]|$)",
        rf"\b{_THE}(?P<role>{_ROLE}) (?P<name>{_NAME})(?=[,;.)\n]|$| and | und | et | y )",
        rf"(?:^|[|\t;,.\n]\s?)\s*(?P<role>[^\W\d_][\w '’/-]{{1,30}}): ?(?P<name>{_NAME})",
        rf"(?:^|\n|\|)\s*(?P<name>{_NAME})\s*[|\t]\s*(?P<role>[^\W\d_][^|\t\n\d]{{1,40}}?)\s*(?=[|\t\n]|$)",
    )
)
_DEPUTIES = frozenset(map(stem, word_set("vice deputy assistant stellvertretende adjoint")))
_NO_ROLE = frozenset(
    map(stem, word_set("and or with by for from to of in on at who which that said says mr mrs ms dr herr the ist"))
)
_BREAK = re.compile(r"[,;:|\t\n()]| (?:and|und|et|y|but|while) ", re.IGNORECASE)
_OF = re.compile(r" (?:of|for|at|in|von|vom|de|du|del|der|des) ")  # after a role
_YEAR_FIRST = re.compile(r"\s?[:=(]\s?[€$£]?")
_YEAR_LAST = re.compile(r" ?\(?(?:in |im Jahr |en |for )?(?:fiscal |FY ?)?", re.IGNORECASE)
_IN = re.compile(r"\b(?:in|im Jahr|en)\s$", re.IGNORECASE)
_FEW_WORDS = re.compile(r",?(?:\s[^\W\d]+){1,4}\s[€$£]?")
_FILL = re.compile(r"[\s|:$€£¥]*")
_FROM = re.compile(r"\b(?:from|von|de|desde)$", re.IGNORECASE)
_IS_WORD = frozenset(map(stem, word_set(f"{_IS[3:-1].replace('|', ' ')} amounts costs comes totals beträgt")))


@dataclass(frozen=True, slots=True)
class _Role:
    """A role of a name, as written, with the stems of its words."""

    name: str
    text: str
    stems: frozenset[str]

    @property
    def surname(self) -> str:
        """The last word of the name, folded."""
        return fold(self.name.split()[-1])


@dataclass(frozen=True, slots=True)
class _Labelled:
    """An amount with the stems of the words that name it, and its column in a table row."""

    figure: Figure
    stems: frozenset[str]
    column: int = 0


def misbound(statement: ClaimText, evidence: CitedEvidence) -> Iterator[ClaimFault]:
    """Yield the names and amounts of a claim that its lines bind to another role or label."""
    claim, lines = statement.text, evidence.lines
    if any(map(is_negation, split_words(claim))):
        return
    yield from _misnamed(claim, lines)
    yield from _mislabelled(claim, lines)
    yield from _misdated(claim, lines)


def _misnamed(claim: str, lines: str) -> Iterator[ClaimFault]:
    mine = _roles(claim)
    if not mine:
        return
    theirs = _roles(lines)
    for said in mine:
        holders = [each for each in theirs if each.stems == said.stems]
        own = [each for each in theirs if each.surname == said.surname]
        others = [each for each in holders if each.surname != said.surname]
        has = any(_includes(each, said) for each in own)
        if (
            others
            and not has
            and len({each.surname for each in others}) == 1
            and (own or _is_apart(said, others[0], lines) or _is_listed(said, others[0], lines))
        ):
            yield ClaimFault("name", said.name, others[0].name)
            return


def _is_apart(said: _Role, holder: _Role, lines: str) -> bool:
    """Return whether the lines name both, but never in one clause: “B was elected chair; A had resigned”."""
    parts = (part for start, end in split_sentences(lines) for part in lines[start:end].split(";"))
    clauses = [frozenset(word.fold for word in split_words(part)) for part in parts]
    named = [clause for clause in clauses if said.surname in clause]
    return len(said.stems) > 1 and bool(named) and not any(holder.surname in clause for clause in named)


def _is_listed(said: _Role, holder: _Role, lines: str) -> bool:
    """Return whether the lines name both, and only the holder with the role in brackets: “A (chair), B”."""
    listed = f"{holder.name} ({holder.text})" in lines
    return listed and any(word.fold == said.surname and word.is_capital for word in split_words(lines))


def _includes(role: _Role, said: _Role) -> bool:
    """Return whether a name that has one role has the other: a former treasurer may be one, no vice chair a chair."""
    return said.stems <= role.stems and not (role.stems - said.stems) & _DEPUTIES


@lru_cache(maxsize=256)
def _roles(text: str) -> tuple[_Role, ...]:
    found: dict[tuple[str, frozenset[str]], _Role] = {}
    for pattern in _BINDINGS:
        for match in pattern.finditer(text):
            name, role = match["name"].strip(), _OF.split(match["role"].strip())[0]
            called = frozenset(word.stem for word in split_words(role)) - _NO_ROLE
            last = split_words(name)[-1:]
            if not last or is_ordinary(last[0]):
                continue
            if called and not called & _words_of(name) and not role.split()[0][:1].isdigit():
                found.setdefault((fold(name), called), _Role(name, role, called))
    return tuple(found.values())


def _words_of(name: str) -> frozenset[str]:
    return frozenset(word.stem for word in split_words(name))


def _mislabelled(claim: str, lines: str) -> Iterator[ClaimFault]:
    mine, theirs = _labelled(claim), _labelled(lines)
    subject = stems(claim)
    for said in mine:
        same = [each for each in theirs if agrees(said.figure, each.figure, frozenset(), frozenset())]
        if not same or not said.stems or any(each.stems & subject or not each.stems for each in same):
            continue
        columns = {each.column for each in same}
        meant = [
            each
            for each in theirs
            if each.stems
            and each.stems <= said.stems
            and each.column in columns
            and _is_alike(each.figure, said.figure)
        ]
        if len({each.figure.values for each in meant}) == 1:
            yield ClaimFault("figure", said.figure.text, meant[0].figure.text)
            return


def _misdated(claim: str, lines: str) -> Iterator[ClaimFault]:
    """Yield an amount that the lines bind to another year, if they bind another amount to the claim's year."""
    figures = [each for each in read_figures(claim).figures if is_amount(each) or each.is_year]
    years = {int(each.values[0]) for each in figures if each.is_year}
    amounts = [each for each in figures if not each.is_year and _is_measured(each)]
    dated = dated_amounts(lines) if len(years) == 1 and len(amounts) == 1 else []
    bound = {year for year, each in dated if agrees(amounts[0], each, frozenset(), frozenset())}
    if bound and not bound & years:
        meant = [each for year, each in dated if year in years and _is_alike(each, amounts[0])]
        if meant:
            unique = len({each.values for each in meant}) == 1
            yield ClaimFault("figure", amounts[0].text, meant[0].text if unique else "")


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


def _is_alike(one: Figure, other: Figure) -> bool:
    return not one.kinds or not other.kinds or bool(one.kinds & other.kinds)


@lru_cache(maxsize=256)
def _labelled(text: str) -> tuple[_Labelled, ...]:
    """Return the amounts of a text with what stands before each up to the last break; of a table row with its label."""
    read = read_figures(text)
    found: list[_Labelled] = []
    end = 0
    for figure in read.figures:
        between = read.plain[end : figure.start]
        if is_amount(figure) and not figure.is_year and _is_measured(figure):
            line = "\n" not in between
            if found and line and _FILL.fullmatch(between):
                label, column = found[-1].stems, found[-1].column + 1
            else:
                column = 0
                piece = _last_piece(between)
                label = (stems(piece) - _IS_WORD) if len(piece.split()) <= MAX_LABEL else frozenset()
            found.append(_Labelled(figure, label, column))
        end = figure.end
    return tuple(found)


def _is_measured(figure: Figure) -> bool:
    """Return whether an amount is more than a day of a month or an item number."""
    return bool(figure.units or figure.scales or figure.noun) or len(figure.digits) >= _SURE_DIGITS


def _last_piece(between: str) -> str:
    """Return the words directly before an amount: “rent”, “Rent: ”, “| Rent | ”."""
    trimmed = between.rstrip(" \t|:$€£¥(")
    if _FROM.search(trimmed):  # “rose from 5 to 7” over “was 7”
        return ""
    return _BREAK.split(trimmed)[-1]
