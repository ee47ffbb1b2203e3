"""Model files that other programs keep on this computer."""

import json
import os
import sys
from pathlib import Path

import pytest

from desktop_rag.llm.local_model import local_server
from desktop_rag.llm.local_model.model_files import FoundFile, model_files
from desktop_rag.llm.local_model.server_child import WIRE, CannotServe, ListedModelFile
from desktop_rag.stop import Stop
from tests.unit.llm.local_model.gguf_files import LLAMA, gguf_bytes, written

DIGEST = "ab" * 32


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with one model of each program."""
    for place in (
        ".lmstudio/models/owner/Tiny-GGUF/tiny-Q4.gguf",
        ".local/share/Jan/data/llamacpp/models/owner/jan.gguf",
        ".local/share/nomic.ai/GPT4All/four.gguf",
        ".cache/llama.cpp/cached.gguf",
    ):
        _model(tmp_path / place, place)
    _ollama(tmp_path / ".ollama" / "models", "registry.ollama.ai/library/llama3.2/3b")
    return tmp_path


def _model(path: Path, name: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return written(path, gguf_bytes({**LLAMA, "general.name": name}))


def _ollama(models: Path, manifest: str, digest: str = DIGEST) -> None:
    blob = {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{digest}"}
    place = models / "manifests" / manifest
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"layers": [{"mediaType": "application/vnd.ollama.image.params"}, blob]}))
    _model(models / "blobs" / f"sha256-{digest}", manifest)


def _found(home: Path) -> set[tuple[str, str]]:
    return {(found.program, found.name or found.path.name) for found in model_files(home, {})}


def test_every_program_is_looked_at(home: Path) -> None:
    assert _found(home) == {
        ("Ollama", "llama3.2:3b"),
        ("LM Studio", "tiny-Q4.gguf"),
        ("Jan", "jan.gguf"),
        ("GPT4All", "four.gguf"),
        ("llama.cpp", "cached.gguf"),
    }


def test_folders_of_the_environment_are_used(tmp_path: Path) -> None:
    _ollama(tmp_path / "big disk", "example.org/me/mine/latest")
    _model(tmp_path / "cache" / "a.gguf", "a")
    environment = {"OLLAMA_MODELS": str(tmp_path / "big disk"), "LLAMA_CACHE": str(tmp_path / "cache")}
    found = list(model_files(tmp_path, environment))
    assert [(each.program, each.name) for each in found] == [
        ("Ollama", "example.org/me/mine:latest"),
        ("llama.cpp", ""),
    ]


@pytest.mark.parametrize(
    ("system", "places"),
    [
        ("linux", {"Jan": ".config/Jan/data", "GPT4All": ".local/share/nomic.ai/GPT4All"}),
        ("darwin", {"Jan": "Library/Application Support/Jan/data"}),
        ("win32", {"Jan": "AppData/Roaming/Jan/data", "GPT4All": "AppData/Local/nomic.ai/GPT4All"}),
    ],
)
def test_each_system_has_its_own_places(
    system: str, places: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the documentation of the programs names them; older and newer versions differ."""
    monkeypatch.setattr(sys, "platform", system)
    usual = {"LM Studio": ".lmstudio/models", "LM Studio before": ".cache/lm-studio/models"}
    expected = {program: f"{place}/models/o" for program, place in (usual | places).items()}
    for program, place in expected.items():
        _model(tmp_path / place / f"{program}.gguf", program)
    _model(tmp_path / ".cache" / "gpt4all" / "package.gguf", "package")
    found = {found.path.stem: found.program for found in model_files(tmp_path, {})}
    assert found == {program: program.removesuffix(" before") for program in expected} | {"package": "GPT4All"}


def test_links_in_the_hub_cache_are_one_file(tmp_path: Path) -> None:
    hub = tmp_path / ".cache" / "huggingface" / "hub" / "models--o--n"
    blob = _model(hub / "blobs" / "1234", "n")
    for commit in ("aaa", "bbb"):
        place = hub / "snapshots" / commit
        place.mkdir(parents=True)
        (place / "n.gguf").symlink_to(blob)
    assert [each.path.name for each in model_files(tmp_path, {})] == ["n.gguf"]


def test_parts_and_broken_places_are_passed_over(home: Path) -> None:
    studio = home / ".lmstudio" / "models"
    for part in (1, 2):
        _model(studio / f"big-{part:05}-of-00002.gguf", "big")
    (studio / "dangling.gguf").symlink_to(studio / "gone.gguf")
    (studio / "loop").symlink_to(studio)
    _ollama(home / ".ollama" / "models", "registry.ollama.ai/library/lost/1", "cd" * 32)
    (home / ".ollama" / "models" / "blobs" / f"sha256-{'cd' * 32}").unlink()
    for number, text in enumerate(("{", "[]", '{"layers": [{"digest": "sha256:../../etc"}]}', "[" * 100_000)):
        (home / ".ollama" / "models" / "manifests" / f"broken{number}").write_text(text)
    names = {name for _, name in _found(home)}
    assert "big-00001-of-00002.gguf" in names
    assert len(names) == 6


@pytest.mark.processes
def test_the_child_describes_each_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(home))
    studio = home / ".lmstudio" / "models"
    written(studio / "cut.gguf", gguf_bytes()[:-200])
    written(studio / "encoder.gguf", gguf_bytes({**LLAMA, "tokenizer.ggml.model": "bert"}))
    name = os.fsdecode(b"caf\xe9.gguf")
    _model(studio / name, "latin")
    listed = {each.path.name: each for each in local_server.listed_files(Stop())}
    tiny = listed["tiny-Q4.gguf"]
    assert (tiny.program, tiny.name, tiny.quantisation) == ("LM Studio", "tiny-Q4", "Q4_K_M")
    assert (tiny.trained_context, tiny.window, tiny.problem) == (8_192, 8_192, "")
    assert tiny.size == tiny.path.stat().st_size < tiny.needed
    assert "cut off" in listed["cut.gguf"].problem
    assert "encoder.gguf" not in listed
    assert name in listed
    assert listed[name].name.encode()


@pytest.mark.processes
def test_a_chosen_file_is_described_whatever_it_is(tmp_path: Path) -> None:
    letter = written(tmp_path / "letter.gguf", b"Dear Sir")
    encoder = written(tmp_path / "encoder.gguf", gguf_bytes({**LLAMA, "tokenizer.ggml.model": "bert"}))
    for path, words in ((letter, "not a GGUF file"), (encoder, "no language model"), (tmp_path / "none.gguf", "read")):
        (listed,) = local_server.listed_files(Stop(), path)
        assert isinstance(listed, ListedModelFile)
        assert words in listed.problem


def test_messages_of_the_child_are_distinct() -> None:
    for message in (ListedModelFile(Path("a"), "", "a"), CannotServe("why")):
        assert WIRE.decode(WIRE.encode(message)) == message
    assert FoundFile(Path("a"), "Jan").name == ""
