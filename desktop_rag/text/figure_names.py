"""Names with digits, which are compared as names and never as numbers: SST-2, 10-K, section 4.2, version 3.11, phones.

Quarters, halves of years and decades are read here too.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

# Units and scale words after or before a number, with the factors between units of one kind.


@dataclass(frozen=True, slots=True)
class MeasureUnit:
    """A kind of quantity, and the factor to its base unit; only units of one kind can be compared."""

    kind: str
    factor: Decimal = Decimal(1)


_UNITS = """
EUR | 1 | € eur euro euros 欧元
EUR | 0.01 | cent cents
USD | 1 | us$ $ usd dollar dollars dólar dólares 美元
USD | 0.01 | cent cents
GBP | 1 | £ gbp pfund pound pounds 英镑
CHF | 1 | chf sfr franken francs
INR | 1 | ₹ inr rupee rupees rs
JPY | 1 | ¥ jpy yen 日元 円
CNY | 1 | ¥ cny rmb yuan 元 人民币
NOK | 1 | nok kr kroner
SEK | 1 | sek kr kronor
DKK | 1 | dkk kr kroner
PLN | 1 | pln złoty zloty
CZK | 1 | czk
AUD | 1 | aud
CAD | 1 | cad
% | 1 | % percent pct prozent pourcent percentage
points | 1 | pp ppt ppts prozentpunkt prozentpunkte prozentpunkten
points | 0.01 | bp bps basispunkte
people | 1 | people persons person personen leute personnes personas employees staff mitarbeiter mitarbeitende empleados
months | 1 | month months monat monate monaten monats mois mes meses monatig
months | 3 | quarters quartale trimestres
months | 12 | year years yr yrs jahr jahre jahren jahres ans année années año años jährig
months | 120 | decade decades jahrzehnt jahrzehnte jahrzehnten décennies décadas
months | 1200 | century centuries jahrhundert jahrhunderte siècles siglos
seconds | 1 | sec secs seconds sekunde sekunden secondes segundos
seconds | 60 | min mins minute minutes minuten minutos minütig
seconds | 3600 | h hr hrs hour hours stunde stunden std heure heures hora horas stündig
seconds | 86400 | day days tag tage tagen jour jours día días tägig
seconds | 604800 | week weeks woche wochen semaine semaines semana semanas wöchig
metres | 0.001 | mm millimetre millimetres millimeter millimeters
metres | 0.01 | cm centimetre centimetres centimeter centimeters zentimeter
metres | 1 | metre metres meter meters metern mètre mètres metro metros
metres | 0.3048 | ft foot feet
metres | 1609.344 | mile miles
metres | 1000 | km kilometre kilometres kilometer kilometers kilometern kilomètres kilómetros
grams | 0.001 | mg
grams | 1 | g gram grams gramm grammes gramos
grams | 1000 | kg kilogram kilograms kilogramm kilo kilos
grams | 1000000 | t tonne tonnes tonnen toneladas
litres | 0.001 | ml
litres | 1 | l litre litres liter liters litern litros
square metres | 1 | m2 sqm qm
square metres | 10000 | ha hectare hectares hektar
square metres | 1000000 | km2
"""
_ENDINGS = ("", "e", "em", "en", "er", "es")  # of dreijährig


def _read(table: str) -> dict[str, tuple[MeasureUnit, ...]]:
    units: dict[str, tuple[MeasureUnit, ...]] = {}
    for kind, factor, words in (line.split(" | ") for line in table.strip().split("\n")):
        for word in words.split():
            for form in (word + ending for ending in (_ENDINGS if word.endswith("ig") else ("",))):
                units[form] = (*units.get(form, ()), MeasureUnit(kind, Decimal(factor)))
    return units


UNITS = _read(_UNITS)
LONG_UNITS = {
    **dict.fromkeys(("per cent", "pour cent", "por ciento"), "%"),
    **dict.fromkeys(("percentage point", "percentage points", "percent points", "points de pourcentage"), "pp"),
    **dict.fromkeys(("basis point", "basis points"), "bp"),
    **dict.fromkeys(("square metres", "square meters"), "m2"),
    **dict.fromkeys(("square kilometres", "square kilometers"), "km2"),
}
CJK = "美元|欧元|英镑|日元|人民币|[万萬亿億円元]"  # written without spaces
CURRENCIES = frozenset(
    ("EUR", "USD", "GBP", "CHF", "INR", "JPY", "CNY", "NOK", "SEK", "DKK", "PLN", "CZK", "AUD", "CAD")
)

_SCALE_WORDS = {
    10**2: "hundred hundert cientos",
    10**3: "k thousand thousands tausend tsd thsd mille mil miles",
    10**4: "万 萬",
    10**5: "lakh lakhs lac lacs",
    10**6: "million millions millionen mio mn mln millones millón milioni mill",
    10**7: "crore crores cr",
    10**8: "亿 億",
    10**9: "bn mrd mrds mds milliard milliards milliarde milliarden miliardi billion billions",
    10**12: "billionen billones billón trn tn trillion trillions",
}
SCALES = {word: scale for scale, words in _SCALE_WORDS.items() for word in words.split()}
MONEY_SCALES = {"m": 10**6, "mm": 10**6, "k": 10**3, "t": 10**3, "b": 10**9, "md": 10**9, "tr": 10**12}
JOINED_SCALES = {"K": (10**3,), "M": (10**6,), "B": (10**9,), "T": (10**12,), "MM": (10**6,), "m": (1, 10**6)}

_MONEY = r"(?:(?:us|ca|a|c)?\$|[€£¥₹]|\b(?:eur|usd|gbp|chf|inr|euros?|dollars?|pounds?|rupees|dólares|franken)\b)"
_NAMES = "|".join(sorted((word for word in SCALES if len(word) > 2 and word[0] != "c"), key=len, reverse=True))
_MENTION = re.compile(
    rf"\b(?P<name>{_NAMES}|bn|mn|cr|crores?)\b|(?<=[€£$¥₹])\s?(?P<short>mm?|bn|k)\b|(?P<zeros>(?<![\d.,])['’]?000s?\b)|"
    r"\b(?P<teur>T€|TEUR|TUSD|TCHF)(?!\w)",
    re.IGNORECASE,
)
_BEFORE = re.compile(rf"(?:\b(?:in|en|expressed|stated)|[(\[,;|\t:]|^|{_MONEY})\s*(?:{_MONEY})?\s*$", re.IGNORECASE)
_AFTER = re.compile(
    rf"\.?\s*(?:$|[)\],;:|\t]|(?:(?:of|de)\s|d['’])?\s*(?:u\.?s\.?\s)?\s*(?:{_MONEY}|shares\b|units\b)|except\b|unless\b|(?:19|20)\d\d\b)",
    re.IGNORECASE | re.MULTILINE,
)
_SHORT = {"m": 10**6, "mm": 10**6, "bn": 10**9, "k": 10**3}
_NEAR = 24  # characters before a scale word


def header_scales(text: str) -> frozenset[int]:
    """Return the scales that a text declares for its bare numbers: “(in thousands)”, “Mio. EUR”, “$m”, “£'000”."""
    found: set[int] = set()
    for match in _MENTION.finditer(text):
        line = max(text.rfind("\n", 0, match.start()) + 1, match.start() - _NEAR)
        if match["teur"]:
            found.add(10**3)
        elif not _AFTER.match(text, match.end()) or not _BEFORE.search(text[line : match.start()]):
            continue
        elif match["zeros"]:
            found.add(10**3)
        else:
            found.add(_SHORT[match["short"].lower()] if match["short"] else SCALES[match["name"].lower()])
    return frozenset(found - {10**2})


# Finds numbers and fractions in words: “twenty-five thousand”, “zweieinhalb”, “two thirds”, “one in four”, 三十.
#
# Words for millions and more are scales of the number before them (`text.units`).

_WORDS = """
0 zero null zéro cero
1 one eins ein eine einem einen einer un une uno una ún
2 two zwei deux dos dós twice
3 three drei trois tres trés
4 four vier quatre cuatro
5 five fünf cinq cinco
6 six sechs seis séis
7 seven sieben sept siete
8 eight acht huit ocho
9 nine neun neuf nueve
10 ten zehn dix diez
11 eleven elf onze
12 twelve zwölf douze doce
13 thirteen dreizehn treize trece
14 fourteen vierzehn quatorze catorce
15 fifteen fünfzehn quinze quince
16 sixteen sechzehn seize dieciséis
17 seventeen siebzehn dix-sept diecisiete
18 eighteen achtzehn dix-huit dieciocho
19 nineteen neunzehn dix-neuf diecinueve
20 twenty zwanzig vingt veinte veinti
30 thirty dreißig trente treinta
40 forty vierzig quarante cuarenta
50 fifty fünfzig cinquante cincuenta
60 sixty sechzig soixante sesenta
70 seventy siebzig septante setenta
80 eighty achtzig quatre-vingts quatre-vingt octante huitante ochenta
90 ninety neunzig nonante noventa
500 quinientos quinientas
700 setecientos setecientas
900 novecientos novecientas
"""
_TIMES = """
12 dozen dutzend
100 hundred hundert cent cents cien ciento cientos cientas
1000 thousand tausend mille mil
"""
_PARTS = """
2 half halves hälfte moitié mitad
3 third thirds drittel tiers tercio tercios
4 quarter quarters viertel quart quarts cuarto cuartos
5 fifth fifths fünftel cinquième cinquièmes quinto quintos
6 sixth sixths sechstel sixième sixièmes sexto sextos
8 eighth eighths achtel huitième huitièmes octavo octavos
10 tenth tenths zehntel dixième dixièmes décimo décimos
"""
_WORD_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte",
)


def _table(text: str) -> dict[str, int]:
    return {word: int(number) for number, *words in map(str.split, text.strip().split("\n")) for word in words}


ORDINALS = {word: number for words in _WORD_ORDINALS for number, word in enumerate(words.split(), 1)}
_ONES, _MULTIPLIERS, _DENOMINATORS = _table(_WORDS), _table(_TIMES), _table(_PARTS)
_HALF = Decimal("0.5")
_FRENCH_TENS = (60, 80)  # before ten to nineteen: soixante-dix
_DIGIT_BEFORE = re.compile(r"\d\s?$")


def _any(words: Iterator[str] | list[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_NUMBER = _any([*_ONES, *_MULTIPLIERS])
_ABOVE = _any([word for word, number in _ONES.items() if 0 < number <= 20])  # a fraction's line
_RUN = re.compile(
    rf"(?<![^\W_])(?:an?\s(?=(?:{_any(list(_MULTIPLIERS))})\b))?(?:{_NUMBER}|anderthalb|(?=einhalb))"
    rf"(?:(?:[\s-]+(?:(?:and|und|et|y)[\s-]+)?|und)?(?:{_NUMBER}))*"
    r"(?P<half>einhalb|(?:\s+and|-and)?[\s-]a[\s-]half|\set\sdemie?|\sy\smedi[oa])?"
    r"(?![^\W_])|(?<![^\W_])(?:" + _NUMBER + r")(?=(?:jähr|monat|wöch|täg|stünd|minüt)ig)",
    re.IGNORECASE,
)
_WORD_TOKEN = re.compile(rf"(?P<gap>[\s-]+(?:(?:and|und|et|y)[\s-]+)?|und|)(?P<word>{_NUMBER})", re.IGNORECASE)
_ORDINAL = re.compile(rf"(?<![^\W_])(?P<word>{_any(list(ORDINALS))})[nrsm]?(?![^\W_])", re.IGNORECASE)
_FRACTION = re.compile(
    rf"(?<!end of )(?<!and )(?<![^\W_])(?:(?P<above>an?|{_ABOVE})[\s-]"
    rf"(?P<below>{_any(list(_DENOMINATORS))})(?![^\W_])|hälfte\b|moitié\b|mitad\b|"
    r"half(?:\san?\b|(?=\s(?:of|the|its|their|his|her|our|all)\b))|"
    rf"(?:one|eine?[rms]?|une?|una)\s(?:in|out\sof|von|sur|de\scada)\s(?P<among>{_any(list(_ONES))})(?![^\W_]))",
    re.IGNORECASE,
)
_OF = re.compile(r"\s+(?:of|von|de|des|der|du|d['’])|\s*(?:[.,;:!?)]|$)", re.IGNORECASE)  # not “a third party”
_CHINESE = re.compile("[零〇一二两兩三四五六七八九十百千]+")


@dataclass(frozen=True, slots=True)
class SpelledNumber:
    """A number in words at its position; a fraction also has its numerator and denominator.

    It is `loose` if it may count nothing, as ordinals and Chinese numerals may.
    """

    start: int
    end: int
    value: Decimal
    fraction: tuple[int, int] | None = None
    loose: bool = False


def spelled_numbers(text: str) -> list[SpelledNumber]:
    """Return the spelled-out numbers and fractions in `text`, in order."""
    found = list(_fractions(text))
    for each in found:
        text = f"{text[: each.start]}{';' * (each.end - each.start)}{text[each.end :]}"
    found += (number for run in _RUN.finditer(text) for number in _cardinals(run))
    found += (
        SpelledNumber(*each.span(), Decimal(ORDINALS[each["word"].lower()]), loose=True)
        for each in _ORDINAL.finditer(text)
    )
    if not text.isascii():
        found += (SpelledNumber(*run.span(), _chinese(run[0]), loose=True) for run in _CHINESE.finditer(text))
    return sorted(found, key=lambda number: number.start)


def _fractions(text: str) -> Iterator[SpelledNumber]:
    for match in _FRACTION.finditer(text):
        above = _ONES.get((match["above"] or "one").lower(), 1)
        name = (match["below"] or "half").lower()
        below = _ONES[match["among"].lower()] if match["among"] else _DENOMINATORS[name]
        many = name.endswith(("s", "tel")) and name not in ("moitié", "mitad")
        if match["below"] and not (many or _OF.match(text, match.end())):
            continue
        if below > above or not match["among"]:
            yield SpelledNumber(*match.span(), Decimal(above) / below, (above, below))


def _cardinals(run: re.Match[str]) -> Iterator[SpelledNumber]:
    """Yield the numbers of a run of number words: neighbours that make no number, as in “six five”, are several."""
    total, group, start, end = 0, None, run.start(), run.start()
    last = run.start("half") if run["half"] else run.end()
    for token in _WORD_TOKEN.finditer(run.string, run.start(), last):
        word, linked = token["word"].lower(), token["gap"].strip().lower()
        if factor := _MULTIPLIERS.get(word):
            if word.startswith("cent") and _DIGIT_BEFORE.search(run.string, 0, token.start("word")):
                return  # 15 Cent
            if factor == 1000:
                total, group = (group or 1) * factor, 0
            else:
                group = (group or 1) * factor
        elif group is None or _fits(_ONES[word], group, linked):
            group = (group or 0) + _ONES[word]
        else:
            yield SpelledNumber(start, end, Decimal(total + group))
            total, group, start = 0, _ONES[word], token.start("word")
        end = token.end()
    if run["half"] or group is None:  # anderthalb
        yield SpelledNumber(start, run.end(), total + (1 if group is None else group) + _HALF)
    else:
        yield SpelledNumber(start, run.end(), Decimal(total + group))


def _fits(number: int, group: int, linked: str) -> bool:
    """Return whether a number continues one: five after twenty, zwanzig after fünfund, but not five after six."""
    tens = group % 100
    if not tens:
        return number < (100 if group else 1000)
    if 0 < tens < 10:
        return linked == "und" and number >= 20 and number % 10 == 0
    return tens % 10 == 0 and tens >= 20 and (0 < number < 10 or (tens in _FRENCH_TENS and number < 20))


def _chinese(numeral: str) -> Decimal:
    """Return the value of 三十五, and of digits in a row, as in 二〇二六."""
    total = digit = 0
    for value in (int(unicodedata.numeric(each)) for each in numeral.replace("两", "兩")):  # Unicode gives 两 no value
        if value >= 10:
            total, digit = total + (digit or 1) * value, 0
        else:
            digit = digit * 10 + value
    return Decimal(total + digit)


_ORDER = "|".join(word for word, number in ORDINALS.items() if number <= 4)
_PERIOD = re.compile(
    r"(?<![A-Za-z])(?P<kind>[QH])\s?(?P<number>[1-4])(?!\d{1,3}(?!\d))(?![^\W\d_])|"
    r"(?<![\w.,])(?P<number2>[1-4])(?P<kind2>[QH])(?!\w)|"
    rf"\b(?P<order>{_ORDER})[nrs]?[ -](?:fiscal[ -])?"
    r"(?P<word>quarters?|half(?=[ -](?:of (?:the (?:fiscal )?year|fiscal|(?:19|20)\d\d)|year|(?:19|20)\d\d))|quartals?|"
    r"halbjahre?s?)\b",
    re.IGNORECASE,
)
_DECADE = re.compile(r"(?<![\w.,])(?P<year>1[0-4]00|(?:1[5-9]|20)\d0)(?:['’]?s|er(?: Jahren?)?)\b")
_SKIPPED = re.compile(
    r"(?<!\w)(?:(?:pages?|pp?\.|seiten?|S\.|páginas?|lines?|zeilen?|lignes?|líneas?)\s?\d+(?:\s?-\s?\d+)?(?![\w%]|[.,]\d)|"
    r"FY\s?['’]?(?=\d{4}))",
    re.IGNORECASE,
)
_FISCAL = re.compile(
    r"\b(?:FY\s?['’]?|fiscal(?: year)? ['’]?)(?P<short>\d\d)(?![\w.,%]\d|\d|\s?%| (?:weeks|days|months))", re.IGNORECASE
)
_SEASON = re.compile(r"(?<![\w.,/-])(?P<year>(?:19|20)\d\d)\s?[/-]\s?(?P<short>\d\d)(?![\w/-]|[.,]\d)")
_LABELS = (
    "sections? sec\\. §{1,2} figures? fig\\. tables? chapters? appendix annex articles? art\\. items? notes? clauses? "
    "paragraphs? paras?\\.? exhibits? schedules? versions? releases? rules? tier type class level grade python java "
    "abschnitt kapitel tabelle abbildung abb\\. anhang artikel absatz abs\\. ziffer chapitre tableau annexe sección "
    "capítulo tabla figura anexo artículo"
)
_LABEL = re.compile(
    rf"(?:(?<!\w)(?:{'|'.join(_LABELS.split())})\s?|(?<!\w)v)(?P<name>\d+(?:\.\d+)*[a-z]?)"
    r"(?![\w%]|[.,]\d|\s?[%€$£]|\s(?:million|billion|thousand|percent|euros?|dollars?|EUR|USD)\b)",
    re.IGNORECASE,
)
_SERIAL = re.compile(
    r"(?<![\w.,/-])(?<!\d )(?:\+\d|\(?0)[\d ()/-]{5,}\d(?![\w.,]\d)|(?<![\w.,-])\d+(?:-\d+){2,}(?![\w-]|[.,]\d)|"
    r"(?<![\w.,])\d+(?:\.\d+){2,}(?!\w|[.,]\d)"
)
_GROUPS = re.compile(r"\d{1,3}(?:\.\d{3})+")
_ALNUM = "[0-9A-Za-z\u00c0-\u052f]"  # of scripts that part words with spaces
_TOKEN = re.compile(rf"(?<!{_ALNUM})(?<![_.-]){_ALNUM}+(?:[-./_+]{_ALNUM}+)*(?!{_ALNUM})")
_DIGITS_FIRST = re.compile(r"\d[\d.,'’]*(?P<hyphen>-?)(?P<letters>[^\W\d_]+)2?(?P<rest>(?:[-/][^\W\d_]+)*)")
_PREFIXED = re.compile(
    r"(?P<prefix>[^\W\d_]+)[.-]?(?P<number>\d[\d.,'’]*)(?P<letters>[^\W\d_]*)(?P<rest>-[^\W\d_]+)*", re.IGNORECASE
)
_PREFIXES = {
    *["mid", "pre", "post", "early", "late", "non", "sub", "under", "over", "no", "nr", "ca", "rs"],
    *(currency.lower() for currency in CURRENCIES),
}
_ORDINALS = frozenset(["st", "nd", "rd", "th", "er", "e", "ème", "x", "d"])
_MIN_WORD = 3  # letters after a hyphen: 12-month, but not 10-K
_SUFFIX = re.compile(r"(?<=\d)(?:s|['’]s)$|(?:-[a-z]{3,})+$")
_HEAD = re.compile(r"^(?:[a-z]{2,}-)+(?=[A-Z])")
_PIECES = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)*")
_PIVOT = 50  # FY49 is 2049, FY50 is 1950

Span = tuple[int, int]


def blanked(text: str, spans: list[Span]) -> str:
    """Return `text` with semicolons in place of the spans; offsets stay."""
    parts, end = [], 0
    for start, after in sorted(spans):
        parts += [text[end:start], ";" * (after - max(start, end))]
        end = max(end, after)
    return "".join((*parts, text[end:]))


def skipped(text: str) -> list[Span]:
    """Return the spans of page and line numbers: they say where a thing is found, nothing about it."""
    return [match.span() for match in _SKIPPED.finditer(text)]


def periods(text: str) -> list[tuple[Span, str, int]]:
    """Return quarters (Q), halves of years (H) and decades (s): kind and number, or the first year."""
    found: list[tuple[Span, str, int]] = []
    for match in _PERIOD.finditer(text):
        if match["order"]:
            kind, number = ("Q" if match["word"][0] in "qQ" else "H"), ORDINALS[match["order"].lower()]
        else:
            kind, number = (match["kind"] or match["kind2"]).upper(), int(match["number"] or match["number2"])
        found.append((match.span(), kind, number))
    found += ((match.span(), "s", int(match["year"])) for match in _DECADE.finditer(text))
    return found


def short_years(text: str) -> list[tuple[Span, tuple[int, ...]]]:
    """Return the years of FY21, and both years of 2020/21 and 2020-21."""
    found: list[tuple[Span, tuple[int, ...]]] = []
    for match in _FISCAL.finditer(text):
        year = int(match["short"])
        found.append((match.span(), (year + (2000 if year < _PIVOT else 1900),)))
    for match in _SEASON.finditer(text):
        year = int(match["year"])
        if int(match["short"]) == (year + 1) % 100:
            found.append((match.span(), (year, year + 1)))
    return found


def names(text: str) -> list[tuple[Span, str]]:
    """Return the names with digits in `text`, with their spans."""
    found = [(match.span("name"), match["name"]) for match in _LABEL.finditer(text)]
    found += ((m.span(), m[0]) for m in _SERIAL.finditer(text) if not _GROUPS.fullmatch(m[0]))
    rest = blanked(text, [span for span, _ in found])
    for match in _TOKEN.finditer(rest):
        token = match[0]
        if (
            any(map(str.isdigit, token))
            and any(map(str.isalpha, token))
            and not _is_number(token)
            and token.casefold() not in UNITS
        ):
            found.append((match.span(), _HEAD.sub("", _SUFFIX.sub("", token)) or token))
    return found


def _is_number(token: str) -> bool:
    """Return whether the letters belong to a number: an ordinal, a scale, a unit, a currency, “12-month”."""
    if match := _DIGITS_FIRST.fullmatch(token):
        letters = match["letters"]
        folded = letters.casefold()
        if match["hyphen"] and (letters.isupper() or len(letters) >= _MIN_WORD):
            return not letters.isupper()
        if match["rest"].startswith("-") and not match["hyphen"] and letters.isupper():
            return False
        known = folded in UNITS or folded in SCALES or letters in JOINED_SCALES or folded in MONEY_SCALES
        return (known and not (letters.isupper() and len(letters) == 1 and letters not in JOINED_SCALES)) or (
            folded in _ORDINALS and letters.islower()
        )
    if match := _PREFIXED.fullmatch(token):
        return match["prefix"].lower() in _PREFIXES
    return bool(re.fullmatch(r"\d[\d.,]*/[^\W\d_]+", token))


@lru_cache(maxsize=512)
def name_pattern(name: str) -> re.Pattern[str]:
    """Return a pattern for a name in any writing: SST-2, SST2 and SST 2 are the same."""
    pieces = _PIECES.findall(name)
    if all(piece[0].isdigit() for piece in pieces):
        body = r"[\s()/.-]*".join(map(re.escape, pieces))
        return re.compile(rf"(?<!\d)(?<!\d[.,]){body}(?!\d|[.,]\d)", re.IGNORECASE)
    body = r"[\s\-_/.+]{0,2}".join(map(re.escape, pieces))
    after = r"|[.,]\d" if pieces[-1][0].isdigit() else ""
    return re.compile(rf"(?<![^\W_])(?<!\d[.,]){body}(?![^\W\d_]{{2}}|[^\W\d_]?\d{after})", re.IGNORECASE)
