"""The value that the best passage surely states: one date, amount or number, or what stands behind its label."""

import re
from collections.abc import Sequence

from desktop_rag.agent.extractive.answer_type import AnswerType, values
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_ranking import COUNTED, RankedSentence

ALL = 0.99  # share of the question's words in and around a sentence that has all of them
MAX_VALUE = 60  # characters behind a label
_LABELLED = re.compile(r"\W*(?P<label>[^\W\d_][\w .-]{1,30}?)(?::| =)\s+(?P<value>\S[^:=]*?)[.;,]?(?:\s{2,}.*)?")


def stated_value(question: AnalysedQuestion, sentences: Sequence[RankedSentence]) -> str:
    """Return the value that the first sentence states, as it is written; "" if it, or another sentence, has others."""
    best, *others = sentences
    labelled = _LABELLED.fullmatch(best.candidate.text)
    if labelled and any(code.lower() in labelled["label"].lower().split() for code in question.codes):
        return labelled["value"]
    if best.covered < ALL:
        return ""
    asked = frozenset(question.stems)
    own = _value(question, best, asked)
    same = [one for one in others if one.own >= best.own]
    return own if own and all(_value(question, one, asked) in ("", own) for one in same) else ""


def _value(question: AnalysedQuestion, one: RankedSentence, asked: frozenset[str]) -> str:
    text = one.candidate.text
    labelled = _LABELLED.fullmatch(text)
    if labelled and len(labelled["value"]) <= MAX_VALUE and asked & frozenset(stems(labelled["label"])):
        return "" if asked & frozenset(stems(labelled["value"])) else labelled["value"]  # known before
    if question.asks not in COUNTED or question.asks is AnswerType.YEAR or one.own < ALL:
        return ""
    found = values(question.asks, text, question.text)
    return found[0] if len(found) == 1 else ""
