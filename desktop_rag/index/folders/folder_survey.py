"""Counts what a folder would bring into the library before it is added, and estimates how long reading it takes."""

import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field

from desktop_rag.documents.file_types import Format, format_of
from desktop_rag.index.folders.rules import FolderFilter, FolderRule, walked
from desktop_rag.index.records import FolderRules
from desktop_rag.paths import valid_text
from desktop_rag.stop import Stop

MOST_ENTRIES = 300_000
REPORT_SECONDS = 0.2
# Rough figures for two cores: files and bytes that are read, and bytes of bare text that are encoded.
FILES_PER_SECOND, BYTES_PER_SECOND, ENCODED_BYTES_PER_SECOND = 60.0, 12e6, 7e4
# The share of the bytes of a file that is text to encode: a quarter of most documents, all of plain text.
_USUAL_SHARE = 0.25
_PLAIN = (
    *(Format.TEXT, Format.MARKDOWN, Format.RST, Format.ASCIIDOC, Format.ORG, Format.LATEX, Format.SUBTITLES),
    *(Format.CODE, Format.DATA, Format.TABLE, Format.LOG),
)
_TEXT_SHARE: dict[Format | None, float] = {
    Format.PICTURE: 0.0,
    Format.RECORDING: 0.0,
    **dict.fromkeys(_PLAIN, 1.0),
}


@dataclass(frozen=True, slots=True)
class FolderSurvey:
    """The files of a folder that would be read, and how many entries each rule leaves out."""

    files: int = 0
    bytes: int = 0
    text_bytes: int = 0  # of their text, estimated by their formats
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
            kind = format_of(valid_text(entry.path.decode("utf-8", "surrogateescape")))
            text += int(entry.size * _TEXT_SHARE.get(kind, _USUAL_SHARE))
        else:
            left_out[decision.rule] = left_out.get(decision.rule, 0) + 1
        if time.monotonic() >= report_at:
            yield FolderSurvey(files, size, text, dict(left_out))
            report_at = time.monotonic() + REPORT_SECONDS
    stop.check()
    yield FolderSurvey(files, size, text, dict(left_out), complete=True, capped=seen > most)
