"""Understands a question by rules: what it asks for, its telling words, the names and numbers in it."""

import re
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from desktop_rag.agent.extractive.content_words import empty_words, stems
from desktop_rag.agent.extractive.question_splitting import split
from desktop_rag.index.keywords.analysis import fold


class AnswerType(Enum):
    """The kind of thing an answer must hold."""

    PERSON = "who"
    TIME = "when"
    YEAR = "which year"
    PLACE = "where"
    AMOUNT = "how many"
    MONEY = "how much money"
    SHARE = "what percentage"
    REASON = "why"
    NAME = "what is it called"
    ANYTHING = "anything"


_NAMED = """name title city country state town river company band group film movie book song album team club school
university college organization organisation agency party language province county region station network church
island ship magazine newspaper program programme episode person people"""
_TIMES = "date day month century decade period"
_MEASURES = "many much long far tall old large big high fast often wide deep hot heavy"
_COSTS = "cost costs price paid pay worth spent spend money rent fee kostet kosten preis miete coûte"
_MONEY = frozenset(_COSTS.split())
_SIGNS: tuple[tuple[AnswerType, tuple[str, ...]], ...] = (  # the first that fits decides
    (AnswerType.SHARE, ("percent", "percentage", "what share", "what proportion", "prozent", "prozentsatz")),
    (AnswerType.YEAR, ("what year", "which year", "welchem jahr", "welches jahr", "quelle année", "qué año")),
    (AnswerType.TIME, ("when", "how long ago", "wann", "quand", "cuándo", "what time")),
    (AnswerType.TIME, tuple(f"{what} {unit}" for what in ("what", "which") for unit in _TIMES.split())),
    (AnswerType.AMOUNT, tuple(f"how {measure}" for measure in _MEASURES.split())),
    (
        AnswerType.AMOUNT,
        ("what number", "what price", "wie viel", "wie viele", "wieviel", "wie lange", "combien", "cuánto"),
    ),
    (AnswerType.PERSON, ("who", "whom", "whose", "wer", "wen", "wem", "wessen", "qui", "quién")),
    (
        AnswerType.PLACE,
        ("where", "what city", "what country", "which country", "which city", "wo", "woher", "où", "dónde"),
    ),
    (AnswerType.REASON, ("why", "warum", "weshalb", "wieso", "pourquoi", "what caused", "what reason", "how come")),
    (AnswerType.NAME, ("called", "named", "name")),
)
_NAME_WORDS = frozenset(_NAMED.split())
_WORD = re.compile(r"[^\W_][\w’'-]*")
_QUOTED = re.compile(r"[\"“„«]([^\"“”»]{2,})[\"”“»]")
_HEAD = re.compile(r"\b(?:is|are|was|were)\s+the\s+([\w\s’'-]{2,40}?)\s+of\b", re.IGNORECASE)
_PRONOUN = "he she it they his her its their him them this that these those er sie es diese dieser"
_PRONOUNS = frozenset(_PRONOUN.split())


@dataclass(frozen=True, slots=True)
class AnalysedQuestion:
    """A question taken apart; `stems` are its telling words as they are compared, in order."""

    text: str
    stems: tuple[str, ...]
    words: tuple[str, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    asks: AnswerType
    head: tuple[str, ...]  # stems of what is asked for: the warranty of the heat pump
    leans: bool  # it says "he" or "it", or next to nothing, and means something said before
    context: tuple[str, ...] = ()  # words said before or asked beside it, which tell where to look


def analyse(text: str) -> AnalysedQuestion:
    """Take one question apart."""
    spoken = _WORD.findall(text)
    lower = [word.lower() for word in spoken]
    asks, phrase = _asks(lower)
    empty = empty_words(spoken) | frozenset(phrase.split())
    words = tuple(dict.fromkeys(word for word in spoken if fold(word) not in empty and len(word) > 1))
    names = _names(text, empty)
    return AnalysedQuestion(
        text=" ".join(text.split()),
        stems=stems(text, empty),
        words=words or tuple(spoken),
        names=names,
        numbers=tuple(re.findall(r"\d[\d.,]*\d|\d", text)),
        asks=asks,
        head=stems(head[1]) if (head := _HEAD.search(text)) else (),
        leans=not words or (not names and any(word in _PRONOUNS for word in lower) and len(words) <= 4),
    )


def questions(text: str, before: str = "") -> tuple[AnalysedQuestion, ...]:
    """Take apart everything `text` asks, in the order asked; `before` is what was asked in the turn before."""
    earlier = analyse(before)
    subject = earlier.names or earlier.words[:4] if before else ()
    found: list[AnalysedQuestion] = []
    for part in split(text):
        question = analyse(part)
        told = tuple(word for other in found for word in (other.names or other.words[:4]))
        found.append(replace(question, context=(told or subject) if question.leans else told))
    return tuple(found)


def _names(text: str, empty: frozenset[str]) -> tuple[str, ...]:
    """Return quoted words and runs of capitalised words, but not the one that merely begins the sentence."""
    found = [match[1].strip() for match in _QUOTED.finditer(text)]
    run: list[str] = []
    previous_end, last_end = 0, 0
    for match in _WORD.finditer(text):
        word = match[0]
        begins = not text[:previous_end].strip() or text[previous_end : match.start()].strip() in (".", "?", "!")
        named = word[0].isupper() and fold(word) not in empty and not (begins and word[1:].islower() and run == [])
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


def _asks(words: list[str]) -> tuple[AnswerType, str]:
    """Return what is asked for, and those words that ask for it and stand in no answer: how high, which year."""
    text = f" {' '.join(words)} "
    for asks, phrases in _SIGNS:
        phrase = next((phrase for phrase in phrases if f" {phrase} " in text), None)
        if phrase:
            spent = phrase if asks in (AnswerType.AMOUNT, AnswerType.TIME, AnswerType.YEAR) else ""
            return (AnswerType.MONEY if asks is AnswerType.AMOUNT and _MONEY.intersection(words) else asks), spent
    if "what" in words and _MONEY.intersection(words):
        return AnswerType.MONEY, ""
    heads = {second for first, second in pairwise(words) if first in ("what", "which")}
    return (AnswerType.NAME if "which" in words or heads & _NAME_WORDS else AnswerType.ANYTHING), ""
