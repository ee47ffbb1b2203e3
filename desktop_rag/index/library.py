"""The folder of one library: what lies where inside it."""

from dataclasses import dataclass
from pathlib import Path

from desktop_rag.paths import private_folder


@dataclass(frozen=True, slots=True)
class Library:
    """Names the parts of a library's folder; nothing else in the code joins these paths."""

    folder: Path

    @property
    def catalog(self) -> Path:
        """The truth."""
        return self.folder / "catalog.sqlite"

    @property
    def keywords(self) -> Path:
        """The keyword index, a copy."""
        return self.folder / "keyword"

    @property
    def vectors(self) -> Path:
        """The vector files, a copy."""
        return self.folder / "vectors"

    @property
    def conversations(self) -> Path:
        """The person's own data: conversations and runs."""
        return self.folder / "conversations.sqlite"

    @property
    def lock(self) -> Path:
        """Held by the indexer as long as it runs."""
        return self.folder / "indexer.lock"

    @property
    def address(self) -> Path:
        """Where the running indexer listens, and its secret; mode 0600."""
        return self.folder / "indexer.json"

    @property
    def socket(self) -> Path:
        """Where it listens, on systems that have such sockets."""
        return self.folder / "indexer.sock"

    @property
    def log(self) -> Path:
        """What the indexer logs."""
        return self.folder / "indexer.log"

    def create(self) -> None:
        """Make the folder, readable by its owner only; it is never indexed itself, wherever it lies."""
        private_folder(self.folder)
        (self.folder / ".noindex").touch()
