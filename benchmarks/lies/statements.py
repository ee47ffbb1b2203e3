"""Judges a list of statements about files of any folder, as `Library.verify` does with a text that cites them.

Each line of the list is a JSON object: `statement`; `file`, a path in the folder or beside the list, or the end of
one; `lines`, the first and last cited line, or `page`; `truth`, “H” for honest and “L” for a lie; `kind`; and
whatever else its author notes.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal, get_args

import msgspec

from benchmarks.lies.documents import SourceDocument, StoredDocument, store
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.citation_syntax import write_citation
from desktop_rag.agent.citations.marks import REFUSED, describe_claim, with_judgment
from desktop_rag.agent.citations.references import References
from desktop_rag.agent.events import Claim, Judgment, Mark
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.run.cited_text import CheckedText, check_cited_text
from desktop_rag.agent.run.look.second_look import MOST_TOKENS, judged_in, look_request
from desktop_rag.agent.run.statements import StatementKey, statement_of, statements_of
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.library import Library
from desktop_rag.llm.chat import ChatModel, ChatRequest, SystemMessage, TextDelta
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop

RED_GOAL, DOUBT_GOAL = 0.02, 0.05  # of honest statements: by facts, by the look
MARKS: tuple[Mark, ...] = get_args(Mark)


class ListedStatement(msgspec.Struct, frozen=True):
    """A statement with the place it cites and its label."""

    statement: str
    file: str
    truth: Literal["H", "L"]
    kind: str = ""
    lines: tuple[int, ...] = ()
    page: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """The claims that the program finds in a statement."""

    listed: ListedStatement
    checked: CheckedText
    judgments: Mapping[StatementKey, Judgment] = field(default_factory=dict)  # of a model's second look

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims, with the model's judgment of them if it was asked."""
        made = (statement_of(self.checked.text, claim, self.checked.citations) for claim in self.checked.claims)
        found = (self.judgments.get(each.key) for each in made)
        return tuple(
            with_judgment(claim, judgment) if judgment else claim
            for claim, judgment in zip(self.checked.claims, found, strict=True)
        )

    @property
    def doubted(self) -> bool:
        """Whether one of its claims has a clear mark."""
        return any(claim.mark in REFUSED for claim in self.claims)

    @property
    def right(self) -> bool:
        """Whether a lie is doubted, or an honest statement is not."""
        return self.doubted == (self.listed.truth == "L")

    def __str__(self) -> str:
        """Return the statement and its marks in one line."""
        says = " ".join(f"{claim.mark}: {describe_claim(claim)}" for claim in self.claims) or "no claim"
        place = f"page {self.listed.page}" if self.listed.page else f"lines {self.listed.lines}"
        return f"{self.listed.truth} {self.listed.kind}: {self.listed.statement} [{self.listed.file}, {place}] → {says}"


def judge_list(file: Path, folder: Path) -> Iterator[Judged]:
    """Yield the verdict on each statement of a list; raise `BenchError` for one without its lines."""
    listed = read_list(file)
    cited = _documents(listed, (folder, file.parent))
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as scratch:
        library = Library(Path(scratch))
        stored = store(library, {each.name: each for each in cited.values()}.values())
        with closing(SearchEngine(library.folder, encoder_folder())) as engine:
            for each in listed:
                yield judge(each, stored[cited[each.file].name], engine)


def judge(listed: ListedStatement, document: StoredDocument, engine: SearchEngine) -> Judged:
    """Return the verdict on a statement."""
    first, last = _cited(listed, document, engine)
    references = References(1)
    card = engine.describe(document.content, Stop())
    if card is None or not 1 <= first <= last <= document.document.line_count:
        raise BenchError(f"{listed.file} does not have the lines of “{listed.statement}”.")
    citation = write_citation(references.of_lines(card, first, last).name, first, last)
    text = f"{listed.statement.rstrip().rstrip('.')} {citation}."
    return Judged(listed, check_cited_text(text, engine, Stop(), references=references))


def look_again(made: Sequence[Judged], model: ChatModel, say: Callable[[str], None]) -> list[Judged]:
    """Return the verdicts with a second look by `model`, which gets the statements as those of an answer."""
    prompt = load_prompt("second-look")
    room = model.context_window - model.max_output - model.count_tokens(prompt)
    waiting = [
        each for one in made for each in statements_of(one.checked.text, one.checked.claims, one.checked.citations)
    ]
    read = CitableLines()
    for citation in (citation for statement in waiting for citation in statement.citations):
        read.record(citation.content, citation.passage_first_line, citation.passage.split("\n"))
    judgments: dict[StatementKey, Judgment] = {}
    while waiting:
        request, asked = look_request(waiting, read, min(room, MOST_TOKENS), model.count_tokens)
        if not asked:
            raise BenchError("The model's window has no room for one statement.")
        turn = ChatRequest((SystemMessage(prompt), request), max_tokens=model.max_output)
        reply = "".join(event.text for event in model.chat(turn, Stop()) if isinstance(event, TextDelta))
        judgments |= judged_in(reply, asked)[0]
        waiting = waiting[len(asked) :]
        say(f"{len(waiting)} statements are left for the second look.")
    return [replace(one, judgments=judgments) for one in made]


def read_list(file: Path) -> list[ListedStatement]:
    """Return the statements of a list."""
    listed: list[ListedStatement] = []
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BenchError(f"{file}: {error.strerror}.") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            listed.append(msgspec.json.decode(line, type=ListedStatement))
        except msgspec.DecodeError as error:
            raise BenchError(f"{file.name}, line {number}: {error}.") from error
    if not listed:
        raise BenchError(f"{file} has no statements.")
    return listed


def report(judged: Sequence[Judged], file: Path) -> Report:
    """Return the shares of honest statements and of lies in red, and of each mark, by label."""
    rows = [*_rows("honest", judged, "H"), *_rows("lies", judged, "L")]
    note = "Red are those that the lines, or the model, seem to refuse; missing words and sums are grey facts."
    return Report(f"Statements of {file.name}", tuple(rows), (note,), this_machine())


def _rows(what: str, judged: Iterable[Judged], truth: str) -> Iterator[Measurement]:
    chosen = [each for each in judged if each.listed.truth == truth]
    if not chosen:
        return
    goal = (DOUBT_GOAL if any(each.judgments for each in chosen) else RED_GOAL) if truth == "H" else None
    yield _share(f"{what}: in red", chosen, lambda each: each.doubted, goal)
    for kind in sorted({each.listed.kind for each in chosen}):
        yield _share(f"  {kind}", [each for each in chosen if each.listed.kind == kind], lambda each: each.doubted)
    for mark in MARKS:
        if any(claim.mark == mark for each in chosen for claim in each.claims):
            yield _share(f"{what}: {mark}", chosen, partial(_has, mark))


def _has(mark: Mark, judged: Judged) -> bool:
    return any(claim.mark == mark for claim in judged.claims)


def _share(
    what: str, judged: Sequence[Judged], counts: Callable[[Judged], bool], goal: float | None = None
) -> Measurement:
    share = sum(map(counts, judged)) / len(judged)
    return Measurement(what, OURS, f"of {len(judged)}", (share,), goal=goal)


def _documents(listed: Iterable[ListedStatement], folders: Sequence[Path]) -> Mapping[str, SourceDocument]:
    """Return the document of each name."""
    everything = {
        path: path.relative_to(folder).as_posix()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    found: dict[str, SourceDocument] = {}
    for name in dict.fromkeys(each.file for each in listed):
        ending = ("/" + name.removeprefix(f"{folders[0]}/")).casefold()
        same = [path for path, inside in everything.items() if f"/{inside}".casefold().endswith(ending)]
        if len(same) != 1:
            raise BenchError(f"{folders[0]} has {len(same) or 'no'} files called {name}: give its path there.")
        found[name] = SourceDocument(everything[same[0]], same[0].read_bytes(), "listed", same[0].stem)
    return found


def _cited(listed: ListedStatement, document: StoredDocument, engine: SearchEngine) -> tuple[int, int]:
    """Return the first and last cited line; lines win over a page, and without either the whole document is cited."""
    if listed.lines:
        return listed.lines[0], listed.lines[-1]
    if not listed.page:
        return 1, document.document.line_count
    pages = engine.layout(document.content, Stop()).pages
    first = next((page.first_line for page in pages if page.number == listed.page), 0)
    after = next((page.first_line for page in pages if page.number > listed.page), document.document.line_count + 1)
    return first, after - 1
