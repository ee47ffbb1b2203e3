"""The wheel carries the program and its resources, and finds them there; without the encoder none is built."""

import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import encoder

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]
BUILD = "import sys; sys.path.insert(0, 'packaging'); import wheel_backend; wheel_backend.{hook}('dist')"
MODEL = Path("resources", "models", encoder.NAME)
PLACE = "import sys; sys.path.insert(0, sys.argv[1]); from desktop_rag.paths import resources; print(resources())"


def copy_sources(copy: Path) -> Path:
    """Copy what a fresh clone has of the sources: no encoder."""
    for name in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md"):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOT / "packaging", copy / "packaging")
    shutil.copytree(ROOT / "desktop_rag", copy / "desktop_rag", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "resources", copy / "resources", ignore=shutil.ignore_patterns("models"))
    shutil.copytree(ROOT / "docs", copy / "docs")
    return copy


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the sources with a small file in place of the 23 MB model."""
    copy = copy_sources(tmp_path_factory.mktemp("sources"))
    (copy / MODEL).mkdir(parents=True)
    for name in ("model.onnx", "graph.onnx", "tokenizer.json"):
        (copy / MODEL / name).write_bytes(b"small")
    description = json.dumps({"recipe": encoder.RECIPE, "bytes": len("small")})
    (copy / MODEL / "encoder.json").write_text(description, encoding="utf-8")
    return copy


def build(sources: Path, hook: str) -> Path:
    """Build a wheel or a source archive and return it."""
    subprocess.run([sys.executable, "-c", BUILD.format(hook=hook)], cwd=sources, check=True, capture_output=True)
    (built,) = (sources / "dist").glob("*.whl" if hook == "build_wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel(sources: Path) -> Path:
    return build(sources, "build_wheel")


@pytest.mark.parametrize("hook", ["get_requires_for_build_wheel", "build_wheel", "build_sdist"])
def test_without_the_encoder_a_build_ends_with_the_sentence_that_says_how(tmp_path: Path, hook: str) -> None:
    copy = copy_sources(tmp_path)
    command = [sys.executable, "-c", BUILD.format(hook=hook)]
    result = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "`python3 packaging/dev.py setup`" in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
    assert not list(copy.glob("dist/*"))


def test_a_wheel_built_from_the_source_archive_brings_the_encoder(sources: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(build(sources, "build_sdist")) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has none
        archive.extractall(tmp_path)
    (unpacked,) = tmp_path.iterdir()
    with zipfile.ZipFile(build(unpacked, "build_wheel")) as again, zipfile.ZipFile(wheel) as first:
        assert set(again.namelist()) == set(first.namelist())


def test_the_wheel_holds_every_module_and_every_resource(wheel: Path) -> None:
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "desktop_rag").rglob("*.py")}
    resources = {
        "desktop_rag/" + path.relative_to(ROOT).as_posix()
        for path in (ROOT / "resources").rglob("*")
        if path.is_file() and "models" not in path.parts and path.suffix != ".ts" and not path.name.startswith(".")
    }
    model = f"desktop_rag/{(MODEL / 'model.onnx').as_posix()}"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    catalogues = {f"desktop_rag/resources/translations/desktop_rag_{code}.qm" for code in ("de", "zh_CN")}
    guides = {f"desktop_rag/resources/docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    assert modules | resources | {model} | catalogues | guides <= names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"desktop_rag"}


def test_the_wheel_names_its_command_and_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        info = {name.split("/", 1)[1]: name for name in archive.namelist() if ".dist-info/" in name}
        commands = archive.read(info["entry_points.txt"]).decode()
        metadata = archive.read(info["METADATA"]).decode()
    assert "desktop-rag = desktop_rag.__main__:main" in commands
    assert "License-Expression: AGPL-3.0-or-later" in metadata
    assert "licenses/LICENSE" in info


def test_an_unpacked_wheel_finds_its_resources(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    result = subprocess.run(
        [sys.executable, "-P", "-c", PLACE, str(tmp_path)],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert Path(result.stdout.strip()) == tmp_path / "desktop_rag" / "resources"
