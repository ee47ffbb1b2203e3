"""A conversation for export: answers with footnotes counted through all of it, and the documents they cite."""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from PySide6.QtCore import QCoreApplication, QDateTime

from desktop_rag.agent.answer_notes import in_language_of
from desktop_rag.agent.citations.marks import UNFOUNDED
from desktop_rag.agent.citations.quoted_rows import shown_words
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.conversations.turn_search import answer_text
from desktop_rag.agent.events import Answered, Citation, Claim, Mark, RunFailed, RunStarted, RunStopped
from desktop_rag.gui import formatting
from desktop_rag.gui.formatting import file_name, place, shown_moment, verdict
from desktop_rag.retrieval.api import DocumentCard

# The words that an exported conversation adds to questions and answers, in the language of the window.


def note_text(citation: Citation) -> str:
    """Return a footnote: the file, the place, the quoted words, and what the check of these words found."""
    where = place(citation.page, citation.first_line, citation.last_line, citation.section)
    name = file_name(citation.path, citation.title)
    if not citation.quote:
        return _tr("{file}, {place}").format(file=name, place=where)
    found = "" if citation.verdict == "verbatim" else verdict(citation)
    text = _tr("{file}, {place}: “{quote}”").format(file=name, place=where, quote=shown_words(citation))
    return f"{text} {found}".strip()


def asked_at(moment: datetime) -> str:
    """Return when a question was asked."""
    return shown_moment(QDateTime.fromSecsSinceEpoch(int(moment.timestamp())))


def sources_title() -> str:
    """Return the heading of the list of documents."""
    return _tr("Sources")


def unfinished_note() -> str:
    """Return the note below an answer that was stopped or failed."""
    return _tr("This answer is not complete.")


def _tr(text: str) -> str:
    return QCoreApplication.translate("ConversationExport", text)


_LINK = re.compile(r"\[(\d+)\]\(cite:(\d+)\)")
_MORE = re.compile(r"(?:\s?\[\d+\]\(cite:\d+\))*[.!?*_`\"”»)]*")  # of a statement, after its words
_BEGUN = re.compile(r"(?:^|\n)[ \t]*(?:[-*+>|]|#{1,6}|\d{1,3}[.)])?[ \t]*$")  # a list, table … without a word yet
_MARKUP = re.compile(r"([\\`*_\[\]<>#|~$])")
_ESCAPED = r"\\\1"
_NOTED: tuple[Mark, ...] = (*UNFOUNDED, "computed", "missing")
_YEAR = re.compile(r"(?<!\d)(1[5-9]|20)\d\d")


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A document that answers cite; `key` is unique in the conversation, author and year are empty if unknown.

    `place` are page and lines of a citation that is copied alone.
    """

    key: str
    name: str
    title: str
    path: str
    author: str
    year: str
    format: str
    sha256: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class ExportedTurn:
    """A question with its answer in Markdown, whose links `[n](cite:n)` count through the whole conversation.

    `statements` counts these by their mark; `marked` is the answer with a note after each that is not simply cited.
    """

    question: str
    asked: datetime
    answer: str
    notes: tuple[Citation, ...]
    statements: str
    marked: str


@dataclass(frozen=True, slots=True)
class ExportedConversation:
    """A conversation as all formats need it."""

    title: str
    turns: tuple[ExportedTurn, ...]
    works: tuple[CitedWork, ...]


def exported(
    title: str, turns: Sequence[Turn], card_of: Callable[[Citation], DocumentCard | None]
) -> ExportedConversation:
    """Return a conversation for export; `card_of` looks up the document of a citation."""
    done: list[ExportedTurn] = []
    works: dict[str, CitedWork] = {}
    number = 0
    for turn in turns:
        citations, claims = _outcome(turn)
        numbers = {citation.number: number + place for place, citation in enumerate(citations, 1)}
        number += len(citations)
        notes = tuple(replace(citation, number=numbers[citation.number]) for citation in citations)
        asked = datetime.fromtimestamp(turn.asked_ns / 1e9, UTC).astimezone()
        text, unfinished = answer_text(turn), bool(turn.events) and not isinstance(turn.events[-1], Answered)
        text = _BEGUN.sub("", text).rstrip() if unfinished else text
        note = f"\n\n*{unfinished_note()}*" if unfinished else ""
        shown = text, _marked(text, claims, numbers) + note
        answer, marked = (in_language_of(_asked(turn), _renumbered(each, numbers)) for each in shown)
        done.append(ExportedTurn(turn.question, asked, answer, notes, formatting.claims(claims), marked))
        for citation in notes:
            key = citation.sha256 or citation.path
            if key not in works:
                works[key] = cited_work(citation, card_of(citation), {work.key for work in works.values()})
    ordered = sorted(works.values(), key=lambda work: (work.author or work.title).casefold())
    return ExportedConversation(title, tuple(done), tuple(ordered))


def _outcome(turn: Turn) -> tuple[tuple[Citation, ...], tuple[Claim, ...]]:
    match turn.events[-1] if turn.events else None:
        case Answered(citations=citations, claims=claims):
            return citations, claims
        case RunStopped(citations=citations) | RunFailed(citations=citations):
            return citations, ()
    return (), ()


def _asked(turn: Turn) -> str:
    """Return the question of a run: a section of a report is shown under its heading."""
    return next((each.question for each in turn.events if isinstance(each, RunStarted)), turn.question)


def _renumbered(text: str, numbers: dict[int, int]) -> str:
    def link(found: re.Match[str]) -> str:
        number = numbers.get(int(found[2]))
        return f"[{number}](cite:{number})" if number else ""

    return _LINK.sub(link, text)


def _marked(text: str, claims: Sequence[Claim], numbers: Mapping[int, int]) -> str:
    """Return an answer with a note after each statement of `_NOTED` and its citations, in the last cell of a row."""
    for claim in sorted(claims, key=lambda each: -each.end):
        if claim.mark not in _NOTED:
            continue
        words = text[claim.start : claim.end].rstrip()
        if words.lstrip().startswith("|"):
            end = claim.start + len(words.removesuffix("|").rstrip())
        else:
            more = _MORE.match(text, claim.start + len(words))
            end = more.end() if more else claim.start + len(words)
        operands = tuple(replace(each, citation=numbers.get(each.citation, 0)) for each in claim.operands)
        note = formatting.claim(replace(claim, operands=operands)).rstrip(".。")
        gap = " " if text.startswith("(", end) else ""  # otherwise the note would be a link
        text = f"{text[:end]} [{_MARKUP.sub(_ESCAPED, note)}]{gap}{text[end:]}"
    return text


def cited_work(citation: Citation, card: DocumentCard | None, taken: Container[str] = ()) -> CitedWork:
    """Return the document of a citation, with a key that is not `taken`."""
    name = file_name(citation.path, citation.title)
    title = (card.title if card else "") or citation.title or name
    author = card.author if card else ""
    year = _YEAR.search(card.created) if card else None
    base = re.sub(r"[^a-z0-9]+", "-", title.casefold().encode("ascii", "ignore").decode()).strip("-")[:40]
    base = base if re.search("[a-z]", base) else f"document-{citation.sha256[:8] or 0}"
    key = next(key for n in range(1, 1_000_000) if (key := base if n == 1 else f"{base}-{n}") not in taken)
    path = citation.path
    return CitedWork(key, name, title, path, author, year[0] if year else "", citation.format, citation.sha256)


def copied_work(citation: Citation, card: DocumentCard | None) -> CitedWork:
    """Return the document of a citation that is copied alone: where it is cited, and a key as no other document has."""
    work = cited_work(citation, card)
    page = f"p. {citation.page}, " if citation.page else ""
    lines = f"{citation.first_line}–{citation.last_line}"
    lines = f"lines {lines}" if citation.last_line > citation.first_line else f"line {citation.first_line}"
    return replace(work, key=f"{work.key}-{citation.sha256[:6]}".rstrip("-"), place=page + lines)
