"""Finds spelled-out numbers and fractions: “twenty-five thousand”, “zweieinhalb”, “two thirds”, “one in four”.

English, German, French, Spanish and Chinese. Words for millions and more are scales of the number before them
(`text.units`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_GERMAN = (
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn"
)
_FRENCH = (
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit "
    "dix-neuf"
)
_SPANISH = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
    "veintiocho veintinueve"
)
_TENS = (
    "twenty thirty forty fifty sixty seventy eighty ninety",
    "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "vingt trente quarante cinquante soixante septante octante nonante",
    "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
)
_SPANISH_HUNDREDS = (
    "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"
)
_ENGLISH_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
_GERMAN_ORDINALS = "erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft"
_OTHER = {"ein": 1, "eine": 1, "einem": 1, "einen": 1, "einer": 1, "une": 1, "una": 1, "twice": 2, "double": 2}
_OTHER |= {"triple": 3, "dozen": 12, "dutzend": 12, "thirtieth": 30, "huitante": 80, "veintiún": 21, "veintiuna": 21}
_HUNDREDS = {"hundred": 100, "hundreds": 100, "hundert": 100, "cent": 100, "cents": 100, "cien": 100}
_THOUSANDS = {"thousand": 1000, "tausend": 1000, "mille": 1000, "mil": 1000}
_HALVES = {
    "zweieinhalb": 2,
    "dreieinhalb": 3,
    "viereinhalb": 4,
    "fünfeinhalb": 5,
    "sechseinhalb": 6,
    "siebeneinhalb": 7,
}
_HALVES |= {"anderthalb": 1, "eineinhalb": 1, "achteinhalb": 8, "neuneinhalb": 9, "zehneinhalb": 10}
_PARTS = {
    2: "half halves hälfte moitié mitad medio",
    3: "third thirds drittel tiers tercio tercios",
    4: "quarter quarters viertel quart quarts cuarto cuartos",
    5: "fifth fifths fünftel cinquième cinquièmes quinto quintos",
    6: "sixth sixths sechstel sixième sixièmes sexto sextos",
    8: "eighth eighths achtel huitième huitièmes octavo octavos",
    10: "tenth tenths zehntel dixième dixièmes décimo décimos",
}
_DENOMINATORS = {name: number for number, names in _PARTS.items() for name in names.split()}
_WHOLE_PARTS = frozenset(["hälfte", "moitié", "mitad"])
_END_OF = re.compile(r"\b(?:end|beginning|start|close) of $", re.IGNORECASE)
_PLURAL = re.compile(r"(?:halves|thirds|quarters|(?:fif|six|eigh|ten)ths|.*tel|tiers|quarts|cuartos|tercios)$")
_DIGIT_BEFORE = re.compile(r"\d\s$")
_AND_A_HALF = re.compile(r"(?:\s+(?:and a half|et demie?|y medi[oa])\b)|[\s-]a-half\b|-and-a-half\b", re.IGNORECASE)
_OF = re.compile(r"\s+(?:of|von|de|des|der|du|d['’])|\s*(?:[.,;:!?)]|$)", re.IGNORECASE)
_HALF_OF = re.compile(r"\s+(?:of|the|a|an|its|their|his|her|our|all)\b", re.IGNORECASE)
_IN = re.compile(r"\s+(?:in|out of|von|sur|de cada)\s+(?=[^\W_])", re.IGNORECASE)
_ENGLISH_ONCE = re.compile(  # the Spanish eleven otherwise
    r"\bonce (?:the|an?|s?he|it|they|we|you|I|this|these|her|his|their|your|our|in|per|for|every|more|again|all|by|on|"
    r"at|with)\b|"
    r"\b(?:at|than|only|just|was|were|had|have|been) once\b",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_HYPHEN = re.compile("-")
_MEASURED = re.compile(r"(?P<number>[a-zäöüß]+?)-?(?:jähr|monat|wöch|täg|stünd|minüt)ig(?:e[mnrs]?)?")
_GAP = re.compile(r"[\s-]+")
_LINKS = frozenset(["and", "und", "et", "y"])
_COLLECTIVE = frozenset(["hundred", "thousand", "dozen"])
_ALONE = frozenset(["hundert", "cien", "cent", "tausend", "mille", "mil"])  # without a number before

_CHINESE_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
}
_CHINESE_PLACES = {"十": 10, "百": 100, "千": 1000}
# Not “第三天” and “星期三”; months and days of a date are read elsewhere.
_CHINESE_COUNTED = re.compile(
    r"(?<![第周期月〇零一二两兩三四五六七八九十百千\d])(?P<number>[零一二两兩三四五六七八九十百千]+)"
    r"(?=个(?!别)|天|日(?!元)|年|周(?![一二三四五六日])|小时|分钟|秒|岁|[名位人](?!民)|票|次|条|份|倍|台|辆|间|家|米|公里|公斤|吨|[万亿元%])"
)


@dataclass(frozen=True, slots=True)
class SpelledNumber:
    """A number in words at its position; a fraction also has its numerator and denominator."""

    start: int
    end: int
    value: Decimal
    fraction: tuple[int, int] | None = None
    ordinal: bool = False


@cache
def _ordinals() -> dict[str, int]:
    table = {word: number for number, word in enumerate(_ENGLISH_ORDINALS.split(), 1)}
    for number, word in enumerate(_GERMAN_ORDINALS.split(), 1):
        table |= {f"{word}e{ending}": number for ending in ("", "r", "s", "n", "m")}
    table |= dict.fromkeys(["premier", "première", "primer", "primera", "primero"], 1)
    table |= dict.fromkeys(["deuxième", "segundo", "segunda"], 2)
    table |= dict.fromkeys(["troisième", "tercer", "tercera", "tercero"], 3)
    return table | dict.fromkeys(["quatrième", "cuarto", "cuarta"], 4)


@cache
def _below_hundred() -> dict[str, int]:
    table = dict(_OTHER)
    for words in (_ENGLISH, _GERMAN, _FRENCH, _SPANISH):
        table |= {word: number for number, word in enumerate(words.split()) if word not in table}
    for words in _TENS:
        table |= {word: 10 * number for number, word in enumerate(words.split(), 2)}
    units = {**dict(zip(_GERMAN.split()[1:10], range(1, 10), strict=True)), "ein": 1}
    for number, ten in enumerate(_TENS[1].split(), 2):
        table |= {f"{unit}und{ten}": 10 * number + value for unit, value in units.items()}
    french = _FRENCH.split()
    table |= {f"soixante-{word}": 60 + number for number, word in enumerate(french) if number >= 10}
    table |= {f"quatre-vingt-{word}": 80 + number for number, word in enumerate(french) if number}
    table |= {"quatre-vingt": 80, "quatre-vingts": 80}
    for language, ones in ((0, _ENGLISH), (2, _FRENCH)):
        for number, ten in enumerate(_TENS[language].split(), 2):
            table |= {f"{ten}-{unit}": 10 * number + n for n, unit in enumerate(ones.split()[1:10], 1)}
            table[f"{ten}-et-un"] = 10 * number + 1
    return table


@cache
def _hundreds_table() -> dict[str, int]:
    spanish = _SPANISH_HUNDREDS.split()
    table = {word: 100 * number for number, word in enumerate(spanish, 1)}
    return table | {f"{word[:-1]}as"[: len(word)]: 100 * number for number, word in enumerate(spanish[1:], 2)}


@cache
def _german(word: str) -> int | None:
    """Return the number of a German compound: dreihundertfünfzig."""
    if word in _below_hundred():
        return _below_hundred()[word]
    for mark, factor in (("tausend", 1000), ("hundert", 100)):
        before, found, after = word.partition(mark)
        if found:
            high = _german(before) if before else 1
            low = _german(after.removeprefix("und")) if after else 0
            return None if high is None or low is None or high >= 1000 or low >= factor else high * factor + low
    return None


def _small(word: str) -> int | None:
    """Return the number of one word below a million, other than plain “hundred” and “thousand”."""
    if word in _HUNDREDS or word in _THOUSANDS:
        return None
    if (number := _below_hundred().get(word)) is not None:
        return number
    if (number := _hundreds_table().get(word)) is not None:
        return number
    return _german(word) if "hundert" in word or "tausend" in word else None


def spelled_numbers(text: str) -> list[SpelledNumber]:
    """Return the spelled-out numbers and fractions in `text`, in order."""
    masked = _ENGLISH_ONCE.sub(lambda match: re.sub("once", "    ", match[0], flags=re.IGNORECASE), text)
    words = [part for word in _SPLIT.finditer(masked) for part in _parts(masked, word)]
    found: list[SpelledNumber] = []
    index = 0
    while index < len(words):
        if not _may_begin(words[index][0].lower()):
            index += 1
            continue
        taken = _fraction(text, words, index) or _cardinal(text, words, index)
        if taken:
            number, index = taken
            found.append(number)
            continue
        folded = words[index][0].lower()
        if folded in _ordinals():
            span = words[index].span()
            found.append(SpelledNumber(*span, Decimal(_ordinals()[folded]), ordinal=True))
        index += 1
    return found


def _parts(text: str, word: re.Match[str]) -> tuple[re.Match[str], ...]:
    """Return a word, or the number and the rest of a compound with one: “three-year”, “dreijährig”."""
    folded = word[0].lower()
    ends = [match.start() for match in _HYPHEN.finditer(folded)][::-1]
    if (measured := _MEASURED.fullmatch(folded)) is not None:
        ends.append(measured.end("number"))
    if not ends or _small(folded) is not None or folded in _THOUSANDS:
        return (word,)
    for end in ends:
        number, rest = _small(folded[:end]), re.split("[-’']", folded[end:].lstrip("-"))[0]
        if (
            number
            and number > 1
            and rest not in _beginnings()
            and rest not in _DENOMINATORS
            and rest not in ("a", "et")
        ):
            cut = word.start() + end
            parts = _SPLIT.match(text, word.start(), cut), _SPLIT.search(text, cut, word.end())
            return tuple(filter(None, parts))
    return (word,)


@cache
def _beginnings() -> frozenset[str]:
    tables = (_below_hundred(), _hundreds_table(), _HUNDREDS, _THOUSANDS, _HALVES, _ordinals())
    return frozenset({"a", "an", "half", *_WHOLE_PARTS}.union(*tables))


def _may_begin(word: str) -> bool:
    """Return whether a number or fraction may begin with this word."""
    return word in _beginnings() or "-" in word or "tausend" in word or "hundert" in word


def _cardinal(text: str, words: list[re.Match[str]], index: int) -> tuple[SpelledNumber, int] | None:
    """Return the longest number that begins with this word, and the index after it."""
    start, folded = words[index].start(), words[index][0].lower()
    if folded in _HALVES:
        return SpelledNumber(start, words[index].end(), Decimal(_HALVES[folded]) + Decimal("0.5")), index + 1
    if folded in ("a", "an") and index + 1 < len(words) and words[index + 1][0].lower() in _COLLECTIVE:
        return _collect(text, words, index + 1, start, 1)
    return _collect(text, words, index, start, None)


def _collect(
    text: str, words: list[re.Match[str]], index: int, start: int, group: int | None
) -> tuple[SpelledNumber, int] | None:
    """Return the number made of the words from `index` on, where `group` is the count of a collective so far."""
    first, total, last, end = index, 0, 1 if group else 1_000_000, start
    while index < len(words):
        at = index
        linked = index > first and words[index][0].lower() in _LINKS and index + 1 < len(words)
        at += linked
        word = words[at][0].lower()
        if index > first and not _GAP.fullmatch(text[end : words[index].start()]):
            break
        count = 1 if group is None else group
        if word == "cent" and _DIGIT_BEFORE.search(text[: words[at].start()][-2:]):  # 15 Cent
            break
        hundreds = word in _HUNDREDS and count < 100 and not linked and (group != 1 or word != "cent")
        if hundreds and (group is not None or word in _ALONE):
            group, last = count * 100, 100
        elif word in _THOUSANDS and not total and not linked and (group is not None or word in _ALONE):
            total, group, last = count * 1000, None, 1000
        elif (number := _small(word)) is not None and _fits(number, group, last, linked=linked):
            group, last = (group or 0) + number, _last_digit(number)
        else:
            break
        index, end = at + 1, words[at].end()
    if index == first:
        return None
    value = Decimal(total + (group or 0))
    if half := _AND_A_HALF.match(text, end):
        value, end = value + Decimal("0.5"), half.end()
        while index < len(words) and words[index].start() < end:
            index += 1
    return SpelledNumber(start, end, value), index


def _fits(number: int, group: int | None, last: int, *, linked: bool) -> bool:
    """Return whether a number continues the group: five after twenty, but not five after six."""
    if group is None:
        return last >= 1000
    if last == 100:
        return number < 100
    return last == 10 and (number < 10 or (linked and number == 11))


def _last_digit(number: int) -> int:
    return 100 if number % 100 == 0 and number else 10 if number % 10 == 0 and number >= 20 else 1


def _fraction(text: str, words: list[re.Match[str]], index: int) -> tuple[SpelledNumber, int] | None:
    """Return a fraction that begins with this word: two thirds, half of, one in four."""
    first = words[index]
    folded = first[0].lower()
    if folded in _WHOLE_PARTS or (folded == "half" and _HALF_OF.match(text, first.end())):
        return SpelledNumber(*first.span(), Decimal("0.5"), (1, 2)), index + 1
    upper, _, lower = folded.partition("-")
    if lower in _DENOMINATORS and (above := _numerator(upper)):
        return _divided(first.start(), first.end(), above, _DENOMINATORS[lower]), index + 1
    above = _numerator(folded)
    if above is None or index + 1 == len(words):
        return None
    second = words[index + 1]
    below = _DENOMINATORS.get(second[0].lower())
    gap = text[first.end() : second.start()]
    if _END_OF.search(text, 0, first.start()):  # “at the end of a quarter”
        return None
    if below and gap.isspace() and (_PLURAL.match(second[0].lower()) or _OF.match(text, second.end())):
        return _divided(first.start(), second.end(), above, below), index + 2
    if folded in ("a", "an", "un", "une"):
        return None
    linked = _IN.match(text, first.end())
    if linked and above == 1 and (word := _SPLIT.match(text, linked.end())):
        below = _numerator(word[0].lower())
        if below and below > above:
            after = next((i for i in range(index, len(words)) if words[i].start() >= word.end()), len(words))
            return _divided(first.start(), word.end(), above, below), after
    return None


def _numerator(word: str) -> int | None:
    number = 1 if word in ("a", "an", "un", "ein") else _below_hundred().get(word)
    return number if number and number <= 20 else None


def _divided(start: int, end: int, above: int, below: int) -> SpelledNumber:
    return SpelledNumber(start, end, Decimal(above) / Decimal(below), (above, below))


def chinese_numbers(text: str) -> Iterator[SpelledNumber]:
    """Yield the numbers in Chinese characters, from two on, that count something: 三十天, 一百二十名."""
    for match in () if text.isascii() else _CHINESE_COUNTED.finditer(text):
        value = _chinese_value(match["number"])
        if value is not None and value > 1:
            yield SpelledNumber(*match.span("number"), Decimal(value))


def _chinese_value(number: str) -> int | None:
    """Return the value of 三十五; None of characters in another order, such as the year 二三."""
    total, digit = 0, None
    last = 10_000
    for character in number:
        if (place := _CHINESE_PLACES.get(character)) is not None:
            if place >= last:
                return None
            total, digit, last = total + (1 if digit is None else digit) * place, None, place
        elif digit:
            return None
        else:
            digit = _CHINESE_DIGITS[character]
    return total + (digit or 0)
