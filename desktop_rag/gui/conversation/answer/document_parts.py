"""What is written into the document of an answer: citation numbers with their links, framed blocks, and the state."""

from dataclasses import dataclass

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextTable

from desktop_rag.agent.citations.marks import Grade
from desktop_rag.gui.conversation.answer.markdown_blocks import Block, Code, MarkdownTable

Framed = tuple[tuple[QTextTable, ...], Code | MarkdownTable]  # the tables of a block in the document, and all of it


@dataclass(frozen=True, slots=True)
class Pill:
    """The position of a citation number in the document."""

    position: int
    length: int
    number: int
    grade: Grade | None = None  # that of its statement or citation, if it is to be seen


@dataclass(frozen=True, slots=True)
class WriterState:
    """A state of the writer that it can return to."""

    end: int
    fresh: bool
    first: bool
    previous: Block | None
    pills: int
    codes: int
    framed: int
    last_framed: Framed | None


def citation_link(number: int, claim: int) -> str:
    """Return the link of a citation's number, with that of its claim unless that is 0."""
    return f"cite:{number}#{claim}" if claim else f"cite:{number}"


def number_of(link: QUrl) -> int:
    """Return the number of the citation behind a link; 0 for other links."""
    return _number(link.path()) if link.scheme() == "cite" else 0


def claim_of(link: QUrl) -> int:
    """Return the number of the claim in a citation's link; 0 without one."""
    return _number(link.fragment())


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0
