"""Analyses a question by rules: its answer type, content words, names and numbers."""

import re
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from desktop_rag.agent.extractive.content_words import stems, stop_words_of
from desktop_rag.agent.extractive.question_splitting import split
from desktop_rag.index.keywords.analysis import fold


class AnswerType(Enum):
    """The expected type of the answer."""

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
_SIGNS: tuple[tuple[AnswerType, tuple[str, ...]], ...] = (  # the first match decides
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
    """An analysed question; `stems` are its content words as base forms, in order."""

    text: str
    stems: tuple[str, ...]
    words: tuple[str, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    asks: AnswerType
    head: tuple[str, ...]  # stems of the head noun: the warranty of the heat pump
    leans: bool  # it depends on the question before: it has a pronoun and few words, or no content words
    context: tuple[str, ...] = ()  # words of the questions before it, which narrow the search


def analyse(text: str) -> AnalysedQuestion:
    """Analyse one question."""
    typed = _WORD.findall(text)
    lower = [word.lower() for word in typed]
    asks, phrase = _asks(lower)
    stop_words = stop_words_of(typed) | frozenset(phrase.split())
    words = tuple(dict.fromkeys(word for word in typed if fold(word) not in stop_words and len(word) > 1))
    names = _names(text, stop_words)
    return AnalysedQuestion(
        text=" ".join(text.split()),
        stems=stems(text, stop_words),
        words=words or tuple(typed),
        names=names,
        numbers=tuple(re.findall(r"\d[\d.,]*\d|\d", text)),
        asks=asks,
        head=stems(head[1]) if (head := _HEAD.search(text)) else (),
        leans=not words or (not names and any(word in _PRONOUNS for word in lower) and len(words) <= 4),
    )


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
        word = match[0]
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


def _asks(words: list[str]) -> tuple[AnswerType, str]:
    """Return the answer type, and the question phrase (how high, which year) whose words no answer repeats."""
    text = f" {' '.join(words)} "
    for asks, phrases in _SIGNS:
        phrase = next((phrase for phrase in phrases if f" {phrase} " in text), None)
        if phrase:
            ignored = phrase if asks in (AnswerType.AMOUNT, AnswerType.TIME, AnswerType.YEAR) else ""
            return (AnswerType.MONEY if asks is AnswerType.AMOUNT and _MONEY.intersection(words) else asks), ignored
    if "what" in words and _MONEY.intersection(words):
        return AnswerType.MONEY, ""
    heads = {second for first, second in pairwise(words) if first in ("what", "which")}
    return (AnswerType.NAME if "which" in words or heads & _NAME_WORDS else AnswerType.ANYTHING), ""
