"""The wheel carries the program and its resources, and finds them there."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]
BUILD = (
    "import pathlib, sys; sys.path.insert(0, 'packaging'); import wheel_backend; wheel_backend.build_wheel(sys.argv[1])"
)
PLACE = "import sys; sys.path.insert(0, sys.argv[1]); from desktop_rag.paths import resources; print(resources())"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build from a copy of the sources, with a small file in place of the 90 MB model."""
    copy = tmp_path_factory.mktemp("sources")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOT / "packaging", copy / "packaging")
    shutil.copytree(ROOT / "desktop_rag", copy / "desktop_rag", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "resources", copy / "resources", ignore=shutil.ignore_patterns("models"))
    shutil.copytree(ROOT / "docs", copy / "docs")
    model = copy / "resources" / "models" / "all-MiniLM-L6-v2" / "model.onnx"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"small")
    subprocess.run([sys.executable, "-c", BUILD, "dist"], cwd=copy, check=True, capture_output=True)
    (built,) = (copy / "dist").glob("*.whl")
    return built


def test_the_wheel_holds_every_module_and_every_resource(wheel: Path) -> None:
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "desktop_rag").rglob("*.py")}
    resources = {
        "desktop_rag/" + path.relative_to(ROOT).as_posix()
        for path in (ROOT / "resources").rglob("*")
        if path.is_file() and "models" not in path.parts and path.suffix != ".ts" and not path.name.startswith(".")
    }
    model = "desktop_rag/resources/models/all-MiniLM-L6-v2/model.onnx"
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
