"""Eight ways to damage each of the three stores of a library, independent of the files in it."""

import contextlib
import functools
import random
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping
from enum import StrEnum
from pathlib import Path

import apsw

from benchmarks.faults import faulty_indexer
from benchmarks.faults.kills import Trial, recovery_faults
from benchmarks.faults.notes_library import NotesLibrary, restore_copy
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
            restore_copy(self.folder(other), self.folder(library))
            return
        for file in self.files(library):
            file.unlink()
        for file in self.files(other):
            shutil.copy2(file, library.folder / file.name)


class DamageSetup:
    """An idle library to damage, and other libraries whose stores may replace its own."""

    def __init__(self, base: Path, seed: int) -> None:
        self.notes = NotesLibrary(base / "notes", seed)
        self.chance = random.Random(seed)
        self.intact = Library(base / "intact")
        self.older = Library(base / "older")
        self._base = base
        self._seed = seed
        for number in range(8):
            self.notes.put(f"note {number}.md", 5)
        self._settle_and_stop(self.notes)
        restore_copy(self.notes.library.folder, self.older.folder)
        for _ in range(8):
            self.notes.change_something()
        self._settle_and_stop(self.notes)
        restore_copy(self.notes.library.folder, self.intact.folder)

    def damage(self, store: Store, kind: str) -> str:
        """Damage a store of the intact library, wait until the indexer is idle, and return what is wrong."""
        notes = self.notes
        notes.close()
        restore_copy(self.intact.folder, notes.library.folder)
        DAMAGES[kind](store, notes.library, self)
        with notes.client() as client:
            forgotten = not notes.is_known(client)
        wrong = recovery_faults(notes)
        return f"the folder is unknown; {wrong}" if forgotten else wrong

    @functools.cached_property
    def foreign(self) -> Library:
        """A library of other notes with the same names."""
        with NotesLibrary(self._base / "foreign", self._seed + 1) as other:
            for number in range(8):
                other.put(f"note {number}.md", 5)
            self._settle_and_stop(other)
            return other.library

    @functools.cached_property
    def other_format(self) -> Library:
        """The intact library with indexes of other format versions, written by an indexer that has these."""
        library = Library(self._base / "other format")
        notes = self.notes
        restore_copy(self.intact.folder, notes.library.folder)
        for store in (Store.KEYWORDS, Store.VECTORS):
            shutil.rmtree(store.folder(notes.library))
        notes.start(faulty_indexer.Circumstances(grace=0.3, formats=1000))
        self._settle_and_stop(notes)
        restore_copy(notes.library.folder, library.folder)
        restore_copy(self.intact.folder, notes.library.folder)
        with contextlib.closing(apsw.Connection(str(library.catalog))) as database:
            database.pragma("user_version", 1)
        return library

    def _settle_and_stop(self, notes: NotesLibrary) -> None:
        with notes.client() as client:
            notes.settle(client)
        notes.stop_indexer()


Damage = Callable[[Store, Library, DamageSetup], None]


def _empty(store: Store, library: Library, setup: DamageSetup) -> None:
    for file in store.files(library):
        file.write_bytes(b"")


def _truncate(store: Store, library: Library, setup: DamageSetup) -> None:
    for file in store.files(library):
        with file.open("r+b") as opened:
            opened.truncate(int(file.stat().st_size * setup.chance.uniform(0.2, 0.9)))


def _flip(store: Store, library: Library, setup: DamageSetup) -> None:
    """Flip one bit of a random byte of the store."""
    files = [file for file in store.files(library) if file.stat().st_size]
    (file,) = setup.chance.choices(files, [file.stat().st_size for file in files])
    data = bytearray(file.read_bytes())
    data[setup.chance.randrange(len(data))] ^= 1 << setup.chance.randrange(8)
    file.write_bytes(data)


def _remove(store: Store, library: Library, setup: DamageSetup) -> None:
    for file in store.files(library):
        file.unlink()


def _garbage(store: Store, library: Library, setup: DamageSetup) -> None:
    for file in store.files(library):
        file.write_bytes(setup.chance.randbytes(setup.chance.randint(1, 20_000)))


DAMAGES: Mapping[str, Damage] = {
    "emptied": _empty,
    "truncated": _truncate,
    "one bit flipped": _flip,
    "removed": _remove,
    "an older copy restored": lambda store, library, setup: store.put_in_place(library, setup.older),
    "another library's copy": lambda store, library, setup: store.put_in_place(library, setup.foreign),
    "another format version": lambda store, library, setup: store.put_in_place(library, setup.other_format),
    "garbage": _garbage,
}


def damages(base: Path, rounds: int, seed: int) -> Generator[Trial]:
    """Damage each store in each way, wait until the indexer is idle, and verify the library."""
    setup = DamageSetup(base, seed)
    with setup.notes:
        for _ in range(rounds):
            for store, name in _all():
                yield Trial(f"{store}: {name}", setup.damage(store, name))


def flips(base: Path, count: int, seed: int) -> Generator[Trial]:
    """Flip one bit of each store, `count` times each."""
    setup = DamageSetup(base, seed)
    with setup.notes:
        for _ in range(count):
            for store in Store:
                yield Trial(f"{store}: one bit flipped", setup.damage(store, "one bit flipped"))


def _all() -> Iterator[tuple[Store, str]]:
    return ((store, name) for store in Store for name in DAMAGES)
