"""Question sets: questions, right answers and gold evidence, with the documents to index.

A set is a folder. With corpus.jsonl and queries.jsonl every passage becomes a document. Otherwise its subfolders hold
the documents, and questions.jsonl gives the evidence of each question by file, page or offset in the text.
"""

import hashlib
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import msgspec

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import AskedRecord, read_collection, records
from desktop_rag.evaluation.indexing import Say, index
from desktop_rag.evaluation.retrieval.passage_library import index_passages, library_of

NULL = "Null"  # the type of unanswerable questions


@dataclass(frozen=True, slots=True)
class Gold:
    """Gold evidence: a document, and its lines or page if known (from 1; 0 for anywhere)."""

    file: Path
    first_line: int = 0
    last_line: int = 0
    page: int = 0


@dataclass(frozen=True, slots=True)
class QaQuestion:
    """One question; if it is not `answerable`, the right answer is a refusal."""

    id: str
    text: str
    answers: tuple[str, ...]
    type: str
    gold: tuple[Gold, ...]
    answerable: bool


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions and their library, which `index` makes; `absent` counts questions whose documents are missing."""

    name: str
    library: Path
    questions: tuple[QaQuestion, ...]
    absent: int
    index: Callable[[Say], object]


@dataclass(frozen=True, slots=True)
class Choice:
    """A selection of questions: one half by the hash of their ids, then a random sample."""

    limit: int = 0  # 0 for no limit
    seed: int = 1
    half: int = 0  # 1 or 2; 0 for all

    def of(self, questions: Sequence[QaQuestion]) -> tuple[QaQuestion, ...]:
        """Return the selected questions in their order."""
        chosen = [question for question in questions if not self.half or _half(question.id) == self.half]
        if self.limit and self.limit < len(chosen):
            drawn = set(random.Random(self.seed).sample(range(len(chosen)), self.limit))
            chosen = [question for number, question in enumerate(chosen) if number in drawn]
        return tuple(chosen)


class _Evidence(msgspec.Struct):
    doc: str = ""
    page0: int | None = None


class _Record(AskedRecord):
    answer: str | tuple[str, ...] | None = ()
    aliases: tuple[str, ...] | None = ()
    type: str | None = None
    file: str = ""  # with `char`, the offset of the evidence in its text
    char: int | None = None
    paragraph: str = ""
    gold_files: tuple[str, ...] = ()
    filepaths: str | tuple[str, ...] = ()
    docs: tuple[str, ...] = ()
    evidence: tuple[_Evidence, ...] = ()

    @property
    def answers(self) -> tuple[str, ...]:
        """The right answers and their aliases."""
        return (*_tuple(self.answer or ()), *(self.aliases or ()))


_Found = tuple[_Record, tuple[Gold, ...] | None]


def read_set(folder: Path, keep: Path) -> QuestionSet:
    """Read a set, whose library will be in `keep`; raises `BenchError`."""
    if (folder / "corpus.jsonl").is_file():
        return _of_passages(folder, keep)
    if (folder / "questions.jsonl").is_file():
        return _of_documents(folder.resolve(), keep)
    raise BenchError(f"{folder} holds neither questions.jsonl nor corpus.jsonl with queries.jsonl.")


def question_sets_below(folders: Iterable[Path]) -> list[Path]:
    """Return the folders of all question sets in `folders`, themselves included, sorted."""
    found = [
        file.parent
        for folder in folders
        for name in ("questions.jsonl", "queries.jsonl")
        for file in sorted(folder.rglob(name))
        if name == "questions.jsonl" or (file.parent / "corpus.jsonl").is_file()
    ]
    if not found:
        raise BenchError("There is no questions.jsonl, nor corpus.jsonl with queries.jsonl; name a folder of them.")
    return list(dict.fromkeys(found))


def _of_passages(folder: Path, keep: Path) -> QuestionSet:
    collection = read_collection(folder)
    made = library_of(collection, keep)
    numbers = {name: number for number, name in enumerate(made.passages)}

    def evidence(record: _Record) -> tuple[Gold, ...]:
        return tuple(Gold(made.file_of(numbers[str(gold)])) for gold in record.gold if str(gold) in numbers)

    found = [(record, evidence(record)) for record in records(folder / "queries.jsonl", _Record).values()]
    return _question_set(folder.name, made.library, found, partial(index_passages, collection, keep))


def _of_documents(folder: Path, keep: Path) -> QuestionSet:
    folders = sorted(path for path in folder.iterdir() if path.is_dir())
    if not folders:
        raise BenchError(f"The documents of {folder.name} must be in folders next to questions.jsonl.")
    asked = records(folder / "questions.jsonl", _Record)
    library = keep / f"{folder.name}-{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}" / "library"
    documents = _Documents(folder, tuple(file for below in folders for file in below.rglob("*") if file.is_file()))
    found = [(record, documents.evidence(record)) for record in asked.values()]
    return _question_set(folder.name, library, found, partial(index, library, folders))


def _question_set(name: str, library: Path, found: Sequence[_Found], index: Callable[[Say], object]) -> QuestionSet:
    questions = tuple(
        QaQuestion(record.name, record.asked, record.answers, record.type or "", gold, record.type != NULL)
        for record, gold in found
        if gold is not None
    )
    return QuestionSet(name, library, questions, len(found) - len(questions), index)


@dataclass(frozen=True)
class _Documents:
    """The files of a set, resolved from the names in its records."""

    folder: Path
    files: tuple[Path, ...]

    @cached_property
    def by_name(self) -> Mapping[str, Path]:
        """Files by name and by stem."""
        return {name: file for file in self.files for name in (file.stem, file.name)}

    def evidence(self, record: _Record) -> tuple[Gold, ...] | None:
        """Return the gold evidence of a record; None if one of its documents is missing."""
        if record.file:
            return self._by_offset(record)
        pages = {(evidence.doc, evidence.page0) for evidence in record.evidence if evidence.doc}
        named: list[tuple[str, int | None]] = sorted(pages, key=lambda page: (page[0], page[1] or 0))
        named = named or [(name, None) for name in (*record.gold_files, *_tuple(record.filepaths), *record.docs)]
        found = [(self._file(name), page) for name, page in named]
        if any(file is None for file, _ in found):
            return None
        return tuple(Gold(file, page=0 if page is None else page + 1) for file, page in found if file)

    def _file(self, name: str) -> Path | None:
        path = self.folder / name
        return path if path.is_file() else self.by_name.get(name)

    def _by_offset(self, record: _Record) -> tuple[Gold, ...] | None:
        file = self._file(record.file)
        if file is None or record.char is None:
            return (Gold(file),) if file else None
        text = file.read_text(encoding="utf-8")
        first = text.count("\n", 0, record.char) + 1
        return (Gold(file, first, first + record.paragraph.count("\n")),)


def _half(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0] % 2 + 1


def _tuple(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value
