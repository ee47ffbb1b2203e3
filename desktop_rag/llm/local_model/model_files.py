"""Finds the model files that other programs keep on this computer; reads nothing until it is called.

Every folder is walked with bounds on depth and number of entries; links are followed once, to files only.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.llm.json_value import as_list, as_object, as_text, decode_json

_MOST_ENTRIES = 20_000  # of one program's folder
_DEPTH = 6  # the hub cache of Hugging Face: models--OWNER--NAME/snapshots/COMMIT/FOLDER/FILE
_MANIFEST_BYTES = 1 << 20
_LATER_PART = re.compile(r"-(?!00001)\d{5}-of-\d{5}\.gguf$", re.IGNORECASE)
_OLLAMA_MODEL = "application/vnd.ollama.image.model"
_OLLAMA_HOST = "registry.ollama.ai"
_DIGEST = re.compile(r"sha256[:-]([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A model file, the program that keeps it, and the name it has there (empty: the file's own)."""

    path: Path
    program: str
    name: str = ""


def model_files(home: Path | None = None, environment: Mapping[str, str] = os.environ) -> Iterator[FoundFile]:
    """Yield the GGUF files of LM Studio, Ollama, Jan, GPT4All, llama.cpp and the hub cache, each file once."""
    seen: set[tuple[int, int]] = set()
    for found in _all_files(home or Path.home(), environment):
        try:
            status = found.path.stat()
        except OSError:
            continue
        if (status.st_dev, status.st_ino) not in seen:
            seen.add((status.st_dev, status.st_ino))
            yield found


def _all_files(home: Path, environment: Mapping[str, str]) -> Iterator[FoundFile]:
    for folder in _ollama_folders(home, environment):
        yield from _of_ollama(folder)
    for program, folder in _folders(home, environment):
        yield from (FoundFile(path, program) for path in _gguf_files(folder))


def _folders(home: Path, environment: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    """Yield the folders in which the programs keep models, as their documentation names them for each system."""
    data, cache = _data_folder(home, environment), _cache_folder(home, environment)
    yield "LM Studio", home / ".lmstudio" / "models"
    yield "LM Studio", home / ".cache" / "lm-studio" / "models"
    for place in (_settings_folder(home, environment), data):  # by its version
        yield "Jan", place / "Jan" / "data"
    yield "Jan", home / "jan" / "models"
    yield "GPT4All", data / "nomic.ai" / "GPT4All"
    yield "GPT4All", home / ".cache" / "gpt4all"  # its Python package
    yield "llama.cpp", Path(environment.get("LLAMA_CACHE") or cache / "llama.cpp")
    hub = environment.get("HF_HUB_CACHE") or Path(environment.get("HF_HOME") or home / ".cache" / "huggingface") / "hub"
    yield "llama.cpp", Path(hub)


def _settings_folder(home: Path, environment: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config")


def _data_folder(home: Path, environment: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
    return Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")


def _cache_folder(home: Path, environment: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
    return Path(environment.get("XDG_CACHE_HOME") or home / ".cache")


def _gguf_files(folder: Path) -> Iterator[Path]:
    """Yield the GGUF files below `folder` in order of their names; of a model in parts the first."""
    left = _MOST_ENTRIES
    for place, folders, names in os.walk(folder):
        left -= len(folders) + len(names)
        if left < 0:
            return
        if len(Path(place).relative_to(folder).parts) >= _DEPTH:
            folders.clear()
        folders.sort()
        for name in sorted(names):
            if name.lower().endswith(".gguf") and not _LATER_PART.search(name):
                yield Path(place, name)


def _ollama_folders(home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    if environment.get("OLLAMA_MODELS"):
        yield Path(environment["OLLAMA_MODELS"])
    yield home / ".ollama" / "models"
    if sys.platform == "linux":
        yield Path("/usr/share/ollama/.ollama/models")  # the service that its installer sets up


def _of_ollama(folder: Path) -> Iterator[FoundFile]:
    """Yield the models of Ollama: a manifest HOST/OWNER/MODEL/TAG names the blob."""
    manifests = folder / "manifests"
    left = _MOST_ENTRIES
    for place, folders, names in os.walk(manifests):
        left -= len(folders) + len(names)
        if left < 0:
            return
        folders.sort()
        for name in sorted(names):
            digest = _model_digest(Path(place, name))
            if digest:
                title = _ollama_name(Path(place, name).relative_to(manifests).parts)
                yield FoundFile(folder / "blobs" / f"sha256-{digest}", "Ollama", title)


def _model_digest(manifest: Path) -> str:
    try:
        with manifest.open("rb") as file:
            layers = as_list(as_object(decode_json(file.read(_MANIFEST_BYTES))).get("layers"))
    except (OSError, ValueError):
        return ""
    for layer in map(as_object, layers):
        found = _DIGEST.fullmatch(as_text(layer.get("digest")))
        if found and layer.get("mediaType") == _OLLAMA_MODEL:
            return found[1]
    return ""


def _ollama_name(parts: tuple[str, ...]) -> str:
    """Return llama3.2:3b for registry.ollama.ai/library/llama3.2/3b."""
    *place, model, tag = ("", "", *parts)[-4:]
    owner = "" if place[-1] == "library" else place[-1]
    host = "" if place[0] == _OLLAMA_HOST else place[0]
    return "/".join(filter(None, (host, owner, f"{model}:{tag}")))
