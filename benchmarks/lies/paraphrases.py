"""Rules that say the same in other words; each returns None if it does not apply."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.lies.vocabulary import (
    ABBREVIATIONS,
    FIRST_NAMES,
    MONTHS,
    NUMBER_WORDS,
    SYNONYMS,
    has_word,
    replace_word,
)

_MONTH = "|".join(MONTHS)
DATE = re.compile(
    rf"\b(?:(?P<m1>{_MONTH}) (?P<d1>\d{{1,2}}), |(?P<d2>\d{{1,2}}) (?P<m2>{_MONTH}) )(?P<y>[12]\d{{3}})\b"
)
NAME = r"[A-Z][\w.’'-]+(?: (?:[A-Z][\w.’'-]*|of|de|van|von|the|and)){0,5}"
_FRONT = re.compile(r"(In|During|On|At|Since|By|From|Until) ([^,]{3,50}), ((?:the|a|an|[A-Z][\w’'-]+) [^,;:]+)\.")
_PASSIVE = re.compile(
    rf"(?P<what>{NAME}) (?P<be>was|were|is|are) (?P<extra>first |originally )?"
    rf"(?P<verb>written|directed|produced|founded|designed|discovered|invented|painted|composed|published|created|"
    rf"acquired|owned|led|developed|released|built|recorded|defeated|succeeded|replaced|conquered|established) "
    rf"by (?P<who>{NAME})(?P<rest>(?: (?:in|on|at|during|for) [^,;]+)?)\."
)
_PAST = {"written": "wrote"}
_PARENTHESIS = re.compile(r" \([^()]*\)")
_CLAUSE = re.compile(r", (?:which|who|whose|where|including|although|while|with|so that|because) [^.]*\.$")
_PERSON = re.compile(r"\b([A-Z][a-z]+) ((?:[A-Z]\. )?)([A-Z][a-z]{2,})\b(?! [A-Z])")
_DEFINED = re.compile(rf"(?P<who>{NAME})(?: \([^()]*\))? (?P<be>is|was) (?P<what>an? [^,;]+)\.")
_BORN = re.compile(rf"(?P<who>{NAME}) \((?:born )?(?P<born>{DATE.pattern})\)")
_COUNT = re.compile(rf"\b({'|'.join(NUMBER_WORDS)}) (?=[a-z]+s\b)")

Paraphrase = Callable[[str, random.Random], str | None]


def by_synonyms(text: str, _: random.Random) -> str | None:
    """Replace words by synonyms, at least one."""
    changed = text
    for word, other in SYNONYMS.items():
        if has_word(changed, word):
            changed = replace_word(changed, word, other)
    return changed if changed != text else None


def by_reordering(text: str, _: random.Random) -> str | None:
    """Move a leading phrase of time or place to the end."""
    match = _FRONT.fullmatch(text)
    if not match or re.search(r"\band\b|\bbut\b|\bthat\b|\bwhich\b|\bwhen\b", match[3]):
        return None
    rest = match[3]
    return f"{rest[0].upper()}{rest[1:]} {match[1].lower()} {match[2]}."


def by_active_voice(text: str, _: random.Random) -> str | None:
    """Turn “X was written by Y” into “Y wrote X”."""
    match = _PASSIVE.fullmatch(text)
    if not match or match["be"] in ("is", "are") or match["extra"]:
        return None
    verb = _PAST.get(match["verb"], match["verb"])
    return f"{match['who']} {verb} {match['what']}{match['rest']}."


def by_shortening(text: str, _: random.Random) -> str | None:
    """Leave out parentheses and a final subordinate clause."""
    changed = _CLAUSE.sub(".", _PARENTHESIS.sub("", text))
    return changed if changed != text and len(changed.split()) >= 6 else None


def by_surname(text: str, _: random.Random) -> str | None:
    """Drop the first names of people."""
    changed = _PERSON.sub(lambda match: match[3] if match[1] in FIRST_NAMES else match[0], text)
    return changed if changed != text else None


def by_abbreviation(text: str, _: random.Random) -> str | None:
    """Abbreviate well-known names and units."""
    changed = text
    for word, short in ABBREVIATIONS.items():
        if word in MONTHS and not re.search(rf"\b{word} \d", changed):
            continue
        if word == "million" and not re.search(r"[$€£][\d.,]+ million", changed):
            continue
        if word in ("Saint", "General", "Doctor", "Professor") and not re.search(rf"\b{word} [A-Z]", changed):
            continue
        changed = replace_word(changed, word, short)
    return changed if changed != text else None


def by_date_format(text: str, chance: random.Random) -> str | None:
    """Write dates in another usual order."""
    form = chance.randrange(3)

    def other(match: re.Match[str]) -> str:
        month, day, year = match["m1"] or match["m2"], int(match["d1"] or match["d2"]), match["y"]
        if form == 0:
            return f"{year}-{MONTHS.index(month) + 1:02}-{day:02}"
        if form == 1:
            return f"{day} {month[:3]}. {year}" if month != "May" else f"{day} {month} {year}"
        return f"{day} {month} {year}" if match["m1"] else f"{month} {day}, {year}"

    changed = DATE.sub(other, text)
    return changed if changed != text else None


def by_number_words(text: str, _: random.Random) -> str | None:
    """Write small counts in digits."""
    changed = _COUNT.sub(lambda match: f"{NUMBER_WORDS[match[1]]} ", text)
    return changed if changed != text else None


def by_definition(text: str, _: random.Random) -> str | None:
    """Turn “X is a Y” into “The documents describe X as a Y”."""
    match = _DEFINED.fullmatch(text)
    if not match or re.search(r"\b(?:and|but|that|which|who|because|if)\b", match["what"]):
        return None
    return f"The documents describe {match['who']} as {match['what']}."


@dataclass(frozen=True, slots=True)
class Birth:
    """A person with the date of birth in a sentence."""

    who: str
    day: int
    month: int
    year: int


def birth_in(text: str) -> Birth | None:
    """Return the person whose date of birth a sentence gives in brackets."""
    match = _BORN.match(text)
    if not match:
        return None
    month = match["m1"] or match["m2"]
    return Birth(match["who"], int(match["d1"] or match["d2"]), MONTHS.index(month) + 1, int(match["y"]))


SAME_NAMES: tuple[Paraphrase, ...] = (by_surname, by_abbreviation)
OTHER_WORDS: tuple[Paraphrase, ...] = (by_active_voice, by_reordering, by_definition, by_synonyms, by_shortening)
OTHER_FORMS: tuple[Paraphrase, ...] = (by_date_format, by_number_words)


def paraphrased(text: str, rules: tuple[Paraphrase, ...], chance: random.Random) -> str | None:
    """Apply every rule that fits, one after the other; None if none does."""
    changed = text
    for rule in rules:
        changed = rule(changed, chance) or changed
    return changed if changed != text else None
