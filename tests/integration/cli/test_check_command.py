"""`desktop-rag check`: every damage is reported, and repaired without opening the user's files."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from desktop_rag.cli.index_command import is_settled
from desktop_rag.cli.program import run_verb
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.indexer_api import IndexingPhase
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.repair import repair
from desktop_rag.stop import Stop
from tests.integration.cli.conftest import Program, broken_invariants
from tests.slow_cases import slow_but

pytestmark = pytest.mark.processes

Damage = Callable[[Path], None]
ALL = ["I0", "I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8"]


def write(data: bytes) -> Damage:
    def damage(path: Path) -> None:
        path.write_bytes(data)

    return damage


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def replace_by_a_file(copy: Path) -> None:
    shutil.rmtree(copy)
    copy.write_text("in the way")
    copy.chmod(0o600)


def each(do: Damage) -> Damage:
    def damage(copy: Path) -> None:
        for path in copy.iterdir():
            do(path)

    return damage


def flip_a_bit(copy: Path) -> None:
    """Change one bit in the middle of the biggest file: the postings, or the vectors."""
    biggest = max(copy.iterdir(), key=lambda path: path.stat().st_size)
    data = bytearray(biggest.read_bytes())
    used = np.flatnonzero(np.frombuffer(bytes(data), np.uint8))
    data[used[len(used) // 2]] ^= 4
    biggest.write_bytes(data)


DAMAGES: dict[str, Damage] = {
    "emptied": each(write(b"")),
    "truncated": each(cut),
    "with a flipped bit": flip_a_bit,
    "removed": shutil.rmtree,
    "garbage": each(write(random.Random(7).randbytes(3000))),
    "a file": replace_by_a_file,
}
# Where a damage shows.
SHOWN = {"keyword": {"I3", "I6"}, "vectors": {"I4", "I5", "I6"}}


def texts_of(library: Library) -> dict[str, str]:
    """Return the text of each file as the catalog holds it."""
    with closing(CatalogReader.open(library.catalog)) as catalog:
        contents = catalog.files.visible_contents()
        places = catalog.files.places(contents)
        return {os.fsdecode(places[content][0].path): catalog.texts.whole(content) for content in contents}


def settle(library: Library) -> None:
    """Do what `desktop-rag index` does."""
    stop = Stop()
    with closing(LibraryClient(library)) as client:
        client.rescan(None, stop)
        with closing(client.follow(stop)) as statuses:
            last = next(s for s in statuses if s.trouble or is_settled(s))
    assert last.trouble == ""


@pytest.fixture
def out_of_reach(indexed: Program, documents: Path) -> Iterator[None]:
    """Move the documents away, like an unplugged drive, so that reading them again fails."""
    with FileLock(indexed.library.lock, timeout=30):  # an indexer of the library that others use must not see it
        away = documents.rename(documents.with_name("away"))
        yield
        away.rename(documents)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Whoosh leaves a broken file open
@pytest.mark.usefixtures("out_of_reach")
@pytest.mark.parametrize("damage", slow_but(("truncated", "removed"), DAMAGES))
@pytest.mark.parametrize("copy", ["keyword", "vectors"])
def test_a_damaged_index_is_reported_and_repaired_without_reading(copied: Program, copy: str, damage: str) -> None:
    library = copied.library
    before = texts_of(library)
    DAMAGES[damage](library.folder / copy)
    broken = broken_invariants(library)
    assert broken
    assert broken <= SHOWN[copy]
    assert "indexes were deleted" in repair(library)
    settle(library)
    assert broken_invariants(library) == set()
    assert texts_of(library) == before


@pytest.mark.parametrize("copy", ["keyword", "vectors"])
def test_the_index_of_another_library_is_reported_and_repaired(copied: Program, tmp_path: Path, copy: str) -> None:
    (tmp_path / "tree.txt").write_text("The linden blooms in June.", "utf-8")
    other = Program(tmp_path / "other")
    assert other.run("index", tmp_path / "tree.txt").code == 0
    library = copied.library
    shutil.rmtree(library.folder / copy)
    shutil.copytree(other.library.folder / copy, library.folder / copy)
    assert "I6" in broken_invariants(library)
    assert "linden" not in copied.run("search", "linden").out
    repair(library)
    settle(library)
    assert broken_invariants(library) == set()
    assert copied.run("index").code == 0
    with closing(sqlite3.connect(library.catalog)) as catalog:  # nothing waits for the index that is whole again
        assert catalog.execute("SELECT count(*) FROM content WHERE state = 'stored'").fetchone() == (0,)


def flipped(seed: int, bits: int) -> Damage:
    def damage(catalog: Path) -> None:
        dice, data = random.Random(seed), bytearray(catalog.read_bytes())
        for _ in range(bits):
            data[dice.randrange(100, len(data))] ^= 1 << dice.randrange(8)
        catalog.write_bytes(data)

    return damage


def told(*statements: str) -> Damage:
    def damage(catalog: Path) -> None:
        with closing(sqlite3.connect(catalog)) as database:
            for statement in statements:
                database.execute(statement)
            database.commit()

    return damage


CATALOG_DAMAGES: dict[str, Damage] = {
    "empty": write(b""),
    "garbage": write(random.Random(1).randbytes(9000)),
    "truncated": cut,
    "without a name": told("DELETE FROM meta"),
    "without a table": told("DROP TABLE chunk"),
    "with an unknown state": told("UPDATE folder SET state = 'x'"),
    "with broken rules": told("UPDATE folder SET rules = '{'"),
    "with half a sentence": told("UPDATE chunk SET sentences = x'0102030405'"),
    "with spans outside": told("UPDATE chunk SET end = end + 100000"),
    "with a short vector": told("UPDATE vector SET data = substr(data, 1, 100)"),
    "with strays": told("DELETE FROM content WHERE id = 1"),
    "with a title that is no text": told("UPDATE content SET title = x'ff00'"),
    "without its log": told("DELETE FROM change"),
    "with flipped bits": flipped(3, 120),
    "with many flipped bits": flipped(5, 400),
}


@pytest.mark.parametrize("damage", slow_but(("garbage", "without a table", "with strays"), CATALOG_DAMAGES))
def test_a_damaged_catalog_is_a_finding_and_can_be_repaired(copied: Program, damage: str) -> None:
    library = copied.library
    CATALOG_DAMAGES[damage](library.catalog)
    assert broken_invariants(library)
    assert repair(library)
    settle(library)
    assert broken_invariants(library) == set()


def test_a_repaired_catalog_still_knows_the_folders(copied: Program, documents: Path) -> None:
    told("DELETE FROM meta")(copied.library.catalog)
    ran = copied.run("check", "--repair", "--json")
    assert ran.code == 1
    assert "knows the same 1 folder" in str(ran.objects[-1]["message"])
    assert list(copied.library.folder.glob("catalog.sqlite.damaged-*"))
    assert copied.run("index").code == 0
    assert "lease.md" in copied.run("search", "rent").out


def test_a_catalog_of_a_newer_version_is_not_touched(copied: Program) -> None:
    told("PRAGMA user_version = 99")(copied.library.catalog)
    ran = copied.run("check", "--repair", "--json")
    assert ran.code == 1
    assert "newer version" in str(ran.object["message"])
    assert copied.library.keywords.is_dir()


def test_a_catalog_of_an_earlier_version_is_recreated_with_its_folders(copied: Program) -> None:
    library = copied.library
    before = texts_of(library)
    told("PRAGMA user_version = 1", "DROP TABLE vector")(library.catalog)
    assert "earlier version" in str(copied.run("check", "--json").objects[0]["detail"])
    assert copied.run("search", "rent", "--json").code == 1
    settle(library)
    assert broken_invariants(library) == set()
    assert texts_of(library) == before
    assert [path.name for path in library.folder.glob("catalog.sqlite.*")] == []


def test_json_has_a_line_for_each_invariant(indexed: Program) -> None:
    ran = indexed.run("check", "--deep", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert [one["invariant"] for one in ran.objects] == ALL
    for one in ran.objects:
        assert set(one) == {"type", "invariant", "meaning", "holds", "detail"}
        assert (one["type"], one["holds"], one["detail"]) == ("finding", True, "")


def test_findings_are_printed_with_marks_and_advice(copied: Program) -> None:
    assert copied.run("check").out.startswith("✓ I0 the catalog passes SQLite's own check\n")
    shutil.rmtree(copied.library.keywords)
    ran = copied.run("check")
    assert ran.code == 1
    assert "✗ I3 " in ran.out
    assert "3 chunks missing" in ran.out
    assert "desktop-rag check --repair" in ran.err


def test_differences_with_the_folders_are_listed_by_name(
    copied: Program, documents: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late = documents / "late.txt"
    late.write_text("It came later.", "utf-8")
    try:
        assert run_verb(["check", "--deep", "--repair", "--library", str(copied.library.folder)]) == 1
    finally:
        late.unlink()
    said = capsys.readouterr()
    assert f"{documents}: 1 difference, first: late.txt is new" in said.out
    assert "Bring it up to date with: desktop-rag index" in said.err
    assert copied.run("check").code == 0, "nothing was damaged, so nothing is thrown away"


def test_a_repair_beside_an_open_window_is_refused(copied: Program) -> None:
    shutil.rmtree(copied.library.vectors)
    with closing(LibraryClient(copied.library)) as client, closing(client.follow(Stop())) as statuses:
        next(s for s in statuses if s.phase is IndexingPhase.IDLE)
        told("UPDATE chunk SET end = end + 100000")(copied.library.catalog)
        last = copied.run("check", "--repair", "--json").objects[-1]
    assert last["error"] == "The library is in use"
