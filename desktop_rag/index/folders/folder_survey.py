"""Counts what a folder would bring into the library before it is added, and estimates how long reading it takes."""

import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field

from desktop_rag.documents.file_types import Format, format_of
from desktop_rag.index.folders.rule_walk import walked
from desktop_rag.index.folders.rules import FolderFilter, FolderRule
from desktop_rag.index.records import FolderRules
from desktop_rag.paths import valid_text
from desktop_rag.stop import Stop

MOST_ENTRIES = 300_000
REPORT_SECONDS = 0.2
# Rough figures for two cores: files and bytes of documents that are read, and bytes of text documents encoded.
FILES_PER_SECOND, BYTES_PER_SECOND, ENCODED_BYTES_PER_SECOND = 60.0, 12e6, 4e5
_LITTLE_TEXT = frozenset({Format.PICTURE})


@dataclass(frozen=True, slots=True)
class FolderSurvey:
    """The files of a folder that would be read, and how many entries each rule leaves out."""

    files: int = 0
    bytes: int = 0
    text_bytes: int = 0  # of files that are more than pictures
    left_out: Mapping[FolderRule, int] = field(default_factory=dict)
    complete: bool = False  # the walk has ended
    capped: bool = False  # … at `MOST_ENTRIES`: there are more

    @property
    def words_seconds(self) -> float:
        """Return the estimated seconds until every word can be found."""
        return self.files / FILES_PER_SECOND + self.bytes / BYTES_PER_SECOND

    @property
    def meaning_seconds(self) -> float:
        """Return the estimated seconds until everything can be found by meaning, too."""
        return self.words_seconds + self.text_bytes / ENCODED_BYTES_PER_SECOND


def survey(root: bytes, stop: Stop, most: int = MOST_ENTRIES) -> Generator[FolderSurvey]:
    """Count the files below `root` that the usual rules include, with a report a few times a second, the last whole."""
    files = size = text = seen = 0
    left_out: dict[FolderRule, int] = {}
    report_at = time.monotonic() + REPORT_SECONDS
    for entry in walked(root, (FolderFilter(root, FolderRules()),), stop):
        seen += 1
        if seen > most:
            break
        decision = entry.decisions[0]
        if decision.included:
            files, size = files + 1, size + entry.size
            is_text = format_of(valid_text(entry.path.decode("utf-8", "surrogateescape"))) not in _LITTLE_TEXT
            text += entry.size if is_text else 0
        else:
            left_out[decision.rule] = left_out.get(decision.rule, 0) + 1
        if time.monotonic() >= report_at:
            yield FolderSurvey(files, size, text, dict(left_out))
            report_at = time.monotonic() + REPORT_SECONDS
    stop.check()
    yield FolderSurvey(files, size, text, dict(left_out), complete=True, capped=seen > most)
