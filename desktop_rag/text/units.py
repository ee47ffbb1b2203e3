"""Units and scale words after or before a number, with the factors between units of one kind."""

import re
from dataclasses import dataclass
from decimal import Decimal


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
