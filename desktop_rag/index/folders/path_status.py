"""The status of a path in a library, for every process that shows it."""

from dataclasses import dataclass

from desktop_rag.index.folders.rules import RuleDecision
from desktop_rag.index.records import FileState, Folder


@dataclass(frozen=True, slots=True)
class PathStatus:
    """The status of a path; `decision` is None for a path outside every root folder."""

    path: bytes
    folder: Folder | None
    decision: RuleDecision | None
    state: FileState | None  # None for a folder, and for a file no scan has seen yet
    sentence: str
    set_aside: bool = False  # not read again until it changes or the user retries it

    @property
    def included(self) -> bool:
        """Return whether the path is, or soon will be, part of the library."""
        left_out = self.state in (FileState.SKIPPED, FileState.FAILED)
        return self.decision is not None and self.decision.included and not left_out
