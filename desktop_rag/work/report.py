"""A report: sections, each a question whose answer by the agent is its text, and what was not found or disagrees."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NewType

from desktop_rag.agent.citations.citation_syntax import LINK
from desktop_rag.agent.citations.claim_facts import ClaimFacts, find_facts
from desktop_rag.agent.citations.claims import find_claims
from desktop_rag.agent.citations.marks import REFUSED, describe_claim
from desktop_rag.agent.citations.support import CitedLines
from desktop_rag.agent.conversations.conversation_store import EVENTS, merge_deltas
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import (
    AgentEvent,
    Answered,
    Citation,
    Claim,
    ContextMeasured,
    ContextUse,
    Coverage,
    LimitReached,
    Remark,
    RunStarted,
    RunUsage,
    StepStarted,
    ToolCalled,
    ToolReturned,
)
from desktop_rag.agent.prompts import UNSURE
from desktop_rag.errors import LibraryRefused
from desktop_rag.llm.json_value import as_list, as_object, as_text
from desktop_rag.processes.wire import Wire
from desktop_rag.retrieval.query.tree import Filter
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shorten

ReportId = NewType("ReportId", int)

MOST_SECTIONS = 20
LONGEST_HEADING, LONGEST_QUESTION = 120, 600  # characters
Translate = Callable[[str], str]


def _english(template: str) -> str:
    return template


_ITEM = re.compile(r"^\s*(?:#{1,4}|[-*+]|\d{1,2}[.)])?\s*")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A statement, and the words of another passage that say otherwise, by its number."""

    statement: str
    words: str
    citation: int


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section: its question, and its answer once it is written; `trouble` says why it is not.

    `steps` are the encoded events of its run without what was read; the text may be `edited` by the user.
    `disagreements` are statements that other documents of the section contradict; None: they were not compared.
    """

    heading: str
    question: str
    answered: Answered | None = None
    trouble: str = ""
    steps: tuple[bytes, ...] = ()
    edited: bool = False
    disagreements: tuple[Contradiction, ...] | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A question, the documents that may answer, and the sections, as far as they are written."""

    question: str
    sections: tuple[ReportSection, ...]
    filters: tuple[Filter, ...] = ()
    made_ns: int = 0

    @property
    def citations(self) -> tuple[Citation, ...]:
        """All citations of all sections."""
        return tuple(each for section in self.written for each in section.citations)

    @property
    def written(self) -> tuple[Answered, ...]:
        """The answers of the sections that are written."""
        return tuple(each.answered for each in self.sections if each.answered is not None)

    @property
    def tokens(self) -> int:
        """What the written sections have used."""
        return sum(each.usage.tokens for each in self.written)

    @property
    def money(self) -> float:
        """What the written sections have cost; 0 without prices."""
        return sum(each.usage.money or 0.0 for each in self.written)

    def turns(self, translate: Translate = _english) -> tuple[Turn, ...]:
        """Return the report as turns, as exports take them: a section is a question, its text the answer."""
        turns = [
            Turn(number, section.heading, (_started(section), section.answered), self.made_ns)
            for number, section in enumerate(self.sections, 1)
            if section.answered is not None
        ]
        if turns and (points := open_points(self, translate)):
            title = open_title(translate)
            no_use, usage = ContextUse(0, 0, 0, 0, 0, estimated=False), RunUsage(0, 0, 0, estimated=False)
            told = Answered(points, (), no_use, usage, 0.0, 0, found=True)
            turns.append(Turn(len(self.sections) + 1, title, (RunStarted(title, "", "", 1), told), self.made_ns))
        return tuple(turns)

    def merged(self) -> tuple[str, tuple[Citation, ...], tuple[Claim, ...]]:
        """Return the whole text in Markdown, its citations numbered through it, and its statements."""
        text, citations, claims = "", list[Citation](), list[Claim]()
        for section in self.sections:
            if (answered := section.answered) is None:
                continue
            text += f"## {escaped(section.heading)}\n\n"
            moved = _shifted(answered, len(citations), len(text))
            text += moved.text + "\n\n"
            citations += moved.citations
            claims += moved.claims
        if points := open_points(self):
            text += f"## {open_title()}\n\n{points}\n"
        return text, tuple(citations), tuple(claims)


def _shifted(answered: Answered, shift: int, begin: int) -> Answered:
    """Return an answer whose citations count on from `shift`, as a part that begins at `begin` of a longer text."""
    links = [(link.end(), int(link[1])) for link in LINK.finditer(answered.text)]
    grown = [(end, 2 * (len(str(number + shift)) - len(str(number)))) for end, number in links]

    def place(at: int) -> int:
        return begin + at + sum(by for end, by in grown if end <= at)

    return replace(
        answered,
        text=LINK.sub(lambda link: f"[{int(link[1]) + shift}](cite:{int(link[1]) + shift})", answered.text),
        citations=tuple(replace(each, number=each.number + shift) for each in answered.citations),
        claims=tuple(
            replace(
                claim,
                start=place(claim.start),
                end=place(claim.end),
                citations=tuple(number + shift for number in claim.citations),
                operands=tuple(replace(each, citation=each.citation + shift) for each in claim.operands),
            )
            for claim in answered.claims
        ),
    )


def _started(section: ReportSection) -> RunStarted:
    return RunStarted(section.question, "", "", 1)


def open_title(translate: Translate = _english) -> str:
    """Return the heading of `open_points`."""
    return translate("What was searched and not found, and what disagrees")


def open_points(report: Report, translate: Translate = _english) -> str:
    """Return as Markdown what was not found, what documents disagree on, and what the lines do not bear out."""
    points: list[str] = []
    for section in report.sections:
        heading, answered = escaped(section.heading), section.answered
        if answered is None:
            points.append(f"- **{heading}**: {escaped(section.trouble or translate('It is not written yet.'))}")
            continue
        coverage = answered.coverage
        if not answered.found or coverage:
            points.append(f"- **{heading}**: {' '.join(_not_found(coverage, translate))}")
        elif UNSURE in answered.text:
            told = translate("Nothing was surely found for “{0}”.").format(escaped(section.question))
            points.append(f"- **{heading}**: {told}")
        for each in section.disagreements or ():
            said = translate("“{0}” – {1} says otherwise: “{2}”").format(
                _plain(each.statement), _source(answered, each.citation), escaped(each.words)
            )
            points.append(f"- **{heading}**: {said}")
        for claim in answered.claims:
            if claim.mark in (*REFUSED, "uncited"):
                quoted = translate("“{0}”").format(_plain(answered.text[claim.start : claim.end]))
                points.append(f"- **{heading}**: {quoted} – {escaped(describe_claim(claim, translate))}")
    if any(each.disagreements is None and len(_documents(each)) > 1 for each in report.sections):
        points.append(f"- {translate('What documents disagree on is looked for by a model and its second look only.')}")
    return "\n".join(points)


def _plain(statement: str) -> str:
    """Return a statement without its citations."""
    return escaped(shorten(re.sub(r"\s+(?=[.,;:!?])", "", one_line(LINK.sub("", statement))), 200))


def _documents(section: ReportSection) -> set[str]:
    return {each.sha256 for each in section.answered.citations} if section.answered else set()


def _source(answered: Answered, number: int) -> str:
    cited = next((each for each in answered.citations if each.number == number), None)
    return escaped(cited.title or cited.path.replace("\\", "/").rpartition("/")[2]) if cited else ""


def _not_found(coverage: Coverage | None, translate: Translate) -> Iterator[str]:
    def listed(words: Iterable[str]) -> str:
        return translate(", ").join(translate("“{0}”").format(escaped(word)) for word in [*words][:6])

    yield translate("Not found.")
    queries = dict.fromkeys(each.query for each in coverage.phrasings) if coverage else {}
    if coverage and queries:
        yield translate("Searched for {0} (documents: {1}).").format(listed(queries), coverage.documents)
    if coverage and coverage.unmatched:
        yield translate("No document has {0}.").format(listed(coverage.unmatched))


def read_outline(lines: Iterable[str]) -> tuple[ReportSection, ...]:
    """Return sections written one a line as `Heading: question`, or as a heading alone; raises `LibraryRefused`."""
    sections: list[ReportSection] = []
    for line in lines:
        words = _ITEM.sub("", one_line(line)).strip()
        heading, colon, question = words.partition(": ")
        if words:
            asked = question.strip() if colon and question.strip() else heading
            sections.append(ReportSection(shorten(heading.strip(), LONGEST_HEADING), shorten(asked, LONGEST_QUESTION)))
    if not sections:
        raise LibraryRefused("The outline has no section: write one a line, as “Heading: question”.")
    if len(sections) > MOST_SECTIONS:
        raise LibraryRefused(f"These are {len(sections):,} sections; a report has at most {MOST_SECTIONS}.")
    return tuple(sections)


def written_outline(sections: Sequence[ReportSection]) -> str:
    """Return sections as `read_outline` reads them; one that asks its heading stands there once."""
    asked = (each.heading if each.heading == each.question else f"{each.heading}: {each.question}" for each in sections)
    return "".join(f"- {each}\n" for each in asked)


SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "sections": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"heading": {"type": "string"}, "question": {"type": "string"}},
                    "required": ["heading", "question"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["sections"],
        "additionalProperties": False,
    }
)


def proposed(reply: str) -> tuple[ReportSection, ...]:
    """Return the sections that a model proposes, as JSON or one a line; none if it proposes nothing readable."""
    start = reply.find("{")
    try:
        found, _ = json.JSONDecoder().raw_decode(reply, max(start, 0))
    except (ValueError, RecursionError):
        found = None
    lines = [
        f"{as_text(as_object(each).get('heading'))}: {as_text(as_object(each).get('question'))}"
        for each in as_list(as_object(found).get("sections"))
    ]
    lines = [line for line in lines if not line.startswith(":")] or [
        line for line in reply.splitlines() if _ITEM.match(line) and ": " in line
    ]
    try:
        return read_outline(lines[:MOST_SECTIONS])
    except LibraryRefused:
        return ()


def escaped(text: str) -> str:
    """Return a text on one line as Markdown that shows it as it is."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", one_line(text))


@dataclass(frozen=True, slots=True)
class ReportLimits:
    """What writing may use in all; 0 is no limit."""

    tokens: int = 0
    minutes: float = 0.0
    money: float = 0.0


# The steps of a section as they are stored: what was done, without the passages that were read and the thoughts.

_KEPT = (RunStarted, StepStarted, ToolCalled, ToolReturned, Remark, ContextMeasured, LimitReached)


def kept_steps(events: Iterable[AgentEvent]) -> tuple[bytes, ...]:
    """Return the encoded steps of a run."""
    wire = Wire(*EVENTS)
    kept = merge_deltas([_bare(event) for event in events if isinstance(event, _KEPT)])
    return tuple(map(wire.encode, kept))


def steps_of(section: ReportSection) -> Iterator[AgentEvent]:
    """Yield the steps of a section, and how it ended if it is written; those of a later version are left out."""
    wire = Wire(*EVENTS)
    for data in section.steps:
        try:
            event = wire.decode(data)
        except ValueError:
            continue
        if isinstance(event, EVENTS):
            yield event
    if section.answered is not None:
        yield section.answered


def by_model(section: ReportSection) -> bool:
    """Return whether a language model wrote a section."""
    started = next((event for event in steps_of(section) if isinstance(event, RunStarted)), None)
    return started is not None and started.uses_model


def _bare(event: AgentEvent) -> AgentEvent:
    match event:
        case ToolCalled():
            return replace(event, arguments="")
        case ToolReturned():
            return replace(event, sources=(), whole=())
        case RunStarted():
            return replace(event, question="")
    return event


# The text of a section as the user edits it: Markdown with `[n]` for its citations, whose marks are found anew.
#
# What stands there word for word keeps its mark. Of other words only the facts are told: the lines that they cite are
# stored with the section, no document is read and no model is asked.

_NUMBER = re.compile(r"(?<!\\)\[(\d{1,4})\](?!\()")


def editable(text: str) -> str:
    """Return Markdown with `[n]` for its citations."""
    return LINK.sub(r"[\1]", text)


def edited(section: ReportSection, text: str, stop: Stop) -> ReportSection:
    """Return a section with another text; numbers in brackets that are citations of it stay citations."""
    before = section.answered
    if before is None:
        return section
    cited = {each.number: each for each in before.citations}

    def link(found: re.Match[str]) -> str:
        return f"[{found[1]}](cite:{found[1]})" if int(found[1]) in cited else found[0]

    written = _NUMBER.sub(link, text.strip())

    def check(statement: str, numbers: Sequence[int]) -> ClaimFacts:
        return find_facts(statement, [_lines(cited[each]) for each in numbers if each in cited], numbers)

    marked = {_words(before.text, claim): claim for claim in before.claims}
    claims: list[Claim] = []
    for claim in find_claims(written, before.citations, check, stop):
        known = marked.get(_words(written, claim))
        if known is not None:
            claims.append(replace(known, start=claim.start, end=claim.end))
        elif written[claim.start : claim.end] not in before.text:  # else it was none: a note of the program, a title
            claims.append(claim)
    used = tuple(each for each in before.citations if f"(cite:{each.number})" in written)
    answered: Answered = replace(before, text=written, citations=used, claims=tuple(claims))
    return replace(section, answered=answered, edited=True, disagreements=())


def _words(text: str, claim: Claim) -> tuple[str, tuple[int, ...]]:
    return LINK.sub("", text[claim.start : claim.end]).strip(), claim.citations


def _lines(citation: Citation) -> CitedLines:
    passage = dict(enumerate(citation.passage.split("\n"), citation.passage_first_line))
    lines = {at: line for at, line in passage.items() if citation.first_line <= at <= citation.last_line}
    above = tuple(filter(None, (citation.title, citation.section, citation.columns)))
    return CitedLines(lines, above, citation.passage)
