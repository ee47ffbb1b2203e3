"""A conversation for export: answers with footnotes counted through all of it, and the documents they cite."""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import msgspec
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
from desktop_rag.text.desktop_links import link_to
from desktop_rag.text.display import one_line

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


# The documents cited in a conversation as a list, and for reference managers: BibTeX, RIS, CSL-JSON.

_TEX = {  # not \{: BibTeX counts it as a brace, so that one in a title would end the field
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}",
    "%": r"\%", "&": r"\&", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_AND = re.compile(r"\s*(?:,\s*(?:and|&)\s|\band\b|&)\s*")
_ORGANISATION = re.compile(
    r"(?i)\b(?:gmbh|(?-i:AG|KG|OHG|SE|SA|BV|NV|Co)|inc|ltd|llc|llp|plc|corp|corporation|company|companies|sons|brothers|group|holding"
    r"|department|ministry|ministerium|office|agency|authority|bureau|commission|committee|council|board|court|bank"
    r"|university|universität|institute|institut|school|college|academy|laboratory|center|centre|museum|library"
    r"|foundation|stiftung|association|society|verein|union|federation|services?|partners?|e\.\s?v|s\.a|b\.v|n\.v)\b"
)
_ADDRESS = re.compile(r"\s*<[^<>\s]+@[^<>\s]+>")  # behind the name of a mail's sender
_SUFFIX = re.compile(r"(?i)(?:jr|sr|ph\.? ?d|m\.? ?d|ii|iii|iv|esq|m\.? ?sc|mba)\.?")


def plain_reference(work: CitedWork) -> str:
    """Return a document as one line: author, year, title, file."""
    head = f"{work.author} ({work.year})" if work.author and work.year else work.author or work.year
    name = work.name if work.name != work.title else ""
    return one_line(". ".join(filter(None, (head, work.title, name))) + ".")


def as_bibtex(conversation: ExportedConversation) -> str:
    """Return the documents as BibTeX entries."""
    return "\n".join(map(_bibtex, conversation.works))


def _bibtex(work: CitedWork) -> str:
    fields = {
        "title": work.title,
        "author": "",
        "year": work.year,
        "howpublished": work.name,
        "note": work.place,
    }
    written = {name: _tex(value) for name, value in fields.items()}
    # Braces keep an organisation whole.
    authors = (f"{{{_tex(each)}}}" if _ORGANISATION.search(each) else _tex(each) for each in _authors(work))
    written["author"] = " and ".join(authors)
    lines = [f"  {name} = {{{value}}}," for name, value in written.items() if value]
    if work.path:
        lines.append(f"  url = {{{_link(work)}}},")
        if not {"{", "}"} & set(work.path):  # BibTeX has no way to write one that is not TeX
            # As JabRef and Zotero write it: separators escaped, not TeX.
            lines.append("  file = {:" + re.sub(r"([\\:;])", r"\\\1", one_line(work.path)) + ":},")
    return "\n".join((f"@misc{{{work.key},", *lines, "}", ""))


def as_ris(conversation: ExportedConversation) -> str:
    """Return the documents as RIS records."""
    lines: list[str] = []
    for work in conversation.works:
        lines += ["TY  - GEN", f"ID  - {work.key}", f"TI  - {one_line(work.title)}"]
        lines += [f"AU  - {one_line(author)}" for author in _authors(work)]
        lines += [f"PY  - {work.year}"] if work.year else []
        lines += [f"N1  - {work.place}"] if work.place else []
        lines += [f"L1  - {one_line(work.path)}", f"UR  - {_link(work)}"] if work.path else []
        lines += ["ER  - ", ""]
    return "\r\n".join(lines)


def as_csl_json(conversation: ExportedConversation) -> str:
    """Return the documents as CSL-JSON."""
    return msgspec.json.format(msgspec.json.encode([_csl(work) for work in conversation.works])).decode()


def _csl(work: CitedWork) -> dict[str, object]:
    item: dict[str, object] = {"id": work.key, "type": "document", "title": work.title}
    item["note"] = ", ".join(filter(None, (work.name, work.place)))
    if work.path:
        item["URL"] = _link(work)
    if work.author:
        item["author"] = [{"literal": author} for author in _authors(work)]
    if work.year:
        item["issued"] = {"date-parts": [[int(work.year)]]}
    return item


def _link(work: CitedWork) -> str:
    """Return the link that shows the document in the window."""
    return link_to(work.path, sha256=work.sha256)


def _authors(work: CitedWork) -> list[str]:
    """Return the authors, divided as people write them; an organisation is one, whatever its name holds."""
    named = _ADDRESS.sub("", work.author) or work.author  # an address alone is all there is
    parts = [part.strip('" ') for part in named.split(";") if part.strip('" ')]
    return [author for part in parts for author in ([part] if _ORGANISATION.search(part) else _people(part))]


def _people(text: str) -> list[str]:
    people: list[str] = []
    for part in filter(None, map(str.strip, _AND.split(text))):
        names = [name.strip() for name in part.split(",") if name.strip()]
        apart = len(names) > 1 and all(" " in name and not _SUFFIX.fullmatch(name) for name in names)
        people += names if apart else [part]  # not “Doe, Jane”
    return people


def _tex(text: str) -> str:
    return "".join(_TEX.get(char, char) for char in one_line(text))
