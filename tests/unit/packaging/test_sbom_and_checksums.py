"""The list of everything inside the program, and the checksums of what is published."""

import hashlib
import json
import re
from pathlib import Path

import build
import sbom
from project import VERSION


def test_every_locked_package_that_is_installed_is_listed_with_its_licence(tmp_path: Path) -> None:
    model = tmp_path / "model" / "model.onnx"
    model.parent.mkdir()
    model.write_bytes(b"weights")
    listed = json.loads(sbom.write(tmp_path / "sbom.json", tmp_path).read_text(encoding="utf-8"))
    assert (listed["bomFormat"], listed["metadata"]["component"]["version"]) == ("CycloneDX", VERSION)
    names = {component["name"].lower() for component in listed["components"]}
    assert {"numpy", "openai", "pymupdf", "pyside6-essentials", "python", "model"} <= names
    assert not {"fsspec", "hf-xet", "huggingface-hub", "pyyaml", "tqdm"} & names
    assert all(component["licenses"] for component in listed["components"])
    references = [component["bom-ref"] for component in listed["components"]]
    assert sorted(listed["dependencies"][0]["dependsOn"]) == sorted(set(references))


def test_the_list_is_the_same_in_every_build_of_a_commit(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"weights")
    first = sbom.write(tmp_path / "a.json", tmp_path).read_bytes()
    assert first == sbom.write(tmp_path / "b.json", tmp_path).read_bytes()


def test_the_hashes_belong_to_their_package() -> None:
    lock = "a==1 \\\n    --hash=sha256:" + "1" * 64 + "\nb==2 ; sys_platform == 'x' \\\n    --hash=sha256:" + "2" * 64
    assert sbom.locked(lock) == [("a", "1"), ("b", "2")]
    assert sbom.hashes(lock) == [["1" * 64], ["2" * 64]]


def test_checksums_are_in_the_format_of_sha256sum(tmp_path: Path) -> None:
    (tmp_path / "b.deb").write_bytes(b"b")
    (tmp_path / "a.tar").write_bytes(b"a")
    lines = build.write_checksums([tmp_path / "b.deb", tmp_path / "a.tar"]).read_text().splitlines()
    assert lines[0] == f"{hashlib.sha256(b'a').hexdigest()}  a.tar"
    assert all(re.fullmatch(r"[0-9a-f]{64}  \S+", line) for line in lines)
