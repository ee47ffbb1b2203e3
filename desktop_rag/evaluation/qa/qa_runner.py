"""Asks the questions of a set of several systems: in parallel, and going on where an earlier run was ended."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import msgspec

from desktop_rag.agent.events import AgentEvent, AnswerDelta
from desktop_rag.agent.run.model_choice import chat_model
from desktop_rag.errors import BenchError
from desktop_rag.evaluation.indexing import Say
from desktop_rag.evaluation.qa.gold_evidence import LibraryWithoutEvidence
from desktop_rag.evaluation.qa.judge import Judge
from desktop_rag.evaluation.qa.question_records import (
    JUDGED,
    RECORDS,
    JudgeVerdict,
    QaSystem,
    Record,
    RecordFile,
    write_system,
)
from desktop_rag.evaluation.qa.question_sets import Choice, QaQuestion, QuestionSet, prepare
from desktop_rag.evaluation.qa.run_question import ORACLE, ask
from desktop_rag.evaluation.qa.summary import Price, SystemScores, summed
from desktop_rag.llm.chat import ChatModel
from desktop_rag.paths import encoder_folder
from desktop_rag.settings import Limits, Profile
from desktop_rag.stop import Stop

Item = TypeVar("Item")

TOLD = 10  # questions after which a run says how far it is


@dataclass(frozen=True, slots=True)
class Contestant:
    """A system with the endpoint it asks; None is the built-in model."""

    system: QaSystem
    profile: Profile | None = None
    key: str = ""

    def model(self) -> ChatModel:
        """Return a model of its own for one thread."""
        return chat_model(self.profile, self.key)


@dataclass(frozen=True, slots=True)
class QaPlan:
    """What to ask whom; libraries stay in `keep` and answers in `out`, where the next run goes on."""

    contestants: tuple[Contestant, ...]
    keep: Path
    out: Path
    limits: Limits
    choice: Choice
    price: Price
    jobs: int = 1
    judge: Contestant | None = None


def evaluate(folder: Path, plan: QaPlan, say: Say, stop: Stop) -> Iterator[SystemScores]:
    """Yield what each system makes of the questions in `folder`; raises `BenchError` and `Stopped`."""
    questions = prepare(folder, plan.keep, say)
    chosen = plan.choice.of(questions.questions)
    if questions.absent:
        say(f"{questions.name}: {questions.absent:,} questions are left out, their documents are not there.")
    if not chosen:
        raise BenchError(f"No question of {questions.name} is left to ask.")
    for contestant in plan.contestants:
        place = folder_of(plan.out, questions.name, contestant.system)
        write_system(place, contestant.system)
        oracle = contestant.system.toolkit == ORACLE
        own = [question for question in chosen if question.gold] if oracle else chosen
        records = _Asking(questions, contestant, plan, place, stop).run(own, say)
        judged = _judge(contestant.system, plan, place, own, records, say, stop)
        asked = {question.id: question for question in own}
        yield summed(questions.name, contestant.system, asked, records.all(), judged, plan.price)


def folder_of(out: Path, collection: str, system: QaSystem) -> Path:
    """Return where the answers of a system to a set are kept."""
    return out / collection / system.name


class _Asking:
    """One system at work on one set."""

    def __init__(self, questions: QuestionSet, contestant: Contestant, plan: QaPlan, place: Path, stop: Stop) -> None:
        self._questions = questions
        self._contestant = contestant
        self._plan = plan
        self._place = place
        self._stop = stop
        self._records = RecordFile(place / RECORDS, Record)

    def run(self, chosen: Sequence[QaQuestion], say: Say) -> RecordFile[Record]:
        """Ask what was not asked before, or failed then."""
        open_questions = [question for question in chosen if self._is_open(question)]
        if open_questions:
            name = f"{self._questions.name}, {self._contestant.system.name}"
            say(f"{name}: asking {len(open_questions):,} of {len(chosen):,} questions")
            engines: SimpleQueue[LibraryWithoutEvidence] = SimpleQueue()
            for _ in range(self._plan.jobs):
                engines.put(LibraryWithoutEvidence(self._questions.library, encoder_folder()))

            def work(question: QaQuestion) -> None:
                engine = engines.get()
                try:
                    self._ask(question, engine)
                finally:
                    engines.put(engine)

            try:
                in_parallel(
                    work, open_questions, self._plan.jobs, lambda done: say(f"{name}: {done:,} asked"), self._stop
                )
            finally:
                while not engines.empty():
                    with closing(engines.get()):
                        pass
        return self._records

    def _is_open(self, question: QaQuestion) -> bool:
        record = self._records.get(question.id)
        return record is None or bool(record.error)

    def _ask(self, question: QaQuestion, engine: LibraryWithoutEvidence) -> None:
        contestant = self._contestant
        asked = ask(question, contestant.system, contestant.model(), self._plan.limits, engine, self._stop)
        write_trace(self._place / "traces" / f"{_file_name(question.id)}.jsonl", asked.events)
        self._records.add(asked.record)


def _judge(
    system: QaSystem,
    plan: QaPlan,
    place: Path,
    chosen: Sequence[QaQuestion],
    records: RecordFile[Record],
    say: Say,
    stop: Stop,
) -> dict[str, JudgeVerdict]:
    """Let the judge say what it has not said yet of these answers."""
    known = RecordFile(place / JUDGED, JudgeVerdict)
    pairs = [(question, record) for question in chosen if (record := records.get(question.id)) and not record.error]
    waiting = [(question, record) for question, record in pairs if not _is_judged(record, known)]
    if plan.judge and waiting:
        judge = Judge(plan.judge.model())
        say(f"{place.parent.name}, {system.name}: judging {len(waiting):,} answers")
        in_parallel(lambda pair: known.add(judge.judge(*pair, system, stop)), waiting, plan.jobs, lambda _: None, stop)
    return {record.question: known[record.question] for _, record in pairs if _is_judged(record, known)}


def _is_judged(record: Record, known: RecordFile[JudgeVerdict]) -> bool:
    judgement = known.get(record.question)
    return judgement is not None and judgement.answer == record.text


def in_parallel(
    work: Callable[[Item], None], items: Sequence[Item], jobs: int, tell: Callable[[int], None], stop: Stop
) -> None:
    """Do `work` on each item, `jobs` at once; the first error ends it when what has begun is done."""
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
                if done % TOLD == 0:
                    tell(done)


def write_trace(file: Path, events: Sequence[AgentEvent]) -> None:
    """Write a run's events, one JSON object a line, the answer's pieces left out."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        msgspec.json.encode({"type": type(event).__name__, **msgspec.to_builtins(event)})
        for event in events
        if not isinstance(event, AnswerDelta)
    ]
    file.write_bytes(b"".join(line + b"\n" for line in lines))


def _file_name(question: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in question)
