"""Encoders are added, listed, chosen, fetched and removed; the command line is how."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from desktop_rag.cli import encoder_command
from desktop_rag.cli.program import run_verb
from desktop_rag.errors import EncoderError, Stopped
from desktop_rag.index.encoding import encoder_download, encoder_store
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.encoding.encoder_store import AddOptions, add_encoder
from desktop_rag.index.encoding.installed_encoders import (
    KNOWN,
    KnownEncoder,
    PublishedFile,
    installed_encoders,
    known_encoder,
)
from desktop_rag.paths import added_encoders, encoder_folder, private_folder, settings_file
from desktop_rag.settings import Settings, chosen_encoder, save
from desktop_rag.stop import Stop
from tests.integration.index.encoding.tiny_encoders import write_bert, write_onnx, write_xlm_roberta

pytestmark = pytest.mark.processes


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert run_verb(["encoder", *arguments, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def names() -> list[str]:
    return [each.name for each in installed_encoders()]


def test_a_published_encoder_is_added_chosen_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (added,) = run(capsys, "add", str(write_bert(tmp_path / "tiny")))
    assert (added["name"], added["precision"], added["chosen"]) == ("tiny", "int8", False)
    run(capsys, "use", "tiny")
    assert chosen_encoder() == added_encoders() / "tiny"
    assert [each["name"] for each in run(capsys) if each.get("chosen")] == ["tiny"]
    assert run_verb(["encoder", "remove", "tiny"]) == 1
    assert "is in use" in capsys.readouterr().err
    run(capsys, "use", encoder_folder().name)
    assert chosen_encoder() == encoder_folder()
    run(capsys, "remove", "tiny")
    assert names() == [encoder_folder().name]
    assert [path.name for path in added_encoders().iterdir()] == [".lock"]


def test_an_archive_is_added_without_following_its_paths(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write_xlm_roberta(tmp_path / "hub")
    archive = tmp_path / "tiny.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for file in source.iterdir():
            packed.write(file, f"some-main/{file.name}")
        packed.writestr("../../evil.json", "{}")
        packed.writestr("../config.json/../evil.py", "")
    (added,) = run(capsys, "add", str(archive), "--name", "packed")
    assert added["name"] == "packed"
    assert not list(tmp_path.rglob("evil*"))


def test_a_converted_folder_is_taken_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (first,) = run(capsys, "add", str(write_bert(tmp_path / "tiny")))
    (again,) = run(capsys, "add", str(added_encoders() / "tiny"), "--name", "copy")
    assert again["id"] == first["id"]
    (added_encoders() / "tiny" / "model.onnx").write_bytes(b"damaged")
    assert run_verb(["encoder", "add", str(added_encoders() / "tiny"), "--name", "other"]) == 1
    assert "damaged" in capsys.readouterr().err
    assert "other" not in names()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("add", "nothing"), "No encoder was added\n{nothing} does not exist"),
        (("add", "{tiny}", "--name", "../up"), "cannot be the name"),
        (("add", "{tiny}", "--name", "all-MiniLM-L6-v2"), "already"),
        (("add", "{text}"), "no zip archive"),
        (("use", "nothing"), "The encoder was not changed\nThere is no encoder"),
        (("remove", "all-MiniLM-L6-v2"), "The encoder was not removed\nall-MiniLM-L6-v2 comes with the program"),
        (("get", "bert-huge"), "No encoder is known"),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    (tmp_path / "text.txt").write_text("no archive")
    tiny = write_bert(tmp_path / "tiny")
    assert run_verb(["encoder", *(one.format(tiny=tiny, text=tmp_path / "text.txt") for one in arguments)]) == 1
    assert says.format(nothing=Path("nothing").absolute()) in capsys.readouterr().err
    assert names() == [encoder_folder().name]


def test_the_list_says_what_each_is_for_and_what_it_costs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["encoder"]) == 0
    said = capsys.readouterr()
    assert "English; small and fast. Ships with the program. 90 MB of memory" in said.out
    assert "480 MB of memory while in use, 2.4 times as long to encode." in said.out
    assert "134 MB to fetch, 35 MB afterwards · MIT" in said.out
    assert "all sentences are encoded again" in said.err


def test_the_list_goes_on_without_the_chosen_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gone = tmp_path / "disk" / "mine"
    private_folder(tmp_path / "home")
    save(settings_file(), replace(Settings(), encoder=str(gone)))
    assert run_verb(["encoder"]) == 0
    said = capsys.readouterr()
    assert "○ all-MiniLM-L6-v2" in said.out
    assert "● mine" in said.out
    assert str(gone) in said.err


def test_a_known_network_in_a_folder_has_the_values_that_were_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_onnx(tmp_path / "mine")
    gte = known_encoder("gte-small").described
    network = next(source.rglob("model.onnx"))
    here = hashlib.sha256(network.read_bytes()).hexdigest()
    file = PublishedFile("onnx/model.onnx", "", network.stat().st_size, here)
    for name, checksum, weight, close in (("mine", here, 0.65, 0.44), ("other", "0" * 64, 0.55, 0.42)):
        known = KnownEncoder("gte-small", "tests", 1, 1, 1.0, gte, (replace(file, sha256=checksum),))
        monkeypatch.setattr(encoder_store, "KNOWN", (known,))
        for _ in add_encoder(source, AddOptions(name), Stop()):
            pass
        added = Encoder.load(added_encoders() / name).description
        assert (added.name, added.semantic_weight, added.close_to_word) == (name, weight, close)


def test_an_encoder_added_under_a_known_name_is_not_taken_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "add", str(write_xlm_roberta(tmp_path / "tiny")), "--name", "multilingual-e5-small")
    description = Encoder.load(added_encoders() / "multilingual-e5-small").description
    assert (description.query_prefix, description.passage_prefix) == ("query: ", "passage: ")
    assert run_verb(["encoder"]) == 0
    assert "More than 90 languages" not in capsys.readouterr().out


def test_prefixes_and_pooling_can_be_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny = str(write_xlm_roberta(tmp_path / "tiny"))
    run(capsys, "add", tiny, "--query-prefix", "q: ", "--passage-prefix", "")
    description = Encoder.load(added_encoders() / "tiny").description
    assert (description.query_prefix, description.passage_prefix) == ("q: ", "")


def test_a_killed_conversion_leaves_nothing_that_is_listed_or_kept(tmp_path: Path, home: Path) -> None:
    tiny = write_bert(tmp_path / "tiny")
    program = (
        "import os, signal; from pathlib import Path; from desktop_rag.stop import Stop\n"
        "from desktop_rag.index.encoding.encoder_store import AddOptions, add_encoder\n"
        f"for step in add_encoder(Path({str(tiny)!r}), AddOptions(), Stop()):\n"
        "    if step.name == 'DESCRIBING': os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "DESKTOP_RAG_HOME": str(home)}, check=False
    )
    assert ended.returncode == -signal.SIGKILL
    assert list(added_encoders().glob(".making-*"))
    assert names() == [encoder_folder().name]
    for _ in add_encoder(tiny, AddOptions(), Stop()):
        pass
    assert names() == [encoder_folder().name, "tiny"]
    assert not list(added_encoders().glob(".making-*"))


class Hub(BaseHTTPRequestHandler):
    """Serves the files of `folder`; some paths misbehave."""

    folder: Path

    def do_GET(self) -> None:
        if self.path.startswith("/moved/"):
            self.send_response(302)
            self.send_header("Location", self.path.removeprefix("/moved"))
            self.end_headers()
            return
        if self.path.startswith("/loop/"):
            self.send_response(302)
            self.send_header("Location", self.path)
            self.end_headers()
            return
        if self.path.startswith("/plain/"):
            self.send_response(302)
            self.send_header("Location", "http://example.org/model.onnx")
            self.end_headers()
            return
        name = self.path.split("/", 2)[2]
        if not (self.folder / name).is_file():
            self.send_error(404)
            return
        data = (self.folder / name).read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.path.startswith("/cut/"):
            self.wfile.write(data[: len(data) // 2])
            return
        if self.path.startswith("/slow/"):
            self.wfile.write(data[:100])
            self.wfile.flush()
            time.sleep(20)
            return
        self.wfile.write(data[:-1] + b"!" if self.path.startswith("/changed/") else data)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    handler = type("HubOf", (Hub,), {"folder": folder})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads, server.block_on_close = True, False
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def published(folder: Path, base: str) -> tuple[PublishedFile, ...]:
    return tuple(
        PublishedFile(
            file.name, f"{base}/{file.name}", file.stat().st_size, hashlib.sha256(file.read_bytes()).hexdigest()
        )
        for file in sorted(folder.iterdir())
    )


@pytest.mark.parametrize("kind", ["plainly", "moved"])
def test_a_known_encoder_is_fetched_only_after_consent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    source = write_xlm_roberta(tmp_path / "hub")
    with serving(source) as base:
        address = f"{base}/moved/files" if kind == "moved" else f"{base}/files"
        e5 = known_encoder("multilingual-e5-small").described
        described = replace(e5, name="tiny", languages=("en", "de"), semantic_weight=0.7)
        known = KnownEncoder("tiny", "tests", 1, 1, 1.0, described, published(source, address))
        monkeypatch.setattr(encoder_command, "known_encoder", lambda _: known)
        assert run_verb(["encoder", "get", "tiny"]) == 1  # nobody is there to say yes
        assert "Nothing was fetched" in capsys.readouterr().err
        assert names() == [encoder_folder().name]
        (added,) = run(capsys, "get", "tiny", "--yes")
    assert added["languages"] == ["en", "de"]
    description = Encoder.load(added_encoders() / "tiny").description
    assert (description.query_prefix, description.score_floor) == ("query: ", described.score_floor)
    assert description.semantic_weight == 0.7
    assert not list(added_encoders().glob(".fetched-*"))


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("changed", "not the published file"),
        ("cut", "broke off|not the published file"),
        ("missing", "answered 404"),
        ("loop", "without end"),
        ("plain", "not encrypted"),
    ],
)
def test_a_bad_download_is_refused_and_deleted(tmp_path: Path, fault: str, says: str) -> None:
    source = write_bert(tmp_path / "hub")
    target = tmp_path / "into"
    target.mkdir()
    with serving(source) as base:
        files = published(source, f"{base}/{fault}")
        if fault == "missing":
            files = tuple(replace(file, address=f"{base}/x/none") for file in files)
        with pytest.raises(EncoderError, match=says):
            encoder_download.fetch(files, target, Stop())
    assert not list(target.iterdir())


def test_stop_ends_a_download_that_hangs(tmp_path: Path) -> None:
    source = write_bert(tmp_path / "hub")
    target = tmp_path / "into"
    target.mkdir()
    stop = Stop()
    with serving(source) as base:
        threading.Timer(0.3, stop.set).start()
        began = time.monotonic()
        with pytest.raises(Stopped):
            encoder_download.fetch(published(source, f"{base}/slow"), target, stop)
    assert time.monotonic() - began < 10
    assert not list(target.iterdir())


def test_no_connection_and_no_space_are_said(tmp_path: Path) -> None:
    nowhere = PublishedFile("model.onnx", "http://127.0.0.1:9/model.onnx", 10, "0" * 64)
    with pytest.raises(EncoderError, match="cannot be reached"):
        encoder_download.fetch([nowhere], tmp_path, Stop())
    with pytest.raises(EncoderError, match="too little space"):
        encoder_download.fetch([replace(nowhere, bytes=1 << 60)], tmp_path, Stop())


def test_the_known_encoders_are_pinned() -> None:
    files = [file for known in KNOWN for file in known.files]
    assert len(files) == 6
    assert all(file.address.startswith("https://") and len(file.sha256) == 64 and file.bytes > 0 for file in files)
