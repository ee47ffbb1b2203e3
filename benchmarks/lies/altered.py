"""Lies: a true sentence with one change that makes it false. Each rule returns None where it cannot be sure of that."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from benchmarks.lies.cases import Group
from benchmarks.lies.facts import SourceSentence
from benchmarks.lies.paraphrases import DATE, NAME
from benchmarks.lies.vocabulary import (
    CODE,
    EXTENTS,
    FIRST_NAMES,
    MONTHS,
    NATIONS,
    NOUNS,
    OPPOSITES,
    ORGANISATION,
    ORGANISATIONS,
    PEOPLE,
    PLACES,
    SURNAMES,
    UNITS,
    VERBS,
    has_word,
    replace_word,
)

_NUMBER = re.compile(
    r"(?<![\w.,/–-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w/–-]|[.,]\d)|(?<![\w.,/–-])\d+(?:\.\d+)?(?![\w/–-]|[.,]\d)"
)
_YEAR = re.compile(r"(?<![\w.,–/-])(?:1[5-9]\d|20[012])\d(?![\w–/-]|[.,]\d)(?! (?:million|billion|people|\w+s\b))")
_NO_QUANTITY = re.compile(
    r"(?:\b(?:Section|Item|Note|Part|Rule|No|Article|Exhibit|Chapter|Act of|Table|Figure|Form)|[A-Z]\w+)\s*$"
)
_UNIT = re.compile(rf"(?<=\d) ?(?:{'|'.join(sorted(map(re.escape, UNITS), key=len, reverse=True))})(?![\w])")
_PERSON = re.compile(r"\b([A-Z][a-z]+) ((?:[A-Z]\. )?[A-Z][a-z]{2,})\b(?! [A-Z])")
_AUXILIARY = re.compile(
    r" (is|was|are|were|has|have|had|can|could|will|would|must|may|should|did) (?!not\b|no\b|n[o']|never\b)"
)
_SUBORDINATE = re.compile(
    r"\b(?:which|who|that|whose|whom|if|when|where|because|while|although|whether|as|since|unless)\b|[,;:]",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:not|no|never|none|nor|neither|without|nobody|nothing|cannot|hardly)\b|n[’']t\b", re.IGNORECASE
)
_NOT = re.compile(
    r"\b(is|was|are|were|has|have|had|can|could|will|would|must|should|did|do|does) not"
    r"(?= (?!only\b|necessarily\b|yet\b|just\b|until\b|always\b))"
)
_TRANSITIVE = (
    r"defeated|succeeded|replaced|acquired|invaded|conquered|wrote|directed|founded|created|composed|painted|"
    r"designed|produced|preceded|killed|attacked|bought|taught|influenced|inspired|supported|criticized"
)
_ACTIVE = re.compile(
    rf"(?P<a>{NAME}) (?P<verb>(?:later |also |finally )?(?:{_TRANSITIVE})) (?P<b>(?:the )?{NAME})(?P<rest>[ ,].*|\.)"
)
_PASSIVE = re.compile(
    rf"(?P<a>{NAME}) (?P<verb>(?:is|was|were) (?:written|directed|produced|founded|created|defeated|succeeded|acquired|"
    rf"replaced|composed|painted|designed|killed|owned|published|released|named after|"
    rf"written and directed|preceded) ?(?:by )?)"
    rf"(?P<b>{NAME})(?P<rest>[ ,].*|\.)"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Altered:
    """A false sentence, the changed word, and the true word that it replaces (empty where nothing was replaced)."""

    text: str
    word: str
    true: str = ""


Alteration = Callable[[SourceSentence, random.Random], Altered | None]


def factor_of_ten(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Move the decimal point of an amount."""
    match = _drawn_amount(source.text, chance)
    if match is None:
        return None
    value = Decimal(match[0].replace(",", ""))
    whole = value == value.to_integral() and value % 10
    other = value * 10 if whole or chance.random() < 0.5 else value / 10
    return _with_amount(source, match, f"{other.normalize():,f}")


def other_digit(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Change one digit of an amount."""
    match = _drawn_amount(source.text, chance)
    if match is None:
        return None
    positions = [n for n, character in enumerate(match[0]) if character.isdigit()]
    at = chance.choice(positions)
    digits = [digit for digit in "123456789" if digit != match[0][at]]
    return _with_amount(source, match, match[0][:at] + chance.choice(digits) + match[0][at + 1 :])


def other_unit(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Change the unit after a number."""
    found = list(_UNIT.finditer(source.text))
    if not found:
        return None
    match = chance.choice(found)
    unit = match[0].strip()
    others = [other for other in UNITS[unit] if not has_word(source.text, other.strip())]
    if not others:
        return None
    number = re.search(r"[$€£]?[\d.,]+$", source.text[: match.start()])
    other = chance.choice(others)
    if (other.strip() in ("million", "years", "kg", "miles", "m", "km") and unit in ("percent", "%")) and not number:
        return None
    gap = " " if match[0].startswith(" ") or not other.startswith(" ") else ""
    word = f"{number[0] if number else ''}{gap}{other}"
    if " ".join(word.split()) in " ".join(source.nearby.split()):
        return None
    text = source.text[: match.start()] + gap + other + source.text[match.end() :]
    return Altered(text, word, unit)


def other_year(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Change a year by up to nine."""
    found = list(_YEAR.finditer(source.text))
    if not found:
        return None
    match = chance.choice(found)
    years = [str(int(match[0]) + by) for by in range(-9, 10) if by]
    absent = [
        year
        for year in years
        if year not in source.nearby and year[2:] not in re.findall(r"[’'–-](\d\d)\b", source.nearby)
    ]
    return _at(source, match, chance.choice(absent)) if absent else None


def other_date(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Change the day of a date."""
    match = DATE.search(source.text)
    if not match:
        return None
    month, day = match["m1"] or match["m2"], int(match["d1"] or match["d2"])
    other = chance.choice([n for n in range(1, 29) if abs(n - day) > 1])
    if re.search(rf"\b{month} {other}\b|\b{other} {month}\b", source.nearby):
        return None
    written = f"{month} {other}, {match['y']}" if match["m1"] else f"{other} {month} {match['y']}"
    return Altered(source.text[: match.start()] + written + source.text[match.end() :], written, match[0])


def other_month(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Replace the name of a month."""
    present = [month for month in MONTHS if re.search(rf"\b{month}\b", source.text) and month != "May"]
    absent = [month for month in MONTHS if not re.search(rf"\b{month[:3]}", source.nearby) and month != "May"]
    return _named(source, chance.choice(present), chance.choice(absent)) if present and absent else None


def other_person(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Replace a person who is not named first in the sentence, or only the surname."""
    found = [m for m in _PERSON.finditer(source.text) if m[1] in FIRST_NAMES and m.start()]
    if not found:
        return None
    match = chance.choice(found)
    if chance.random() < 0.4:
        return _named(source, match[0], f"{match[1]} {chance.choice(SURNAMES)}")
    return _named(source, match[0], chance.choice(PEOPLE))


def other_place(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Replace a place or a nation that is not the first word."""
    for names in (*PLACES, NATIONS):
        present = [name for name in names if re.search(rf"(?<=[a-z,] ){name}\b(?! [A-Z])", source.text)]
        absent = [name for name in names if not source.is_near(name)]
        if present and absent:
            return _named(source, chance.choice(present), chance.choice(absent))
    return None


def other_organisation(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Replace the name of an organisation."""
    found = [
        match for match in ORGANISATION.finditer(source.text) if match.start() and source.text[match.start() - 1] == " "
    ]
    return _named(source, chance.choice(found)[0].removeprefix("The "), chance.choice(ORGANISATIONS)) if found else None


def other_code(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Change a letter or digit of a code such as SST-2 or an abbreviation such as OPEC."""
    found = [m for m in CODE.finditer(source.text) if m.start() and len(m[0]) > 2]
    if not found:
        return None
    match = chance.choice(found)
    at = max((n for n, character in enumerate(match[0]) if character.isdigit()), default=len(match[0]) - 1)
    other = chance.choice([c for c in ("3456789" if match[0][at].isdigit() else "BKQVXZ") if c != match[0][at]])
    return _at(source, match, match[0][:at] + other + match[0][at + 1 :])


def first_name_of_sentence(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Replace the name that begins the sentence."""
    person = _PERSON.match(source.text)
    if person and person[1] in FIRST_NAMES:
        return _named(source, person[0], chance.choice(PEOPLE))
    for names in (*PLACES, NATIONS):
        name = next((name for name in names if re.match(rf"{name}\b(?!,| [A-Z])", source.text)), "")
        absent = [other for other in names if not source.is_near(other)]
        if name and absent:
            return _named(source, name, chance.choice(absent))
    return None


def negation_inserted(source: SourceSentence, _: random.Random) -> Altered | None:
    """Negate the first auxiliary of the main clause."""
    match = _AUXILIARY.search(source.text)
    if not match or _NEGATIVE.search(source.text) or _SUBORDINATE.search(source.text[: match.start()]):
        return None
    return Altered(f"{source.text[: match.end()]}not {source.text[match.end() :]}", "not")


def negation_removed(source: SourceSentence, _: random.Random) -> Altered | None:
    """Remove the only “not” of a sentence."""
    match = _NOT.search(source.text)
    if (
        not match
        or len(_NEGATIVE.findall(source.text)) != 1
        or re.search(r"\b(?:any|but|ever|yet|either|until|except|unless)\b", source.text)
    ):
        return None
    return Altered(source.text[: match.end(1)] + source.text[match.end() :], match[1], "not")


def subject_and_object_swapped(source: SourceSentence, _: random.Random) -> Altered | None:
    """Swap the names on both sides of a verb that is not symmetric."""
    match = _ACTIVE.fullmatch(source.text) or _PASSIVE.fullmatch(source.text)
    if not match or has_word(match["a"], match["b"]) or has_word(match["b"], match["a"]):
        return None
    a = match["a"] if match["a"].split()[0] != "The" else f"the{match['a'][3:]}"
    b = match["b"][0].upper() + match["b"][1:]
    return Altered(f"{b} {match['verb'].strip()} {a}{match['rest']}", match["verb"].strip())


def direction_flipped(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Reverse a direction or comparison."""
    words = [
        word
        for word in OPPOSITES
        if re.search(rf"(?<![\w-]){word}(?![\w-])(?! or\b| and\b| than (?:not|expected)\b)", source.text)
        and not re.search(
            rf"\b(?:or|and|named|the|no|not|long|look|goes?|would|may|to|can|could) {word}\b|\b{word} (?:all|Christ)\b",
            source.text,
        )
        and not source.is_near(OPPOSITES[word])
    ]
    if not words or _NEGATIVE.search(source.text):
        return None
    word = chance.choice(words)
    return Altered(replace_word(source.text, word, OPPOSITES[word]), OPPOSITES[word], word)


def overstated(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Turn a limited extent into all, always or never."""
    words = [w for w in EXTENTS if has_word(source.text, w) and not has_word(source.nearby_lines, EXTENTS[w])]
    words = [
        w
        for w in words
        if not re.search(rf"\b(?:at|the|for|its|their|his) {w}\b|\b{w} (?:common|likely|of which|other)\b", source.text)
    ]
    if not words or _NEGATIVE.search(source.text):
        return None
    word = chance.choice(words)
    return Altered(replace_word(source.text, word, EXTENTS[word]), EXTENTS[word], word)


def other_noun(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Replace a common noun by another one of its kind."""
    return _of_kind(source, NOUNS, chance)


def other_verb(source: SourceSentence, chance: random.Random) -> Altered | None:
    """Replace a verb in the past by another one."""
    return _of_kind(source, VERBS, chance)


def _of_kind(source: SourceSentence, kinds: tuple[tuple[str, ...], ...], chance: random.Random) -> Altered | None:
    """Replace a word by one of its line of which no form stands near the cited lines."""
    for words in kinds:
        present = [word for word in words if re.search(rf"(?<=[a-z,] ){word}\b(?!-)", source.text)]
        near = source.nearby.lower()
        absent = [word for word in words if word[:-1] not in near]
        if present and absent:
            word, other = chance.choice(present), chance.choice(absent)
            text = re.sub(rf"\b{word}\b", other, source.text, count=1)
            return Altered(
                re.sub(r"\b(a|A)(?= [aeiou])", r"\1n", re.sub(r"\b([aA])n(?= [^aeiou])", r"\1", text)), other, word
            )
    return None


ALTERATIONS: tuple[tuple[str, Group, Alteration], ...] = (
    ("factor of ten", "figures", factor_of_ten),
    ("other digit", "figures", other_digit),
    ("other unit", "figures", other_unit),
    ("other year", "figures", other_year),
    ("other date", "figures", other_date),
    ("other person", "names", other_person),
    ("other place", "names", other_place),
    ("other organisation", "names", other_organisation),
    ("other month", "names", other_month),
    ("other code", "names", other_code),
    ("name at the beginning", "names", first_name_of_sentence),
    ("negation inserted", "polarity", negation_inserted),
    ("negation removed", "polarity", negation_removed),
    ("subject and object swapped", "polarity", subject_and_object_swapped),
    ("direction flipped", "polarity", direction_flipped),
    ("overstated", "polarity", overstated),
)
# Drawn apart from those above, so that their cases stay the same.
WORD_ALTERATIONS: tuple[tuple[str, Group, Alteration], ...] = (
    ("other noun", "words", other_noun),
    ("other verb", "words", other_verb),
)


def _drawn_amount(text: str, chance: random.Random) -> re.Match[str] | None:
    """Return a number that is an amount: no year, no number of a section or part of a name."""
    found = [
        match
        for match in _NUMBER.finditer(text)
        if not _YEAR.match(text, match.start())
        and not _NO_QUANTITY.search(text, 0, match.start())
        and not re.match(r"[ ,]+(?:19|20)\d\d|\)| (?:" + "|".join(MONTHS) + r")\b", text[match.end() :])
        and not re.search(rf"(?:{'|'.join(MONTHS)})\.? $", text[: match.start()])
        and Decimal(match[0].replace(",", "")) > 0
    ]
    return chance.choice(found) if found else None


def _with_amount(source: SourceSentence, match: re.Match[str], written: str) -> Altered | None:
    value = Decimal(written.replace(",", ""))
    present = {Decimal(found.replace(",", "")) for found in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", source.nearby)}
    if any(value * Decimal(10) ** power in present for power in (-6, -3, 0, 3, 6)):
        return None
    return Altered(source.text[: match.start()] + written + source.text[match.end() :], written, match[0])


def _at(source: SourceSentence, match: re.Match[str], written: str) -> Altered | None:
    if source.is_near(written):
        return None
    return Altered(source.text[: match.start()] + written + source.text[match.end() :], written, match[0])


def _named(source: SourceSentence, name: str, other: str) -> Altered | None:
    """Replace a name by one of which no new word stands near the cited lines."""
    fresh = [word for word in other.split() if word not in name.split()]
    if source.is_near(" ".join(fresh)):
        return None
    return Altered(replace_word(source.text, name, other), " ".join(fresh), name)
