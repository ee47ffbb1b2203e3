"""Words for paraphrases and lies: synonyms, opposites, names, abbreviations, terms of reports in other languages."""

import re
from collections.abc import Mapping

SYNONYMS: Mapping[str, str] = {
    "approximately": "about", "located": "situated", "began": "started", "primarily": "mainly", "large": "big",
    "numerous": "many", "purchased": "bought", "obtain": "get", "obtained": "got",
    "however": "though", "utilize": "use", "utilized": "used", "commenced": "began", "assist": "help",
    "additional": "further", "sufficient": "enough", "essential": "vital", "frequently": "often",
    "constructed": "built", "established": "set up", "demonstrated": "showed", "indicated": "suggested",
    "conducted": "carried out", "performed": "carried out", "significant": "considerable", "various": "different",
    "entire": "whole", "occurred": "took place", "contains": "holds", "consists of": "is made up of",
    "comprises": "is made up of", "due to": "because of", "as a result of": "because of", "in order to": "to",
    "prior to": "before", "known as": "called", "famous": "well-known", "attempted": "tried", "ended": "finished",
    "difficult": "hard", "important": "key", "area": "region", "help": "support",
    "initial": "first", "main": "principal", "currently": "at present", "especially": "particularly",
    "during": "in the course of", "nearly": "almost", "resides": "lives", "resided": "lived",
    "movie": "film", "automobile": "car", "physician": "doctor", "attorney": "lawyer",
    "participants": "people taking part", "investigated": "studied", "examined": "looked at",
    "revealed": "showed", "reduced": "lowered", "enhanced": "improved", "company's": "firm's",
}  # fmt: skip
"""Words that may replace each other in most sentences, in this direction."""

ABBREVIATIONS: Mapping[str, str] = {
    "United States": "U.S.", "United Kingdom": "UK", "European Union": "EU", "United Nations": "UN",
    "World War II": "WWII", "World War I": "WWI", "New York City": "NYC", "percent": "%", "kilometers": "km",
    "kilometres": "km", "million": "m", "Los Angeles": "LA", "Soviet Union": "USSR", "Corporation": "Corp.",
    "Incorporated": "Inc.", "University of California, Los Angeles": "UCLA", "September": "Sept.",
    "December": "Dec.", "November": "Nov.", "October": "Oct.", "January": "Jan.", "February": "Feb.",
    "Saint": "St.", "Doctor": "Dr.", "Professor": "Prof.", "General": "Gen.",
}  # fmt: skip

UNITS: Mapping[str, tuple[str, ...]] = {
    "million": ("billion", "thousand"), "billion": ("million", "trillion"), "thousand": ("million",),
    "percent": ("million", "years"), "%": (" million", " kg"), "km": ("miles", "m"), "miles": ("km",),
    "kilometers": ("miles",), "meters": ("feet", "kilometers"), "feet": ("meters",), "years": ("months", "days"),
    "months": ("years", "weeks"), "days": ("weeks", "hours"), "hours": ("minutes", "days"), "weeks": ("months",),
    "minutes": ("hours",), "kilometres": ("miles",), "metres": ("feet",), "acres": ("hectares",),
    "tons": ("kilograms",),
    "inches": ("centimeters",), "square miles": ("square kilometers",), "square feet": ("square meters",),
}  # fmt: skip
"""Units after a number, and others that make it false."""

MONTHS = tuple(
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)

FIRST_NAMES = frozenset(
    "Adam Albert Alexander Alfred Alice Andrew Anna Anne Anthony Arthur Barbara Benjamin Bernard Bill Bob Brian "  # noqa: SIM905
    "Carl Caroline Catherine Charles Charlie Charlotte Chris Christian Christopher Daniel David Dave Donald Dorothy "
    "Edgar Edmund Edward Edwin Eleanor Elizabeth Emily Emma Eric Ernest Eugene Eva Francis Frank Frederick Gary George "
    "Gerald Grace Greg Hannah Harold Harry Helen Henry Howard Hugh Ian Isaac Isabella Jack Jacob James Jane Jason Jean "
    "Jennifer Jessica Jim Joan Joe John Jonathan Joseph Julia Karl Kate Katherine Kenneth Kevin Larry Laura Lawrence "
    "Leonard Lewis Linda Louis Louise Luke Margaret Maria Marie Mark Martin Mary Matthew Max Michael Mike Nancy "
    "Nicholas Oliver Oscar Patrick Paul Peter Philip Phillip Ralph Raymond Rebecca Richard Robert Roger Ronald Roy "
    "Russell Samuel Sam Sarah Scott Sidney Simon Sophia Stanley Stephen Steve Steven Susan Thomas Tim Timothy "
    "Tom Tony Victor Victoria Vincent Virginia Walter Wayne William Jennie Adriana Jake Wolfgang Yuriko Chae".split()
)

SURNAMES = tuple(
    "Ashdown Birkett Calloway Drummond Eastwick Fairbairn Galbraith Hathersage Ingleby Jessop Kirkbride Lockhart "  # noqa: SIM905
    "Merriweather Nettleton Oakeshott Pemberton Quigley Rothwell Stanhope Thackeray Underhill Venables Wetherby "
    "Yardley Brannigan Castellanos Delacroix Eriksson Fontaine Grunwald".split()
)
"""Names for lies; hardly any document holds them, and each is checked."""

PEOPLE = tuple(
    f"{first} {last}"
    for first, last in zip(
        "Gerald Eleanor Victor Sidney Louise Edwin Nancy Ralph Emily Oscar Hannah Roger Julia Hugh Laura".split(),  # noqa: SIM905
        SURNAMES,
        strict=False,
    )
)

_COUNTRIES = (
    "Afghanistan Algeria Argentina Australia Austria Bangladesh Belgium Bolivia Brazil Bulgaria Canada Chile China "
    "Colombia Cuba Denmark Ecuador Egypt Estonia Ethiopia Finland France Germany Ghana Greece Hungary Iceland India "
    "Indonesia Iran Iraq Ireland Israel Italy Jamaica Japan Kenya Malaysia Mexico Morocco Nepal Nigeria Norway "
    "Pakistan Peru Philippines Poland Portugal Russia Serbia Spain Sweden Switzerland Syria Taiwan Thailand Tunisia "
    "Turkey Uganda Ukraine Vietnam"
)
_STATES = (
    "Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Hawaii Idaho Illinois Indiana "
    "Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana "
    "Nebraska Nevada Ohio Oklahoma Oregon Pennsylvania Tennessee Texas Utah Vermont Wisconsin Wyoming"
)
_CITIES = (
    "Amsterdam Athens Atlanta Barcelona Beijing Berlin Birmingham Boston Bristol Brussels Cairo Chicago Copenhagen "
    "Dallas Denver Detroit Dublin Edinburgh Geneva Glasgow Hamburg Houston Istanbul Leeds Lisbon Liverpool London "
    "Madrid Manchester Melbourne Miami Milan Montreal Moscow Mumbai Munich Naples Oslo Oxford Paris Philadelphia "
    "Prague Rome Seattle Shanghai Sydney Tokyo Toronto Venice Vienna Warsaw Zurich"
)
PLACES = tuple(tuple(names.split()) for names in (_COUNTRIES, _STATES, _CITIES))
"""Places by kind: none contains another of its kind."""

NATIONS = tuple(
    "American Albanian French German Italian Spanish Russian Chinese Japanese Indian Canadian Australian "  # noqa: SIM905
    "Swedish Norwegian Danish Dutch Polish Turkish Brazilian Mexican Korean Greek Portuguese".split()
)

ORGANISATIONS = (
    "Halvorsen Institute", "Brightwater University", "Castlegate Holdings", "Northfield Records", "Lindqvist Press",
    "Marlowe Corporation", "Tremont Pictures", "Oakhurst College", "Pinewell Group", "Severn Trust",
)  # fmt: skip

ORGANISATION = re.compile(
    r"\b(?:[A-Z][\w&'’-]+ (?:of |the )*){1,3}"
    r"(?:Inc|Corporation|Corp|Company|University|College|Institute|Records|Pictures|Studios|Press|Museum|Party|"
    r"Society|Association|League|Committee|Commission|Group|Bank|Church|Academy|Council|Ministry|Agency|School)\b"
)

CODE = re.compile(r"\b(?=[\w-]*[A-Z])(?=[\w-]*\d)[A-Za-z][A-Za-z]*-?\d+[A-Za-z]?\b|\b[A-Z]{2,6}\d?\b")

NUMBER_WORDS: Mapping[str, str] = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "twelve": "12", "twenty": "20",
}  # fmt: skip

TERMS: Mapping[str, Mapping[str, str]] = {
    "total assets": {"de": "Die Bilanzsumme betrug", "fr": "Le total de l’actif était de",
                     "es": "Los activos totales fueron de", "zh": "总资产为"},
    "net sales": {"de": "Der Nettoumsatz betrug", "fr": "Le chiffre d’affaires net était de",
                  "es": "Las ventas netas fueron de", "zh": "净销售额为"},
    "net income": {"de": "Der Nettogewinn betrug", "fr": "Le bénéfice net était de",
                   "es": "El beneficio neto fue de", "zh": "净利润为"},
    "net earnings": {"de": "Der Nettogewinn betrug", "fr": "Le bénéfice net était de",
                     "es": "El beneficio neto fue de", "zh": "净收益为"},
    "gross profit": {"de": "Der Bruttogewinn betrug", "fr": "La marge brute était de",
                     "es": "El beneficio bruto fue de", "zh": "毛利润为"},
    "total revenues": {"de": "Der Gesamtumsatz betrug", "fr": "Le chiffre d’affaires total était de",
                       "es": "Los ingresos totales fueron de", "zh": "总收入为"},
    "revenues": {"de": "Der Umsatz betrug", "fr": "Le chiffre d’affaires était de",
                 "es": "Los ingresos fueron de", "zh": "收入为"},
    "operating income": {"de": "Das Betriebsergebnis betrug", "fr": "Le résultat d’exploitation était de",
                         "es": "El resultado operativo fue de", "zh": "营业利润为"},
    "goodwill": {"de": "Der Geschäfts- oder Firmenwert betrug", "fr": "L’écart d’acquisition était de",
                 "es": "El fondo de comercio fue de", "zh": "商誉为"},
    "accounts payable": {"de": "Die Verbindlichkeiten aus Lieferungen betrugen",
                         "fr": "Les dettes fournisseurs étaient de",
                         "es": "Las cuentas por pagar fueron de", "zh": "应付账款为"},
    "interest expense": {"de": "Der Zinsaufwand betrug", "fr": "Les charges d’intérêts étaient de",
                         "es": "Los gastos por intereses fueron de", "zh": "利息支出为"},
}  # fmt: skip
"""Labels of rows as the beginning of a sentence about an amount, by language."""


def replace_word(text: str, word: str, by: str) -> str:
    """Replace the first whole word, keeping a capital."""

    def cased(match: re.Match[str]) -> str:
        return by[0].upper() + by[1:] if match[0][0].isupper() and word[0].islower() else by

    return re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w-])", cased, text, count=1, flags=_flags(word))


def has_word(text: str, word: str) -> bool:
    """Return whether a text holds a whole word, ignoring case."""
    return bool(re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text, re.IGNORECASE))


def _flags(word: str) -> re.RegexFlag:
    return re.IGNORECASE if word[0].islower() else re.NOFLAG
