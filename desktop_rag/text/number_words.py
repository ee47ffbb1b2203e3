"""Converts spelled-out numbers to digits: “twelve months” contains 12, “dritter Werktag” contains 3."""

import re

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
    "dieciocho diecinueve"
)
_TENS = (
    "twenty thirty forty fifty sixty seventy eighty ninety",
    "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "vingt trente quarante cinquante soixante",
    "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
)
_ENGLISH_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_GERMAN_ORDINALS = "erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft"
_OTHER = {"ein": 1, "eine": 1, "einem": 1, "einen": 1, "einer": 1, "une": 1, "una": 1, "once": 1, "twice": 2}
_OTHER |= {"double": 2, "triple": 3, "dozen": 12, "dutzend": 12, "twentieth": 20, "thirtieth": 30}


def _table() -> dict[str, int]:
    table = dict(_OTHER)
    for words in (_ENGLISH, _GERMAN, _FRENCH, _SPANISH):
        table |= {word: number for number, word in enumerate(words.split()) if word not in table}
    for words in _TENS:
        table |= {word: 10 * number for number, word in enumerate(words.split(), 2)}
    units = {**dict(zip(_GERMAN.split()[1:10], range(1, 10), strict=True)), "ein": 1}
    for number, ten in enumerate(_TENS[1].split(), 2):
        table |= {f"{unit}und{ten}": 10 * number + value for unit, value in units.items()}
    for number, ten in enumerate(_TENS[0].split(), 2):
        table |= {f"{ten}-{unit}": 10 * number + n for n, unit in enumerate(_ENGLISH.split()[1:10], 1)}
    table |= {word: number for number, word in enumerate(_ENGLISH_ORDINALS.split(), 1)}
    for number, word in enumerate(_GERMAN_ORDINALS.split(), 1):
        table |= {f"{word}e{ending}": number for ending in ("", "r", "s", "n", "m")}
    return table


_NUMBERS = _table()
_FEW = {"one", "zero", "null", "double", "triple", "once", "twice", *(word for word, n in _NUMBERS.items() if n == 1)}
_COUNTED = (
    "months? years? weeks? days? hours? minutes? times percent euros? dollars? pounds? people persons employees pages? "
    "metres? meters? kilometres? tonnes? tons? monaten? jahren? wochen? tagen? stunden? minuten? prozent "
    "personen seiten? mois ans années semaines jours heures personnes pages meses años semanas días horas personas"
)
_COUNTS = re.compile(
    rf"\b({'|'.join(sorted(_NUMBERS.keys() - _FEW, key=len, reverse=True))})[\s-](?:full |more |volle[nr]? )?"
    rf"(?:{'|'.join(_COUNTED.split())}|per cent|pour cent|por ciento)\b",
    re.IGNORECASE,
)
_WORDS = re.compile(rf"\b(?:{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})\b", re.IGNORECASE)


def counts(text: str) -> tuple[tuple[str, int], ...]:
    """Return counts in words, such as “two months”, with their number; “the two” is not a count."""
    return tuple((found[0], _NUMBERS[found[1].lower()]) for found in _COUNTS.finditer(text))


def in_digits(text: str) -> str:
    """Return `text` with spelled-out numbers as digits (English, German, French and Spanish)."""
    return _WORDS.sub(lambda word: str(_NUMBERS[word[0].lower()]), text)
