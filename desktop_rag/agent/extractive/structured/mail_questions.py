"""Answers questions for somebody's mails: which ones Priya sent, and what Tom wrote to her."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.agent.citations.source_sentences import SentenceShape
from desktop_rag.agent.extractive.quantities.read_tables import DocumentLines
from desktop_rag.agent.extractive.sentence_candidates import CandidateSentence, candidates
from desktop_rag.agent.extractive.structured.listed_titles import title_line
from desktop_rag.agent.extractive.structured.read_mails import MAILBOXES, read_mails
from desktop_rag.index.keywords.analysis import fold
from desktop_rag.llm.chat import ToolMessage
from desktop_rag.text.display import plural

MAX_MAILS = 40
MAX_QUOTED = 3  # sentences of what somebody wrote
_NAME = r"(?P<{}>[^\W\d_a-z][\w.’'-]*(?: [^\W\d_a-z][\w.’'-]*){{0,2}})"
SENDER_NAME, _RECIPIENT = _NAME.format("sender"), _NAME.format("recipient")
_LISTS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:[Ee]-?)?[Mm]ails?\b(?! address).*\b(?:from|by|of|von|de)\s+{SENDER_NAME}"
        rf"(?:\s+(?:to|an|à|a)\s+{_RECIPIENT})?",
        rf"\b(?:[Ee]-?)?[Mm]ails?\b.*\b(?:did|has|have|hat)\s+{SENDER_NAME}\s+(?:send|sent|write|written|geschickt|"
        rf"geschrieben)(?:\s+(?:to|an)\s+{_RECIPIENT})?",
    )
)
_SAID = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^What (?:did|does|has) {SENDER_NAME} (?:write|written|say|said|tell|told|answer|answered|reply|replied|"
        rf"ask|asked)(?: to)?(?: {_RECIPIENT})?\s*\?*$",
        rf"^Was (?:schrieb|antwortete|sagte) {SENDER_NAME}(?: an)?(?: {_RECIPIENT})?\s*\?*$",
        rf"^Was hat {SENDER_NAME}(?: an)?(?: {_RECIPIENT})? (?:geschrieben|geantwortet|gesagt)\s*\?*$",
    )
)
_HEADER = re.compile(
    r"^(?:from|to|cc|bcc|date|sent|subject|reply-to|attachments?|von|an|datum|gesendet|betreff)\s*:", re.I
)
_FROM = re.compile(r"from\s*:\s*(.*)", re.IGNORECASE)
_WORDS = re.compile(r"[^\W_]+")
_GREETING = re.compile(r"[,:]$|^\W*$")
_SINGLE = (".eml", ".msg")  # files of one mail
_MIN_WORDS = 3  # of a sentence that says something


@dataclass(frozen=True, slots=True)
class MailQuestion:
    """Whose mails are asked for, to whom, and whether their list or what they say."""

    sender: str
    recipient: str
    lists: bool

    @property
    def query(self) -> str:
        """The search for the mails, in the query language."""
        return f'from:"{self.sender}"' + (f' to:"{self.recipient}"' if self.recipient else "")

    def is_query(self, queries: object) -> bool:
        """Return whether the queries of a call are the search for the mails."""
        return queries == [self.query]

    def lead_in(self, count: int, *, complete: bool) -> str:
        """Return what the quotations are: the subjects of a number of mails, or sentences of one."""
        whose = f"from {self.sender}" + (f" to {self.recipient}" if self.recipient else "")
        if not self.lists:
            return f"In a mail {whose}:"
        return f"{plural(count, 'mail')} {whose}:" if complete else f"Mails {whose}, perhaps not all:"


def mail_question(text: str) -> MailQuestion | None:
    """Return what a question asks of somebody's mails; None if it asks for none."""
    for lists, patterns in ((True, _LISTS), (False, _SAID)):
        for pattern in patterns:
            if found := pattern.search(text.strip()):
                return MailQuestion(found["sender"], found["recipient"] or "", lists)
    return None


def answer_from_mails(
    asked: MailQuestion, searched: Sequence[ToolMessage], results: Sequence[ToolMessage]
) -> tuple[tuple[CandidateSentence, ...], bool]:
    """Return the subjects of the mails, or the first sentences of the best one, and whether no mail is missing.

    `searched` is what `query` found.
    """
    files = dict.fromkeys(evidence.file for result in searched for evidence in result.evidence)
    found = [each for each in read_mails(results) if each.file in files and _may_be_from(asked.sender, each)]
    mails = sorted((each for each in found if not each.unclear), key=lambda each: list(files).index(each.file))
    if not asked.lists:
        return tuple(sentence for each in mails[:1] for sentence in _body(each, results)), True
    subjects = tuple(sentence for each in mails[:MAX_MAILS] if (sentence := _subject(each)))
    single = all(each.file.lower().endswith(_SINGLE) for each in found)
    return subjects, single and len(subjects) == len(found) < MAX_MAILS


def _may_be_from(sender: str, mail: DocumentLines) -> bool:
    """Return whether the sender's name has these words: their address may be of a firm with such a name."""
    lines = (line for _, (line, _) in sorted(mail.lines.items()))
    written = next((named[1] for line in lines if (named := _FROM.match(line))), "")
    if "<" not in written or not mail.file.lower().endswith((*_SINGLE, *MAILBOXES)):
        return True
    return set(_WORDS.findall(fold(sender))) <= set(_WORDS.findall(fold(written)))


def _subject(mail: DocumentLines) -> CandidateSentence | None:
    subjects = (number for number, (line, _) in sorted(mail.lines.items()) if line.lower().startswith("subject:"))
    at = next(subjects, None) if mail.file.lower().endswith(MAILBOXES) else title_line(mail)
    if at is None:
        return None
    line, reference = mail.lines[at]
    return CandidateSentence(line, reference, mail.title, at, at)


def _body(mail: DocumentLines, results: Sequence[ToolMessage]) -> Iterator[CandidateSentence]:
    """Yield the first sentences of a mail, without its header, greeting and signature."""
    own = {reference for _, reference in mail.lines.values()}
    said = [
        each
        for each in candidates(results)
        if each.reference in own and each.first_line in mail.lines and each.shape is SentenceShape.PROSE
        and not _HEADER.match(each.text) and not _GREETING.search(each.text) and len(each.text.split()) >= _MIN_WORDS
    ]  # fmt: skip
    yield from sorted(said, key=lambda each: each.first_line)[:MAX_QUOTED]
