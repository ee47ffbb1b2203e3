"""A small library of notes with known content, its real indexer, and the comparison of both after a fault.

Every version of a note contains a word that occurs in no other text: a note found by another note's word is a wrong
citation, a note not found by its own is a lost file.
"""

import contextlib
import hashlib
import os
import random
import shutil
import subprocess
import threading
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import psutil

from benchmarks.faults import faulty_indexer, tracer
from desktop_rag.errors import DesktopRagError, LibraryError
from desktop_rag.index.indexer_api import IndexingPhase, LibraryStatus
from desktop_rag.index.indexer_client import Address, connect
from desktop_rag.index.integrity_check import IntegrityChecker
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.stop import Stop

SETTLE_SECONDS = 600.0  # the machine may be busy with other work
POLL_SECONDS = 0.02
_IN_TEXT = "zat"  # added to a note's word: occurs in its text, but not in its heading, which is another field
_FORMER_WORDS = 40  # words of former versions that are searched for
_NOUNS = (
    "harbour", "lantern", "meadow", "ledger", "orchard", "chimney", "bridge",
    "violin", "glacier", "tunnel", "pepper", "castle", "engine", "garden",
)  # fmt: skip
_VERBS = (
    "keeps", "repairs", "measures", "paints", "forgets", "counts",
    "carries", "follows", "sells", "photographs", "weighs", "borrows",
)  # fmt: skip


@dataclass(slots=True)
class LibraryFaults:
    """The faults of a library by kind; each entry is a sentence."""

    lost: list[str]
    duplicated: list[str]
    phantom: list[str]
    wrong: list[str]
    broken: list[str]  # violated invariants

    @property
    def all(self) -> list[str]:
        """All faults."""
        return [*self.lost, *self.duplicated, *self.phantom, *self.wrong, *self.broken]


class NotesLibrary:
    """The notes in `documents`, their library, and the expected search results."""

    def __init__(self, base: Path, seed: int = 0) -> None:
        self.base = base
        self.library = Library(base / "library")
        self.documents = base / "documents"
        self.documents.mkdir(parents=True, exist_ok=True)
        self.chance = random.Random(seed)
        self.texts: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self.former: list[str] = []
        self._names: list[str] = []  # of all notes that ever existed
        self._count = 0
        self._seed = seed
        self._engine: SearchEngine | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stop the indexer and close the files."""
        self.forget_engine()
        self.stop_indexer()

    # Notes

    def put(self, name: str, sentences: int = 3) -> None:
        """Write a note, or a new version of it."""
        self._forget(name)
        self._names.append(name)
        word = self._new_word()
        self.words[name] = word
        self.texts[name] = self._text(word, sentences)
        path = self.documents / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.texts[name], encoding="utf-8")

    def alter(self, name: str) -> None:
        """Write a new version of a note with the same size and the same time, as if within one tick of the clock."""
        path = self.documents / name
        facts = path.stat()
        before, text = self.words[name], self.texts[name]
        self._forget(name)
        word = self._new_word()
        self.words[name] = word
        self.texts[name] = text.replace(before, word).replace(before.capitalize(), word.capitalize())
        path.write_text(self.texts[name], encoding="utf-8")
        os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))

    def swap(self, one: str, other: str) -> None:
        """Swap the names of two notes."""
        aside = self.documents / "aside.part"
        (self.documents / one).replace(aside)
        (self.documents / other).replace(self.documents / one)
        aside.replace(self.documents / other)
        for known in (self.texts, self.words):
            known[one], known[other] = known[other], known[one]

    def set_clock(self, name: str, seconds: int) -> None:
        """Set the modification time of a note, as after a clock change or a restored backup."""
        path = self.documents / name
        moment = path.stat().st_mtime_ns + seconds * 10**9
        os.utime(path, ns=(moment, moment))

    def delete(self, name: str) -> None:
        """Delete a note."""
        (self.documents / name).unlink()
        self._forget(name)

    def rename(self, name: str, to: str) -> None:
        """Rename a note, replacing an existing one of that name."""
        self._forget(to)
        path = self.documents / to
        path.parent.mkdir(parents=True, exist_ok=True)
        (self.documents / name).replace(path)
        self._names.append(to)
        self.texts[to], self.words[to] = self.texts.pop(name), self.words.pop(name)

    def some_name(self) -> str:
        """Return the name of a random note, uniformly; for many notes that change often."""
        while True:
            name = self._names[self.chance.randrange(len(self._names))]
            if name in self.texts:
                return name

    def change_something(self) -> None:
        """Apply one random change."""
        names = sorted(self.texts)
        what = self.chance.random()
        if what < 0.4 or len(names) < 4:
            self.put(f"{self.chance.choice(['', 'deep/', 'deep/er/'])}note {self._count}.md", self.chance.randint(1, 9))
        elif what < 0.6:
            self.put(self.chance.choice(names), self.chance.randint(1, 9))
        elif what < 0.7:
            self.alter(self.chance.choice(names))
        elif what < 0.85:
            self.delete(self.chance.choice(names))
        else:
            self.rename(self.chance.choice(names), f"renamed {self._count}.md")
            self._count += 1

    def _forget(self, name: str) -> None:
        if name in self.words:
            self.former.append(self.words.pop(name))
            del self.texts[name]

    def _new_word(self) -> str:
        self._count += 1
        digest = hashlib.sha256(f"{self._seed} {self._count}".encode()).digest()
        return (
            "".join("bdfgkmnprtvz"[a % 12] + "aiou"[b % 4] for a, b in zip(digest[:5], digest[5:10], strict=True)) + "k"
        )

    def _text(self, word: str, sentences: int) -> str:
        chance = self.chance
        lines = [
            f"{word.capitalize()} {chance.choice(_VERBS)} {chance.randint(2, 900)} things near the "
            f"{chance.choice(_NOUNS)}, and {chance.choice(_NOUNS)} number {chance.randint(2, 900)} waits."
            for _ in range(sentences)
        ]
        return f"# A note about {word}\n\n" + "\n".join(lines) + f"\nThis ends {word}{_IN_TEXT}.\n"

    # The indexer

    def start(self, how: "tracer.Plan | faulty_indexer.Circumstances") -> "subprocess.Popen[bytes]":
        """Start the indexer in these circumstances or under the tracer, and wait until it listens or has ended."""
        process = tracer.start(how) if isinstance(how, tracer.Plan) else faulty_indexer.start(self.library, how)
        pause = threading.Event()
        while connect(self.library.address) is None and process.poll() is None:
            pause.wait(POLL_SECONDS)
        return process

    def indexer(self) -> psutil.Process | None:
        """Return the running indexer."""
        try:
            address = msgspec.json.decode(self.library.address.read_bytes(), type=Address)
            return psutil.Process(address.pid)
        except (OSError, psutil.Error, msgspec.DecodeError):
            return None

    def kill_indexer(self) -> bool:
        """Kill the indexer; return whether there was one."""
        process = self.indexer()
        if process is None:
            return False
        with contextlib.suppress(psutil.Error):
            process.kill()
            process.wait(10)
        return True

    def stop_indexer(self) -> None:
        """Send SIGTERM to the indexer and wait for its end."""
        process = self.indexer()
        if process is not None:
            with contextlib.suppress(psutil.Error):
                process.terminate()
                process.wait(20)

    @contextlib.contextmanager
    def client(self) -> Generator[LibraryClient]:
        """Return a client, which starts the indexer if none is running."""
        client = LibraryClient(self.library)
        try:
            yield client
        finally:
            client.close()

    def settle(self, client: LibraryClient) -> LibraryStatus:
        """Scan the notes and wait until nothing is left to do; raise `LibraryError` on failure."""
        stop = Stop()
        timer = threading.Timer(SETTLE_SECONDS, stop.set)
        timer.start()
        last: LibraryStatus | None = None
        try:
            if not self.is_known(client, stop):
                self.add(client, stop)
            client.rescan(None, stop)
            with contextlib.closing(client.follow(stop)) as statuses:
                for last in statuses:
                    if not last.trouble and _is_settled(last) and self._is_complete(last):
                        return last
        except DesktopRagError as error:
            raise LibraryError(f"the indexer did not become idle: {error}") from error
        finally:
            timer.cancel()
        raise LibraryError(f"the indexer did not become idle: {last}")

    def add(self, client: LibraryClient, stop: Stop | None = None) -> None:
        """Add the folder of the notes."""
        client.add([self.documents], stop or Stop())

    def is_known(self, client: LibraryClient, stop: Stop | None = None) -> bool:
        """Return whether the library has the folder of the notes."""
        stop = stop or Stop()
        with contextlib.closing(client.follow(stop)) as statuses:
            for status in statuses:
                if not status.trouble:
                    return any(folder.path == os.fsencode(self.documents) for folder in status.folders)
        return False

    def _is_complete(self, status: LibraryStatus) -> bool:
        return sum(folder.ready for folder in status.folders) == len(self.texts)

    # Verification

    def verify(self, *, meaning: bool = True) -> LibraryFaults:
        """Compare the search results with the notes, and run the deep check on the library."""
        faults = LibraryFaults([], [], [], [], [])
        stop = Stop()
        if self._engine is None:
            self._engine = SearchEngine(self.library.folder, encoder_folder())
        for name in sorted(self.texts):
            self._search_by_word(self._engine, name, faults, stop)
        if meaning:
            for name in self.chance.sample(sorted(self.texts), min(6, len(self.texts))):
                self._search_by_meaning(self._engine, name, faults, stop)
        for word in self.former[-_FORMER_WORDS:]:
            if self._engine.search(SearchRequest(f'"{word}"', Mode.KEYWORD), stop).hits:
                faults.phantom.append(f"{word} is found, but its note is gone")
        with contextlib.closing(IntegrityChecker(self.library)) as checker:
            findings = [finding for finding in checker.run(deep=True, stop=stop) if not finding.holds]
        faults.broken += [f"{finding.invariant} {finding.meaning}: {finding.detail}" for finding in findings]
        return faults

    def forget_engine(self) -> None:
        """Use a new search engine from now on."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _search_by_word(self, engine: SearchEngine, name: str, faults: LibraryFaults, stop: Stop) -> None:
        path, word = self.documents / name, self.words[name]
        hits = engine.search(SearchRequest(f'"{word}{_IN_TEXT}"', Mode.KEYWORD), stop).hits
        strange = [hit.path for hit in hits if hit.path != path or word not in hit.snippet.text.lower()]
        if not hits:
            faults.lost.append(f"{name} is not found by its word {word}")
        elif len({hit.span for hit in hits}) < len(hits):
            faults.duplicated.append(f"{name} is found {len(hits)} times")
        elif strange:
            faults.wrong.append(f"{word} of {name} is reported in {strange[0]}")
        else:
            lines = engine.read_lines(hits[0].content, 1, 1000, stop).lines
            if "\n".join(lines).strip() != self.texts[name].strip():
                faults.wrong.append(f"{name} is shown with another text")

    def _search_by_meaning(self, engine: SearchEngine, name: str, faults: LibraryFaults, stop: Stop) -> None:
        sentence = self.chance.choice(self.texts[name].strip().split("\n")[2:-1])
        hits = engine.search(SearchRequest(sentence, Mode.SEMANTIC, 1), stop).hits
        if not hits:
            faults.lost.append(f"{name} is not found by the meaning of a sentence")
        elif hits[0].path != self.documents / name:
            faults.wrong.append(f"a sentence of {name} is reported in {hits[0].path}")


def _is_settled(status: LibraryStatus) -> bool:
    return status.phase is IndexingPhase.IDLE and not any(folder.scanning for folder in status.folders)


def restore_copy(copy: Path, place: Path) -> None:
    """Replace `place` by `copy`, whatever it is now."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(copy, place)


def first_of(faults: Iterable[str], count: int = 3) -> str:
    """Join the first faults into one line."""
    return "; ".join(list(faults)[:count])
