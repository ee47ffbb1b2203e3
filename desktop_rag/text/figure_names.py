"""Names with digits, which are compared as names and never as numbers: SST-2, 10-K, section 4.2, version 3.11, phones.

Quarters, halves of years and decades are read here too.
"""

import re
from functools import lru_cache

from desktop_rag.text.number_words import ORDINALS
from desktop_rag.text.units import CURRENCIES, JOINED_SCALES, MONEY_SCALES, SCALES, UNITS

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
