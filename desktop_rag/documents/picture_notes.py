"""Notes about pages that are pictures of text: which they are, and what they wait for."""

from collections.abc import Sequence
from itertools import groupby

WAITING = "Pictures: waiting for text recognition (OCR)"
NOTHING_FOUND = "Pictures in which text recognition (OCR) found no words"
PART_WAITING = "Its pictures wait for text recognition (OCR)"

_MOST_RANGES = 8  # page numbers and ranges in one note


def note_of_scans(numbers: Sequence[int], count: int) -> str:
    """Return the note about pages that are pictures of text, by ascending number, in a document of `count` pages."""
    if len(numbers) == 1:
        return f"page {numbers[0]} without text (a scan?)" if count > 1 else "1 page without text (a scan?)"
    if len(numbers) >= count:
        return f"{len(numbers)} pages without text (a scan?)"
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda at: at[1] - at[0])]
    said = [f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs[:_MOST_RANGES]]
    left = sum(map(len, runs[_MOST_RANGES:]))
    listed = ", ".join(said)
    if left:
        return f"pages {listed} and {left} more without text (a scan?)"
    return f"pages {listed} without text (a scan?)"


def is_of_pictures(note: str) -> bool:
    """Return whether this note, with or without its remedy, is of a document whose pages all are pictures."""
    return note.startswith((WAITING, NOTHING_FOUND))


def is_note_of_scans(note: str) -> bool:
    """Return whether `note_of_scans` made this note."""
    return note.endswith("without text (a scan?)")
