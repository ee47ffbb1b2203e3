"""Measures the answers of the built-in model to questions in another language than the documents, as XQuAD has them.

    .venv/bin/python -m benchmarks.encoding.closest FOLDER --encoder FOLDER --keep FOLDER [--pairs en-de de-en]

FOLDER is that of `languages`. Each question is asked twice: of all passages, and without its own, when nothing answers
it. Prints for each pair of question and passage language how often an answer is quoted and how often a closest passage
instead, each also from the right passage only, and both of the questions that nothing answers.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from statistics import fmean

from benchmarks.encoding.languages import parser_of_pairs, print_row, use_encoder
from desktop_rag.agent.run.model_choice import chat_model
from desktop_rag.evaluation.datasets import Collection, read_collection
from desktop_rag.evaluation.qa.question_records import QaSystem
from desktop_rag.evaluation.qa.question_sets import Choice, Gold, QaQuestion
from desktop_rag.evaluation.qa.run_question import EngineWithoutEvidence, ask
from desktop_rag.evaluation.retrieval.passage_library import PassageLibrary, index_passages
from desktop_rag.settings import Limits
from desktop_rag.stop import Stop

COLUMNS = ("quoted", "of the right passage", "closest", "the right one")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the built-in model did with a question: quoted an answer or a closest passage, from the right passage."""

    found: bool
    quoted: bool
    right: bool

    def cells(self) -> tuple[bool, ...]:
        """Return whether it counts in each of `COLUMNS`."""
        closest = self.quoted and not self.found
        return (self.found, self.found and self.right, closest, closest and self.right)


def main(arguments: Sequence[str]) -> int:
    """Measure and print a row for each pair; return the exit code."""
    parser = parser_of_pairs("Measure the built-in model's answers across languages.")
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="ask N questions, drawn at random")
    parser.add_argument("--half", type=int, choices=(1, 2), default=0, help="draw from one half of the questions")
    options = parser.parse_args(arguments)
    use_encoder(options)
    print_row("question → passages", "questions", *COLUMNS, *(f"unanswerable: {COLUMNS[each]}" for each in (0, 2)))
    for pair in options.pairs:
        asked, written = pair.split("-")
        passages = read_collection(options.folder / written)
        made = index_passages(passages, options.keep, lambda _: None)
        questions = _questions(read_collection(options.folder / asked), passages, made)
        chosen = Choice(options.limit, half=options.half).of(questions)
        with closing(EngineWithoutEvidence(made.library, options.encoder)) as engine:
            whole = [outcome.cells() for outcome in _outcomes(chosen, engine, without_gold=False)]
            without = [outcome.cells() for outcome in _outcomes(chosen, engine, without_gold=True)]
        shares = [fmean(column) for column in zip(*whole, strict=True)]
        unanswered = [fmean(column) for column in zip(*without, strict=True)]
        figures = (f"{share:.3f}" for share in (*shares, unanswered[0], unanswered[2]))
        print_row(f"{asked} → {written}", f"{len(chosen)}", *figures)
    return 0


def _questions(asked: Collection, passages: Collection, made: PassageLibrary) -> list[QaQuestion]:
    numbers = {name: number for number, name in enumerate(made.passages)}
    return [
        QaQuestion(question.id, question.text, (), "", tuple(map(Gold, files)), answerable=True)
        for question in asked.questions
        for files in ([made.file_of(numbers[name]) for name, grade in passages.judged[question.id].items() if grade],)
    ]


def _outcomes(
    questions: Sequence[QaQuestion], engine: EngineWithoutEvidence, *, without_gold: bool
) -> Iterator[Outcome]:
    system = QaSystem("built-in", "", "full", without_gold=without_gold)
    for question in questions:
        record = ask(question, system, chat_model(None, ""), Limits(), engine, Stop()).record
        right = any(cited.documents for cited in record.citations)
        yield Outcome(record.found, bool(record.citations), right)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
