"""Units and scale words after or before a number, with the factors between units of one kind."""

import re
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class MeasureUnit:
    """A kind of quantity, and the factor to its base unit; only units of one kind can be compared."""

    kind: str
    factor: Decimal = Decimal(1)


def _german(stem: str) -> str:
    """Return the forms of a German adjective of time: “jährig” of “dreijährig”."""
    return " ".join(f"{stem}ig{ending}" for ending in ("", "e", "em", "en", "er", "es"))


def _kind(kind: str, spellings: dict[str, str]) -> dict[str, tuple[MeasureUnit, ...]]:
    return {
        word: (MeasureUnit(kind, Decimal(factor)),) for factor, words in spellings.items() for word in words.split()
    }


_SAME = {
    "EUR": "€ eur euro euros 欧元",
    "USD": "us$ $ usd dollar dollars dólar dólares 美元",
    "GBP": "£ gbp pfund 英镑",
    "CHF": "chf sfr franken francs",
    "INR": "₹ inr rupee rupees rs",
    "JPY": "jpy yen 日元 円",
    "CNY": "cny rmb yuan 元 人民币",
    "NOK": "nok",
    "SEK": "sek",
    "DKK": "dkk",
    "PLN": "pln złoty zloty",
    "CZK": "czk",
    "AUD": "aud",
    "CAD": "cad",
    "%": "% percent pct prozent pourcent percentage",
    "‰": "‰",
    "people": "people persons person personen leute personnes personas employees staff mitarbeiter mitarbeitende "
    "mitarbeitern employés empleados",
}
_DAY = 86_400
_DEGREES = (MeasureUnit("°C"), MeasureUnit("°F"), MeasureUnit("°"))
UNITS: dict[str, tuple[MeasureUnit, ...]] = {
    **dict.fromkeys(("°", "degrees", "degree", "grad", "degrés", "grados"), _DEGREES),
    "°c": _DEGREES[:1],
    "°f": _DEGREES[1:2],
    **{word: (MeasureUnit(kind),) for kind, words in _SAME.items() for word in words.split()},
    **_kind("points", {"1": "pp ppt ppts prozentpunkt prozentpunkte prozentpunkten", "0.01": "bp bps basispunkte"}),
    **_kind(
        "months",
        {
            "1": f"month months monat monate monaten monats mois mes meses {_german('monat')}",
            "3": "quarters quartale trimestres",
            "12": f"year years yr yrs jahr jahre jahren jahres ans année années año años {_german('jähr')}",
            "120": "decade decades jahrzehnt jahrzehnte jahrzehnten décennies décadas",
            "1200": "century centuries jahrhundert jahrhunderte siècles siglos",
        },
    ),
    **_kind(
        "seconds",
        {
            "0.001": "ms millisecond milliseconds",
            "1": "sec secs seconds sekunde sekunden secondes segundos",
            "60": f"min mins minute minutes minuten minutos {_german('minüt')}",
            "3600": f"h hr hrs hour hours stunde stunden std heure heures hora horas {_german('stünd')}",
            str(_DAY): f"day days tag tage tagen jour jours día días {_german('täg')}",
            str(7 * _DAY): f"week weeks woche wochen semaine semaines semana semanas {_german('wöch')}",
        },
    ),
    **_kind(
        "metres",
        {
            "0.000001": "µm",
            "0.001": "mm millimetre millimetres millimeter millimeters",
            "0.01": "cm centimetre centimetres centimeter centimeters zentimeter",
            "1": "metre metres meter meters metern mètre mètres metro metros",
            "1000": "km kilometre kilometres kilometer kilometers kilometern kilomètres kilómetros",
            "0.3048": "ft foot feet",
            "0.0254": "inch inches zoll",
            "1609.344": "mile miles meilen",
        },
    ),
    **_kind(
        "grams",
        {
            "0.001": "mg",
            "1": "g gram grams gramm grammes gramos",
            "1000": "kg kilogram kilograms kilogramm kilo kilos",
            "1000000": "t tonne tonnes tonnen toneladas",
            "1000000000": "kilotonne kilotonnes",
            "1000000000000": "megatonne megatonnes",
            "453.59237": "lb lbs",
        },
    ),
    **_kind(
        "litres",
        {
            "0.001": "ml",
            "0.01": "cl",
            "0.1": "dl",
            "1": "l litre litres liter liters litern litros",
            "100": "hl hectolitre hectolitres hektoliter",
            "3.785411784": "gallon gallons gal",
            "158.987294928": "bbl",
        },
    ),
    **_kind(
        "bytes",
        {
            "1000": "kb",
            "1000000": "mb megabyte megabytes",
            "1000000000": "gb gigabyte gigabytes",
            "1000000000000": "tb terabyte terabytes",
        },
    ),
    **_kind(
        "watts",
        {
            "1": "w watt watts",
            "1000": "kw kilowatt kilowatts",
            "1000000": "mw megawatt megawatts",
            "1000000000": "gw gigawatt gigawatts",
        },
    ),
    **_kind("watt hours", {"1000": "kwh kilowattstunden", "1000000": "mwh megawattstunden", "1000000000": "gwh"}),
    **_kind("volts", {"1": "v volt volts", "1000": "kv"}),
    **_kind("hertz", {"1": "hz", "1000": "khz", "1000000": "mhz", "1000000000": "ghz"}),
    **_kind(
        "square metres",
        {
            "0.09290304": "sqft",
            "1": "m2 sqm qm",
            "4046.8564224": "acre acres",
            "10000": "ha hectare hectares hektar",
            "1000000": "km2",
            "2589988.110336": "sq_mi",
        },
    ),
    **_kind("km/h", {"1": "km/h kmh", "1.609344": "mph", "3.6": "m/s"}),
    "¥": (MeasureUnit("JPY"), MeasureUnit("CNY")),
    **dict.fromkeys(("kr", "kroner", "kronor", "kronen"), (MeasureUnit("NOK"), MeasureUnit("SEK"), MeasureUnit("DKK"))),
    "pound": (MeasureUnit("GBP"), MeasureUnit("grams", Decimal("453.59237"))),
    "pounds": (MeasureUnit("GBP"), MeasureUnit("grams", Decimal("453.59237"))),
    "cent": (MeasureUnit("USD", Decimal("0.01")), MeasureUnit("EUR", Decimal("0.01"))),
    "cents": (MeasureUnit("USD", Decimal("0.01")), MeasureUnit("EUR", Decimal("0.01"))),
    "ton": (MeasureUnit("grams", Decimal(10**6)), MeasureUnit("grams", Decimal("907184.74"))),
    "tons": (MeasureUnit("grams", Decimal(10**6)), MeasureUnit("grams", Decimal("907184.74"))),
}
LONG_UNITS = {
    "° c": "°c",
    "° f": "°f",
    "°c": "°c",
    "°f": "°f",
    "degrees celsius": "°c",
    "degrees fahrenheit": "°f",
    "grad celsius": "°c",
    "grad fahrenheit": "°f",
    "degrés celsius": "°c",
    "grados celsius": "°c",
    "per cent": "%",
    "pour cent": "%",
    "por ciento": "%",
    "percentage point": "pp",
    "percentage points": "pp",
    "percent points": "pp",
    "points de pourcentage": "pp",
    "puntos porcentuales": "pp",
    "basis point": "bp",
    "basis points": "bp",
    "kilowatt hours": "kwh",
    "megawatt hours": "mwh",
    "square feet": "sqft",
    "square foot": "sqft",
    "sq ft": "sqft",
    "square metres": "m2",
    "square meters": "m2",
    "square kilometres": "km2",
    "square kilometers": "km2",
    "sq mi": "sq_mi",
    **dict.fromkeys(("kilometres per hour", "kilometers per hour", "km per hour", "kilometer pro stunde"), "km/h"),
    **dict.fromkeys(("metres per second", "meters per second", "m per second", "meter pro sekunde"), "m/s"),
    "miles per hour": "mph",
    "square miles": "sq_mi",
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
SCALES: dict[str, tuple[int, ...]] = {
    **{word: (scale,) for scale, words in _SCALE_WORDS.items() for word in words.split()},
}
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
            found.add(_SHORT[match["short"].lower()] if match["short"] else SCALES[match["name"].lower()][0])
    return frozenset(found - {10**2})
