"""Finds the proper names of a claim that its evidence does not mention: people, organisations, places, months, codes.

A name may be inflected, abbreviated, spelled with other accents or in another transcription, and a country may be
named by its adjective. German capitalises every noun: there only a noun in the place of another one counts.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import pairwise

from desktop_rag.agent.citations.check_words import (
    BEFORE_MONTHS,
    FORMS_OF_ADDRESS,
    FUNCTION_WORDS,
    JOINING,
    NO_PLACES,
    PLACE_PREPOSITIONS,
    TITLES_AND_FORMS,
    word_set,
    word_sides,
)
from desktop_rag.agent.citations.claim_words import ClaimEvidence, ClaimWord, is_ordinary, parts, split_words
from desktop_rag.index.keywords.analysis import STOP_WORDS, fold, stem
from desktop_rag.paths import resources
from desktop_rag.text.dates import ENGLISH_MONTHS, Mention, mentions
from desktop_rag.text.dates import MONTHS as MONTH_NAMES
from desktop_rag.text.number_words import spelled_numbers
from desktop_rag.text.units import CURRENCIES, SCALES, UNITS

_ABBREVIATED = word_sides("abbreviated")
_UNITS = UNITS.keys() | SCALES.keys()
NO_NAMES = STOP_WORDS | FUNCTION_WORDS | TITLES_AND_FORMS
MONTHS = {fold(name): number for name, number in MONTH_NAMES.items()}
_ENGLISH_MONTHS = {short for name in ENGLISH_MONTHS for short in (fold(name), fold(name)[:3])}
NOUNS_ARE_CAPITAL = frozenset({"de", "lb"})
_CURRENCY_CODES = word_set("AED AUD BRL CAD CZK DKK HKD HUF ILS KRW MXN MYR NOK NZD PLN RUB SEK SGD THB TRY TWD ZAR")
_DOLLARS = frozenset(("dollar", "dollars"))
DEGREES = {"celsius": "°C", "fahrenheit": "°F"}
MIN_PART = 5  # letters of a name that may stand inside a longer word: Lockheed in LOCKHEEDMARTIN
MOVED_SENTENCE = 0.7  # share of the words of a claim in a sentence whose place names it may replace
_PLACE_WORDS = frozenset(("in", "aus", "nach"))
MAX_REPLACED = 2  # words in the place of another name
SAME_SENTENCE = 0.6  # share of the words of a claim in the sentence from which it differs in a noun
MIN_PLURAL = 5  # letters of a noun in the plural
VERB_WITHIN = 6  # words after it
_PLURAL_VERBS = frozenset(("are", "were", "have", "do"))
_VERBS = _PLURAL_VERBS | {"is", "was", "has", "does", "can", "may", "will", "must", "should", "would"}
MIN_BASE = 4  # letters of a name without the ending of an adjective or inhabitant
_ON = {("auf", "dem"), ("auf", "der")}
_FREE_ENDING = re.compile(r"(?:ly|ing|tions?|ness|ments?|ity|ities|able|ally|ed)$")  # of ordinary words
_ADJECTIVE = re.compile(r"(?:ians?|eans?|ans?|ese|ish|ic|is?|land|ers?|y|ia|ien|ie|os?|es|s|e|a|us)$")
_FISCAL = re.compile(r"fy\W?\d+")  # its year is a figure
_PERIOD = re.compile(r"(?:fy|[qh][1-4]|s|p|pp|l)\W?\d*")
_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"tsch|tch|cz|ch", "c"),
        (r"sch|sh|sz|ts|tz|z", "s"),
        (r"kh|ck|qu|q|gh|g", "k"),
        (r"ph|v|w", "f"),
        (r"ou|oo|oe|ue|u", "o"),
        (r"ae", "a"),
        (r"ai|ei|ey|ie|ee|j|y", "i"),
        (r"(?<=.)h", ""),
        (r"(.)\1+", r"\1"),
    )
)


def names_not_in(claim: str, evidence: ClaimEvidence, language: str, alike: str = "") -> tuple[str, ...]:
    """Return the proper names of a claim, as written, that the evidence does not mention.

    `alike` is the sentence of the evidence that is most like the claim.
    """
    words = split_words(claim)
    dated = [mention for mention in mentions(claim) if mention.days]
    if words and not evidence.capitals:  # another script, or none that distinguishes names
        return ()
    if language in NOUNS_ARE_CAPITAL:
        missing = _missing_german(words, evidence, alike)
    else:
        missing = [_is_name(at, words, language, dated) and not _is_in(at, words, evidence) for at in range(len(words))]
    counts = [(number.start, number.end) for number in spelled_numbers(claim)]
    lacking = [
        lacks
        and not _is_explained(at, words, evidence)
        and not any(start <= words[at].start < end for start, end in counts)
        and not (at and words[at].text.lower() in _UNITS and _is_number(words[at - 1], counts))
        for at, lacks in enumerate(missing)
    ]
    return tuple(dict.fromkeys(_grouped(claim, words, lacking)))


def _is_number(word: ClaimWord, counts: Sequence[tuple[int, int]]) -> bool:
    return word.fold[:1].isdigit() or any(start <= word.start < end for start, end in counts)


def _is_name(at: int, words: Sequence[ClaimWord], language: str, dated: Sequence[Mention]) -> bool:
    word = words[at]
    if is_code(word):
        return word.fold not in TITLES_AND_FORMS
    if not word.is_capital or len(word.fold) < 2 or word.fold in NO_NAMES or _FISCAL.fullmatch(word.fold):
        return False
    if word.text in CURRENCIES | _CURRENCY_CODES and any(
        each.text[:1].isdigit() for each in words[max(at - 1, 0) : at + 2]
    ):
        return False  # a unit: EUR 1.5 million
    if word.fold in MONTHS and _may_be_month(at, words):
        return not any(date.start <= word.start < date.end for date in dated) and _is_month(at, words)
    if language in ("en", ""):
        if at and words[at - 1].fold in PLACE_PREPOSITIONS and _stands_alone(at, words):
            return True  # “on Mars”, “in Reading”
        return not is_ordinary(word) and not (word.starts and (_FREE_ENDING.search(word.fold) or _is_plural(at, words)))
    followed = at + 1 < len(words) and words[at + 1].is_capital
    return word.is_acronym or not word.starts or followed


def _is_plural(at: int, words: Sequence[ClaimWord]) -> bool:
    """Return whether a sentence begins with a noun in the plural: “Barbecues are”, “Painkillers such as”."""
    word = words[at]
    if len(word.fold) < MIN_PLURAL or not word.fold.endswith("s") or word.fold.endswith(("ss", "us", "is")):
        return False
    following = [each.fold for each in words[at + 1 : at + 1 + VERB_WITHIN]]
    verb = next((each for each in following if each in _VERBS), "")
    return (verb in _PLURAL_VERBS or following[:2] == ["such", "as"]) and not place_groups(word.text)


def _stands_alone(at: int, words: Sequence[ClaimWord]) -> bool:
    """Return whether a capitalised word is neither part of a title nor of a numbered name such as Table 4."""
    following = words[at + 1] if at + 1 < len(words) else None
    return words[at].text[1:].islower() and (
        following is None or not (following.is_capital or following.fold[:1].isdigit() or following.fold in JOINING)
    )


def is_code(word: ClaimWord) -> bool:
    """Return whether a word is a code or an identifier: SST-2, F-16, 10-K, required_keys, readLines."""
    text = word.text
    if re.search(r"[a-z][A-Z]|_", text) and not text.istitle():
        return len(text) > 3
    letters, digits = re.search(r"[^\W\d_]", text), re.search(r"\d", text)
    if not letters or not digits or _PERIOD.fullmatch(word.fold):
        return False
    return text[0].isalpha() or bool(re.fullmatch(r"\d+-[A-Z]\w?", text))


def _may_be_month(at: int, words: Sequence[ClaimWord]) -> bool:
    """Return whether a name of a month in any language may be one here: French has a mars, but “on Mars” is none."""
    return words[at].fold in _ENGLISH_MONTHS or _is_month(at, words)


def _is_month(at: int, words: Sequence[ClaimWord]) -> bool:
    """Return whether a word that is a month's name means the month: “in May”, “31 May”, not “may”."""
    near = [words[index].fold for index in (at - 1, at + 1) if 0 <= index < len(words)]
    return any(other[:1].isdigit() for other in near) or (at > 0 and near[0] in BEFORE_MONTHS)


def _is_in(at: int, words: Sequence[ClaimWord], evidence: ClaimEvidence) -> bool:
    word = words[at]
    if word.fold in MONTHS and not word.starts and not _may_be_month(at, words):
        return any(word.fold == other.fold for other in evidence.capitals)  # “sur Mars” is not the “7 mars”
    if word.fold in evidence.folds or word.stem in evidence.stems:
        return True
    if word.fold in MONTHS and _may_be_month(at, words):
        return MONTHS[word.fold] in _months(evidence.text)
    if word.starts and any(len(other) >= MIN_PART and word.fold.startswith(other) for other in evidence.folds):
        return True  # “Hoteliers” over “hotel”
    pieces = _telling_parts(word)
    if pieces != (word.fold,) and all(piece in evidence.folds or stem(piece) in evidence.stems for piece in pieces):
        return True
    joined = "".join(parts(word))
    if len(joined) >= MIN_PART and any(joined in other for other in evidence.folds):
        return True
    if word.is_acronym:
        numbered = re.compile(rf"{re.escape(joined)}\d{{1,2}}")  # a column “iso3”
        return _has_initials(joined, evidence, loosely="&" in word.text) or any(map(numbered.fullmatch, evidence.folds))
    if is_code(word):
        return False
    return _reads_alike(word, evidence)


def _telling_parts(word: ClaimWord) -> tuple[str, ...]:
    """Return the folded parts of a compound without ordinary words in lower case: HIV of HIV-positive."""
    ordinary = {part.fold for part in split_words(re.sub(r"[&./_’'-]", " ", word.text)) if part.text.islower()}
    return tuple(part for part in parts(word) if part not in ordinary) or parts(word)


def _reads_alike(word: ClaimWord, evidence: ClaimEvidence) -> bool:
    """Return whether the evidence has the name in another form: an adjective, a transcription."""
    base, sound = _base(word.fold), _sound(word.fold)
    return any(
        (len(base) >= MIN_BASE and _base(other.fold) == base)
        or (len(word.fold) >= MIN_PART and _sound(other.fold) == sound)
        for other in evidence.capitals
    )


def _base(folded: str) -> str:
    return _ADJECTIVE.sub("", folded)


@lru_cache(maxsize=4096)
def _sound(folded: str) -> str:
    for pattern, sound in _SOUNDS:
        folded = pattern.sub(sound, folded)
    return folded


def _has_initials(acronym: str, evidence: ClaimEvidence, *, loosely: bool) -> bool:
    """Return whether consecutive words begin with the letters of an acronym; two need capital words, R&D does not."""
    words = [word for word in evidence.words if word.fold not in STOP_WORDS or word.is_capital]
    initials = "".join(word.fold[0] for word in words)
    at = initials.find(acronym)
    while at >= 0:
        if len(acronym) > 2 or loosely or all(word.is_capital for word in words[at : at + len(acronym)]):
            return True
        at = initials.find(acronym, at + 1)
    return False


def _is_explained(at: int, words: Sequence[ClaimWord], evidence: ClaimEvidence) -> bool:
    """Return whether a name that the evidence lacks is another form of one that it contains."""
    sign = DEGREES.get(words[at].fold)
    if _is_joined(at, words, evidence) or (sign and sign in evidence.text):
        return True
    if any(word.fold in _DOLLARS for word in words[at + 1 : at + 2]) and "$" in evidence.text:
        return True  # Singapore dollars
    if any(words[at].fold in same and not same.isdisjoint(evidence.folds) for same in _ABBREVIATED):
        return True
    run = _run(at, words)
    initials = "".join(word.fold[0] for word in run)
    if len(run) > 1 and any(word.fold == initials and word.is_acronym for word in evidence.capitals):
        return True
    if _places(words, at) & evidence_places(evidence):
        return True
    following = words[at + 1] if at + 1 < len(words) and words[at + 1].is_capital else None
    if following is None or following.fold in NO_NAMES or is_ordinary(following):
        return False
    return following in run and _is_bare_surname(words[at], following, evidence)


def _is_joined(at: int, words: Sequence[ClaimWord], evidence: ClaimEvidence) -> bool:
    """Return whether the evidence writes a name of two or three words as one: LiHua."""
    spans = ((first, last) for first in range(max(0, at - 2), at + 1) for last in range(at, min(len(words), at + 3)))
    joined = ("".join(word.fold for word in words[first : last + 1]) for first, last in spans if 0 < last - first < 3)
    return any(name in evidence.folds for name in joined)


def _run(at: int, words: Sequence[ClaimWord]) -> list[ClaimWord]:
    """Return the capitalised words around a name, across small words."""
    first = last = at
    while first > 0 and (words[first - 1].is_capital or words[first - 1].fold in STOP_WORDS):
        first -= 1
    while last + 1 < len(words) and (words[last + 1].is_capital or words[last + 1].fold in STOP_WORDS):
        last += 1
    return [
        word for word in words[first : last + 1] if word.is_capital and not (word.starts and word.fold in STOP_WORDS)
    ]


def _is_bare_surname(given: ClaimWord, surname: ClaimWord, evidence: ClaimEvidence) -> bool:
    """Return whether the evidence has the surname only without a given name, or with its initial."""
    before = [
        evidence.words[index - 1]
        for index, word in enumerate(evidence.words)
        if index and word.fold == surname.fold and evidence.words[index - 1].is_capital and not word.starts
    ]
    stands = any(word.fold == surname.fold for word in evidence.capitals)
    return stands and all(other.fold in (*TITLES_AND_FORMS, given.fold[0]) for other in before)


@cache
def _place_groups() -> dict[str, int]:
    """Return the group of each name of a country or city: adjectives, and names in other languages."""
    lines = (resources() / "places.txt").read_text(encoding="utf-8").splitlines()
    return {name: number for number, line in enumerate(lines) for name in line.split()}


def _places(words: Sequence[ClaimWord], at: int) -> set[int]:
    """Return the groups of a place name of up to three words that contains the word at `at`."""
    groups = _place_groups()
    spans = ((first, last) for first in range(max(0, at - 2), at + 1) for last in range(at, min(len(words), at + 3)))
    names = ("-".join(word.fold for word in words[first : last + 1]) for first, last in spans if last - first < 3)
    return {groups[name] for name in names if name in groups}


def place_groups(name: str) -> set[int]:
    """Return the groups of a country or city that a text names, as such or by an adjective."""
    return _places(split_words(name), 0)


@lru_cache(maxsize=4)
def evidence_places(evidence: ClaimEvidence) -> set[int]:
    """Return the groups of the place names in the evidence."""
    groups, words = _place_groups(), evidence.words
    found: set[int] = set()
    for at, word in enumerate(words):
        if word.is_capital:
            names = ("-".join(each.fold for each in words[at : at + count]) for count in (1, 2, 3))
            found.update(groups[name] for name in names if name in groups)
    return found


def _months(text: str) -> set[int]:
    """Return the months that a text names, also in dates written in digits."""
    named = {MONTHS[word.fold] for word in split_words(text) if word.fold in MONTHS}
    return named | {day.month for mention in mentions(text) for day in mention.days}


def _missing_german(words: Sequence[ClaimWord], evidence: ClaimEvidence, alike: str) -> list[bool]:
    """Return the nouns that replace another one, follow a form of address, or are double names."""
    absent = [word.is_capital and len(word.fold) > 1 and not word.starts for word in words]
    absent = [lacks and not _is_in(at, words, evidence) for at, lacks in enumerate(absent)]
    replaced = _replaced(words, split_words(alike))
    return [
        (is_code(word) and not _is_in(at, words, evidence))
        or (
            absent[at]
            and (
                at in replaced
                or bool(_places(words, at))
                or words[at - 1].fold in FORMS_OF_ADDRESS
                or (bool(alike) and ((at > 0 and absent[at - 1]) or absent[at + 1 : at + 2] == [True]))
            )
        )
        for at, word in enumerate(words)
    ]


def _replaced(words: Sequence[ClaimWord], alike: Sequence[ClaimWord]) -> set[int]:
    """Return the words in whose place a nearly equal sentence has other capitalised words, or those of a place."""
    matcher = SequenceMatcher(None, [word.fold for word in words], [word.fold for word in alike], autojunk=False)
    blocks = matcher.get_opcodes()
    equal = {at for kind, first, last, _, _ in blocks if kind == "equal" for at in range(first, last)}
    telling = {at for at, word in enumerate(words) if word.fold not in NO_NAMES}
    found = set[int]()
    for kind, first, last, left, right in blocks:
        here = range(first, last)
        if kind == "replace" and len(here) <= MAX_REPLACED and len(equal) >= SAME_SENTENCE * len(words):
            found.update(here if any(word.is_capital for word in alike[left:right]) else ())
    theirs = {word.stem for word in alike}
    if sum(words[at].stem in theirs for at in telling) >= MOVED_SENTENCE * len(telling):  # in whatever order
        found.update(at for at in range(len(words)) if _is_place(at, words) or _is_other_place(at, words, alike))
    return found


def _is_other_place(at: int, words: Sequence[ClaimWord], alike: Sequence[ClaimWord]) -> bool:
    """Return whether a name after “in”, “aus” or “nach” replaces another one after the same word."""
    before = words[at - 1].fold if at else ""
    if before not in _PLACE_WORDS or not words[at].is_capital:
        return False
    folds = {word.fold for word in words}
    others = (two for one, two in pairwise(alike) if one.fold == before and two.is_capital)
    return any(other.fold not in folds for other in others)


def _is_place(at: int, words: Sequence[ClaimWord]) -> bool:
    """Return whether a German noun names where something is: auf dem Mars."""
    return at > 1 and (words[at - 2].fold, words[at - 1].fold) in _ON and words[at].fold not in NO_PLACES


def _grouped(claim: str, words: Sequence[ClaimWord], missing: Sequence[bool]) -> Iterator[str]:
    """Yield missing names; neighbours are one name."""
    start = end = -1
    for word, lacks in zip(words, missing, strict=True):
        if lacks and end >= 0 and not claim[end : word.start].strip():
            end = word.end
        elif lacks:
            if end >= 0:
                yield claim[start:end]
            start, end = word.start, word.end
        elif end >= 0:
            yield claim[start:end]
            start = end = -1
    if end >= 0:
        yield claim[start:end]
