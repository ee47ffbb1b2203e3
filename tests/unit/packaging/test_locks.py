"""The lock files pin every requirement of pyproject.toml, with hashes and without index addresses."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[3]
RUNTIME = ROOT / "packaging" / "requirements.lock"
DEVELOPMENT = ROOT / "packaging" / "requirements-dev.lock"


def pinned(lock: Path) -> dict[str, str]:
    lines = lock.read_text(encoding="utf-8").splitlines()
    found = (re.match(r"([\w.\-]+)==([\w.]+)", line) for line in lines)
    return {canonicalize_name(match[1]): match[2] for match in found if match}


def wanted(*groups: str) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lines = [*project["project"]["dependencies"]]
    for group in groups:
        lines += project["dependency-groups"][group]
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize(
    ("lock", "groups"),
    [
        (RUNTIME, ("install", "encoder")),
        (DEVELOPMENT, ("install", "encoder", "test", "build")),
    ],
    ids=["runtime", "development"],
)
def test_the_lock_holds_every_requirement_in_an_allowed_version(lock: Path, groups: tuple[str, ...]) -> None:
    versions = pinned(lock)
    for requirement in wanted(*groups):
        version = versions[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement} is locked at {version}"


def test_the_development_lock_has_the_versions_of_the_program_lock() -> None:
    runtime, development = pinned(RUNTIME), pinned(DEVELOPMENT)
    assert {name: development[name] for name in runtime} == runtime


@pytest.mark.parametrize("lock", [RUNTIME, DEVELOPMENT], ids=["runtime", "development"])
def test_every_package_is_checked_against_a_hash(lock: Path) -> None:
    blocks = re.split(r"\n(?=\S)", lock.read_text(encoding="utf-8").strip())
    assert len(blocks) == len(pinned(lock))
    assert [block for block in blocks if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("lock", [RUNTIME, DEVELOPMENT], ids=["runtime", "development"])
def test_the_lock_contains_no_index_address(lock: Path) -> None:
    assert "://" not in lock.read_text(encoding="utf-8")


DOWNLOADERS = {"fsspec", "hf-xet", "huggingface-hub", "pyyaml", "tqdm"}  # what tokenizers requires only to download


@pytest.mark.parametrize("lock", [RUNTIME, DEVELOPMENT], ids=["runtime", "development"])
def test_nothing_is_installed_that_is_there_to_download_tokenizers(lock: Path) -> None:
    assert "tokenizers" in pinned(lock)
    assert not DOWNLOADERS & pinned(lock).keys()


def test_the_encoder_needs_none_of_it() -> None:
    program = f"""
import sys
sys.modules.update(dict.fromkeys({[name.replace("-", "_").replace("pyyaml", "yaml") for name in sorted(DOWNLOADERS)]}))
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.paths import encoder_folder
print(Encoder.load(encoder_folder()).encode(["The rent is 900 euros."]).shape)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("(1, ")
