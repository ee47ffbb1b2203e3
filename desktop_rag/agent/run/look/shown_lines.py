"""The lines that a request of its own shows beside statements: those cited, what stands around them, and who is meant.

Lines of one document that overlap are shown once. Only lines that the run has read are shown.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.quoted_rows import MAX_LINES, keeps_range
from desktop_rag.agent.events import Citation
from desktop_rag.agent.prompts import mark_as_data, ordering
from desktop_rag.agent.tools.numbered_lines import number_lines
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import Evidence, document_label
from desktop_rag.text.locate import locate

AROUND = 5  # lines before and after the cited ones …
MOST_AROUND = 700  # … as long as a place has no more tokens
SOURCE = 4_000  # tokens of the cited lines of one place
HEADER = 40  # tokens of a document's heading
NOTICE = 60  # tokens of what marks the lines as data
MOST_INTRODUCING = 2  # lines for each statement that have names which its lines lack
_INTRODUCING = 120  # tokens of such a line
_FAMILIAR = 0.05  # share of a document's lines: a word in more of them introduces nothing
_NAME = re.compile(r"[^\W_][\w'’-]{2,}")

CountTokens = Callable[[str], int]
Label = Callable[[int, Citation], str]  # of a document: its number in the request, a citation of it


@dataclass(frozen=True, slots=True)
class Place:
    """The cited lines of a statement as they are shown, with what is shown around them."""

    citation: Citation
    first: int
    last: int
    cut: bool  # not all cited lines are shown


@dataclass(slots=True)
class _Document:
    """What is shown of a document: its lines by number."""

    number: int
    citation: Citation
    lines: dict[int, str] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)  # sections, and headers of tables


class ShownLines:
    """Collects lines within a budget of tokens."""

    def __init__(self, read: CitableLines, budget: int, count_tokens: CountTokens) -> None:
        self._read = read
        self.left = budget - NOTICE
        self._count = count_tokens
        self._documents: dict[ContentId, _Document] = {}
        self._words: dict[ContentId, Mapping[int, frozenset[str]]] = {}

    def add(self, statement: str, citations: Sequence[Citation], cost: int) -> tuple[Place, ...] | None:
        """Add the lines of a statement that costs so many tokens itself; None if there is no room for both."""
        for around in (True, False):
            wanted, places = self._wanted(statement, citations, around=around)
            needed = cost + sum(map(self._cost, wanted))
            if needed <= self.left:
                self.left -= needed
                for content, citation, lines in wanted:
                    known = self._documents.setdefault(content, _Document(len(self._documents) + 1, citation))
                    known.lines |= {number: text for number, text in lines.items() if number not in known.lines}
                for each in citations:
                    names = filter(None, (each.section, each.columns))
                    self._documents[each.content].names |= dict.fromkeys(names)
                return places
        return None

    def number(self, citation: Citation) -> int:
        """Return the number of the document of a citation whose lines were added."""
        return self._documents[citation.content].number

    def text_of(self, citations: Iterable[Citation]) -> str:
        """Return all that is shown of the documents of these citations."""
        shown = (self._documents[content] for content in dict.fromkeys(each.content for each in citations))
        return "\n".join(text for each in shown for _, text in sorted(each.lines.items()))

    def render(self, label: Label, counts_from: int = 1) -> tuple[str, tuple[Evidence, ...]]:
        """Return the lines under their documents, marked as data, and their structure.

        `label` begins a document; lines are numbered as a model saw them that counts from `counts_from`.
        """
        sent: list[Evidence] = []
        blocks: list[str] = []
        for each in self._documents.values():
            runs = [evidence_of(each.citation, *run) for run in runs_of(each.lines)]
            sent += runs
            shown = set(each.lines.values())
            names = (name for name in each.names if name not in shown)
            head = " · ".join((document_label(_file_name(each.citation), each.citation.title), *names))
            texts = "\n⋯\n".join(_numbered(run, counts_from - 1) for run in runs)
            blocks.append(f"{label(each.number, each.citation)} {head}\n{texts}")
        return mark_as_data("\n\n".join(blocks), ordering(sent)), tuple(sent)

    def _cost(self, wanted: tuple[ContentId, Citation, Mapping[int, str]]) -> int:
        content, _, lines = wanted
        known = self._documents.get(content)
        new = [text for number, text in lines.items() if known is None or number not in known.lines]
        return self._count("\n".join(new)) + 3 * len(new) + (0 if known else HEADER)

    def _wanted(
        self, statement: str, citations: Sequence[Citation], *, around: bool
    ) -> tuple[list[tuple[ContentId, Citation, Mapping[int, str]]], tuple[Place, ...]]:
        wanted: list[tuple[ContentId, Citation, Mapping[int, str]]] = []
        places: list[Place] = []
        for citation in citations:
            place, lines = self._cited(statement, citation)
            places.append(place)
            wanted.append((citation.content, citation, self._around(citation, lines) if around else lines))
        if around:
            wanted += self._introducing(statement, citations, wanted)
        merged: dict[ContentId, tuple[Citation, dict[int, str]]] = {}
        for content, citation, shown in wanted:
            merged.setdefault(content, (citation, {}))[1].update(shown)
        return [(content, *parts) for content, parts in merged.items()], tuple(places)

    def _cited(self, statement: str, citation: Citation) -> tuple[Place, dict[int, str]]:
        """Return the cited lines as they are shown: of many, those with the quoted words, else the likest ones."""
        cited = cited_lines(citation)
        known = self._read.within(citation.content, citation.first_line, citation.last_line)
        lines = {number: known.get(number, "") for number in cited}
        first, last = citation.first_line, citation.last_line
        if not keeps_range(lines.values()):
            first, last = _narrowed(statement, citation.quote, lines)
        numbered = number_lines([lines[n] for n in range(first, last + 1)], first, SOURCE, self._count)
        shown = dict(enumerate(numbered.lines, first))
        return Place(citation, first, max(shown, default=first), cut=shown != cited), shown

    def _around(self, citation: Citation, lines: Mapping[int, str]) -> dict[int, str]:
        """Return lines with those read before and after them, in turn, as long as there is room."""
        first, last = min(lines), max(lines)
        known = self._read.within(citation.content, first - AROUND, last + AROUND)
        found, room = {**lines}, MOST_AROUND - self._count("\n".join(lines.values()))
        before, after = True, True
        for step in range(1, AROUND + 1):
            before, after = before and first - step in known, after and last + step in known
            for number in ([first - step] if before else []) + ([last + step] if after else []):
                room -= self._count(known[number]) + 3
                if room < 0:
                    return found
                found[number] = known[number]
        return found

    def _introducing(
        self,
        statement: str,
        citations: Sequence[Citation],
        wanted: Iterable[tuple[ContentId, Citation, Mapping[int, str]]],
    ) -> list[tuple[ContentId, Citation, Mapping[int, str]]]:
        """Return the nearest lines above, else below, that have names of a statement which the shown lines lack."""
        shown = "\n".join(line for *_, lines in wanted for line in lines.values())
        heads = "\n".join(f"{each.title}\n{each.section}\n{each.columns}\n{_file_name(each)}" for each in citations)
        there = _words(f"{shown}\n{heads}")
        lacking = {word.casefold() for word in _NAME.findall(statement) if not word.islower()} - there
        found: list[tuple[ContentId, Citation, Mapping[int, str]]] = []
        for citation in {each.content: each for each in citations}.values():
            while lacking and len(found) < MOST_INTRODUCING:
                line = self._introduced(citation, lacking)
                if line is None:
                    break
                number, words = line
                text = number_lines(
                    [self._read.lines(citation.content)[number]], number, _INTRODUCING, self._count
                ).lines
                found.append((citation.content, citation, {number: text[0] if text else ""}))
                lacking -= words
        return found

    def _introduced(self, citation: Citation, lacking: set[str]) -> tuple[int, frozenset[str]] | None:
        """Return the line of a document with most of these words, of equals the nearest above, and its words."""
        words = self._words_of(citation.content)
        familiar = max(3, _FAMILIAR * len(words))
        telling = {word for word in lacking if 0 < sum(word in each for each in words.values()) <= familiar}
        best = max(
            (number for number, each in words.items() if telling & each),
            key=lambda number: (
                len(telling & words[number]),
                number < citation.first_line,
                -abs(number - citation.first_line),
            ),
            default=None,
        )
        return None if best is None else (best, words[best])

    def _words_of(self, content: ContentId) -> Mapping[int, frozenset[str]]:
        if content not in self._words:
            lines = self._read.lines(content)
            self._words[content] = {number: frozenset(_words(line)) for number, line in lines.items()}
        return self._words[content]


def cited_lines(citation: Citation) -> dict[int, str]:
    """Return the lines of a citation by number, as the library has them."""
    begin = citation.first_line - citation.passage_first_line
    lines = citation.passage.split("\n")[begin : begin + citation.last_line - citation.first_line + 1]
    return dict(enumerate(lines, citation.first_line))


def _narrowed(statement: str, quote: str, lines: Mapping[int, str]) -> tuple[int, int]:
    """Return the range of a few lines around the quoted words, else that with most words of a statement."""
    first, last = min(lines), max(lines)
    found = locate(quote, lines) if quote else None
    if found:
        spare = max(MAX_LINES - (found.last_line - found.first_line + 1), 0) // 2
        begin = max(first, found.first_line - spare)
        return begin, min(last, max(found.last_line, begin + MAX_LINES - 1))
    wanted = _words(statement)
    shared = {number: len(wanted & _words(line)) for number, line in lines.items()}
    begins = range(first, last - MAX_LINES + 2)
    begin = max(begins, key=lambda at: sum(shared.get(number, 0) for number in range(at, at + MAX_LINES)))
    return begin, begin + MAX_LINES - 1


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _NAME.findall(text)}


def runs_of(lines: Mapping[int, str]) -> list[tuple[int, tuple[str, ...]]]:
    """Return lines in order as contiguous runs, each with the number of its first line."""
    found: list[tuple[int, list[str]]] = []
    for number, text in sorted(lines.items()):
        if found and found[-1][0] + len(found[-1][1]) == number:
            found[-1][1].append(text)
        else:
            found.append((number, [text]))
    return [(first, tuple(texts)) for first, texts in found]


def _numbered(run: Evidence, shift: int) -> str:
    return "\n".join(
        f"{number}: {' '.join(line.splitlines())}" for number, line in enumerate(run.lines, run.first_line + shift)
    )


def evidence_of(citation: Citation, first: int, lines: tuple[str, ...]) -> Evidence:
    """Return lines of a cited document, the first of which has the number `first`."""
    return Evidence(citation.reference, citation.title, first, lines, file=_file_name(citation), path=citation.path)


def _file_name(citation: Citation) -> str:
    return citation.path.replace("\\", "/").rpartition("/")[2]
