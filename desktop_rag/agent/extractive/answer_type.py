"""The answer type of a question (person, date, amount, yes or no …), and the patterns that show it in a sentence."""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import pairwise

from desktop_rag.agent.extractive.content_words import ENGLISH, stop_words_of
from desktop_rag.text.dates import MONTH_NAME, mentions


class AnswerType(Enum):
    """The expected type of the answer."""

    PERSON = "who"
    TIME = "when"
    YEAR = "which year"
    PLACE = "where"
    ORIGIN = "which nationality"
    AMOUNT = "how many"
    MONEY = "how much money"
    SHARE = "what percentage"
    REASON = "why"
    NAME = "what is it called"
    TERM = "what is the word for it"
    YES_NO = "is it so"
    LIST = "which documents"
    ANYTHING = "anything"


_NAMED = """name title city country state town river company band group film movie book song album team club school
university college organization organisation agency party language province county region station network church
island ship magazine newspaper program programme episode person people"""
_TIMES = "date day month century decade period"
_MEASURES = "many much soon long far tall old large big high fast often wide deep hot heavy thick"
_GERMAN_MEASURES = "viel viele lange lang hoch groß weit breit tief schwer alt oft schnell"
_COSTS = (
    "cost costs price paid pay worth spent spend money rent fee salary wage gehalt lohn kostet kosten preis miete coûte"
)
_MONEY = frozenset(_COSTS.split())
_CHEAPER = "cheaper cheapest billiger billigste billigsten günstiger günstigste teurer teuerste"
COMPARED_PRICES = frozenset(_CHEAPER.split())
_SIGNS: tuple[tuple[AnswerType, tuple[str, ...]], ...] = (  # the first match decides
    (AnswerType.SHARE, ("percent", "percentage", "what share", "what proportion", "prozent", "prozentsatz")),
    (AnswerType.YEAR, ("what year", "which year", "welchem jahr", "welches jahr", "quelle année", "qué año")),
    (AnswerType.TIME, ("when", "how long ago", "wann", "quand", "cuándo", "what time")),
    (AnswerType.TIME, tuple(f"{what} {unit}" for what in ("what", "which") for unit in _TIMES.split())),
    (AnswerType.AMOUNT, tuple(f"how {measure}" for measure in _MEASURES.split())),
    (AnswerType.AMOUNT, ("what number", "what price", "wieviel", "combien", "cuánto")),
    (AnswerType.AMOUNT, tuple(f"wie {measure}" for measure in _GERMAN_MEASURES.split())),
    (AnswerType.PERSON, ("who", "whom", "whose", "wer", "wen", "wem", "wessen", "qui", "quién")),
    (
        AnswerType.PLACE,
        ("where", "what city", "what country", "which country", "which city", "wo", "woher", "où", "dónde"),
    ),
    (AnswerType.REASON, ("why", "warum", "weshalb", "wieso", "pourquoi", "what caused", "what reason", "how come")),
    (AnswerType.NAME, ("called", "named", "name")),
)
# What "what is the … of", "which … " and "… is what?" ask for: the head noun decides before a question word does.
_HEADS: tuple[tuple[AnswerType, str], ...] = (
    (AnswerType.TIME, r"date of \w+|birthday|birth ?date|date|decades|centuries"),
    (AnswerType.PLACE, r"place of \w+|birth ?place|location|whereabouts|capital|headquarters"),
    (AnswerType.ORIGIN, r"nationality|citizenship|country of (?:origin|citizenship)"),
    (
        AnswerType.PERSON,
        r"(?:(?:maternal|paternal|step)[ -]?)?(?:grand|step)?-?(?:father|mother|parent|child|son|daughter)|"
        r"spouse|wife|husband|brother|sister|sibling|uncle|aunt|author|writer|director|composer|founder|president|owner",
    ),
    (AnswerType.AMOUNT, r"population|number|height|length|area|size|age"),
    (AnswerType.TERM, r"(?:an? )?(?:\w+ )?(?:nickname|(?:term|word|expression|other name) for)"),
)
_HEADED = tuple(
    (asks, re.compile(rf"\b(?:what|which)\b(?:\s+(?:is|are|was|were))?(?:\s+the)?\s+(?:{nouns})s?\b", re.IGNORECASE))
    for asks, nouns in _HEADS
)
# "Which mails mention the crane": the words that ask are no words of the mails.
_LIST = re.compile(
    r"^(?:please )?(?:which|what|list|show|find|give|name|welche[nrs]?|liste|zeige?|nenne|quels|quelles)\b"
    r"(?: \w+){0,3}? ((?:e-?)?mails|messages|letters|documents|files|notes|reports|contracts|invoices|minutes|papers|"
    r"articles|pages|chats|conversations|threads|transcripts|books|slides|"
    r"gespräche|dokumente|dateien|briefe|rechnungen|nachrichten|notizen|verträge|berichte|lettres|factures|fichiers)\b"
)
_LIST_ALL = re.compile(
    r"^(?:please )?(?:list|show|name|give|liste|zeige?|nenne)(?: (?:me|mir|bitte))? "
    r"(?:all|every|each|alle|the|our|my)\b"
)
_MENTIONS = (
    "mention mentions mentioned contain contains concern concerns discuss discusses refer refers talk deal erwähnen"
)
_FROM = re.compile(r"\bwhich country\b.*\b(?:from|of)$|\bwhat country\b.*\bfrom$", re.IGNORECASE)
_NAME_WORDS = frozenset(_NAMED.split())
_ASKING = frozenset(["who", "whom", "whose", "what", "which", "when", "where", "why", "how"])
_AUXILIARY = """is are was were am do does did has have had can could will would shall should may might must
ist sind war waren hat haben kann darf muss est sont es son"""
_AUXILIARIES = frozenset(_AUXILIARY.split())
_MONTH = f"(?:{MONTH_NAME})"
_NUMBER = (
    r"(?:\d[\d.,]*|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen|half|"
    r"zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|hundert|tausend)s?)"
)
_PROPER = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ][\w’'-]+")
_CLOCK = re.compile(r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d(?::\d\d)?\b|(?<=\s)[+-]\d{4}\b")  # no amounts
_NAMED_MONTH = "|".join(name.capitalize() for name in MONTH_NAME.split("|"))
_PERSON = re.compile(
    rf"(?!(?:{_NAMED_MONTH}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\b)"
    r"(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ][\w’'-]+"
)
_WHOLE = re.compile(  # a figure with its sign and unit
    r"[$€£¥]?\s?[^\W\d_]*\d[\d.,’']*(?:\s?(?:%|[€$£¥]|[^\W\d_]+)){0,2}|[^\W\d_]+(?:\s[^\W\d_]+)?"
)
_DAY_OF_MONTH = re.compile(  # no amount
    rf"\b(?:{_NAMED_MONTH})\.? \d{{1,2}}\b(?![.,]?\d)|\b\d{{1,2}}\.? (?:{_NAMED_MONTH})\b"
)
_HOW_LONG = re.compile(r"\b(?:how long|how old|wie lange?|wie alt)\b", re.IGNORECASE)
_UNIT = (
    r"(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|centur(?:y|ies)|seasons?|year-old|"
    r"inch(?:es)?|foot|feet|yards?|miles?|(?:kilo|centi|milli)?met(?:er|re)s?|km|cm|mm|m|ft|pages?|words?|characters?|"
    r"lines?|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?)"
)
_LASTING = re.compile(
    rf"\b(?:{_NUMBER}|an?|eine?n?)[\s-](?:\w+ )?{_UNIT}\b|\b(?:since|until|till|seit|bis)\s|\baged?\s\d", re.IGNORECASE
)
_TYPE_PATTERNS = {
    AnswerType.YEAR: re.compile(r"\b(?:1[0-9]{3}|20\d\d|\d{1,4}\s?(?:bc|ad|bce|ce))\b", re.IGNORECASE),
    AnswerType.TIME: re.compile(
        rf"\b(?:1[0-9]{{3}}s?|20\d\d|{_MONTH}\s+\d|\d{{1,2}}\.?\s+{_MONTH}|\d{{1,2}}(?:st|nd|rd|th)\b|centur(?:y|ies)|"
        rf"(?:first|second|third|last|working|every|each) (?:day|week|month|year)s?|daily|weekly|monthly|yearly|"
        rf"annually|decades?|years? (?:ago|later|earlier|old)|monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
        rf"spring|summer|autumn|winter|\d+[:.]\d\d\s?[ap]?m?|morning|evening|(?!(?-i:may|march)\b){_MONTH}\b|"
        rf"jahrhundert)",
        re.IGNORECASE,
    ),
    AnswerType.AMOUNT: re.compile(rf"\b(?!(?:1\d|20)\d\d\b){_NUMBER}(?![\w.])", re.IGNORECASE),
    AnswerType.MONEY: re.compile(
        rf"(?:[$€£¥]|\b(?:eur|usd|gbp|chf|dkk|sek|nok))\s?\d|"
        rf"\b{_NUMBER}\s?(?:million |billion |thousand )?(?:dollars?|euros?|pounds?|cents?|francs?|"
        rf"yen|eur|usd|gbp|€|\$|£)|\b(?:free of charge|for free|is free|kostenlos|kostenfrei|gratis)\b",
        re.IGNORECASE,
    ),
    AnswerType.SHARE: re.compile(r"\d\s?(?:%|percent|per cent|prozent)|\bper ?cent\b", re.IGNORECASE),
    AnswerType.REASON: re.compile(
        r"\b(?:because|due to|since|so that|in order to|therefore|thus|led to|caused?|causing|result(?:ed|ing)?|owing|"
        r"reason|to (?:avoid|prevent|allow|make|get|help|reduce)|for (?:fear|lack)|weil|wegen|damit|deshalb|porque)\b",
        re.IGNORECASE,
    ),
    AnswerType.ORIGIN: re.compile(
        r"\b(?:from|in|of)\s+(?:the\s+)?[A-ZÀ-Þ]\w+|"
        r"\b[A-Z][a-z]+(?:ish|ese|ian|ean|can|man|ench|utch|reek|wiss|aeli|aqi|stani)\b"
    ),
    AnswerType.PERSON: _PERSON,
    AnswerType.NAME: _PROPER,
    AnswerType.TERM: re.compile(
        r"\b(?:known|called|dubbed|nicknamed?|terms?|termed|referred to as|commonly used|genannt)\b|"
        r"[\"“„][^\"”“]+[\"”“]",
        re.IGNORECASE,
    ),
    AnswerType.PLACE: re.compile(
        r"^\W*(?:venue|place|location|address|ort|treffpunkt|adresse)\b[^:]*:|"
        r"\b(?:in|at|near|from|to|on|of|across|around|im|bei|aus)\s+(?:the\s+)?[A-ZÀ-Þ][\w’'-]+|"
        r"\b(?:north|south|east|west|region|area|city|town|river|coast|mountains?|valley)\w*\b"
    ),
}


def answer_type(words: Sequence[str]) -> tuple[AnswerType, str]:
    """Return the answer type of a question in lower case, and the phrase (how high, which year) to ignore in it."""
    text = f" {' '.join(words)} "
    german = words[:1] == ["was"] and stop_words_of(list(words)) is not ENGLISH
    if german and _MONEY.intersection(words):
        return AnswerType.MONEY, " ".join({"kostet", "kosten"}.intersection(words))
    if words and words[0] in _AUXILIARIES and _ASKING.isdisjoint(words) and not german:
        return AnswerType.YES_NO, ""
    if listed := _LIST.match(text.strip()):
        return AnswerType.LIST, f"{listed[1]} {_MENTIONS}"
    if _LIST_ALL.match(text.strip()):
        return AnswerType.LIST, _MENTIONS
    if _FROM.search(text.strip()):
        return AnswerType.ORIGIN, ""
    for asks, pattern in _HEADED:
        if pattern.search(text):
            return asks, ""
    for asks, phrases in _SIGNS:
        phrase = next((phrase for phrase in phrases if f" {phrase} " in text), None)
        if phrase:
            ignored = phrase if asks in (AnswerType.AMOUNT, AnswerType.TIME, AnswerType.YEAR) else ""
            return (AnswerType.MONEY if asks is AnswerType.AMOUNT and _MONEY.intersection(words) else asks), ignored
    if ("what" in words and _MONEY.intersection(words)) or COMPARED_PRICES.intersection(words):
        return AnswerType.MONEY, ""
    heads = {second for first, second in pairwise(words) if first in ("what", "which")}
    return (AnswerType.NAME if "which" in words or heads & _NAME_WORDS else AnswerType.ANYTHING), ""


def has_type(asks: AnswerType, text: str, question: str) -> bool:
    """Return whether a text has a match of the answer type that the question does not have."""
    return next(_matches(asks, text, question), None) is not None


def values(asks: AnswerType, text: str, question: str) -> list[str]:
    """Return the figures and dates of the answer type in a text, whole, that the question does not have."""
    if asks is AnswerType.TIME:
        asked = question.lower()
        dated = [text[each.start : each.end] for each in mentions(text)]
        return [each for each in dict.fromkeys(dated) if each.lower() not in asked]
    found = (_WHOLE.match(text, match.start()) for match in _matches(asks, text, question))
    return list(dict.fromkeys(_without_last_stop_word(whole[0].rstrip(" .,")) for whole in found if whole))


def _without_last_stop_word(value: str) -> str:
    before, _, last = value.rpartition(" ")
    return _without_last_stop_word(before) if before and last.lower() in stop_words_of(value.split()) else value


def _matches(asks: AnswerType, text: str, question: str) -> Iterator[re.Match[str]]:
    pattern = _LASTING if asks is AnswerType.AMOUNT and _HOW_LONG.search(question) else _TYPE_PATTERNS.get(asks)
    if pattern is None:
        return
    if asks in (AnswerType.AMOUNT, AnswerType.MONEY):  # no amounts; the places of the others stay
        text = _DAY_OF_MONTH.sub(_blank, _CLOCK.sub(_blank, text))
    asked = question.lower()
    yield from (found for found in pattern.finditer(text) if found.group().lower() not in asked)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
