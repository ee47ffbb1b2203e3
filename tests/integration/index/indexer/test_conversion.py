"""Files that only another program reads: converted by it in a restricted child, then read as any other."""

import io
import os
import random
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.documents.conversion import converted_types, converter
from desktop_rag.documents.file_types import UNREAD_WORD
from desktop_rag.errors import DocumentError, ProblemKind, Stopped
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileState
from desktop_rag.processes.child import plain_environment
from desktop_rag.stop import Stop
from tests.integration.confinement import REFUSED, needs_confinement
from tests.integration.index.indexer.test_ocr_stage import Loop

needs_libreoffice = pytest.mark.skipif(
    not converted_types.path_of(converted_types.LIBREOFFICE), reason="LibreOffice is not installed"
)
needs_ghostscript = pytest.mark.skipif(
    not converted_types.path_of(converted_types.GHOSTSCRIPT), reason="Ghostscript is not installed"
)

_ATTEMPTS = """
import os, socket, sys
from desktop_rag.documents.conversion import converter
work, secret = sys.argv[1:]

def outcome(attempt):
    try:
        return f"done: {attempt()}"
    except OSError as error:
        return f"refused: {type(error).__name__}"

def attempts(*_):
    for attempt in (
        lambda: open(work + "/kept", "w").close(),
        lambda: open(secret).read(),
        lambda: os.listdir("/home"),
        lambda: open(secret, "w"),
        lambda: open(os.path.dirname(secret) + "/new", "w"),
        lambda: os.fork(),
        lambda: os.execv("/bin/true", ["true"]),
        lambda: socket.socket(socket.AF_INET),
        lambda: socket.socket(socket.AF_UNIX),
    ):
        print(outcome(attempt), flush=True)
    return 0

converter._convert = attempts
converter.main(["/usr/lib/libreoffice/program", work, "a", "b"])
"""


@pytest.fixture(autouse=True)
def looked_up_anew() -> Iterator[None]:
    """The program is looked for once a process; here each test decides."""
    yield
    converted_types.path_of.cache_clear()


def word_perfect(text: str) -> bytes:
    """Return a file of WordPerfect 5.1: its header, an empty index, and lines."""
    header = b"\xffWPC" + struct.pack("<IBBBBHH", 26, 1, 10, 0, 1, 0, 0)
    return header + struct.pack("<HHHI", 0xFFFB, 0, 10, 0) + text.encode("ascii")


@pytest.mark.processes
@needs_confinement
def test_the_converter_changes_its_work_folder_and_reaches_nothing_else(tmp_path: Path) -> None:
    (work := tmp_path / "work").mkdir()
    (secret := tmp_path / "secret.txt").write_text("secret")
    command = [sys.executable, "-c", _ATTEMPTS, str(work), str(secret)]
    done = subprocess.run(command, capture_output=True, text=True, env=plain_environment(), check=True)
    assert done.stdout.split("\n") == ["done: None", *[REFUSED] * 8, ""]


@needs_libreoffice
def test_an_indexer_reads_what_only_libreoffice_can(library: Library, catalog: Catalog, tmp_path: Path) -> None:
    (root := tmp_path / "root").mkdir()
    (root / "lease.wpd").write_bytes(word_perfect("The rent of Harwich\nis 950 crowns.\n"))
    (root / "damaged.wpd").write_bytes(b"\xffWPC" + random.Random(1).randbytes(6000))
    (root / "typed.txt").write_text("plain")
    with closing(Loop(library, catalog, root, None)) as loop:
        loop.read()
        texts = loop.texts()
    assert texts["lease.wpd"] == ["The rent of Harwich", "is 950 crowns."]
    assert texts["typed.txt"] == ["plain"]
    listed = {os.fsdecode(file.path): file for file in catalog.files.of_folder(loop.folder).values()}
    assert listed["damaged.wpd"].state is FileState.FAILED
    assert not list(library.folder.glob(f"{converter.WORK_PREFIX}*"))


@needs_ghostscript
def test_postscript_is_read_by_way_of_ghostscript(library: Library, catalog: Catalog, tmp_path: Path) -> None:
    (root := tmp_path / "root").mkdir()
    shown = "/Times-Roman findfont 12 scalefont setfont 72 700 moveto (The rent of Harwich) show showpage"
    (root / "lease.ps").write_text(f"%!PS-Adobe-3.0\n{shown}\n")
    (root / "figure.eps").write_text(f"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 600 800\n{shown}\n")
    (root / "thief.ps").write_text(f"%!PS\n({root / 'lease.ps'}) (r) file 100 string readstring pop == {shown}\n")
    (root / "empty.ps").write_text("%!PS\nquit")
    with closing(Loop(library, catalog, root, None)) as loop:
        loop.read()
        texts = loop.texts()
    assert texts == {"lease.ps": ["The rent of Harwich"], "figure.eps": ["The rent of Harwich"]}
    reasons = {os.fsdecode(file.path): file.reason for file in catalog.files.of_folder(loop.folder).values()}
    assert reasons["thief.ps"] == "Ghostscript could not read this file."


@needs_libreoffice
def test_what_a_killed_indexer_left_is_removed_and_stop_ends_a_conversion(tmp_path: Path) -> None:
    (left := tmp_path / f"{converter.WORK_PREFIX}left").mkdir()
    (left / "document.wpd").write_bytes(b"text")
    converter.remove_work_folders(tmp_path)
    assert list(tmp_path.iterdir()) == []
    data = word_perfect("text")
    (stop := Stop()).set()
    with pytest.raises(Stopped):
        converter.convert(io.BytesIO(data), "a.wpd", len(data), tmp_path, stop)
    with pytest.raises(DocumentError, match="could not read"):
        converter.convert(io.BytesIO(b"no drawing"), "a.vsd", 10, tmp_path, Stop())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.processes
def test_a_program_that_cannot_be_loaded_is_no_fault_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("soffice", converted_types.LIBRARIES[0]):
        (tmp_path / "bin" / name).write_bytes(b"no program")
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "platform", "linux")
    converted_types.path_of.cache_clear()
    with pytest.raises(DocumentError, match="the installed one cannot be used"):
        converter.convert(io.BytesIO(b"data"), "a.wpd", 4, tmp_path, Stop())


def test_names_tell_what_is_converted_where_libreoffice_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(converted_types, "path_of", lambda _: "")
    assert not converted_types.is_converted("a.wpd")
    assert not converted_types.is_second_way("a.doc", UNREAD_WORD)
    monkeypatch.setattr(converted_types, "path_of", lambda _: "/opt/office")
    assert converted_types.is_converted("A.WPD")
    assert not converted_types.is_converted("a.doc")
    assert converted_types.is_second_way("a.doc", UNREAD_WORD)
    assert not converted_types.is_second_way("a.doc", "This file is protected.")
    assert converted_types.converted_name("a.vsd") == "a.vsd.odg"


def test_what_is_no_text_is_told_from_text() -> None:
    with pytest.raises(DocumentError, match="damaged") as damaged:
        converter.refuse_garbage("\ue000" * 10)
    assert damaged.value.kind is ProblemKind.DAMAGED
    with pytest.raises(DocumentError, match="fonts"):
        converter.refuse_garbage("✁✂✄☎✆\t✝✄✞✄ ☎✝")
    converter.refuse_garbage("")
    converter.refuse_garbage("✓ done: the rent of Harwich")
