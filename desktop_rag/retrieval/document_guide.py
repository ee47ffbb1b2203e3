"""What a document mentions: whole dates, amounts of money, names, and terms that it defines, each with its line."""

from dataclasses import dataclass
from typing import Literal

GuideKind = Literal["date", "amount", "name", "term"]


@dataclass(frozen=True, slots=True)
class GuideEntry:
    """Words of a document, the first line that has them, and how many lines do."""

    kind: GuideKind
    text: str
    line: int
    lines: int = 1


@dataclass(frozen=True, slots=True)
class DocumentGuide:
    """The entries, by kind and in the order of the document; `whole`: all lines were looked at."""

    entries: tuple[GuideEntry, ...]
    whole: bool
