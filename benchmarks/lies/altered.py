"""Lies: a true sentence with one change that makes it false. Each rule returns None where it cannot be sure of that."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from benchmarks.lies.cases import Group
from benchmarks.lies.facts import SourceSentence
from benchmarks.lies.paraphrases import DATE
from benchmarks.lies.vocabulary import (
    CODE,
    FIRST_NAMES,
    MONTHS,
    NATIONS,
    ORGANISATION,
    ORGANISATIONS,
    PEOPLE,
    PLACES,
    SURNAMES,
    UNITS,
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
