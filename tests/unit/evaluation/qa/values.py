"""Questions and records as the tests need them."""

from pathlib import Path

from desktop_rag.evaluation.qa.question_records import Cited, Opened, QaSystem, Record, RecordedSearch
from desktop_rag.evaluation.qa.question_sets import Gold, QaQuestion

SYSTEM = QaSystem("somewhere", "scripted", "full")
QUESTION = QaQuestion(
    "q", "Where is the key?", ("under the mat", "the mat"), "", (Gold(Path("a.md")),), answerable=True
)


def record(
    text: str = "It lies under the mat.",
    *,
    found: bool = True,
    error: str = "",
    limit: str = "",
    searches: tuple[RecordedSearch, ...] = (),
    opened: tuple[Opened, ...] = (),
    citations: tuple[Cited, ...] = (),
    missing: tuple[int, ...] = (),
) -> Record:
    return Record(
        *("q", text, found, error, limit, citations, searches, opened, {"search": 2, "open": 1}, 3, 500, 900, 100),
        estimated=False,
        seconds=1.0,
        missing=missing,
    )


def search(queries: str, results: tuple[str, ...] = (), gold: tuple[int, ...] = (), step: int = 1) -> RecordedSearch:
    return RecordedSearch(step, queries, results, gold)


def opened(file: str, gold: tuple[int, ...] = (), documents: tuple[int, ...] = ()) -> Opened:
    return Opened(file, 1, 20, gold, documents or gold, gold)


def cited(file: str, gold: tuple[int, ...] = (), verdict: str = "verbatim", relevancy: float = 0.0) -> Cited:
    return Cited(file, verdict, relevancy, gold, gold)
