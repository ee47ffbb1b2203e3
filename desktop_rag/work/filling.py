"""Fills a table: rows in parallel, each cell on disk as it comes; what cannot be filled says why.

A cell is one short run over one document: the lines that are read for its question, one request, the place of the
quoted words, and what is certain of the value. Once a row is asked, a second look compares its values with their lines.
"""

import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path

from desktop_rag.agent.budget import Spending, prices_of
from desktop_rag.agent.citations.citable_lines import CitableLines
from desktop_rag.agent.citations.marks import with_judgment
from desktop_rag.agent.events import BUILT_IN_MODEL, Verdict
from desktop_rag.agent.extractive.built_in_model import AskedCell, BuiltInModel
from desktop_rag.agent.gate.guarded_chat import is_local
from desktop_rag.agent.gate.run_rules import withheld_among
from desktop_rag.agent.prompts import load_prompt
from desktop_rag.agent.run.model_choice import BUILT_IN, chosen_profile
from desktop_rag.agent.run.statements import Statement
from desktop_rag.agent.run.text_judge import TextJudge
from desktop_rag.agent.run.usual_run import RunModels, models_of
from desktop_rag.errors import ContextOverflow, DesktopRagError, ModelError, SendingRefused, Stopped, StreamCut
from desktop_rag.index.records import ContentId
from desktop_rag.llm.chat import AssistantMessage, Message, SystemMessage, TurnEnded
from desktop_rag.paths import settings_file, spending_file
from desktop_rag.retrieval.api import DocumentCard, Retriever
from desktop_rag.settings import Profile, Settings, load, privacy
from desktop_rag.stop import Stop
from desktop_rag.text.locate import locate
from desktop_rag.work.cell_notes import (
    EMPTY_MESSAGE,
    LOOK_FAILED,
    NO_MORE_ASKED,
    NO_VALUE,
    NOT_ALL_READ,
    NOT_LOOKED,
    OUTPUT_USED_UP,
)
from desktop_rag.work.cell_request import PROMPT, SCHEMA, again_message, cell_message, read_reply
from desktop_rag.work.columns import Column, is_of_kind, normal_form
from desktop_rag.work.model_requests import ModelRequests, Used, look_of, meter_of
from desktop_rag.work.row_reading import DocumentReading, ReadLines, label_of_document, statement_of_cell
from desktop_rag.work.table import Cell, CellState, Place, Row, Table, TableId
from desktop_rag.work.work_store import WorkStore

logger = logging.getLogger(__name__)

INSTRUCTIONS = 500  # tokens of a request beside the document
LOOK_TOKENS = 1_500  # of a second look at a row
ANSWER_TOKENS = 400  # of a cell, thinking apart
THINKING_TOKENS = 2_000
MOST_TOKENS = 6_000  # of a document that are read for a question
CHARACTERS = 3  # that a token has at least
BUILT_IN_CHARACTERS = 400_000
LANES, LOCAL_LANES = 4, 2  # requests at a time, to a host and to this computer
ATTEMPTS = 2  # at a cell or a look whose reply cannot be read
FAILURES_IN_A_ROW = 3  # after which asking on would waste money


@dataclass(frozen=True, slots=True)
class Estimate:
    """What filling a table may take at most: cells, requests, tokens, and money if the prices are known."""

    cells: int
    requests: int = 0
    tokens: int = 0
    money: float | None = None


@dataclass(frozen=True, slots=True)
class RowsChecked:
    """The documents were looked up: the table as it is now, and how many cells will be asked."""

    table: Table
    cells: int


@dataclass(frozen=True, slots=True)
class CellAsked:
    """A cell is being asked."""

    place: Place


@dataclass(frozen=True, slots=True)
class CellFilled:
    """A cell has a result, which is on disk."""

    place: Place
    cell: Cell
    done: int
    of: int
    used: Used


@dataclass(frozen=True, slots=True)
class RowGone:
    """A document vanished before all its cells were asked."""

    row: Row


@dataclass(frozen=True, slots=True)
class FillEnded:
    """Nothing more is asked: all cells have a result, or `trouble` says why not; nothing is lost."""

    filled: int
    left: int
    used: Used
    trouble: str = ""
    title: str = ""


FillEvent = RowsChecked | CellAsked | CellFilled | RowGone | FillEnded


@dataclass(frozen=True, slots=True)
class Filler:
    """What fills tables: the user's endpoint and settings, the library, and the model without a language model.

    `models` makes the models anew for each lane: one answers in one thread at a time.
    """

    retriever: Retriever
    settings: Settings
    built_in: BuiltInModel
    models: Callable[[], RunModels]
    spending: Spending
    profile: Profile | None = None

    def wanting(self, table: Table) -> tuple[Place, ...]:
        """Return the cells of a table to ask."""
        by_model = self.profile is not None
        return table.wanting(by_model=by_model, looks=by_model and self.settings.second_look)


def usual_filler(
    retriever: Retriever, built_in: BuiltInModel, *, profile: str | None = None, settings: Settings | None = None
) -> Filler:
    """Return what fills tables with the user's settings; without a `profile` by the endpoint chosen there.

    Raises `SettingsError` for unknown names.
    """
    chosen = settings or load(settings_file())
    endpoint = chosen_profile(chosen, profile)
    name = endpoint.name if endpoint else BUILT_IN
    return Filler(retriever, chosen, built_in, partial(models_of, chosen, name), Spending(spending_file()), endpoint)


def estimate(filler: Filler, places: Sequence[Place]) -> Estimate:
    """Return what asking these cells takes at most."""
    profile = filler.profile
    if profile is None or not places:
        return Estimate(len(places))
    looks = ATTEMPTS * len({row for row, _ in places}) if filler.settings.second_look else 0
    asked = ATTEMPTS * len(places)
    requests = asked + (asked if looks else 0)  # a look may have to show the lines of each value singly
    prompt = asked * (_room(profile) + INSTRUCTIONS) + looks * LOOK_TOKENS
    answers = asked * ANSWER_TOKENS // 4 + looks * ANSWER_TOKENS
    prices = prices_of(profile)
    return Estimate(len(places), requests, prompt + answers, prices.cost(prompt, answers) if prices else None)


def _room(profile: Profile) -> int:
    """Return the tokens of a document that are read for a question."""
    return max(min(MOST_TOKENS, profile.context_window - profile.max_output - 1_500), 500)


def check_documents(table: Table, retriever: Retriever, stop: Stop) -> tuple[tuple[Row, ...], dict[int, DocumentCard]]:
    """Return the rows that have changed, and the documents by row; raises as `Retriever`."""
    changed: list[Row] = []
    cards: dict[int, DocumentCard] = {}
    for row in table.rows:
        stop.check()
        card = retriever.lookup(row.sha256, Path(row.path) if row.path else None, stop)
        if card is None or card.path is None:
            now = replace(row, gone=True)
        else:
            cards[row.number] = card
            now = replace(row, sha256=card.sha256, path=os.fspath(card.path), title=label_of_document(card), gone=False)
        if now != row:
            changed.append(now)
    return tuple(changed), cards


def fill(
    table_id: TableId, store: WorkStore, filler: Filler, stop: Stop, only: Sequence[Place] | None = None
) -> Generator[FillEvent]:
    """Ask the cells without a result, and stale ones; or `only` these, again. `FillEnded` is the last event.

    Raises `WorkBusy` if another program fills this table, `WorkError` if nothing can be stored, and `Stopped`.
    """
    with store.filling(table_id):
        table = store.load(table_id)
        changed, cards = check_documents(table, filler.retriever, stop)
        if changed:
            store.update_rows(table_id, changed)
            table = store.load(table_id)
        wanted = filler.wanting(table) if only is None else _existing(table, only)
        yield RowsChecked(table, len(wanted))
        with closing(_Filling(table, wanted, cards, filler, stop, again=only is not None).events(store)) as events:
            yield from events


def _existing(table: Table, places: Sequence[Place]) -> tuple[Place, ...]:
    rows = {row.number for row in table.rows if not row.gone}
    columns = {column.id for column in table.columns}
    return tuple(sorted(place for place in set(places) if place[0] in rows and place[1] in columns))


@dataclass(slots=True)
class _Ending:
    """Why the lanes end: failures count over all of them."""

    error: Exception | None = None
    failures: int = 0
    gave_up: bool = False
    look: str = ""  # why a second look failed
    lanes: int = LANES
    lock: threading.Lock = field(default_factory=threading.Lock)

    def failed(self, error: DesktopRagError) -> None:
        """Count a cell without an answer; a third in a row ends the filling."""
        with self.lock:
            self.failures += 1
            if self.failures >= FAILURES_IN_A_ROW and self.error is None:
                self.error, self.gave_up = error, True

    def answered(self) -> None:
        """Note that the endpoint answers."""
        with self.lock:
            self.failures = self.failures if self.gave_up else 0

    def told(self) -> tuple[str, str]:
        """Return why not all was done, and a title; empty if it was."""
        if isinstance(self.error, DesktopRagError):
            more = f" {NO_MORE_ASKED.format(self.failures)}" if self.gave_up else ""
            return f"{self.error}{more}", self.error.title
        return self.look, LOOK_FAILED if self.look else ""

    def end(self, error: Exception) -> None:
        """End with an error."""
        with self.lock:
            self.error = self.error or error

    def fewer(self) -> None:
        """Take a lane away: the endpoint asks to wait."""
        with self.lock:
            self.lanes = max(1, self.lanes - 1)


class _Filling:
    """One filling: the rows in a queue, lanes that take them, and their events in another queue."""

    def __init__(
        self,
        table: Table,
        wanted: Sequence[Place],
        cards: Mapping[int, DocumentCard],
        filler: Filler,
        stop: Stop,
        *,
        again: bool,
    ) -> None:
        self._table = table
        self._again = again
        self._cards = cards
        self._filler = filler
        self._stop = stop
        self._inner = Stop()
        self._columns = {column.id: column for column in table.columns}
        self._rows: queue.SimpleQueue[tuple[int, tuple[int, ...]]] = queue.SimpleQueue()
        for row, places in groupby(sorted(wanted), key=lambda place: place[0]):
            self._rows.put((row, tuple(column for _, column in places)))
        self._happened: queue.SimpleQueue[CellAsked | RowGone | tuple[Place, Cell] | None] = queue.SimpleQueue()
        self._total = len(wanted)
        self._models = filler.models()
        self._meter = meter_of(self._models, filler.spending, filler.settings.money)
        self._ending = _Ending()

    def events(self, store: WorkStore) -> Generator[FillEvent]:
        """Yield what the lanes do; each cell is stored first."""
        lanes = self._start() if self._total else []
        filled, running = 0, len(lanes)
        seen: set[Place] = set()
        try:
            with self._stop.interrupting(self._inner.set):
                while running:
                    match self._happened.get():
                        case None:
                            running -= 1
                        case (place, cell):
                            store.put(self._table.id, [(place, cell)])
                            filled += place not in seen and cell.is_asked
                            seen.add(place)
                            yield CellFilled(place, cell, len(seen), self._total, self._meter.used)
                        case event:
                            yield event
        finally:
            self._inner.set()
            for lane in lanes:
                lane.join()
        self._stop.check()
        error = self._ending.error
        if error is not None and not isinstance(error, DesktopRagError):
            raise error
        yield FillEnded(filled, self._total - filled, self._meter.used, *self._ending.told())

    def _start(self) -> list[threading.Thread]:
        profile = self._models.profile
        count = 1 if profile is None or profile.model_file else LOCAL_LANES if is_local(profile) else LANES
        self._ending.lanes = count
        first = [self._models, *(self._filler.models() for _ in range(min(count, self._rows.qsize()) - 1))]
        lanes = [
            threading.Thread(target=self._run_lane, args=(number, models), name=f"table-lane-{number}", daemon=True)
            for number, models in enumerate(first)
        ]
        for lane in lanes:
            lane.start()
        return lanes

    def _run_lane(self, number: int, models: RunModels) -> None:
        """Take rows until none is left, the filling ends, or the endpoint wants fewer requests at a time."""
        try:
            look = look_of(models, self._filler.spending, self._filler.settings.money)
            asking = ModelRequests(models, self._meter, self._filler.retriever, self._ending.fewer)
            while not self._is_over() and number < self._ending.lanes:
                try:
                    row, columns = self._rows.get_nowait()
                except queue.Empty:
                    return
                self._fill_row(row, [self._columns[each] for each in columns], models, asking, look)
        except Stopped:
            logger.debug("filling was stopped")
        except Exception as error:
            if not isinstance(error, DesktopRagError):
                logger.exception("a lane failed")
            self._ending.end(error)
        finally:
            self._happened.put(None)

    def _is_over(self) -> bool:
        return self._inner.is_set() or self._ending.error is not None

    def _fill_row(
        self, row: int, columns: Sequence[Column], models: RunModels, asking: ModelRequests, look: TextJudge
    ) -> None:
        card = self._filler.retriever.describe(self._cards[row].content, self._inner)
        if card is None or card.path is None:
            self._happened.put(RowGone(next(each for each in self._table.rows if each.number == row)))
            return
        reading = DocumentReading(card, f"turn1search{row}", self._filler.retriever, self._inner)
        if models.profile is None or self._is_withheld(card):
            self._state_row(row, columns, reading)
            return
        cells: dict[Column, Cell] = {}
        for column in columns:
            if self._is_over():
                break
            if kept := self._kept(row, column, reading):
                cells[column] = kept
                continue
            self._happened.put(CellAsked((row, column.id)))
            cell = self._asked(column, reading, asking, models)
            if cell is not None:
                if self._filler.settings.second_look and _is_to_look_at(cell):
                    cell = replace(cell, note=NOT_LOOKED)  # until it has been
                cells[column] = cell
                self._happened.put(((row, column.id), cell))
        if self._filler.settings.second_look and not self._is_over():
            for column, cell in self._looked(cells, reading, look):
                self._happened.put(((row, column.id), cell))

    def _kept(self, row: int, column: Column, reading: DocumentReading) -> Cell | None:
        """Return the cell if only the second look at it is wanting."""
        cell, of = self._table.cell(row, column.id), next(each for each in self._table.rows if each.number == row)
        if self._again or cell.proof is None or not self._table.only_looked(of, column.id):
            return None
        citation = replace(cell.proof.citation, content=reading.card.content, reference=reading.reference)
        return replace(cell, proof=replace(cell.proof, citation=citation))

    def _is_withheld(self, card: DocumentCard) -> bool:
        known = _KnownCard(card)
        return bool(withheld_among(self._filler.retriever, (known,), privacy().withheld(), self._inner))

    def _state_row(self, row: int, columns: Sequence[Column], reading: DocumentReading) -> None:
        """Fill a row without a language model."""
        lines = _merged(reading.lines_for(column.name, BUILT_IN_CHARACTERS) for column in columns)
        asked = tuple(AskedCell(each.name, each.kind.value, each.options) for each in columns)
        document = lines.evidence(reading.reference, reading.card)
        for column, found in zip(
            columns, self._filler.built_in.stated_cells(asked, document, self._inner), strict=True
        ):
            value = found.value if is_of_kind(column, found.value) else ""
            cell = self._cell(reading, BUILT_IN_MODEL, CellState.FOUND if value else CellState.UNSTATED)
            if value:
                place = (found.first_line, found.last_line)
                proof = reading.proof(column, value, found.quote, lines, place, "verbatim")
                cell = replace(cell, value=value, normal=normal_form(column, value), proof=proof)
            self._happened.put(((row, column.id), cell))

    def _asked(self, column: Column, reading: DocumentReading, asking: ModelRequests, models: RunModels) -> Cell | None:
        """Return the cell that the model gives; None if it ends the filling."""
        try:
            cell = self._ask(column, reading, asking, models)
        except (ContextOverflow, StreamCut) as error:
            self._ending.failed(error)
            return self._cell(reading, models.model.name, CellState.FAILED, note=str(error))
        except SendingRefused as error:
            if not self._is_withheld(reading.card):
                self._ending.end(error)
                return None
            return self._cell(reading, models.model.name, CellState.FAILED, note=str(error))
        except ModelError as error:
            self._ending.end(error)
            return None
        if cell.state is CellState.FAILED:
            self._ending.failed(ModelError(cell.note, "The model does not answer in the form of a cell"))
        else:
            self._ending.answered()
        return cell

    def _ask(self, column: Column, reading: DocumentReading, asking: ModelRequests, models: RunModels) -> Cell:
        """Ask for a value and its quotation, a second time if the reply cannot be used or quotes what is not there."""
        profile = models.profile
        room = _room(profile) if profile else MOST_TOKENS
        lines = reading.lines_for(column.name, room * CHARACTERS)
        message = cell_message(column, reading, lines)
        messages: list[Message] = [SystemMessage(load_prompt(PROMPT)), message]
        known = {reading.reference: _KnownCard(reading.card)}
        limit = min(asking.model.max_output, ANSWER_TOKENS + THINKING_TOKENS)
        cell = self._cell(reading, asking.model.name, CellState.FAILED)
        for attempt in range(1, ATTEMPTS + 1):
            ended = asking.reply(messages, known, self._inner, schema=SCHEMA, max_tokens=limit)
            reply = read_reply(column, ended.message.text)
            if reply.absent:
                note = "" if lines.whole else NOT_ALL_READ  # of a value that it gave up nothing is kept
                return self._cell(reading, asking.model.name, CellState.ABSENT, note)
            match = locate(reply.quote, lines.lines) if reply.value and reply.quote else None
            match = match or (locate(reply.value, lines.lines) if reply.value and not reply.quote else None)
            if reply.value:
                place = (match.first_line, match.last_line) if match else None
                verdict: Verdict = "not found" if match is None else "verbatim" if match.verbatim else "paraphrase"
                proof = reading.proof(column, reply.value, reply.quote or reply.value, lines, place, verdict)
                normal = normal_form(column, reply.value)
                cell = replace(cell, state=CellState.FOUND, value=reply.value, normal=normal, proof=proof, note="")
            elif cell.state is CellState.FAILED:
                cell = replace(cell, note=_unread(ended))
            if match or attempt == ATTEMPTS:
                break
            why = reply.why or "The quoted words do not stand in these lines."
            messages += [AssistantMessage(ended.message.text), again_message(why)]
        return cell

    def _looked(
        self, cells: Mapping[Column, Cell], reading: DocumentReading, look: TextJudge
    ) -> Generator[tuple[Column, Cell]]:
        """Yield the cells that were looked at, and those of which the look failed as they are."""
        statements: dict[Column, Statement] = {}
        read = CitableLines()
        for column, cell in cells.items():
            if cell.proof and _is_to_look_at(cell):
                citation = cell.proof.citation
                statements[column] = Statement(statement_of_cell(column, cell.value), (citation,))
                passage = citation.passage.split("\n")
                read.record(citation.content, citation.passage_first_line, passage)
        if not statements:
            return
        look.trouble = ""
        judgments = look(tuple(statements.values()), read, self._filler.retriever, self._inner)
        for column, statement in statements.items():
            cell, judgment = cells[column], judgments.get(statement.key)
            if judgment and cell.proof:
                claim = with_judgment(cell.proof.claim, judgment)
                yield column, replace(cell, proof=replace(cell.proof, claim=claim), note="")
            else:
                yield column, cell if look.trouble else replace(cell, note="")
        self._ending.look = self._ending.look or look.trouble

    def _cell(self, reading: DocumentReading, by: str, state: CellState, note: str = "") -> Cell:
        return Cell(state, by=by, sha256=reading.card.sha256, asked_ns=time.time_ns(), note=note)


def _is_to_look_at(cell: Cell) -> bool:
    proof = cell.proof
    return proof is not None and proof.citation.verdict != "not found" and proof.claim.mark != "quoted"


@dataclass(frozen=True, slots=True)
class _KnownCard:
    """A document as the rules on what is never sent know it."""

    card: DocumentCard

    @property
    def content(self) -> ContentId:
        return self.card.content

    @property
    def path(self) -> str:
        return os.fspath(self.card.path) if self.card.path else ""

    @property
    def title(self) -> str:
        return self.card.title


def _merged(parts: Iterable[ReadLines]) -> ReadLines:
    lines: dict[int, str] = {}
    whole = True
    for part in parts:
        lines |= part.lines
        whole &= part.whole
        if whole:
            break
    return ReadLines(dict(sorted(lines.items())), whole)


def _unread(ended: TurnEnded) -> str:
    if ended.reason == "length":
        return OUTPUT_USED_UP
    return NO_VALUE if ended.message.text.strip() else EMPTY_MESSAGE
