"""What the echo child and its tests say to each other."""

from dataclasses import dataclass

from desktop_rag.processes.wire import Wire


@dataclass(frozen=True, slots=True)
class Ask:
    word: str
    marker: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    word: str


REQUESTS = Wire(Ask)
REPLIES = Wire(Said)
