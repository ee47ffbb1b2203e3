"""Finds who wrote a letter or mail: its From header, the line after its closing words, or the head of its paper."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.agent.extractive.quantities.read_tables import DocumentLines, read_documents
from desktop_rag.agent.extractive.question_analysis import AnalysedQuestion
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence
from desktop_rag.llm.chat import ToolMessage

_ASKS = re.compile(
    r"\b(?:who|whom|wer|von wem)\b.*\b(?:wrote|written|signed|sent|author|sender|from|by|schrieb|geschrieben|"
    r"unterschrieb\w*|unterzeichnet\w*|schickte|geschickt)\b|\bwho is\b.*\bfrom\b",
    re.IGNORECASE,
)
_WROTE = re.compile(
    r"(?:who|wer) (?:wrote|writes|told|said|says|asked|asks|informed|announced|schrieb|sagte|fragte|bat)\b",
    re.IGNORECASE,
)
_KIND = r"letters?|e-?mails?|mails?|messages?|notices?|briefe?s?|nachricht(?:en)?|schreiben"
_LETTER = re.compile(rf"\b(?:{_KIND})\b", re.IGNORECASE)
_FROM = re.compile(r"^\W*(?:from|von|sender|absender)\W*:\W*\S", re.IGNORECASE)
_CLOSING = re.compile(
    r"^\W*(?:(?:with )?(?:kind|best|warm|kindest|warmest|friendly)(?: \w+)? ?(?:regards|wishes)?|"
    r"yours(?: (?:sincerely|faithfully|truly))?|(?:sincerely|faithfully)(?: yours)?|regards|cheers|"
    r"mit (?:freundlichen|besten|herzlichen) grüßen|(?:viele|beste|liebe|herzliche) grüße|hochachtungsvoll|"
    r"cordialement|atentamente|signed(?: by)?)\W*$",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:[^\W\d_][\w.’'&-]*\s*){1,6}")
_OPENING = re.compile(r"^\W*(?:dear|to|sehr geehrte\w*|liebe[rs]?|an|notice to|chère?|estimad[oa]s?)\b", re.IGNORECASE)
_HEAD = 8  # first lines of a letter, with the head of its paper, its date and whom it is for
IN_NAME, IN_TEXT = 1.0, 0.5  # weights of a word of the question in the names and in the text of a letter
_ASKING = frozenset(
    stems("who wrote written signed sent author sender from letter mail email message notice brief nachricht schreiben")
)


@dataclass(frozen=True, slots=True)
class _Letter:
    document: DocumentLines
    sender: CandidateSentence
    fit: float


def letter_sender(question: AnalysedQuestion, results: Sequence[ToolMessage]) -> tuple[CandidateSentence, ...]:
    """Return the line that names the sender of the letter a question asks about; of several that fit alike, one each.

    Empty if the question asks no such thing, or no letter that was read has any of its words.
    """
    only_mails = bool(_WROTE.match(question.text)) and not _LETTER.search(question.text)
    if not only_mails and not (_ASKS.search(question.text) and _LETTER.search(question.text)):
        return ()
    words = [word for word in question.stems if word not in _ASKING]
    read = [each for each in read_documents(results) if not each.unclear]
    read = [each for each in read if _is_mail(each) and each.is_told(words)] if only_mails else read
    letters = [letter for each in read if (letter := _letter(each, words))]
    best = max((letter.fit for letter in letters), default=0.0)
    fitting = [letter for letter in letters if letter.fit == best > 0]
    said = [_said(letter.document, words) for letter in fitting] if only_mails else []
    return (*(letter.sender for letter in fitting), *filter(None, said))


def _said(document: DocumentLines, words: Sequence[str]) -> CandidateSentence | None:
    """Return the line of a mail that has most of these words."""
    lines = [(len(set(words) & set(stems(line))), -number) for number, (line, _) in document.lines.items()]
    most, at = max(lines, default=(0, 0))
    return _sentence(document, document.lines[-at][0], -at, -at) if most else None


def _is_mail(document: DocumentLines) -> bool:
    return any(_FROM.match(line) for number, (line, _) in document.lines.items() if number <= _HEAD)


def _letter(document: DocumentLines, words: Sequence[str]) -> _Letter | None:
    sender = next(_senders(document), None)
    fit = sum(IN_NAME * (word in document.name_stems) + IN_TEXT * (word in document.stems) for word in words)
    return _Letter(document, sender, fit) if sender else None


def _senders(document: DocumentLines) -> Iterator[CandidateSentence]:
    lines = [(number, line) for number, (line, _) in sorted(document.lines.items()) if line]
    head = [line for _, line in lines[:_HEAD]]
    for number, line in lines[:_HEAD]:
        if _FROM.match(line):
            yield _sentence(document, line, number, number)
    for (at, line), (next_at, name) in zip(reversed(lines[:-1]), reversed(lines[1:]), strict=True):
        if _CLOSING.match(line) and _NAME.fullmatch(name):
            yield _sentence(document, f"{line} {name}", at, next_at)
    if lines and lines[0][0] == 1 and _NAME.fullmatch(lines[0][1]) and any(map(_OPENING.match, head)):
        yield _sentence(document, lines[0][1], 1, 1)


def _sentence(document: DocumentLines, text: str, first: int, last: int) -> CandidateSentence:
    return CandidateSentence(text, document.lines[first][1], document.title, first, last)
