"""The store of files: requests are signed as Amazon describes it, and bytes are believed only by their hash."""

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop_rag.errors import Stopped, TeamError
from desktop_rag.stop import Stop
from desktop_rag.team.access.file_store import FileStore, StoredCopies, StoreKey, place_in_store, signed_headers
from tests.s3_server import S3Server, s3_server

_EMPTY = hashlib.sha256().hexdigest()


@pytest.fixture
def server() -> Iterator[S3Server]:
    with s3_server() as server:
        yield server


@pytest.fixture
def store(server: S3Server) -> Iterator[FileStore]:
    with closing(FileStore(f"{server.url}/office", StoreKey("WRITER", "secret/of+writer"))) as store:
        yield store


def stored(store: FileStore, place: str, path: Path, data: bytes) -> str:
    path.write_bytes(data)
    sha256 = hashlib.sha256(data).hexdigest()
    assert store.put(place, sha256, path, Stop())
    return sha256


@pytest.mark.parametrize(
    ("query", "signature"),
    [
        ("lifecycle=", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ("max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ],
)
def test_a_request_is_signed_as_in_the_examples_of_the_protocol(query: str, signature: str) -> None:
    key = StoreKey("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    host, at = "examplebucket.s3.amazonaws.com", datetime(2013, 5, 24, tzinfo=UTC)
    headers = signed_headers("GET", host, "/", query, _EMPTY, "us-east-1", key, at)
    assert headers["Authorization"].endswith(f"Signature={signature}")


def test_files_are_stored_listed_fetched_and_deleted(store: FileStore, server: S3Server, tmp_path: Path) -> None:
    place = place_in_store("Büro & Co/x", 3)
    hashes = {stored(store, place, tmp_path / "file", data) for data in (b"", b"one", bytes(700_000), b"two", b"3")}
    stored(store, place_in_store("Büro & Co", 3), tmp_path / "file", b"of another space")
    assert set(store.hashes(place, Stop())) == hashes
    for sha256 in hashes:
        assert store.get(place, sha256, tmp_path / "copy", Stop())
        assert hashlib.sha256((tmp_path / "copy").read_bytes()).hexdigest() == sha256
        store.delete(place, sha256, Stop())
        store.delete(place, sha256, Stop())
    assert not store.get(place, _EMPTY, tmp_path / "none", Stop())
    assert not (tmp_path / "none").exists()
    assert len(server.objects) == 1


def test_a_file_that_has_changed_is_not_stored(store: FileStore, server: S3Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"other")
    assert not store.put("all/1", hashlib.sha256(b"read").hexdigest(), tmp_path / "file", Stop())
    assert server.objects == {}


def test_other_bytes_than_those_that_were_indexed_are_refused(
    store: FileStore, server: S3Server, tmp_path: Path
) -> None:
    sha256 = stored(store, "all/1", tmp_path / "file", b"%PDF")
    server.objects[f"office/all/1/{sha256}"] = b"%PDG"
    copies = StoredCopies(tmp_path / "copies", store)
    with pytest.raises(TeamError, match="other bytes"):
        copies.fetch("all/1", sha256, ".pdf", Stop())
    assert list((tmp_path / "copies").iterdir()) == []


def test_copies_are_private_few_and_not_kept_for_long(store: FileStore, server: S3Server, tmp_path: Path) -> None:
    copies = StoredCopies(tmp_path / "copies", store)
    found = []
    for number in range(20):
        sha256 = stored(store, "all/1", tmp_path / "file", bytes([number]))
        copy = copies.fetch("all/1", sha256, ".pdf", Stop())
        assert copy is not None
        found.append(copy)
    assert copy is not None
    assert copy.stat().st_mode & 0o077 == 0
    assert len(list((tmp_path / "copies").iterdir())) < 20
    asked = len(server.asked)
    assert copies.fetch("all/1", copy.stem, ".pdf", Stop()) == copy
    assert len(server.asked) == asked
    os.utime(found[-2], (time.time() - 4_000,) * 2)
    copies.fetch("all/1", copy.stem, ".pdf", Stop())
    assert not found[-2].exists()


def test_a_wrong_secret_is_refused_and_in_no_message(server: S3Server) -> None:
    with closing(FileStore(server.url, StoreKey("WRITER", "wrong-SECRET"))) as store:
        with pytest.raises(TeamError, match="refuses this user") as refused:
            next(store.hashes("all/1", Stop()))
        assert "SECRET" not in f"{refused.value} {refused.value!r} {store._key!r}"


def test_stop_ends_an_upload(store: FileStore, server: S3Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        store.put("all/1", _EMPTY, tmp_path / "file", stop)
    assert server.objects == {}


@pytest.mark.parametrize(
    "url", ["http://store.example.org/files", "https://store.example.org", "s3://files", "https://a:b@c/files"]
)
def test_an_address_that_cannot_be_used_is_refused(url: str) -> None:
    with pytest.raises(TeamError):
        FileStore(url, StoreKey("A", "b"))


def test_a_store_that_is_away_is_told() -> None:
    store = FileStore("http://127.0.0.1:9/files", StoreKey("A", "b"))
    with pytest.raises(TeamError, match=r"does not answer \(it refused the connection\)"):
        next(store.hashes("all/1", Stop()))
