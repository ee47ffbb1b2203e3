"""Reads the cases written by hand: small documents in several languages, each followed by answers about it.

A file of `handwritten/` is TOML: `[[document]]` with `name` and `text`, then its `[[document.case]]` with `kind`,
`group`, `question`, `calculated` (expressions that the run has calculated) and `say`, the statements of the answer.
Of a statement, `at` is the cited lines (“3”, “3-5”; none if it cites nothing), `quote` the words relied on, `false`
the word that makes it false (“*” where no single word does), `file` the cited document if it is another, `right` the
lines that hold its content, `joint` what joins it to the statement before, and `free` marks statements whose verdict
does not count.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from benchmarks.lies.cases import CitedPlace, Group, LieCase, Place, Statement
from benchmarks.lies.documents import SourceDocument

FOLDER = Path(__file__).parent / "handwritten"
NO_WORD = "*"


class _Said(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    at: str = ""
    quote: str = ""
    false: str = ""
    file: str = ""
    right: str = ""
    joint: str = " "
    free: bool = False


class _Case(msgspec.Struct, forbid_unknown_fields=True):
    kind: str
    group: Group
    question: str
    say: list[_Said]
    stop_first: bool = False
    calculated: tuple[str, ...] = ()


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    text: str
    case: list[_Case] = []


class _File(msgspec.Struct, forbid_unknown_fields=True):
    document: list[_Document]


class Handwritten(msgspec.Struct, frozen=True):
    """The documents and cases of all files."""

    documents: tuple[SourceDocument, ...]
    cases: tuple[LieCase, ...]


@cache
def handwritten(folder: Path = FOLDER) -> Handwritten:
    """Return all documents and cases; raises `msgspec.ValidationError` for an unknown field."""
    read = [msgspec.toml.decode(path.read_bytes(), type=_File) for path in sorted(folder.glob("*.toml"))]
    documents = [document for file in read for document in file.document]
    sources = (SourceDocument(d.name, d.text.encode(), "handwritten", _title(d)) for d in documents)
    return Handwritten(tuple(sources), tuple(case for document in documents for case in _cases(document)))


def _cases(document: _Document) -> Iterator[LieCase]:
    for case in document.case:
        statements = tuple(_statement(document, said, first=said is case.say[0]) for said in case.say)
        yield LieCase(case.kind, case.group, document.name, case.question, statements, case.stop_first, case.calculated)


def _statement(document: _Document, said: _Said, *, first: bool) -> Statement:
    cited = (CitedPlace(_place(said.file or document.name, said.at), said.quote),) if said.at else ()
    right = said.right or (said.at if not said.file else "")
    expected: Literal["honest", "false"] | None = None if said.free else "false" if said.false else "honest"
    return Statement(
        said.text,
        cited,
        expected,
        "" if said.false == NO_WORD else said.false,
        _place(document.name, right) if right else None,
        "" if first else said.joint,
    )


def _place(file: str, lines: str) -> Place:
    first, _, last = lines.partition("-")
    return Place(file, int(first), int(last or first))


def _title(document: _Document) -> str:
    return document.text.partition("\n")[0].lstrip("# ")
