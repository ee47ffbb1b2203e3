"""Answers questions for a line in the head of a mail: who was copied, whom it was sent to, when, its subject."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.quantities.read_tables import DocumentLines
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.agent.extractive.structured.mail_questions import SENDER_NAME
from desktop_rag.agent.extractive.structured.read_mails import MAILBOXES, read_mails
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.llm.chat import ToolMessage
from desktop_rag.text.display import plural

MAX_MAILS = 5
_MAIL = r"(?:e-?)?mails?|messages?|nachricht(?:en)?|courriels?|correos?|mensajes?"
_FIELDS = tuple(
    (field, re.compile(pattern, re.IGNORECASE))
    for field, pattern in (
        ("cc", rf"\b(?:copied|b?cc(?:['’]?d)?)\b|\b(?:in|got|received|sent) (?:a )?copy\b.*\b(?:{_MAIL})\b"
         r"|\bin kopie\b|\ben copie\b|\ben copia\b"),
        ("subject", rf"\b(?:subject|betreff|objet|asunto)\b.*\b(?:{_MAIL})\b"),
        ("date", rf"^(?:when|wann|quand|cuándo|(?:on )?(?:what|which) (?:date|day)).*\b(?:(?:{_MAIL})\b|"
         r"(?:write|written|wrote|mailed|e-?mailed)\b(?=.*\bto\b))"),
        ("to", rf"^(?:who|whom|wer)\b.*\b(?:{_MAIL})\b.*\b(?:sent|addressed|written|go|gone) to\W*$|"
         rf"^(?:to whom|an wen|à qui|a quién)\b.*\b(?:{_MAIL}|write|written|wrote|mail|schrieb|geschrieben)\b|"
         rf"^(?:who|wer)\b.*\b(?:received|got|gets|receives?|recipients?|empfänger\w*|bekam\w*|erhielt\w*)\b.*\b(?:{_MAIL})\b"),
    )
)  # fmt: skip
_SENDERS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:from|by|von|de)\s+{SENDER_NAME}",
        rf"{SENDER_NAME}['’]s? (?:[Ee]-?)?(?:[Mm]ail|[Mm]essage)",
        rf"\b(?:did|has|hat)\s+{SENDER_NAME}\s+(?:write|written|send|sent|mail|geschrieben|geschickt)",
    )
)
_RECIPIENT = re.compile(rf"\b(?:to|an)\s+{SENDER_NAME}")
_HEADER = re.compile(r"(from|to|cc|bcc|date|subject)\s*:\s*(.*)", re.IGNORECASE)
_WORDS = re.compile(r"[^\W_]+")
_HEAD = 12  # lines
_ASKING = frozenset(
    stems(
        "who whom when what which copied copy cc bcc ccd got get received receive recipient sent send to from "
        "mail email e-mail message subject date day write wrote written anyone anybody go gone mailed emailed "
        "addressed wer wann wen kopie stand mails nachricht betreff geschickt gesendet geschrieben ging bekam erhielt "
        "qui quand courriel copie objet quién cuándo correo mensaje copia asunto"
    )
)


@dataclass(frozen=True, slots=True)
class MailHead:
    """The lines of heads of mails that answer a question, and what they are."""

    quoted: tuple[CandidateSentence, ...]
    lead_in: str


def names_no_mail(question: AnalysedQuestion) -> bool:
    """Return whether a question asks for a line in the head of a mail without saying which mail."""
    bare = not any(word not in _ASKING for word in (*question.stems, *question.context))
    return bare and any(pattern.search(question.text) for _, pattern in _FIELDS)


def mail_head(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> MailHead | None:
    """Return what the heads of the mails that a question is about say; None if it asks no such thing, or of none.

    A mail must have all words of the question and the persons in its From and To lines.
    """
    field = next((name for name, pattern in _FIELDS if pattern.search(question.text)), "")
    words = [word for word in question.stems if word not in _ASKING]
    if not field or not words:
        return None
    heads = [(each, head) for each in read_mails(results) if not each.unclear and (head := _head(each))]
    fitting = [
        (document, head)
        for document, head in heads
        if document.is_told(words) and _is_between(question.text, document, head)
    ][:MAX_MAILS]
    having = [(document, head) for document, head in fitting if field in head or (field == "cc" and "bcc" in head)]
    if not having:
        whole = bool(fitting) and field == "cc"
        shown = (
            _line(document, head[each]) for document, head in fitting for each in ("to", "subject") if each in head
        )
        this = "this mail" if len(fitting) == 1 else "these mails"
        return MailHead(tuple(shown), f"Nobody is named as copied in the head of {this}:") if whole else None
    kinds = ("cc", "bcc", "subject") if field == "cc" else tuple(dict.fromkeys((field, "subject")))
    quoted = tuple(_line(document, head[kind]) for document, head in having for kind in kinds if kind in head)
    of = "a mail" if len(having) == 1 else plural(len(having), "mail")
    return MailHead(quoted, f"In the head of {of}:")


def _head(document: DocumentLines) -> dict[str, int]:
    """Return the lines of the fields in the head of a mail; empty unless all of it was read."""
    found: dict[str, int] = {}
    first = min(document.lines, default=1) if document.file.lower().endswith(MAILBOXES) else 1
    for number in range(first, first + _HEAD):
        text = document.lines.get(number, ("", ""))[0]
        if number in document.lines and (field := _HEADER.match(text)):
            found.setdefault(field[1].lower(), number)
    read = all(number in document.lines for number in range(first, max(found.values(), default=0) + 1))
    return found if read and {"from", "subject"} <= found.keys() else {}


def _is_between(question: str, document: DocumentLines, head: dict[str, int]) -> bool:
    """Return whether a mail is from and to the persons that a question names."""
    sender = next((found["sender"] for pattern in _SENDERS if (found := pattern.search(question))), "")
    recipient = found["sender"] if (found := _RECIPIENT.search(question)) else ""
    return all(
        not name or (field in head and _names(name) <= _names(document.lines[head[field]][0]))
        for field, name in (("from", sender), ("to", recipient))
    )


def _names(text: str) -> set[str]:
    return set(_WORDS.findall(fold(text)))


def _line(document: DocumentLines, number: int) -> CandidateSentence:
    text, reference = document.lines[number]
    return CandidateSentence(text, reference, document.title, number, number)
