"""Tells the header lines of mails that a question does not ask for: “Subject: …” says nothing of its matter."""

import re

from desktop_rag.agent.extractive.answer_type import AnswerType
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence

_HEAD = 20  # lines at the start of a mail
_MAILBOX = re.compile(r"(?:from|to|b?cc|sender|reply-to|von|an|de|para|à|发件人|收件人|抄送)\s*[:：]", re.IGNORECASE)
_SENDER = re.compile(r"(?:from|von|de|发件人)\s*[:：]\s*\S", re.IGNORECASE)
_SUBJECT = re.compile(r"(?:subject|betreff|objet|asunto|主题)\s*[:：]", re.IGNORECASE)
_DATE = re.compile(r"(?:date|time|sent|datum|gesendet|日期)\s*[:：]", re.IGNORECASE)
_ATTRIBUTION = re.compile(  # above the text of an earlier mail
    r"(?:On|Am|Le|El)\s.*\d.*\b(?:wrote|schrieb|a écrit|escribió)\b[^:]*:$|.*\d.*写道\s*[:：]$"
)
_ASKS_MAILBOX = re.compile(
    r"\b(?:senders?|recipients?|address\w*|copied|b?cc|absender\w*|empfänger\w*|adresse\w*)\b"
    r"|\b(?:from|to|von|an)\W*$|发件|收件|抄送|地址",
    re.IGNORECASE,
)
_ASKS_SUBJECT = re.compile(r"\b(?:subject|title|betreff|titel|objet|asunto)\b|主题", re.IGNORECASE)
_ASKS_DATE = re.compile(r"\b(?:date|dated|day|datum)\b|日期|什么时候|何时|哪天", re.IGNORECASE)
_TIMES = (AnswerType.TIME, AnswerType.YEAR)


def is_sender(candidate: CandidateSentence) -> bool:
    """Return whether a sentence is the line in the head of a mail that names its sender."""
    return candidate.first_line <= _HEAD and _SENDER.match(candidate.text) is not None


def is_unasked_head(question: AnalysedQuestion, candidate: CandidateSentence) -> bool:
    """Return whether a sentence is a mail's subject, mailbox or date line that the question does not ask for.

    “On 17 Feb 2025 Paul wrote:” above an earlier mail is never an answer.
    """
    text = candidate.text
    if _ATTRIBUTION.match(text):
        return True
    if candidate.first_line > _HEAD:
        return False
    if _SUBJECT.match(text):
        return not _ASKS_SUBJECT.search(question.text)
    if _MAILBOX.match(text):
        return question.asks is not AnswerType.PERSON and not _ASKS_MAILBOX.search(question.text)
    return bool(_DATE.match(text)) and question.asks not in _TIMES and not _ASKS_DATE.search(question.text)
