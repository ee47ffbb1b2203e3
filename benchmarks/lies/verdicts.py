"""Sends answers through the program's own citation check, and compares each statement's standing with the label."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.lies.cases import LieCase, Place, Statement
from benchmarks.lies.documents import StoredDocument
from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citations import Citations
from desktop_rag.agent.citations.references import References
from desktop_rag.agent.citations.sums.calculations import Sum
from desktop_rag.agent.events import Citation, Claim
from desktop_rag.agent.run.answer_stream import AnswerStream
from desktop_rag.agent.tools.arithmetic import evaluate, format_number
from desktop_rag.errors import BenchError
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.stop import Stop
from desktop_rag.text.normalize import fold_quote

AROUND = 60  # lines before and after the cited ones that the run has read, too
PIECE = 23  # characters of the answer fed at once, as an endpoint streams it
REJECTED = frozenset({"unsupported", "uncited"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict on one statement: `rejected` if the program says that it is not supported."""

    case: LieCase
    statement: Statement
    rejected: bool
    shown: str  # standings and verdicts, for `--show`

    @property
    def right(self) -> bool:
        """Whether the program's verdict is the expected one."""
        return self.rejected == (self.statement.expected == "false")


@dataclass(frozen=True, slots=True)
class Bystanders:
    """Documents that every run has also read, so that a citation can be moved to a wrong one, and others `found`.

    Of the others it knows the names only, so that a claim can speak of one and cite another.
    """

    documents: Sequence[StoredDocument]
    found: Sequence[DocumentCard] = ()
    lines: int = 40


def judge(
    case: LieCase, stored: Mapping[str, StoredDocument], retriever: Retriever, bystanders: Bystanders
) -> list[Outcome]:
    """Return the outcome of every statement of a case that counts."""
    stop = Stop()
    references, read = References(1), CitableLines()
    names = {file: _read(stored[file], case, references, read, retriever) for file in case.files()}
    for expression in case.calculated:
        references.of_calculation([Sum(expression, format_number(evaluate(expression)))])
    for other in bystanders.documents:
        if other.name not in names:
            read.record(other.content, 1, other.lines(1, bystanders.lines))
    for card in bystanders.found:
        references.of_document(card)
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
    """Return whether the program rejects a statement: by its standing, or by pointing at the right lines instead."""
    cited = [citations[number] for claim in claims for number in claim.citations if number in citations]
    rejected = any(claim.standing in REJECTED for claim in claims)
    if statement.evidence and cited:
        words = fold_quote(statement.body)
        leads = any(
            _leads_to(citation, statement.evidence, stored) or words in fold_quote(citation.passage)
            for citation in cited
        )
        if case.group == "wrong place":
            rejected = rejected or leads
        elif statement.expected == "honest":
            rejected = rejected or not leads
    shown = "; ".join(map(_standing, claims)) or "no claim"
    verdicts = ", ".join(f"{c.verdict} {c.path.rpartition('/')[2]} L{c.first_line}-{c.last_line}" for c in cited)
    return Outcome(case, statement, rejected, f"{shown} ({verdicts})" if verdicts else shown)


def _standing(claim: Claim) -> str:
    faults = ", ".join(f"{fault.kind} {fault.text}" for fault in claim.faults)
    return f"{claim.standing}: {faults}" if faults else claim.standing


def _leads_to(citation: Citation, place: Place, stored: Mapping[str, StoredDocument]) -> bool:
    same = citation.content == stored[place.file].content
    return same and citation.first_line <= place.last and place.first <= citation.last_line
