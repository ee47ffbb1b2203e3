"""Checks the citations of a text from elsewhere against the library: another program's answer, or a draft.

A citation may name a passage as the tools do (`[turn1search3 L4-6 "words"]`), or a file of the library
(`citations.written_places`), also by a number whose source is listed at the end of the text (`[1] lease.md, line 4`),
or below a quotation, as the window copies it.
"""

import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from urllib.parse import unquote

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_syntax import LINK, parse_citations, write_citation
from desktop_rag.agent.citations.citations import Citations
from desktop_rag.agent.citations.references import ANY_REFERENCE, References, readable
from desktop_rag.agent.citations.resolve import BESIDE
from desktop_rag.agent.citations.source_sentences import MAX_AROUND
from desktop_rag.agent.citations.support import MAIL_FIELDS
from desktop_rag.agent.citations.table_headings import MAX_ROWS
from desktop_rag.agent.citations.wording import settle_verdicts
from desktop_rag.agent.citations.written_places import WrittenPlace, listed_place, written_groups, written_places
from desktop_rag.agent.events import Citation, Claim
from desktop_rag.agent.extractive.answer import split_notes
from desktop_rag.agent.run.answer_stream import AnswerStream
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Filter, Retriever, Scope
from desktop_rag.retrieval.query.tree import FileField
from desktop_rag.retrieval.reading.scope_documents import is_within
from desktop_rag.settings import NOTHING_WITHHELD, Withheld
from desktop_rag.stop import Stop
from desktop_rag.text.desktop_links import is_link
from desktop_rag.text.display import plural, shorten
from desktop_rag.text.hidden_characters import as_data

MOST_LINES = 5_000  # of a document that is cited without a place
MOST_CHARACTERS = 200_000  # of a text
_SAME_NAME = 20  # files of one name that are looked at

_MARKER = r"^[ \t>]*(?:[-*•][ \t]+)?"
_LISTED = re.compile(
    rf"{_MARKER}(?:\[\^?(\d{{1,3}}|(?<=\^)[\w-]{{1,30}})\]:?|(\d{{1,3}})[.)])[ \t]+(\S.*?)[ \t]*$", re.MULTILINE
)
_NUMBERED = re.compile(r"\[(?:\^([\w-]{1,30})|(\d{1,3}(?:\s*[,;]\s*\d{1,3}){0,9}))\](?!\()")
# A quotation as the window copies it: the words, then “— Title (lease.md), line 4” and the path of the file or a link.
_ATTRIBUTED = re.compile(
    r"(?:\n[ \t>]{0,9}(?=\n)){0,3}\n[ \t>]{0,9}[—–][ \t]*(?P<source>[^\n]{3,600}?)[ \t]*"
    r"(?:\n[ \t>]*(?P<at>\[[^\n]{3,9000}\)|(?:/|[A-Za-z]:\\)[^\n]{1,4096}?)[ \t]*)?(?=\n|$)"
)
_SOURCE = re.compile(r"\**(?:.*\()?(?P<file>[^()*]+?)\)?\**(?P<place>,\s.*)")
_SOURCES_HEADING = (
    r"^[ \t]*(?:#{1,6}[ \t]+|\*\*|__)?(?:Sources?|References|Bibliography|Quellen|Literatur|来源)(?:\*\*|__)?:?[ \t]*\n"
)
_SOURCES = re.compile(
    rf"{_SOURCES_HEADING}(?:[ \t]*\n)*(?:[ \t]*(?:[-*+•]|\d{{1,3}}[.)])[ \t]+[^\n]*\n?|[ \t]*\n)+", re.MULTILINE
)
_ITEM_OF_FILE = re.compile(r"^(?=[ \t]*(?:\S+[ \t]+){1,25}\S*[ \t]*$)[^\n]*\S\.\w{1,8}\b[^\n]*\n?", re.MULTILINE)
_ASKED_AT = re.compile(r"^(#{1,6} [^\n]+\n\n?)\*[^*\n]{0,30}\d{1,2}:\d\d[^*\n]{0,10}\*$", re.MULTILINE)
_NOWHERE = "\ue000"  # stands where a citation points at nothing, so that its statement shares no other one
_MARK = re.compile(f" ?{_NOWHERE}")
_ABOVE = re.compile(r"^(?:\.\.?/)+")


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
    written = reading.in_own_notation(as_data(text).replace(_NOWHERE, ""))
    stream = AnswerStream(lambda: Citations(known, reading.lines, retriever, stop), stop)
    stream.replace(written)
    shown, claims = _without_marks(stream.text, stream.claims)
    missing = [_unresolved(each.citation, reading.empty) for each in stream.dropped]
    return CheckedText(shown, settle_verdicts(stream.citations, claims), claims, (*reading.unresolved, *missing))


def _unresolved(citation: str, empty: Mapping[str, UnresolvedCitation]) -> UnresolvedCitation:
    known = (each for place, each in empty.items() if re.search(rf"{place}(?!\d)", citation))
    return next(known, UnresolvedCitation(citation, "Nothing that it could mean was found."))


def _without_marks(text: str, claims: Sequence[Claim]) -> tuple[str, tuple[Claim, ...]]:
    """Return the text without the marks of citations that point at nothing.

    A statement with such a citation alone is uncited: it must not share that of the next one.
    """
    marks = [mark.span() for mark in _MARK.finditer(text)]
    starts, removed = [start for start, _ in marks], [0, *accumulate(end - start for start, end in marks)]

    def moved(at: int) -> int:
        count = bisect_left(starts, at)
        return at - removed[count] + (max(marks[count - 1][1] - at, 0) if count else 0)

    found = list[Claim]()
    for claim in claims:
        after = text[claim.end : claim.end + 200].lstrip(' .!?…”"')
        own = LINK.search(text, claim.start, claim.end) or LINK.match(after)
        if not own and (after.startswith(_NOWHERE) or _NOWHERE in text[claim.start : claim.end]):
            claim = Claim(claim.start, claim.end, "uncited", quoted=claim.quoted)
        found.append(replace(claim, start=moved(claim.start), end=moved(claim.end)))
    return _MARK.sub("", text), tuple(found)


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
    empty: dict[str, UnresolvedCitation] = field(default_factory=dict)  # by reference and first line
    _documents: dict[tuple[str, str], DocumentCard | str] = field(default_factory=dict)  # or why there is none

    def in_own_notation(self, text: str) -> str:
        """Return the text with each citation of a file as one of a reference, and without its list of sources."""
        text = _ATTRIBUTED.sub(self._attributed, _plain_parts(text))
        text, listed = self._take_list(text)
        text = "".join(self._converted(text))
        if listed:
            text = _NUMBERED.sub(partial(_numbered, listed), text)
        for name in ANY_REFERENCE.finditer(text):
            self._read_reference(text, name)
        return text

    def _take_list(self, text: str) -> tuple[str, dict[str, str]]:
        """Remove the list of numbered sources; return it by number, in the tools' notation."""
        rows = [(row, place) for row in _LISTED.finditer(text) if (place := listed_place(row[3])) is not None]
        cited = dict[str, int]()
        for match in _NUMBERED.finditer(text):
            for name in _names(match):
                cited.setdefault(name, match.start())
        named = [(row[1] or row[2], row, place) for row, place in rows]
        named = [each for each in named if cited.get(each[0], len(text)) < each[1].start()]
        listed = {name: self._citation(place) for name, _, place in named}
        for _, row, _ in reversed(named):
            text = text[: row.start()] + text[row.end() :]
        return _SOURCES.sub(lambda part: _ITEM_OF_FILE.sub("", part[0]), text), listed

    def _converted(self, text: str) -> Iterator[str]:
        end = 0
        for group in written_groups(text):
            yield text[end : group.start]
            yield f"{group.label} " if group.label else ""
            yield "".join(map(self._citation, group.places))
            end = group.end
        yield text[end:]

    def _attributed(self, match: re.Match[str]) -> str:
        """Return the citation that a copied quotation names below it."""
        source = _SOURCE.fullmatch(match["source"])
        at = match["at"] or (source["file"] if source else "")
        linked = next(written_groups(at), None) if at.startswith("[") else None
        places = linked.places if linked else written_places(f"{at}{source['place']}") if source else ()
        return f" {''.join(map(self._citation, places))}" if places else match[0]

    def _citation(self, place: WrittenPlace) -> str:
        """Return a citation in the tools' notation; a mark, and it is noted, if there is no such place."""
        found = self._document(place)
        if isinstance(found, str):
            return self._points_nowhere(place, found)
        first, last = self._range(found, place)
        name = found.path.name if found.path else found.title
        if not 1 <= first <= found.lines:
            why = f"{name} has {plural(found.lines, 'line')}." if place.first else f"{name} has no page {place.page}."
            return self._points_nowhere(place, why)
        has_text = self._read(found.content, first, last)
        reference = self.references.of_lines(found, first, last)
        if not has_text:
            lines = f"Line {first} of {name} is" if first == last else f"Lines {first}–{last} of {name} are"
            if last - first >= BESIDE:
                return self._points_nowhere(place, f"{lines} empty.")
            # A line or two beside them may be meant.
            self.empty[f"{reference.name} L{first}"] = UnresolvedCitation(place.written, f"{lines} empty.")
        return write_citation(reference.name, first, last, place.quote)

    def _points_nowhere(self, place: WrittenPlace, why: str) -> str:
        self.unresolved.append(UnresolvedCitation(place.written, why))
        return _NOWHERE

    def _range(self, card: DocumentCard, place: WrittenPlace) -> tuple[int, int]:
        """Return the first and last cited line; 0 if the page does not exist."""
        if place.first:
            return place.first, min(place.last, card.lines)
        if place.page:
            pages = self.retriever.layout(card.content, self.stop).pages
            firsts = [page.first_line for page in pages if page.number >= place.page]
            begins = any(page.number == place.page for page in pages)
            return (firsts[0], firsts[1] - 1 if len(firsts) > 1 else card.lines) if begins else (0, 0)
        return 1, card.lines

    def _document(self, place: WrittenPlace) -> DocumentCard | str:
        """Return the document of a file name or path, or why there is none."""
        known = (place.file, place.sha256)
        if known not in self._documents:
            card = self._by_hash(place.sha256) if place.sha256 else None
            self._documents[known] = card or self._found(place.file if is_link(place.written) else unquote(place.file))
        return self._documents[known]

    def _by_hash(self, sha256: str) -> DocumentCard | None:
        card = self.retriever.lookup(sha256, None, self.stop)
        return card if card is not None and self._may_read(card) else None

    def _found(self, name: str) -> DocumentCard | str:
        if name.lower().startswith("library://document/"):
            card = self._by_hash(name.rpartition("/")[2])
            cards = [] if card is None else [card]
        else:
            plain = name.strip().replace("\\", "/")
            whole = readable(Path(plain).expanduser()).replace("\\", "/") if plain.startswith("~") else plain
            ending = _ABOVE.sub("", posixpath.normpath(whole))
            same = Filter(FileField.NAME, ending.rpartition("/")[2])
            asked = DocumentQuery(scope=Scope(withheld=self.withheld), filters=(same, *self.filters), limit=_SAME_NAME)
            found = self.retriever.documents(asked, self.stop).cards
            cards = [each for each in found if any(_ends_with(path, ending) for path in (each.path, *each.also))]
        if not cards:
            return f"There is no such document in the library: {shorten(name, 200)}."
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


def _plain_parts(text: str) -> str:
    """Return a text without what this program writes around answers: its notes, and when a question was asked."""
    return _ASKED_AT.sub(r"\1", "".join(part for part, is_note in split_notes(text) if not is_note))


def _names(match: re.Match[str]) -> list[str]:
    return [match[1]] if match[1] else re.split(r"\s*[,;]\s*", match[2])


def _numbered(listed: Mapping[str, str], match: re.Match[str]) -> str:
    """Return the citations of the listed sources that a text cites by number."""
    names = _names(match)
    return "".join(listed[name] for name in names) if all(name in listed for name in names) else match[0]


def _ends_with(path: Path | None, ending: str) -> bool:
    if path is None:
        return False
    known = readable(path).replace("\\", "/").casefold()
    return known == ending.casefold() or known.endswith(f"/{ending.casefold().lstrip('/')}")
