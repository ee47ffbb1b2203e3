"""Checks the citations of a text from elsewhere against the library: another program's answer, or a draft.

A citation may name a passage as the tools do (`[turn1search3 L4-6 "words"]`), or a file of the library:
`[lease.md, lines 4–6]`, `(lease.pdf, page 3)`, `[lease.md:4]`, `[12 %](folder/lease.md#L4-L6)`, or a number whose
source is listed at the end of the text (`[1] lease.md, line 4`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_syntax import parse_citations, write_citation
from desktop_rag.agent.citations.citations import Citations
from desktop_rag.agent.citations.references import ANY_REFERENCE, References, readable
from desktop_rag.agent.citations.source_sentences import MAX_AROUND
from desktop_rag.agent.citations.support import MAIL_FIELDS
from desktop_rag.agent.citations.table_headings import MAX_ROWS
from desktop_rag.agent.citations.wording import settle_verdicts
from desktop_rag.agent.events import Citation, Claim
from desktop_rag.agent.run.answer_stream import AnswerStream
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Filter, Retriever, Scope
from desktop_rag.retrieval.query.tree import FileField
from desktop_rag.retrieval.reading.scope_documents import is_within
from desktop_rag.settings import NOTHING_WITHHELD, Withheld
from desktop_rag.stop import Stop
from desktop_rag.text.hidden_characters import as_data

MOST_LINES = 5_000  # of a document that is cited without a place
MOST_CHARACTERS = 200_000  # of a text
_SAME_NAME = 20  # files of one name that are looked at

_FILE = r"(?P<file>(?:library://document/|/|~/|[A-Za-z]:[\\/])?[^\[\]()\"“”„«»<>|\n#]*?[^\s\[\]()\"“”„«»<>|\n#:,/\\])"
_LINE_WORD = r"(?:#L|:|/lines/|[,;]?\s+(?:L|ll?\.|lines?\s|Zeilen?\s|Z\.\s?|lignes?\s|líneas?\s))"
_PAGE_WORD = r"[,;]?\s+(?:pages?|p\.|pp\.|Seiten?|S\.|páginas?)"
_PLACE = (
    rf"(?:(?:{_PAGE_WORD}\s*(?P<page>\d{{1,6}})[,;]?)?"
    rf"(?:{_LINE_WORD}\s*(?P<first>\d{{1,9}})(?:\s*[-–—]\s*L?(?P<last>\d{{1,9}}))?)?)"
)
_QUOTE = r"(?:[,;:]?\s*[\"“„«](?P<quote>[^\"”“»]{1,600})[\"”“»])?"
_LOCATION = re.compile(rf"{_FILE}{_PLACE}\s*{_QUOTE}", re.IGNORECASE)
_NAMES_FILE = re.compile(r"\.\w{1,8}$|^library://document/[0-9a-f]{64}", re.IGNORECASE)
_GROUP = re.compile(r"(?P<label>\[[^\[\]\n]{1,600}\])?(?P<open>[\[(])(?P<inside>[^\[\]()\n]{3,900})[\])]")
_LISTED = re.compile(r"^[ \t]*(?:[-*•][ \t]+)?(?:\[\^?(\d{1,3})\]:?|(\d{1,3})[.)])[ \t]+(\S.*?)[ \t]*$", re.MULTILINE)
_NUMBERED = re.compile(r"\[\^?(\d{1,3})\](?!\()")


@dataclass(frozen=True, slots=True)
class UnresolvedCitation:
    """A citation as written that points at nothing in the library, and why."""

    citation: str
    why: str


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The text with numbered citations (`[1](cite:1)`), each of its statements checked, and what could not be found."""

    text: str
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]
    unresolved: tuple[UnresolvedCitation, ...]


def check_cited_text(
    text: str,
    retriever: Retriever,
    stop: Stop,
    *,
    references: References | None = None,
    filters: tuple[Filter, ...] = (),
    withheld: Withheld = NOTHING_WITHHELD,
) -> CheckedText:
    """Compare each statement of a text with the lines it cites; only documents that fulfil `filters` are opened.

    Nothing that is `withheld` is opened: a verdict tells what its lines say.

    `references` are those that a session of tools has given out. Raises `ValueError` for a text that is too long, and
    as `Retriever`.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"The text has {len(text):,} characters; at most {MOST_CHARACTERS:,} are checked at once.")
    known = references or References(1)
    reading = _CitedLines(retriever, stop, known, filters, withheld)
    written = reading.in_own_notation(as_data(text))
    stream = AnswerStream(lambda: Citations(known, reading.lines, retriever, stop), stop)
    stream.replace(written)
    claims = stream.claims
    missing = [UnresolvedCitation(each.citation, "Nothing that it could mean was found.") for each in stream.dropped]
    return CheckedText(stream.text, settle_verdicts(stream.citations, claims), claims, (*reading.unresolved, *missing))


@dataclass(slots=True)
class _CitedLines:
    """Reads the lines that a text cites, and writes its citations as the tools do."""

    retriever: Retriever
    stop: Stop
    references: References
    filters: tuple[Filter, ...]
    withheld: Withheld
    lines: CitableLines = field(default_factory=CitableLines)
    unresolved: list[UnresolvedCitation] = field(default_factory=list)
    _documents: dict[str, DocumentCard | str] = field(default_factory=dict)  # by name as written; or why there is none

    def in_own_notation(self, text: str) -> str:
        """Return the text with each citation of a file as one of a reference, and without its list of sources."""
        text, listed = self._take_list(text)
        text = "".join(self._converted(text))
        if listed:
            text = _NUMBERED.sub(lambda match: listed.get(match[1], match[0]), text)
        for name in ANY_REFERENCE.finditer(text):
            self._read_reference(text, name)
        return text

    def _take_list(self, text: str) -> tuple[str, dict[str, str]]:
        """Remove the list of numbered sources; return it by number, in the tools' notation."""
        rows = [row for row in _LISTED.finditer(text) if _location(row[3]) is not None]
        rows = [row for row in rows if f"[{row[1] or row[2]}]" in text[: row.start()] or f"[^{row[1]}]" in text]
        listed = {row[1] or row[2]: self._citation(row[3], _location(row[3])) or "" for row in rows}
        for row in reversed(rows):
            text = text[: row.start()] + text[row.end() :]
        return text, listed

    def _converted(self, text: str) -> Iterator[str]:
        end = 0
        for group in _GROUP.finditer(text):
            inside = group["inside"]
            if ANY_REFERENCE.search(inside) or (location := _location(inside)) is None:
                continue
            label = group["label"] if group["open"] == "(" else None
            citation, before = self._citation(inside, location), text[end : group.start()]
            yield before if citation or label else before.rstrip(" ")
            yield f"{label[1:-1]} " if label else group["label"] or ""
            yield citation
            end = group.end()
        yield text[end:]

    def _citation(self, written: str, location: re.Match[str] | None) -> str:
        """Return the citation of a location in the tools' notation; empty, and noted, if there is no such place."""
        if location is None:
            return ""
        found = self._document(location["file"])
        if isinstance(found, str):
            self.unresolved.append(UnresolvedCitation(written.strip(), found))
            return ""
        first, last = self._range(found, location)
        if not 1 <= first <= found.lines:
            name = found.path.name if found.path else found.title
            why = (
                f"{name} has no page {location['page']}."
                if not location["first"]
                else f"{name} has {found.lines:,} lines."
            )
            self.unresolved.append(UnresolvedCitation(written.strip(), why))
            return ""
        if not self._read(found.content, first, last):
            name = found.path.name if found.path else found.title
            why = f"Line {first} of {name} is empty." if first == last else f"Lines {first}–{last} of {name} are empty."
            self.unresolved.append(UnresolvedCitation(written.strip(), why))
            return ""
        reference = self.references.of_lines(found, first, last)
        return write_citation(reference.name, first, last, (location["quote"] or "").strip())

    def _range(self, card: DocumentCard, location: re.Match[str]) -> tuple[int, int]:
        """Return the first and last cited line; 0 if the page does not exist."""
        if location["first"]:
            first, last = sorted((int(location["first"]), int(location["last"] or location["first"])))
            return first, min(last, card.lines)
        if location["page"]:
            pages = self.retriever.layout(card.content, self.stop).pages
            firsts = [page.first_line for page in pages if page.number >= int(location["page"])]
            begins = any(page.number == int(location["page"]) for page in pages)
            return (firsts[0], firsts[1] - 1 if len(firsts) > 1 else card.lines) if begins else (0, 0)
        return 1, card.lines

    def _document(self, name: str) -> DocumentCard | str:
        """Return the document of a file name or path, or why there is none."""
        if name not in self._documents:
            self._documents[name] = self._found(unquote(name).strip())
        return self._documents[name]

    def _found(self, name: str) -> DocumentCard | str:
        if name.lower().startswith("library://document/"):
            card = self.retriever.lookup(name.rpartition("/")[2], None, self.stop)
            cards = [card] if card is not None and self._may_read(card) else []
        else:
            plain = name.replace("\\", "/").removeprefix("./")
            ending = readable(Path(name).expanduser()).replace("\\", "/") if plain.startswith("~") else plain
            same = Filter(FileField.NAME, ending.rpartition("/")[2])
            asked = DocumentQuery(scope=Scope(withheld=self.withheld), filters=(same, *self.filters), limit=_SAME_NAME)
            found = self.retriever.documents(asked, self.stop).cards
            cards = [each for each in found if any(_ends_with(path, ending) for path in (each.path, *each.also))]
        if not cards:
            return f"There is no such document in the library: {name}."
        if len(cards) > 1:
            return f"{len(cards)} documents are called {name}: cite one by its path."
        return cards[0]

    def _may_read(self, card: DocumentCard) -> bool:
        return is_within(self.retriever, card.content, self.filters, self.stop, self.withheld)

    def _read_reference(self, text: str, name: re.Match[str]) -> None:
        """Read the lines that a citation of a known reference names, or those of its passage."""
        reference = self.references.get(name[0])
        if reference is None or self.retriever.describe(reference.content, self.stop) is None:
            return
        end = text.find("]", name.end())
        [raw, *_] = parse_citations(text[name.start() : end if end > 0 else name.end()])
        first, last = raw.first or reference.first_line, raw.last or reference.last_line
        self._read(reference.content, first, last)

    def _read(self, content: ContentId, first: int, last: int) -> bool:
        """Read these lines with those around them, as a run does; return whether they have text.

        The names of columns, headings and the header of a mail stand above, the rest of a paragraph around them.
        """
        last = min(last, first + MOST_LINES - 1)
        top = max(first - MAX_ROWS, 1)
        for begin, end in ((1, min(MAIL_FIELDS, top - 1)), (top, last + MAX_AROUND)):
            if begin <= end:
                window = self.retriever.read_lines(content, begin, end - begin + 1, self.stop)
                self.lines.record(content, window.first, window.lines)
        return any(map(str.strip, self.lines.within(content, first, last).values()))


def _location(text: str) -> re.Match[str] | None:
    """Return the match of a text that is a place in a file, None if it is none."""
    match = _LOCATION.fullmatch(text.strip())
    if match is None or ("://" in match["file"] and not match["file"].lower().startswith("library://")):
        return None
    named = _NAMES_FILE.search(match["file"]) or (match["file"].startswith(("/", "~/")) and match["first"])
    return match if named else None


def _ends_with(path: Path | None, ending: str) -> bool:
    if path is None:
        return False
    known = readable(path).replace("\\", "/").casefold()
    return known == ending.casefold() or known.endswith(f"/{ending.casefold().lstrip('/')}")
