"""What a conversation has attached: a file or folder beside those of the library."""

from dataclasses import dataclass

from desktop_rag.index.records import FolderId


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file or folder that a conversation has attached, as far as it has been read; `path` is absolute.

    `folder` is None before the indexer knows it. `waiting` files are not searchable yet (1 before the first scan),
    `unread` ones cannot be read; `reason` says why, of the first of them. `pictures` have no text.
    """

    path: bytes
    folder: FolderId | None = None
    searchable: int = 0
    waiting: int = 0
    unread: int = 0
    pictures: int = 0
    reason: str = ""

    @property
    def files(self) -> int:
        """Return the number of files known so far; none in an empty folder."""
        return self.searchable + self.waiting + self.unread + self.pictures
