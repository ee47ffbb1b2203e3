"""Names in a text: of a passage by its title, those that a question lacks, countries and nationalities."""

import re
from collections.abc import Sequence

from desktop_rag.agent.extractive.content_words import ENGLISH
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.text.dates import ENGLISH_MONTHS

INITIALS = 3  # letters of an acronym
SPREAD = 80  # characters within which the words of a title are one name
ROUGHLY = 0.7  # strength of a name by scattered words or initials

_PARENTHESES = re.compile(r"\s*\([^()]*\)\s*$")
_FILE = re.compile(r"(\w+(?: \w+)+)\.[a-z][a-z\d]{1,4}")  # a file of several words; “Oxygen.txt” is named too often
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"[A-ZÀ-Þ][\w’'-]*(?:(?: (?:of|the|de|von|van|and))? [A-ZÀ-Þ][\w’'-]*)*")
_POSSESSIVE = re.compile(r"[’']s\b")

_COUNTRIES = """
Afghanistan Afghan/Albania Albanian/Algeria Algerian/Argentina Argentine Argentinian/Armenia Armenian/
Australia Australian/Austria Austrian/Azerbaijan Azerbaijani/Bangladesh Bangladeshi/Belarus Belarusian/
Belgium Belgian/Bolivia Bolivian/Bosnia Bosnian/Brazil Brazilian/
United_Kingdom British Britain England English Scotland Scottish Wales Welsh UK U.K./Bulgaria Bulgarian/
Burma Myanmar Burmese/Cambodia Cambodian/Cameroon Cameroonian/Canada Canadian/Chile Chilean/China Chinese/
Colombia Colombian/Costa_Rica Costa_Rican/Croatia Croatian/Cuba Cuban/Cyprus Cypriot/
Czech_Republic Czech Czechia Czechoslovakia Czechoslovak/Denmark Danish/Ecuador Ecuadorian/Egypt Egyptian/
Estonia Estonian/Ethiopia Ethiopian/Finland Finnish/France French/Georgian/Germany German/Ghana Ghanaian/Greece Greek/
Guatemala Guatemalan/Hong_Kong/Hungary Hungarian/Iceland Icelandic/India Indian/Indonesia Indonesian/
Iran Iranian Persian/Iraq Iraqi/Ireland Irish/Israel Israeli/Italy Italian/Ivory_Coast Ivorian/Jamaica Jamaican/
Japan Japanese/Jordan Jordanian/Kazakhstan Kazakh/Kenya Kenyan/Kuwait Kuwaiti/Latvia Latvian/Lebanon Lebanese/
Libya Libyan/Lithuania Lithuanian/Luxembourg/Malaysia Malaysian/Mali Malian/Malta Maltese/Mexico Mexican/
Moldova Moldovan/Mongolia Mongolian/Montenegro Montenegrin/Morocco Moroccan/Nepal Nepalese Nepali/Netherlands Dutch/
New_Zealand/Nigeria Nigerian/North_Korea North_Korean/Macedonia Macedonian/Norway Norwegian/Pakistan Pakistani/
Palestine Palestinian/Panama Panamanian/Papua_New_Guinea/Paraguay Paraguayan/Peru Peruvian/
Philippines Filipino Philippine/Poland Polish/Portugal Portuguese/Puerto_Rico Puerto_Rican/Qatar Qatari/
Romania Romanian/Russia Russian Soviet/Rwanda Rwandan/Saudi_Arabia Saudi/Senegal Senegalese/Serbia Serbian/
Singapore Singaporean/Slovakia Slovak/Slovenia Slovenian Slovene/Somalia Somali/South_Africa South_African/
South_Korea South_Korean Korean/Spain Spanish/Sri_Lanka Sri_Lankan/Sudan Sudanese/Sweden Swedish/Switzerland Swiss/
Syria Syrian/Taiwan Taiwanese/Tanzania Tanzanian/Thailand Thai/Tunisia Tunisian/Turkey Turkish/Uganda Ugandan/
Ukraine Ukrainian/United_States American USA U.S. US/Uruguay Uruguayan/Uzbekistan Uzbek/Venezuela Venezuelan/
Vietnam Vietnamese/Yemen Yemeni/Yugoslavia Yugoslav/Zimbabwe Zimbabwean
"""
_COUNTRY = {
    name.replace("_", " "): group.split()[0].replace("_", " ")
    for group in "".join(_COUNTRIES.split("\n")).split("/")
    for name in group.split()
}
_NAMES = "|".join(re.escape(name) for name in sorted(_COUNTRY, key=len, reverse=True))
_ORIGIN = re.compile(rf"(?<![\w-])(?:{_NAMES})(?!\w)")

_LAST_WORD = re.compile(r"([^\W\d_]\w*) $")
_NEXT_WORD = re.compile(r" ([^\W\d_]\w*)")


def title_words(title: str) -> list[str]:
    """Return the words of a title without what follows in brackets, of a file's name without its suffix."""
    named = _FILE.fullmatch(title)
    return _WORD.findall(named[1] if named else _PARENTHESES.sub("", title))


def is_asked(title: str, question: str) -> float:
    """Return how surely a padded question names a passage by its title or what stands before its first comma."""
    found = [0.0]
    for words in (title_words(title), title_words(title.partition(",")[0])):
        literal = f" {' '.join(words)} ".lower() in question.lower() if words else False
        found.append(1.0 if literal else name_in(words, question)[0])
    return max(found)


def padded(text: str) -> str:
    """Return the words of a text, with one space before and after each."""
    return f" {' '.join(_WORD.findall(text))} "


def name_in(words: Sequence[str], text: str) -> tuple[float, int]:
    """Return how surely a padded text has a name (1 literally, 0 not at all), and where."""
    if not words or (len(words) == 1 and not words[0][0].isupper()):
        return 0.0, -1
    if (at := text.find(f" {' '.join(words)} ")) >= 0:
        return 1.0, at
    capitals = [word for word in words if word[0].isupper() and word not in ENGLISH_MONTHS]
    places = [text.find(f" {word} ") for word in capitals]
    if len(capitals) > 1 and min(places) >= 0 and max(places) - min(places) < SPREAD:
        return ROUGHLY, min(places)
    initials = "".join(word[0] for word in capitals)
    at = text.find(f" {initials} ") if len(initials) >= INITIALS else -1
    return (ROUGHLY, at) if at >= 0 else (0.0, -1)


def origins(text: str) -> list[tuple[str, str]]:
    """Return the countries and nationalities in a text, in order: as written, and the country's name.

    Those that are only a part of another name are none: New Mexico, American Airlines.
    """
    found: list[tuple[str, str]] = []
    for match in _ORIGIN.finditer(text):
        before, after = _LAST_WORD.search(text[: match.start()]), _NEXT_WORD.match(text, match.end())
        named = before is not None and before[1][0].isupper() and fold(before[1]) not in ENGLISH
        if not named and not (after and after[1][0].isupper()):
            found.append((match[0], _COUNTRY[match[0]]))
    return found
