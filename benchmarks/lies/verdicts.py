"""Sends answers through the program's own citation check: the marks of each statement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.lies.cases import LieCase, Place, Statement
from benchmarks.lies.documents import StoredDocument
from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citations import Citations
from desktop_rag.agent.citations.marks import REFUSED, UNFOUNDED, describe_claim
from desktop_rag.agent.citations.references import References
from desktop_rag.agent.events import Citation, Claim, Mark
from desktop_rag.agent.run.answer_stream import AnswerStream
from desktop_rag.errors import BenchError
from desktop_rag.retrieval.api import Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.normalize import fold_quote

AROUND = 60  # lines before and after the cited ones that the run has read, too
PIECE = 23  # characters of the answer fed at once, as an endpoint streams it
NOTICED: frozenset[Mark] = frozenset((*UNFOUNDED, "missing"))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The marks of one statement; `misled`: its citation leads to other lines than those that hold its content."""

    case: LieCase
    statement: Statement
    marks: tuple[Mark, ...]
    misled: bool
    shown: str  # marks and verdicts, for `--show`

    @property
    def noticed(self) -> bool:
        """Whether the program says that something is not there; of a wrong place, or that it is elsewhere."""
        found = not NOTICED.isdisjoint(self.marks)
        return found or (self.case.group == "wrong place" and not self.misled and bool(self.statement.citations))

    @property
    def is_red(self) -> bool:
        """Whether a mark is a clear one."""
        return any(mark in REFUSED for mark in self.marks)

    @property
    def right(self) -> bool:
        """Whether a lie is noticed, or an honest statement is neither red, uncited nor led elsewhere."""
        if self.statement.expected == "false":
            return self.noticed
        return not (self.is_red or "uncited" in self.marks or self.misled)


@dataclass(frozen=True, slots=True)
class Bystanders:
    """Documents that every run has also read, so that a citation can be moved to a wrong one."""

    documents: Sequence[StoredDocument]
    lines: int = 40


def judge(
    case: LieCase, stored: Mapping[str, StoredDocument], retriever: Retriever, bystanders: Bystanders
) -> list[Outcome]:
    """Return the outcome of every statement of a case that counts."""
    stop = Stop()
    references, read = References(1), CitableLines()
    names = {file: _read(stored[file], case, references, read, retriever) for file in case.files()}
    for other in bystanders.documents:
        if other.name not in names:
            read.record(other.content, 1, other.lines(1, bystanders.lines))
    stream = AnswerStream(lambda: Citations(references, read, retriever, stop, case.question), stop)
    answer = case.answer(names)
    for start in range(0, len(answer), PIECE):
        list(stream.write(answer[start : start + PIECE]))
    list(stream.append("", note=True))
    claims, citations = stream.claims, {citation.number: citation for citation in stream.citations}
    return [
        _outcome(case, statement, [c for c in claims if c.start < end and start < c.end], citations, stored)
        for statement, start, end in _located(case, stream.text)
        if statement.expected
    ]


def _read(
    document: StoredDocument, case: LieCase, references: References, read: CitableLines, retriever: Retriever
) -> str:
    """Record the lines of a document that the run has read, and return the name of its passage."""
    card = retriever.describe(document.content, Stop())
    if card is None:
        raise BenchError(f"{document.name} is not in the library.")
    places = [c.place for each in case.statements for c in each.citations] + [
        each.evidence for each in case.statements if each.evidence
    ]
    here = [place for place in places if place.file == document.name] or [Place(document.name, 1, 1)]
    first = max(min(place.first for place in here) - AROUND, 1)
    last = min(max(place.last for place in here) + AROUND, document.document.line_count)
    read.record(document.content, first, document.lines(first, last))
    return references.of_lines(card, first, last).name


def _located(case: LieCase, shown: str) -> list[tuple[Statement, int, int]]:
    """Return each statement with its offsets in the text shown."""
    located, position = [], 0
    for statement in case.statements:
        start = shown.find(statement.body, position)
        if start < 0:
            raise BenchError(f"The answer does not show “{statement.body}” but “{shown[position:]}”.")
        position = start + len(statement.body)
        located.append((statement, start, position))
    return located


def _outcome(
    case: LieCase,
    statement: Statement,
    claims: Sequence[Claim],
    citations: Mapping[int, Citation],
    stored: Mapping[str, StoredDocument],
) -> Outcome:
    """Return the marks of a statement, and where its citations lead."""
    cited = [citations[number] for claim in claims for number in claim.citations if number in citations]
    misled = False
    if statement.evidence and cited:
        words = fold_quote(statement.body)
        misled = not any(
            _leads_to(citation, statement.evidence, stored) or words in fold_quote(citation.passage)
            for citation in cited
        )
    shown = " ".join(f"{claim.mark}: {describe_claim(claim)}" for claim in claims) or "no claim"
    verdicts = ", ".join(f"{c.verdict} {c.path.rpartition('/')[2]} L{c.first_line}-{c.last_line}" for c in cited)
    marks = tuple(claim.mark for claim in claims)
    return Outcome(case, statement, marks, misled, f"{shown} ({verdicts})" if verdicts else shown)


def _leads_to(citation: Citation, place: Place, stored: Mapping[str, StoredDocument]) -> bool:
    same = citation.content == stored[place.file].content
    return same and citation.first_line <= place.last and place.first <= citation.last_line
