"""The release feed is one that the program reads, builds are compared to the byte, all licences are in one text."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import compare_builds
import licences
import linux_packages
import release_feed
from desktop_rag.releases import parse_feed
from project import NAME, ROOT, VERSION

linux = pytest.mark.skipif(sys.platform != "linux", reason="packages for Linux")


def test_the_program_reads_the_feed_of_a_build(tmp_path: Path) -> None:
    for name in ("b_0.2.deb", "a.tar.zst"):
        (tmp_path / name).write_bytes(name.encode())
    command = [sys.executable, str(ROOT / "packaging" / "release_feed.py"), str(tmp_path)]
    subprocess.run(command, check=True, env={**os.environ, "DESKTOP_RAG_HOMEPAGE": "https://example.org/rag"})
    release = parse_feed((tmp_path / "latest.json").read_bytes())
    assert (release.version, release.is_newer(VERSION), release.is_newer("0.0.9")) == (VERSION, False, True)
    assert [(file.name, file.size) for file in release.files] == [("a.tar.zst", 9), ("b_0.2.deb", 9)]
    assert release.page == f"https://example.org/rag/releases/tag/v{VERSION}"


def test_the_notes_are_those_of_the_version_and_never_too_long() -> None:
    log = "# Log\n\n## [0.2.0] - 2026-11-22\n\n- Second\n\n## [0.1.0] - 2026-01-01\n\n" + "- A line\n" * 1_000
    assert release_feed.notes(log, "0.2.0") == "- Second"
    assert release_feed.notes(log, "0.3.0") == ""
    cut = release_feed.notes(log, "0.1.0")
    assert cut.endswith("- A line\n…")
    assert 3_900 < len(cut) <= release_feed.MOST_NOTES


def test_builds_that_differ_in_a_byte_a_link_or_a_permission_are_not_equal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    for folder in (first, second):
        (folder / "lib").mkdir(parents=True)
        (folder / "lib" / "x.so").write_bytes(b"12")
        (folder / "link").symlink_to("lib")
    assert compare_builds.main([str(first), str(second)]) == 0
    (second / "lib" / "x.so").chmod(0o755)
    assert list(compare_builds.differences(first, second)) == ["lib/x.so: differs"]
    (second / "lib" / "x.so").chmod(0o644)
    (second / "lib" / "x.so").write_bytes(b"13")
    (second / "link").unlink()
    (first / "new").touch()
    assert compare_builds.main([str(first), str(second)]) == 1
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "lib/x.so: differs",
        f"link: only in {first}",
        f"new: only in {first}",
    ]
    assert compare_builds.main([str(first)]) == 2


def test_the_same_licence_of_two_packages_stands_once_in_the_notices(tmp_path: Path) -> None:
    for package, text in (("a", "Free\n"), ("b", "Free"), ("c", "Très libre")):
        (tmp_path / "in" / package).mkdir(parents=True)
        (tmp_path / "in" / package / "LICENSE").write_text(text, encoding="utf-8")
    notices = licences.write_notices(tmp_path / "in", tmp_path / "out.txt").read_text(encoding="utf-8")
    assert notices.count("Free") == 1
    assert "a/LICENSE\nb/LICENSE\n" in notices
    assert "c/LICENSE\n" in notices
    assert "Très libre" in notices


@linux
def test_the_appimage_is_its_runtime_and_a_file_system_with_the_program(tmp_path: Path) -> None:
    if shutil.which("mksquashfs") is None:
        pytest.skip("mksquashfs is not installed (Debian: squashfs-tools)")
    program = tmp_path / "program"
    program.mkdir()
    (program / NAME).write_text('#!/bin/sh\necho "runs with $*"\n')
    (program / NAME).chmod(0o755)
    runtime = tmp_path / "runtime"
    runtime.write_bytes(b"\x7fELF" + b"r" * 5_000)
    images = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        images.append(linux_packages.build_appimage(program, runtime, tmp_path / folder, tmp_path / "scratch"))
    assert images[0].read_bytes() == images[1].read_bytes(), "two builds are equal"
    assert images[0].read_bytes().startswith(runtime.read_bytes())
    unpacked = tmp_path / "AppDir"
    offset = str(runtime.stat().st_size)
    subprocess.run(["unsquashfs", "-o", offset, "-d", unpacked, images[0]], check=True, capture_output=True)
    answer = subprocess.run([unpacked / "AppRun", "--version", "a b"], capture_output=True, text=True, check=True)
    assert answer.stdout == "runs with --version a b\n"
    assert (unpacked / f"{NAME}.desktop").is_file()
    assert (unpacked / ".DirIcon").resolve() == unpacked / f"{NAME}.png"


@linux
def test_the_flatpak_manifest_is_one_and_installs_the_archive(tmp_path: Path) -> None:
    builder = shutil.which("flatpak-builder")
    if builder is None:
        pytest.skip("flatpak-builder is not installed")
    archive = tmp_path / f"{NAME}-{VERSION}-linux-x86_64.tar.xz"
    archive.write_bytes(b"packed")
    manifest = linux_packages.write_flatpak_manifest(archive)
    showing = [builder, "--show-manifest", str(manifest)]
    answer = subprocess.run(showing, cwd=tmp_path, capture_output=True, text=True, check=True)
    (source,) = json.loads(answer.stdout)["modules"][0]["sources"]
    assert (source["path"], source["sha256"]) == (archive.name, hashlib.sha256(b"packed").hexdigest())
    assert answer.stderr == "", "it warns of what it does not know"
    manifest.write_text(manifest.read_text().replace("build-commands:", "build-comands:"))
    broken = subprocess.run(showing, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "build-comands" in broken.stderr
