"""The differences between two documents."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """Lines of one document and those they are replaced by in another; `first` is 0 where there are none."""

    first: int
    lines: tuple[str, ...]
    other_first: int
    other_lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentDiff:
    """The longest of the `total` changes by sentences, in order; `alike` is the share of sentences that both have."""

    changes: tuple[Change, ...]
    total: int
    alike: float
