"""Splits a message into its questions, and finds the answer type, content words, names and numbers of each."""

import re
from dataclasses import dataclass, replace

from desktop_rag.agent.extractive.answer_type import AnswerType, answer_type
from desktop_rag.agent.extractive.content_words import stems, stop_words_of
from desktop_rag.agent.small_talk import is_small_talk
from desktop_rag.index.keywords.analysis import fold

_WORD = re.compile(r"[^\W_][\w’'-]*")
_POSSESSIVE = re.compile(r"(?:[’'][sS]|(?<=[sS])[’'])$")  # Yuriko's, Hayes'
_QUOTED = re.compile(r"[\"“„«]([^\"“”»]{2,})[\"”“»]")
_HEAD = re.compile(
    r"\b(?:is|are|was|were)\s+the\s+([\w\s’'-]{2,40}?)\s+of\b|"
    r"\b(?:is|are|was|were)\b[^?]*?\w[’']s?\s+([\w\s-]{2,40}?)\s*(?:\b(?:in|for|at|on|as|during)\b|\?|$)",
    re.IGNORECASE,
)
_AUXILIARY = (
    r"(?:did|does|do|is|are|was|were|has|have|had|can|could|will|would|should|"
    r"hat|haben|ist|sind|war|waren|wird|werden)\b"
)
ASKED = re.compile(  # what is asked for: what type of dessert did
    rf"\b(?:what|which|how many|welche[nrs]?|wie ?viele)\s+(?!{_AUXILIARY})"
    rf"(?:(?:type|kind|sort|name)s?\s+of\s+)?((?:[\w’'-]+\s+){{1,3}}?){_AUXILIARY}",
    re.IGNORECASE,
)
_CODE = re.compile(  # a short number alone is none: 12 nights, 2024
    r"(?<![\w.-])(?!\d{1,4}(?![\w./-]))(?=[\w./-]*(?:\d|_|[a-z][A-Z]))[^\W_][\w./-]*\w\b(?:\(\))?"
)
_NUMBERED = re.compile(r"\b[^\W\d_a-z][\w-]* \d+\b(?![.,:]\d)")
_LETTER = re.compile(r"\b[^\W\d_]\b")
_IDIOMS = re.compile(r"\b(?:(?:take[sn]?|took|taking) place|in the end(?! of)|at the moment)\b")
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
    thing: tuple[str, ...]  # stems of what is asked for: what type of dessert did
    leans: bool  # it depends on the question before: it has a pronoun and few words, or no content words
    context: tuple[str, ...] = ()  # words of the questions before it, which narrow the search

    @property
    def numbered(self) -> tuple[str, ...]:
        """The words with a capital letter and the number behind each: Model 60."""
        return tuple(_NUMBERED.findall(self.text))

    @property
    def lettered(self) -> tuple[str, ...]:
        """The names with a single letter, which is no stem: Rail Y."""
        return tuple(name for name in self.names if _LETTER.search(name))


def analyse(text: str) -> AnalysedQuestion:
    """Analyse one question."""
    typed = _WORD.findall(text)
    lower = [word.lower() for number, word in enumerate(typed) if word != "Who" or not number]  # Doctor Who is a name
    asks, phrase = answer_type(lower)
    stop_words = stop_words_of(typed) | frozenset(phrase.split()).union(*map(str.split, _IDIOMS.findall(text.lower())))
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
        thing=stems(asked[1]) if asks is AnswerType.ANYTHING and (asked := ASKED.search(text)) else (),
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
