"""Extracts the candidate sentences of an answer from the results of tools."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from desktop_rag.agent.citations.source_sentences import SentenceShape, SourceSentence, is_cut_at_end, sentences
from desktop_rag.agent.citations.support import significant_text
from desktop_rag.agent.citations.table_headings import table_header, year_headers
from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.llm.chat import Evidence, ToolMessage
from desktop_rag.text.dates import mentions
from desktop_rag.text.normalize import fold_quote

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Þ“\"(])")
MARKED = 12  # characters at the start of a sentence that show whether its line starts with it
_SECTION = re.compile(r"§{1,2}\s?\d+\w?(?:\s[^\W\d_][\w-]*,?){0,6}")
_CELLS = re.compile(r"\t|\w \| \w")
FOCUSED = 12  # top results of a search whose focus sentences count
_PRONOUN = r"he|she|it|they|his|her|its|their|this|these|those|er|sie|es|dieser?s?|il|elle|ils|elles|ce"
_SAID_AGAIN = re.compile(rf"(?:{_PRONOUN})\b", re.IGNORECASE)
_LEANING = re.compile(rf"(?:{_PRONOUN}|that|however|but|then|also|there|such|the latter|dort)\b", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:[-*•–]|\(?(?:\d{1,2}|[a-z])[.)])\s+\S")
_RUN_IN = re.compile(r"(\*\*|__)(?=\S)[^*_]+\1")  # a heading in bold type before its text
_WHEN = r"(?:\[[^\]]+\] |\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])? [-–] )?"
_TURN = re.compile(rf"{_WHEN}([A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w’'-]+){{0,2}}): ")
_AGENT = re.compile(r"([^\W\d_]{4,})(?:or|er):\s")
STAMP = re.compile(rf"^{_WHEN}(?:[\w’'. -]{{1,30}}: )?")  # when a turn was said, and by whom
SHORT_REPLY = 2  # words
_LABEL = re.compile(r"\W*[^\W\d_][\w ]{1,20}: ")
MAX_ITEMS = 700  # characters of a list that is quoted with the sentence above it
_CLOSING = re.compile(r"(?:[^\W\d_]+ ?){1,4},?")  # of a letter: “Yours sincerely”
_SIGNED = re.compile(r"(?:[A-ZÀ-Þ][\w.’'-]* ?){2,5}")
_OFFICE = re.compile(r"(?:[^\W\d_][\w’'&-]* ?){1,6}")
MAX_ENTRY = 4  # words of a heading that is the date of an entry: “3.1.0 (2025-01-27)”
HEAD = 8  # lines of a document among which its date stands
SUBJECT = 2  # content words at the start of a sentence that "it" in the next sentence refers to


@dataclass(frozen=True)
class CandidateSentence:
    """A sentence that was read; `before` and `after` are its neighbours, `place` is the rank of its passage from 0."""

    text: str
    reference: str
    title: str
    first_line: int
    last_line: int
    before: str = ""
    before_line: int = 0  # 0 if a list marker stands between both, so that they are no quotation together
    after: str = ""
    after_line: int = 0
    under: str = ""  # its heading
    speakers: str = ""  # the names of those who speak in its conversation
    columns: str = ""  # of a table row: the header of its table or the line of years above it
    shape: SentenceShape = SentenceShape.PROSE
    cut: bool = False  # it goes on where no line was read
    place: int = 0
    focus: float = 0.0  # 1 for the best sentence of a search by meaning, less for lower ranks
    across: float = 0.0  # its passage's score if it is the nearest there in another language, see `MatchReason`
    parts: frozenset[str] = frozenset()  # stems of the question that a compound ends with
    items: tuple[str, ...] = ()  # the lines of the list that it introduces, as far as they were read
    items_line: int = 0  # the last of these lines
    dated: str = ""  # the only date in the head of its document
    entry: str = ""  # its heading, if that is a date: of a log or diary

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the sentence."""
        return self.parts.union(self.order)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The stems in order; a pronoun at the start is resolved to the first words of the previous sentence."""
        subject = stems(self.before)[:SUBJECT] if _SAID_AGAIN.match(self.text) else ()
        return tuple(dict.fromkeys((*subject, *stems(self.text), *self._agent)))

    @property
    def _agent(self) -> tuple[str, ...]:
        """The stem of what the person did whom a label names: “Inspector: …” inspected."""
        label = _AGENT.match(self.text)
        return stems(label[1]) if label else ()

    def names_doer(self, asked: Collection[str]) -> bool:
        """Return whether the sentence is a label with the person who did what has one of these stems."""
        return not set(self._agent).isdisjoint(asked)

    @cached_property
    def around(self) -> frozenset[str]:
        """The stems of the sentence and its neighbours."""
        return self.stems.union(stems(self.before), stems(self.after))

    @cached_property
    def place_words(self) -> frozenset[str]:
        """The stems of its headings, of the header of its table and of the document's title."""
        return frozenset(stems(f"{self.title} {self.under} {self.speakers} {self.columns}"))

    @property
    def told(self) -> str:
        """The sentence with the date of its entry."""
        return f"{self.entry} {self.text}".strip()

    @property
    def is_label(self) -> bool:
        """Whether it begins with the name of a field: “Tenant: …”."""
        return bool(_LABEL.match(self.text))

    @cached_property
    def leans(self) -> bool:
        """Whether the sentence starts with a word that refers to the previous one."""
        return bool(_LEANING.match(self.text))


class _Focus(NamedTuple):
    """A text that a search found, its weight by its rank, and its score if it is in another language."""

    text: str  # folded
    weight: float
    across: float


@dataclass(slots=True)
class _ShownPassage:
    """The lines shown under one reference."""

    title: str
    place: int
    lines: dict[int, str] = field(default_factory=dict)
    focus: list[_Focus] = field(default_factory=list)

    def add(self, evidence: Evidence) -> None:
        for number, shown in enumerate(evidence.lines, evidence.first_line):
            line = _whole_sentences(shown)
            if len(line) >= len(self.lines.get(number, "")):
                self.lines[number] = line


def candidates(own: Sequence[ToolMessage], others: Sequence[ToolMessage] = ()) -> list[CandidateSentence]:
    """Return the distinct sentences that were shown; passages are in the order in which the searches ranked them.

    Results for `others` add their sentences, but their focus is ignored.
    """
    shown: dict[str, _ShownPassage] = {}
    for number, result in enumerate((*own, *others)):
        for index, evidence in enumerate(result.evidence):
            passage = shown.setdefault(evidence.reference, _ShownPassage(evidence.title, len(shown)))
            passage.add(evidence)
            if number < len(own) and evidence.focus and evidence.score > 0 and index < FOCUSED:
                passage.focus.append(_Focus(fold_quote(evidence.focus), 1.0 / (1 + index), evidence.across))
    found: dict[str, CandidateSentence] = {}
    for reference, passage in shown.items():
        for candidate in _candidates(reference, passage):
            known = found.get(candidate.text)
            if known is None or candidate.focus > known.focus:
                found[candidate.text] = candidate
    return list(found.values())


def _whole_sentences(line: str) -> str:
    """Return a truncated preview line without the partial sentences at its ends."""
    start, end = 0, len(line)
    if line.startswith("…") and (first := _SENTENCE_END.search(line)):
        start = first.end()
    if line.endswith("…"):
        ends = [match.start() for match in _SENTENCE_END.finditer(line, start)]
        end = ends[-1] if ends else end
    return line[start:end] if start < end else line


def _candidates(reference: str, passage: _ShownPassage) -> list[CandidateSentence]:
    found = _with_signatures(sentences(passage.lines))
    befores, afters = (None, *_introductions(found)), (*found[1:], None)
    columns = year_headers(passage.lines)
    rows = (sentence.first_line for sentence in found if sentence.shape is SentenceShape.ROW)
    headers = {row: table_header(passage.lines, row).strip() for row in rows}  # they stand before the rows quoted
    heads = frozenset(headers.values())
    sections = _sections(found, passage.lines)
    entries = _entries(found, passage)
    dated = _date_of(passage.lines)
    speakers = _speakers(passage.lines)
    kept = [each for each in zip(found, befores, afters, strict=False) if each[0].text not in heads]
    return [
        CandidateSentence(
            sentence.text,
            reference,
            passage.title,
            sentence.first_line,
            sentence.last_line,
            before=before.text if before and _go_together(before, sentence) else "",
            before_line=before.first_line if before and _follows(before, sentence, passage.lines) else 0,
            after=after.text if after and _go_together(sentence, after) else "",
            after_line=after.last_line if after and _follows(sentence, after, passage.lines) else 0,
            under=f"{sentence.under} {sections[sentence]}".strip(),
            speakers=speakers,
            columns=_columns(sentence, headers[sentence.first_line] or columns.get(sentence.first_line, ""))
            if sentence.shape is SentenceShape.ROW
            else "",
            shape=_shape(sentence, passage.title),
            cut=is_cut_at_end(sentence, passage.lines) or (bool(items) and max(items) + 1 not in passage.lines),
            place=passage.place,
            focus=_focus(sentence.text, passage.focus),
            across=_across(sentence.text, passage.focus),
            items=tuple(items.values()),
            items_line=max(items, default=0),
            dated=dated,
            entry=entries[sentence],
        )
        for sentence, before, after in kept
        for items in (_items(sentence, passage.lines),)
    ]


def _introductions(found: Sequence[SourceSentence]) -> Iterator[SourceSentence]:
    """Yield each sentence as what stands before the next one: a reply such as “Nobody.” with its question."""
    for before, own in zip((None, *found), found, strict=False):
        said = STAMP.sub("", own.text).split()
        if before and before.text.endswith("?") and len(said) <= SHORT_REPLY and before.shape is own.shape:
            yield replace(own, text=f"{before.text} {own.text}", first_line=before.first_line)
        else:
            yield own


def _with_signatures(found: Sequence[SourceSentence]) -> Sequence[SourceSentence]:
    """Return the sentences with the name below the closing words of a letter joined to the office below the name."""
    kept: list[SourceSentence] = []
    closing = ""
    for each in found:
        signed = kept and _CLOSING.fullmatch(closing) and _SIGNED.fullmatch(kept[-1].text)
        if signed and _OFFICE.fullmatch(each.text) and each.first_line == kept[-1].last_line + 1:
            text = f"{kept[-1].text} {each.text}"
            kept[-1] = replace(each, text=text, first_line=kept[-1].first_line, shape=SentenceShape.PROSE)
        else:
            closing = kept[-1].text if kept else ""
            kept.append(each)
    return kept


def _items(sentence: SourceSentence, lines: Mapping[int, str]) -> dict[int, str]:
    """Return the lines of the list below a sentence that ends with a colon, as many as may be quoted with it."""
    found: dict[int, str] = {}
    if not sentence.text.endswith(":"):
        return found
    at = sentence.last_line + 1
    at += not lines.get(at, "-").strip()
    while _ITEM.match(lines.get(at, "")) and sum(map(len, found.values())) + len(lines[at]) <= MAX_ITEMS:
        found[at] = lines[at].strip()
        at += 1
    return found


def _speakers(lines: Mapping[int, str]) -> str:
    """Return the names of those who speak in a conversation; "" if fewer than two speak in turn."""
    turns = [turn[1] for line in lines.values() if (turn := _TURN.match(line))]
    return " ".join(dict.fromkeys(turns)) if len(turns) > len(set(turns)) > 1 else ""


def _date_of(lines: Mapping[int, str]) -> str:
    """Return the only day that the first lines of a document name; "" if they were not read or name several."""
    head = [lines[number] for number in range(1, HEAD + 1) if number in lines]
    found = [(line[each.start : each.end], each.days) for line in head for each in mentions(line)]
    days = {days[0]: text for text, days in found if days and days[0].year and days[0].day}
    return days.popitem()[1] if len(days) == 1 else ""


def _entries(found: Sequence[SourceSentence], passage: _ShownPassage) -> dict[SourceSentence, str]:
    """Return the entry of each sentence; what stands apart below the last one may belong to none."""
    last = max((each.first_line for each in found if each.shape is SentenceShape.HEADING), default=0)
    entries: dict[SourceSentence, str] = {}
    entry, begin = "", 0
    for each in found:
        if each.shape is SentenceShape.HEADING:
            entry, begin = _entry(each.text, passage.title), 0
        begin = begin or (each.first_line if each.shape is not SentenceShape.HEADING else 0)
        blank = any(not passage.lines.get(line, "-").strip() for line in range(begin, each.first_line))
        entries[each] = "" if blank and begin > last else entry
    return entries


def _entry(heading: str, title: str) -> str:
    """Return a heading that is a date, perhaps with a number or word beside it; "" for the title of the document."""
    text = heading.strip("#*: ")
    dated = (
        text not in title
        and len(text.split()) <= MAX_ENTRY
        and any(each.days and each.days[0].day for each in mentions(text))
    )
    return text if dated else ""


def _sections(found: Sequence[SourceSentence], lines: Mapping[int, str]) -> dict[SourceSentence, str]:
    """Return the heading of the section above each sentence: § 4 Deposit, or one in bold type before it."""
    sections: dict[SourceSentence, str] = {}
    section, at = "", 0
    for each in found:
        if _heads_section(each.text):
            section, at = each.text, each.first_line
        elif _RUN_IN.match(section) and each.first_line > at and _ITEM.match(lines.get(each.first_line, "")):
            section = ""  # the next item of the list
        sections[each] = section
    return sections


def _heads_section(text: str) -> bool:
    return bool(_SECTION.fullmatch(text) or _RUN_IN.fullmatch(text))


def _shape(sentence: SourceSentence, title: str) -> SentenceShape:
    heads = sentence.text in title or _heads_section(sentence.text)
    return SentenceShape.HEADING if heads else sentence.shape


def _follows(one: SourceSentence, next_one: SourceSentence, lines: Mapping[int, str]) -> bool:
    """Return whether nothing but white space stands between two sentences: no list marker."""
    begins = " ".join(lines.get(next_one.first_line, "").split())
    return one.last_line == next_one.first_line or begins.startswith(next_one.text[:MARKED])


def _columns(row: SourceSentence, header: str) -> str:
    """Return what the figures of a table row are: the names above it, else the header or line of years above it."""
    return row.columns if _CELLS.search(row.columns) else header


def _focus(text: str, found: Sequence[_Focus]) -> float:
    """Return the greatest weight of a focus text that contains the sentence."""
    sentence = significant_text(text) if found else ""
    return max((each.weight for each in found if sentence and sentence in each.text), default=0.0)


def _across(text: str, found: Sequence[_Focus]) -> float:
    """Return the greatest score of a focus text in another language that contains the sentence or is a part of it."""
    scored = [each for each in found if each.across]
    sentence, whole = (significant_text(text), fold_quote(text)) if scored else ("", "")
    held = (each for each in scored if (sentence and sentence in each.text) or each.text.strip("… ") in whole)
    return max((each.across for each in held), default=0.0)


def _go_together(one: SourceSentence, next_one: SourceSentence) -> bool:
    """Return whether neighbours are context for each other: table rows and headings are not."""
    return one.shape is next_one.shape and one.shape in (SentenceShape.PROSE, SentenceShape.CODE)
