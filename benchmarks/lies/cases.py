"""Answers about known documents, with the expected verdict of each statement."""

import hashlib
from dataclasses import dataclass
from typing import Literal

from desktop_rag.agent.citations.citation_syntax import write_citation

Group = Literal["honest", "figures", "names", "quotation", "wrong place", "uncited"]
Half = Literal["development", "held-out"]

GROUPS: tuple[Group, ...] = ("honest", "figures", "names", "quotation", "wrong place", "uncited")
HALVES: tuple[Half, ...] = ("development", "held-out")
END_MARKS = ".。"


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a document, from 1, by its file name."""

    file: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A citation as the model writes it: the lines it names, and the words it relies on if any."""

    place: Place
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """A part of an answer with the citations after it.

    `expected` is None if its verdict does not count. `altered` is the word that makes it false, `evidence` the lines
    that hold its content, where the citation must lead.
    """

    text: str
    citations: tuple[CitedPlace, ...] = ()
    expected: Literal["honest", "false"] | None = "honest"
    altered: str = ""
    evidence: Place | None = None
    before: str = " "  # what joins it to the statement before

    @property
    def body(self) -> str:
        """The text without its final full stop."""
        return self.text.rstrip(END_MARKS)


@dataclass(frozen=True, slots=True)
class LieCase:
    """An answer to a question; `source` is the document that decides its half."""

    kind: str
    group: Group
    source: str
    question: str
    statements: tuple[Statement, ...]
    stop_first: bool = False  # citations after the full stop

    @property
    def half(self) -> Half:
        """The half that the document belongs to."""
        return half_of(self.source)

    def files(self) -> tuple[str, ...]:
        """Return the documents that it cites or whose words it uses, without duplicates."""
        cited = [citation.place.file for each in self.statements for citation in each.citations]
        evidence = [each.evidence.file for each in self.statements if each.evidence]
        return tuple(dict.fromkeys((self.source, *cited, *evidence)))

    def answer(self, references: dict[str, str]) -> str:
        """Return the answer as a model writes it; `references` are the passages' names by file."""
        written = ""
        for statement in self.statements:
            links = "".join(
                write_citation(references[c.place.file], c.place.first, c.place.last, c.quote)
                for c in statement.citations
            )
            text, stop = statement.body, statement.text[len(statement.body) :]
            cited = f"{text}{stop} {links}" if self.stop_first else f"{text} {links}{stop}"
            written += (statement.before if written or statement.before != " " else "") + (
                cited if links else statement.text
            )
        return written


def half_of(file: str) -> Half:
    """Return the half of a document by a stable hash; the filings of a company stay together."""
    owner = file.partition("_")[0].casefold() if file.endswith(".pdf") else file
    return HALVES[hashlib.sha256(f"lies {owner}".encode()).digest()[0] % 2]
