"""Eight ways to damage each of the three stores of a library, independent of the files in it."""

import contextlib
import random
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping
from enum import StrEnum
from pathlib import Path

import apsw

from benchmarks.faults import faulty_indexer
from benchmarks.faults.kills import Trial, healed
from benchmarks.faults.patients import Patient, put_back
from desktop_rag.index.library import Library


class Store(StrEnum):
    """The stores of a library."""

    CATALOG = "catalog"
    KEYWORDS = "keyword index"
    VECTORS = "vectors"

    def files(self, library: Library) -> list[Path]:
        """Return the files of this store in a stable order."""
        if self is Store.CATALOG:
            return sorted(library.folder.glob("catalog.sqlite*"))
        return sorted(path for path in self.folder(library).rglob("*") if path.is_file())

    def folder(self, library: Library) -> Path:
        """Return the folder of an index."""
        return library.keywords if self is Store.KEYWORDS else library.vectors

    def put_in_place(self, library: Library, other: Library) -> None:
        """Replace this store by that of another library."""
        if self is not Store.CATALOG:
            put_back(self.folder(other), self.folder(library))
            return
        for file in self.files(library):
            file.unlink()
        for file in self.files(other):
            shutil.copy2(file, library.folder / file.name)


class Shelf:
    """A library at rest, and other libraries whose stores may replace its own."""

    def __init__(self, base: Path, seed: int) -> None:
        self.patient = Patient(base / "patient", seed)
        self.chance = random.Random(seed)
        self.sound = Library(base / "sound")
        self.older = Library(base / "older")
        self.foreign = Library(base / "foreign" / "library")
        self.other_format = Library(base / "other format")
        for number in range(8):
            self.patient.put(f"note {number}.md", 5)
        self._rest(self.patient)
        put_back(self.patient.library.folder, self.older.folder)
        for _ in range(8):
            self.patient.change_something()
        self._rest(self.patient)
        put_back(self.patient.library.folder, self.sound.folder)
        with Patient(base / "foreign", seed + 1) as other:
            for number in range(8):
                other.put(f"note {number}.md", 5)
            self._rest(other)
        self._make_other_format()

    def treat(self, store: Store, recipe: str) -> str:
        """Damage a store of the intact library, wait until the indexer is idle, and return what is wrong."""
        patient = self.patient
        patient.close()
        put_back(self.sound.folder, patient.library.folder)
        RECIPES[recipe](store, patient.library, self)
        with patient.client() as client:
            forgotten = not patient.is_known(client)
        wrong = healed(patient)
        return f"the folder is unknown; {wrong}" if forgotten else wrong

    def _make_other_format(self) -> None:
        """Build the indexes with an indexer whose index formats have other version numbers."""
        patient = self.patient
        for store in (Store.KEYWORDS, Store.VECTORS):
            shutil.rmtree(store.folder(patient.library))
        patient.start(faulty_indexer.Circumstances(grace=0.3, formats=1000))
        self._rest(patient)
        put_back(patient.library.folder, self.other_format.folder)
        with contextlib.closing(apsw.Connection(str(self.other_format.catalog))) as database:
            database.pragma("user_version", 1)

    def _rest(self, patient: Patient) -> None:
        with patient.client() as client:
            patient.settle(client)
        patient.stop_indexer()


Recipe = Callable[[Store, Library, Shelf], None]


def _empty(store: Store, library: Library, shelf: Shelf) -> None:
    for file in store.files(library):
        file.write_bytes(b"")


def _truncate(store: Store, library: Library, shelf: Shelf) -> None:
    for file in store.files(library):
        with file.open("r+b") as opened:
            opened.truncate(int(file.stat().st_size * shelf.chance.uniform(0.2, 0.9)))


def _flip(store: Store, library: Library, shelf: Shelf) -> None:
    """Flip one bit of a random byte of the store."""
    files = [file for file in store.files(library) if file.stat().st_size]
    (file,) = shelf.chance.choices(files, [file.stat().st_size for file in files])
    data = bytearray(file.read_bytes())
    data[shelf.chance.randrange(len(data))] ^= 1 << shelf.chance.randrange(8)
    file.write_bytes(data)


def _remove(store: Store, library: Library, shelf: Shelf) -> None:
    for file in store.files(library):
        file.unlink()


def _garbage(store: Store, library: Library, shelf: Shelf) -> None:
    for file in store.files(library):
        file.write_bytes(shelf.chance.randbytes(shelf.chance.randint(1, 20_000)))


RECIPES: Mapping[str, Recipe] = {
    "emptied": _empty,
    "truncated": _truncate,
    "one bit flipped": _flip,
    "removed": _remove,
    "an older copy restored": lambda store, library, shelf: store.put_in_place(library, shelf.older),
    "another library's copy": lambda store, library, shelf: store.put_in_place(library, shelf.foreign),
    "another format version": lambda store, library, shelf: store.put_in_place(library, shelf.other_format),
    "garbage": _garbage,
}


def damages(base: Path, rounds: int, seed: int) -> Generator[Trial]:
    """Damage each store in each way, wait until the indexer is idle, and verify the library."""
    shelf = Shelf(base, seed)
    with shelf.patient:
        for _ in range(rounds):
            for store, name in _all():
                yield Trial(f"{store}: {name}", shelf.treat(store, name))


def flips(base: Path, count: int, seed: int) -> Generator[Trial]:
    """Flip one bit of each store, `count` times each."""
    shelf = Shelf(base, seed)
    with shelf.patient:
        for _ in range(count):
            for store in Store:
                yield Trial(f"{store}: one bit flipped", shelf.treat(store, "one bit flipped"))


def _all() -> Iterator[tuple[Store, str]]:
    return ((store, name) for store in Store for name in RECIPES)
