"""Splits a message into its questions; finds the answer type (date, amount …), words, names and numbers of each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from desktop_rag.agent.extractive.content_words import ENGLISH, stems, stop_words_of
from desktop_rag.agent.small_talk import is_small_talk
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.text.dates import MONTH_NAME, mentions
from desktop_rag.text.figures import read_figures


class AnswerType(Enum):
    """The expected type of the answer."""

    PERSON = "who"
    TIME = "when"
    YEAR = "which year"
    PLACE = "where"
    AMOUNT = "how many"
    MONEY = "how much money"
    SHARE = "what percentage"
    YES_NO = "is it so"
    ANYTHING = "anything"


COUNTED = frozenset((AnswerType.AMOUNT, AnswerType.MONEY, AnswerType.SHARE, AnswerType.TIME, AnswerType.YEAR))
_TIMES = "date day month century decade period"
_MEASURES = "many much soon long far tall old large big high fast often wide deep hot heavy thick"
_GERMAN_MEASURES = "viel viele lange lang hoch groß weit breit tief schwer alt oft schnell"
_COSTS = "cost costs price paid pay worth spent money rent fee gehalt lohn kostet kosten preis miete"
_MONEY = frozenset(_COSTS.split())
_SIGNS: tuple[tuple[AnswerType, tuple[str, ...]], ...] = (  # the first match decides
    (AnswerType.SHARE, ("percent", "percentage", "what share", "what proportion", "prozent", "prozentsatz")),
    (AnswerType.YEAR, ("what year", "which year", "welchem jahr", "welches jahr", "quelle année", "qué año")),
    (AnswerType.TIME, ("when", "how long ago", "date of", "wann", "quand", "cuándo", "what time")),
    (AnswerType.TIME, tuple(f"{what} {unit}" for what in ("what", "which") for unit in _TIMES.split())),
    (AnswerType.AMOUNT, tuple(f"how {measure}" for measure in _MEASURES.split())),
    (AnswerType.AMOUNT, ("what number", "what price", "wieviel", "combien", "cuánto")),
    (AnswerType.AMOUNT, tuple(f"wie {measure}" for measure in _GERMAN_MEASURES.split())),
    (AnswerType.PERSON, ("who", "whom", "whose", "wer", "wen", "wem", "wessen", "qui", "quién")),
    (AnswerType.PLACE, ("where", "place of", "which country", "which city", "wo", "woher", "où", "dónde")),
)
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
_CLOCK = re.compile(r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d(?::\d\d)?\b|(?<=\s)[+-]\d{4}\b")  # no amounts
_NAMED_MONTH = "|".join(name.capitalize() for name in MONTH_NAME.split("|"))
_DAY_OF_MONTH = re.compile(  # no amount
    rf"\b(?:{_NAMED_MONTH})\.? \d{{1,2}}\b(?![.,]?\d)|\b\d{{1,2}}\.? (?:{_NAMED_MONTH})\b"
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
    AnswerType.PERSON: re.compile(rf"(?!(?:{_NAMED_MONTH})\b)(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ][\w’'-]+"),
    AnswerType.PLACE: re.compile(
        r"\b(?:in|at|near|from|to|on|of|across|around|im|bei|aus)\s+(?:the\s+)?[A-ZÀ-Þ][\w’'-]+"
    ),
}


def answer_type(words: Sequence[str]) -> tuple[AnswerType, str]:
    """Return the answer type of a question in lower case, and the phrase (how high, which year) to ignore in it."""
    text = f" {' '.join(words)} "
    german = words[:1] == ["was"] and stop_words_of(list(words)) is not ENGLISH
    if words and words[0] in _AUXILIARIES and _ASKING.isdisjoint(words) and not german:
        return AnswerType.YES_NO, ""
    for asks, phrases in _SIGNS:
        phrase = next((phrase for phrase in phrases if f" {phrase} " in text), None)
        if phrase:
            ignored = phrase if asks in (AnswerType.AMOUNT, AnswerType.TIME, AnswerType.YEAR) else ""
            return (AnswerType.MONEY if asks is AnswerType.AMOUNT and _MONEY.intersection(words) else asks), ignored
    return (
        AnswerType.MONEY if words[:1] in (["what"], ["was"]) and _MONEY.intersection(words) else AnswerType.ANYTHING
    ), ""


def has_type(asks: AnswerType, text: str, question: str) -> bool:
    """Return whether a text has a match of the answer type that the question does not have."""
    pattern, asked = _TYPE_PATTERNS.get(asks), question.lower()
    if asks in (AnswerType.AMOUNT, AnswerType.MONEY):
        text = _DAY_OF_MONTH.sub(" ", _CLOCK.sub(" ", text))
    return pattern is not None and any(found[0].lower() not in asked for found in pattern.finditer(text))


def values(asks: AnswerType, text: str, question: str) -> list[str]:
    """Return the dates, or the figures with their units, of a text that the question does not have."""
    if asks is AnswerType.TIME:
        found = [text[each.start : each.end] for each in mentions(text)]
    else:
        found = [
            each.text
            for each in read_figures(text).figures
            if each.values and not (each.when or each.name or each.is_year)
        ]
    return [each for each in dict.fromkeys(found) if each in text and each.lower() not in question.lower()]


_WORD = re.compile(r"[^\W_][\w’'-]*")
_POSSESSIVE = re.compile(r"(?:[’'][sS]|(?<=[sS])[’'])$")  # Yuriko's, Hayes'
_QUOTED = re.compile(r"[\"“„«]([^\"“”»]{2,})[\"”“»]")
_HEAD = re.compile(
    r"\b(?:is|are|was|were)\s+the\s+([\w\s’'-]{2,40}?)\s+of\b|"
    r"\b(?:is|are|was|were)\b[^?]*?\w[’']s?\s+([\w\s-]{2,40}?)\s*(?:\b(?:in|for|at|on|as|during)\b|\?|$)",
    re.IGNORECASE,
)
_CODE = re.compile(  # a short number alone is none: 12 nights, 2024
    r"(?<![\w.-])(?!\d{1,4}(?![\w./-]))(?=[\w./-]*(?:\d|_|[a-z][A-Z]))[^\W_][\w./-]*\w\b(?:\(\))?"
)
_CHINESE_ASKING = re.compile(
    "为什么|什么(?:时候|地方)?|多少|怎么样?|如何|何时|哪[里些个位天年]?|谁|几|吗|呢"
)  # in no answer
_QUESTION_WORD = (
    r"(?:who[ms]?|whose|what|which|when|where|why|how|we[rnm]|wessen|was|welche[nrsm]?|wann|woh?in?|woher|warum|wieso|"
    r"wie|wieviel|qui|quel(?:le)?s?|quand|où|pourquoi|comment|combien|quién|qué|cuál|cuándo|dónde|cómo|cuántos?)\b"
)
_JOINT = re.compile(
    rf"[?？]+(?![\"”“»])\s*|,?\s+(?:and|und|et|y)\s+(?={_QUESTION_WORD}(?!\s+to\b))|;\s*(?={_QUESTION_WORD})",
    re.IGNORECASE,
)
_OPENING = re.compile(r"([\w ]+)[,.!:–-]+\s+(?=\w)")  # perhaps a greeting
MAX_QUESTIONS = 4  # searched separately; further ones stay in the last
_PRONOUN = "he she it they his her its their him them this that these those er sie es diese dieser"
_PRONOUNS = frozenset(_PRONOUN.split())


@dataclass(frozen=True, slots=True)
class AnalysedQuestion:
    """An analysed question; `stems` are its content words as base forms, in order.

    `words` and `names` are without a possessive s: Yuriko's job is that of Yuriko.
    """

    text: str
    stems: tuple[str, ...]
    words: tuple[str, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    codes: tuple[str, ...]  # words that stand only where they are meant: E04, RETRY_LIMIT, 2031-17
    asks: AnswerType
    head: tuple[str, ...]  # stems of the head noun: the warranty of the heat pump
    leans: bool  # it depends on the question before: it has a pronoun and few words, or no content words
    context: tuple[str, ...] = ()  # words of the questions before it, which narrow the search


def analyse(text: str) -> AnalysedQuestion:
    """Analyse one question."""
    typed = _WORD.findall(text)
    lower = [word.lower() for number, word in enumerate(typed) if word != "Who" or not number]  # Doctor Who is a name
    asks, phrase = answer_type(lower)
    stop_words = stop_words_of(typed) | frozenset(phrase.split())
    plain = (_POSSESSIVE.sub("", word) for word in typed)
    words = tuple(dict.fromkeys(word for word in plain if fold(word) not in stop_words and len(word) > 1))
    names = _names(text, stop_words)
    return AnalysedQuestion(
        text=" ".join(text.split()),
        stems=tuple(dict.fromkeys(each for part in _CHINESE_ASKING.split(text) for each in stems(part, stop_words))),
        words=words or tuple(typed),
        names=names,
        numbers=tuple(re.findall(r"\d[\d.,]*\d|\d", text)),
        codes=tuple(dict.fromkeys(found[0].removesuffix("()") for found in _CODE.finditer(text))),
        asks=asks,
        head=stems(head[1] or head[2]) if (head := _HEAD.search(text)) else (),
        leans=not words or (not names and any(word in _PRONOUNS for word in lower) and len(words) <= 4),
    )


def split(text: str) -> tuple[str, ...]:
    """Return the questions in `text` in order, without a greeting; a statement stays with its question."""
    line = " ".join(text.split())
    if (opening := _OPENING.match(line)) and is_small_talk(opening[1]):
        line = line[opening.end() :]
    found: list[str] = []
    start, last = 0, ""
    for joint in _JOINT.finditer(line):
        part = line[start : joint.start()]
        asking = _WORD.search(line, joint.end())
        again = asking and joint[0][0] not in "?？" and asking[0].lower() in part.lower().split()[1:]  # who … and who …
        if stems(part) and not again and len(found) + 1 < MAX_QUESTIONS:
            found.append(part.strip(" ,"))
            start, last = joint.end(), joint[0]
    rest = line[start:].rstrip("?？ ")
    if found and last[:1] in ("?", "？") and line[-1:] not in ("?", "？"):
        found[-1] = f"{found[-1]} {rest}".rstrip()
    elif _WORD.search(rest):
        found.append(rest)
    return tuple(found) or (text,)


def questions(text: str, before: str = "") -> tuple[AnalysedQuestion, ...]:
    """Analyse all questions in `text`, in order; `before` is the question of the previous turn."""
    earlier = analyse(before)
    subject = earlier.names or earlier.words[:4] if before else ()
    found: list[AnalysedQuestion] = []
    for part in split(text):
        question = analyse(part)
        context = tuple(word for other in found for word in (other.names or other.words[:4]))
        found.append(replace(question, context=(context or subject) if question.leans else context))
    return tuple(found)


def _names(text: str, stop_words: frozenset[str]) -> tuple[str, ...]:
    """Return quoted words and runs of capitalised words, except a single one at the start of a sentence."""
    found = [match[1].strip() for match in _QUOTED.finditer(text)]
    run: list[str] = []
    previous_end, last_end = 0, 0
    for match in _WORD.finditer(text):
        word = _POSSESSIVE.sub("", match[0])
        begins = not text[:previous_end].strip() or text[previous_end : match.start()].strip() in (".", "?", "!")
        named = word[0].isupper() and fold(word) not in stop_words and not (begins and word[1:].islower() and run == [])
        joined = bool(run) and text[last_end : match.start()] in (" ", ". ")
        if named and not joined and run:
            found.append(" ".join(run))
            run = []
        if named:
            run.append(word)
            last_end = match.end()
        elif run and not (word.lower() in ("of", "the", "and", "de", "von", "van") and joined):
            found.append(" ".join(run))
            run = []
        previous_end = match.end()
    if run:
        found.append(" ".join(run))
    return tuple(dict.fromkeys(found))
