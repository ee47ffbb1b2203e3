"""Converts a file that no reader here can read into one that is read, by another program in a restricted child.

Used on Linux alone, whose kernel confines it. Each file has a process of its own, and a work folder that is removed
afterwards.
"""

import shutil
import subprocess
import tempfile
import unicodedata
from collections import Counter
from pathlib import Path
from typing import BinaryIO

from desktop_rag.documents.conversion.converted_types import path_of, program_for, target_suffix
from desktop_rag.documents.file_types import suffix_of
from desktop_rag.documents.sandbox.child_exit import is_from_outside
from desktop_rag.documents.sandbox.limited_child import ChildLost
from desktop_rag.documents.sandbox.reader_client import ReaderInterrupted
from desktop_rag.errors import DocumentError, ProblemKind, ProcessError
from desktop_rag.processes.child import own_command, plain_environment
from desktop_rag.stop import Stop

FILE_MEGABYTES = 200  # of one written file
WALL_SECONDS = 480.0
WORK_PREFIX = "converting-"  # of the names of work folders
UNUSABLE = 3  # exit code of the child if it cannot load the program, which is not the fault of the file

_BLOCK = 1 << 20
_SAMPLE = 20_000  # characters
_NO_CHARACTERS = ("Cn", "Co", "Cs")  # not assigned, private, surrogates
_FEW, _MANY = 0.02, 0.3  # of the characters; the latter of symbols


def convert(source: BinaryIO, name: str, size: int, folder: Path, stop: Stop) -> bytes:
    """Return the file made of the next `size` bytes of `source`; the work folder is made in `folder`.

    Raises `DocumentError` with the reason to show, `ReaderInterrupted` if the child was ended from outside, `Stopped`,
    `ProcessError` if it cannot be started, or `OSError` of `source`.
    """
    program = program_for(name)
    with tempfile.TemporaryDirectory(prefix=WORK_PREFIX, dir=folder, ignore_cleanup_errors=True) as work:
        given = Path(work, f"document.{suffix_of(name)}")
        _copy(source, size, given, stop)
        result = given.with_suffix(f".{target_suffix(name)}")
        code = _run(own_command("_converter", path_of(program), work, given.name, result.name), program, stop)
        if code == UNUSABLE:
            raise DocumentError(f"This file needs {program}, and the installed one cannot be used; convert it to PDF.")
        if code or not result.is_file():
            raise DocumentError(f"{program} could not read this file.")
        with result.open("rb") as file:
            return file.read(FILE_MEGABYTES << 20)


def refuse_garbage(text: str) -> None:
    """Raise `DocumentError` if the text of a converted file is none: bytes taken for text, or unknown letters."""
    kinds = Counter(map(unicodedata.category, text[:_SAMPLE]))
    if sum(map(kinds.__getitem__, _NO_CHARACTERS)) > _FEW * kinds.total():
        raise DocumentError("This file is damaged, or not what its name says.", ProblemKind.DAMAGED)
    if kinds["So"] > _MANY * (kinds.total() - kinds["Zs"] - kinds["Cc"]):
        raise DocumentError(
            "The fonts of this file do not tell which letters they draw; convert it to PDF for text recognition."
        )


def remove_work_folders(folder: Path) -> None:
    """Remove the work folders in `folder` that a killed process left behind."""
    for left in folder.glob(f"{WORK_PREFIX}*"):
        shutil.rmtree(left, ignore_errors=True)


def _copy(source: BinaryIO, size: int, target: Path, stop: Stop) -> None:
    with target.open("wb") as file:
        while size > 0 and (block := source.read(min(_BLOCK, size))):
            stop.check()
            size -= file.write(block)


def _run(command: list[str], program: str, stop: Stop) -> int:
    """Run the child and return its exit code; kill it when it takes too long."""
    stop.check()
    quiet = subprocess.DEVNULL
    try:
        process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, env=plain_environment())
    except OSError as error:
        raise ProcessError(f"A background process cannot be started ({error}).") from error
    with process, stop.interrupting(process.kill):
        try:
            code = process.wait(WALL_SECONDS)
        except subprocess.TimeoutExpired:
            raise DocumentError(
                f"{program} took longer than {WALL_SECONDS:.0f} seconds for this file.", ProblemKind.LIMIT
            ) from None
        finally:
            process.kill()
    stop.check()
    if is_from_outside(code):
        raise ReaderInterrupted(ChildLost(f"{program} was ended from outside", 0, from_outside=True))
    return code
