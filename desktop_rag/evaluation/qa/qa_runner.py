"""Runs an answer evaluation: every system answers a question set, in parallel; an interrupted run is resumed."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import msgspec

from desktop_rag.agent.events import AgentEvent, AnswerDelta, AnswerWritten
from desktop_rag.agent.run.model_choice import chat_model
from desktop_rag.agent.toolkits.registry import ORACLE
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.indexing import Say, asked_so_far, wait_for_end
from desktop_rag.evaluation.qa.judge import AnswerJudge
from desktop_rag.evaluation.qa.question_records import (
    JUDGED,
    RECORDS,
    JudgeVerdict,
    QaSystem,
    Record,
    RecordFile,
    write_system,
)
from desktop_rag.evaluation.qa.question_sets import Choice, QaQuestion, QuestionSet, read_set
from desktop_rag.evaluation.qa.run_question import EngineWithoutEvidence, ask
from desktop_rag.evaluation.qa.summary import Price, SystemScores, summarise
from desktop_rag.index.library import Library
from desktop_rag.llm.chat import ChatModel
from desktop_rag.settings import Limits, Profile, chosen_encoder
from desktop_rag.stop import Stop

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Contestant:
    """A system with the endpoint it uses; None for the built-in model."""

    system: QaSystem
    profile: Profile | None = None
    key: str = ""

    def model(self) -> ChatModel:
        """Return a new model, for use by one thread."""
        return chat_model(self.profile, self.key)


@dataclass(frozen=True, slots=True)
class QaPlan:
    """The systems to run; later runs reuse the libraries in `keep` and resume from the records in `out`."""

    contestants: tuple[Contestant, ...]
    keep: Path
    out: Path
    limits: Limits
    choice: Choice
    price: Price
    jobs: int = 1
    judge: Contestant | None = None


def evaluate(folders: Iterable[Path], plan: QaPlan, say: Say, stop: Stop) -> Iterator[SystemScores]:
    """Yield the scores of each system on each set of questions; raises `BenchError` and `Stopped`.

    All sets are read before the first is indexed.
    """
    sets = [read_set(folder, plan.keep) for folder in folders]
    chosen = [plan.choice.of(questions.questions) for questions in sets]
    if () in chosen:
        raise BenchError(f"No question of {sets[chosen.index(())].name} is left to ask.")
    for questions, some in zip(sets, chosen, strict=True):
        if questions.absent:
            say(f"{questions.name}: {questions.absent:,} questions are left out because their documents are missing.")
        questions.index(say)
        for contestant in plan.contestants:
            out = folder_of(plan.out, questions.name, contestant.system)
            write_system(out, contestant.system)
            oracle = contestant.system.toolkit == ORACLE
            own = [question for question in some if question.gold] if oracle else some
            records = _SystemRun(questions, contestant, plan, out, stop).run(own, say)
            judged = _judge(contestant.system, plan, out, own, records, say, stop)
            asked = {question.id: question for question in own}
            yield summarise(questions.name, contestant.system, asked, records.all(), judged, plan.price)


def folder_of(out: Path, collection: str, system: QaSystem) -> Path:
    """Return the folder of a system's records on a set."""
    return out / collection / system.name


class _SystemRun:
    """Runs one system on one question set."""

    def __init__(self, questions: QuestionSet, contestant: Contestant, plan: QaPlan, out: Path, stop: Stop) -> None:
        self._questions = questions
        self._contestant = contestant
        self._plan = plan
        self._out = out
        self._stop = stop
        self._records = RecordFile(out / RECORDS, Record)
        self._checking = threading.Lock()  # the jobs must not take the indexer's lock from each other

    def run(self, chosen: Sequence[QaQuestion], say: Say) -> RecordFile[Record]:
        """Ask the questions that have no record, or one of a failure; raise `BenchError` if an indexer is at work."""
        open_questions = [question for question in chosen if self._is_open(question)]
        if open_questions:
            name = f"{self._questions.name}, {self._contestant.system.name}"
            say(f"{name}: asking {len(open_questions):,} of {len(chosen):,} questions")
            self._check_at_rest()
            engines: SimpleQueue[EngineWithoutEvidence] = SimpleQueue()
            for _ in range(self._plan.jobs):
                engines.put(EngineWithoutEvidence(self._questions.library, chosen_encoder()))

            began = time.monotonic()

            def report(done: int) -> None:
                say(f"{name}: {asked_so_far(done, len(open_questions), began)}")

            def work(question: QaQuestion) -> None:
                engine = engines.get()
                try:
                    self._ask(question, engine)
                finally:
                    engines.put(engine)

            try:
                in_parallel(work, open_questions, self._plan.jobs, report, self._stop)
            finally:
                while not engines.empty():
                    with closing(engines.get()):
                        pass
        return self._records

    def _is_open(self, question: QaQuestion) -> bool:
        record = self._records.get(question.id)
        return record is None or bool(record.error)

    def _ask(self, question: QaQuestion, engine: EngineWithoutEvidence) -> None:
        contestant = self._contestant
        run = ask(question, contestant.system, contestant.model(), self._plan.limits, engine, self._stop)
        self._check_at_rest()  # an answer from an index that changes is not recorded
        write_trace(self._out / "traces" / f"{_file_name(question.id)}.jsonl", run.events)
        self._records.add(run.record)

    def _check_at_rest(self) -> None:
        with self._checking:
            wait_for_end(Library(self._questions.library), 0)


def _judge(
    system: QaSystem,
    plan: QaPlan,
    out: Path,
    chosen: Sequence[QaQuestion],
    records: RecordFile[Record],
    say: Say,
    stop: Stop,
) -> dict[str, JudgeVerdict]:
    """Judge the answers that have no verdict yet; return all verdicts by question."""
    known = RecordFile(out / JUDGED, JudgeVerdict)
    pairs = [(question, record) for question in chosen if (record := records.get(question.id)) and not record.error]
    waiting = [(question, record) for question, record in pairs if not _is_judged(record, known)]
    if plan.judge and waiting:
        judge = AnswerJudge(plan.judge.model())
        say(f"{out.parent.name}, {system.name}: judging {len(waiting):,} answers")
        in_parallel(lambda pair: known.add(judge.judge(*pair, system, stop)), waiting, plan.jobs, lambda _: None, stop)
    return {record.question: known[record.question] for _, record in pairs if _is_judged(record, known)}


def _is_judged(record: Record, known: RecordFile[JudgeVerdict]) -> bool:
    judgement = known.get(record.question)
    return judgement is not None and judgement.answer == record.text


def in_parallel(
    work: Callable[[Item], None], items: Sequence[Item], jobs: int, report: Callable[[int], None], stop: Stop
) -> None:
    """Do `work` on each item, `jobs` at once; the first error is raised once the running items have finished."""
    waiting, running, done = list(reversed(items)), set[Future[None]](), 0
    with ThreadPoolExecutor(jobs, "question") as pool:
        while waiting or running:
            stop.check()
            while waiting and len(running) < jobs:
                running.add(pool.submit(work, waiting.pop()))
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                future.result()
                done += 1
                report(done)


def write_trace(file: Path, events: Sequence[AgentEvent]) -> None:
    """Write the events of a run as JSON lines, without the answer deltas."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        msgspec.json.encode({"type": type(event).__name__, **msgspec.to_builtins(event)})
        for event in events
        if not isinstance(event, AnswerDelta | AnswerWritten)
    ]
    file.write_bytes(b"".join(line + b"\n" for line in lines))


def _file_name(question: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in question)
