"""Tells which figures and dates of a quotation can be what a question asks for: 24 hours are no number of children."""

import re

from desktop_rag.agent.citations.quoted_rows import cells_of
from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.answer_type import AnswerType, has_type
from desktop_rag.agent.extractive.content_words import related, stems
from desktop_rag.agent.extractive.quantities.quantity_answer import OF_MONEY, PRICED
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.text.dates import mentions
from desktop_rag.text.figures import Figure, read_figures

_MARK = re.compile(r"[.,;:|()\t\n]|\s[–-]\s")
WITH_NOUN = 4  # words: “14 new solar modules”
_BARE = re.compile(r"-?\d[\d.,\s’']*")
_HOW_MANY = re.compile(r"\b(?:how many|wie ?viele)\s+(?P<noun>[^\W\d_]+(?:\s+[^\W\d_]+)?)", re.IGNORECASE)
_PART_OF = re.compile(r"\bhow much of\b|\bwie ?viel (?:de[sr]|von)\b", re.IGNORECASE)
_COUNTING = frozenset(("people", "%", "points"))  # units of what may be a number of anything
_HAPPENED = re.compile(
    r"\b(?:when (?:was|were|did)|wann (?:wurden?|war|waren|hat|haben))\b"
    r"(?!.*\b(?:end|ended|close[sd]?|stop(?:s|ped)?|finish(?:ed)?|expired?|leave|left|dies|died|valid|endete|gültig|"
    r"abgelaufen|aufgehört|geschlossen)\b)",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"\b(?:until|till|valid (?:through|to)|expires(?: on| in)?|bis(?: zum| ende)?)\s+$", re.IGNORECASE)
_PRICE_NAME = re.compile(r"[$€£¥]|\b(?:eur|usd|gbp|chf|net|gross|netto|brutto|value|balance)\b|\d", re.IGNORECASE)


def asks_figure(question: AnalysedQuestion) -> bool:
    """Return whether a question asks for a price or a number of things."""
    return question.asks is AnswerType.MONEY or asks_number(question)


def asks_number(question: AnalysedQuestion) -> bool:
    """Return whether a question asks for a number of things."""
    return bool(_HOW_MANY.search(question.text))


def has_figure(question: AnalysedQuestion, text: str) -> bool:
    """Return whether a text has a price, or a number of what is counted: “14 modules”."""
    if question.asks is AnswerType.MONEY:
        return has_type(question.asks, text, question.text)
    noun, plain = _noun(question), read_figures(text)
    return any(noun & _counted_by(one, plain.plain) for one in plain.figures)


def _noun(question: AnalysedQuestion) -> frozenset[str]:
    """Return the stems of what a question asks to count."""
    counted = _HOW_MANY.search(question.text)
    return frozenset(stems(counted["noun"].split()[0])) if counted else frozenset()


def _counted_by(figure: Figure, text: str) -> frozenset[str]:
    """Return the stems of the words behind a figure, up to the next mark: “17 of them juniors”."""
    behind = _MARK.split(text[figure.end :], maxsplit=1)[0].split()
    return frozenset(stems(" ".join((figure.text, *behind[:WITH_NOUN]))))


def possible_answers(question: AnalysedQuestion, text: str) -> str:
    """Return a text without figures in units that are not counted, and dates until which something lasts.

    Only of a question “How many …?” and one for the time when something happened.
    """
    if counted := _HOW_MANY.search(question.text):
        nouns = counted["noun"].split()
        kinds = frozenset[str]().union(*(one.kinds for noun in nouns for one in read_figures(f"1 {noun}").figures))
        plain = read_figures(text)
        noun = _noun(question) & set(stems(text))
        others = [
            one
            for one in plain.figures
            if _is_of_other(one, kinds, question) or (noun and _counts_other(one, plain.plain, question))
        ]
        return _without([(one.start, one.end) for one in others], plain.plain) if others else text
    if _HAPPENED.search(question.text):
        return _without([(one.start, one.end) for one in mentions(text) if _UNTIL.search(text[: one.start])], text)
    return text


def _is_of_other(figure: Figure, kinds: frozenset[str], question: AnalysedQuestion) -> bool:
    """Return whether a figure is a time of day, or its unit neither that of what is counted nor in the question."""
    named = frozenset(stems(figure.text)).intersection(question.stems)
    if figure.when:
        return True
    return bool(figure.units) and not named and figure.kinds.isdisjoint(kinds | _COUNTING)


def _counts_other(figure: Figure, text: str, question: AnalysedQuestion) -> bool:
    """Return whether the words behind a figure without unit name a thing, and none that the question has."""
    said = _counted_by(figure, text).difference(stems(figure.text))
    return bool(figure.noun and stems(figure.noun)) and not figure.units and said.isdisjoint(question.stems)


def _without(spans: list[tuple[int, int]], text: str) -> str:
    for start, end in reversed(spans):
        text = text[:start] + " " + text[end:]
    return text


def has_share_of(question: AnalysedQuestion, text: str) -> bool:
    """Return whether a question asks how much of an amount, and a text tells a share."""
    return bool(_PART_OF.search(question.text)) and has_type(AnswerType.SHARE, text, question.text)


def has_bare_price(question: AnalysedQuestion, candidate: CandidateSentence) -> bool:
    """Return whether a row has a number without currency in a column that may be of money.

    That is one without a name, of a year, of prices, or that the question names; or the table is one of prices.
    """
    if candidate.shape is not SentenceShape.ROW:
        return False
    cells, names = cells_of(candidate.text), cells_of(candidate.columns)
    if len(names) < len(cells) or PRICED & set(stems(f"{candidate.title} {candidate.under}")):
        return any(map(_BARE.fullmatch, cells))
    priced = PRICED | OF_MONEY | frozenset(question.stems).union(*map(related, question.stems))
    return any(
        _BARE.fullmatch(cell) and (not name or _PRICE_NAME.search(name) or priced & set(stems(name.replace("_", " "))))
        for cell, name in zip(cells, names, strict=False)
    )
