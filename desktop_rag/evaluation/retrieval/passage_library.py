"""A test collection as a library: every passage is a Markdown file, indexed by the real indexer."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.evaluation.datasets import Collection, CollectionPassage
from desktop_rag.evaluation.indexing import Say, index

FILES_A_FOLDER = 1000


@dataclass(frozen=True, slots=True)
class PassageLibrary:
    """The folder in which a collection was indexed."""

    folder: Path
    passages: tuple[str, ...]  # the id of each by the number of its file

    @property
    def library(self) -> Path:
        """The library's folder."""
        return self.folder / "library"

    def file_of(self, number: int) -> Path:
        """Return the file of a passage, by its index in the collection."""
        return file_in(self.folder / "documents", number)

    def passage_at(self, path: Path) -> str:
        """Return the id of the passage in a file."""
        return self.passages[int(path.stem)]


def library_of(collection: Collection, folder: Path) -> PassageLibrary:
    """Return the library of a collection in a subfolder of `folder`; it need not be there yet."""
    own = folder / f"{collection.name}-{fingerprint(collection.passages)}"
    return PassageLibrary(own, tuple(passage.id for passage in collection.passages))


def index_passages(collection: Collection, folder: Path, say: Say) -> PassageLibrary:
    """Index the passages in a subfolder of `folder`, or reuse the library from an earlier run."""
    made = library_of(collection, folder)
    documents = made.folder / "documents"
    if not (made.folder / "written").exists():
        say(f"Writing {len(collection.passages):,} passages of {collection.name} …")
        write(documents, collection.passages)
        (made.folder / "written").touch()
    index(made.library, [documents], say)
    return made


def fingerprint(passages: Iterable[CollectionPassage]) -> str:
    """Return a hash of these passages in this order."""
    whole = "\0".join(f"{passage.id}\t{passage.title}\t{passage.text}" for passage in passages)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def write(folder: Path, passages: Iterable[CollectionPassage]) -> None:
    """Write a Markdown file for each passage, named by its index, with the title as the heading."""
    for number, passage in enumerate(passages):
        file = file_in(folder, number)
        file.parent.mkdir(parents=True, exist_ok=True)
        title = " ".join(passage.title.split())
        text = f"# {title}\n\n{passage.text}\n" if title else f"{passage.text}\n"
        file.write_text(text, encoding="utf-8", errors="replace")


def file_in(folder: Path, number: int) -> Path:
    """Return the file of a passage in the folder of documents."""
    return folder / f"{number // FILES_A_FOLDER:03}" / f"{number:06}.md"
