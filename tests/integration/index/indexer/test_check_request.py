"""A check on request: in the indexer's process, and what is damaged is repaired by it."""

from pathlib import Path

import pytest

from desktop_rag.index.indexer_api import PartCheck
from desktop_rag.index.library import Library
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.stop import Stop
from tests.integration.index.running import add, ready, settled, wait_until, wrong_in

pytestmark = pytest.mark.processes

PARTS = ["I0", "I2", "I3", "I4", "I5", "I6"]


def test_a_sound_library_is_reported_part_by_part(client: LibraryClient, documents: Path) -> None:
    add(client, documents)
    wait_until(client, lambda status: ready(3)(status) and settled(status))
    assert list(client.check(Stop())) == [PartCheck(name, holds=True) for name in PARTS]


def test_damage_is_reported_and_repaired(client: LibraryClient, library: Library, documents: Path) -> None:
    add(client, documents)
    wait_until(client, lambda status: ready(3)(status) and settled(status))
    files = [path for path in library.keywords.rglob("*") if path.is_file()]
    largest = max(files, key=lambda path: path.stat().st_size)
    with largest.open("r+b") as file:
        file.seek(largest.stat().st_size // 2)
        file.write(b"\xa5" * 64)
    found = list(client.check(Stop()))
    damaged = [part for part in found if not part.holds]
    assert damaged
    assert all(part.detail for part in damaged)
    wait_until(client, lambda status: ready(3)(status) and settled(status) and not wrong_in(library))
    assert all(part.holds for part in client.check(Stop()))
