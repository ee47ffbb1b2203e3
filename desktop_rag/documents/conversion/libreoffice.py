"""LibreOffice, an external program: converts a file that no reader here can read into OpenDocument, which one can.

Used on Linux alone, whose kernel confines it. Each file is converted by a process of its own, with a new profile, in
a work folder that is removed afterwards.
"""

import shutil
import subprocess
import tempfile
import unicodedata
from pathlib import Path
from typing import BinaryIO

from desktop_rag.documents.conversion.converted_types import program_folder, target_suffix
from desktop_rag.documents.file_types import suffix_of
from desktop_rag.documents.sandbox.child_exit import is_from_outside
from desktop_rag.documents.sandbox.limited_child import ChildLost
from desktop_rag.documents.sandbox.reader_client import ReaderInterrupted
from desktop_rag.errors import DocumentError, ProcessError
from desktop_rag.processes.child import own_command, plain_environment
from desktop_rag.stop import Stop

FILE_MEGABYTES = 200  # of one written file
WALL_SECONDS = 480.0
WORK_PREFIX = "converting-"  # of the names of work folders
UNUSABLE = 3  # exit code of the child if it cannot load the program

DAMAGED = "This file is damaged, or not what its name says."
_FAILED = "LibreOffice could not read this file."
_CANNOT_LOAD = "This file needs LibreOffice, and the installed one cannot be used; save it as .odt or export it as PDF."
_BLOCK = 1 << 20
_SAMPLE = 20_000  # characters
_GARBAGE = 0.02  # of them
_NO_TEXT = ("Cn", "Co", "Cs")  # not assigned, private, surrogates


def convert(source: BinaryIO, name: str, size: int, folder: Path, stop: Stop) -> bytes:
    """Return the OpenDocument file made of the next `size` bytes of `source`; the work folder is made in `folder`.

    Raises `DocumentError` with the reason to show, `ReaderInterrupted` if the child was ended from outside, `Stopped`,
    `ProcessError` if it cannot be started, or `OSError` of `source`.
    """
    with tempfile.TemporaryDirectory(prefix=WORK_PREFIX, dir=folder, ignore_cleanup_errors=True) as work:
        given = Path(work, f"document.{suffix_of(name)}")
        _copy(source, size, given, stop)
        result = given.with_suffix(f".{target_suffix(name)}")
        _run(own_command("_converter", program_folder(), work, given.name, result.name), stop)
        try:
            with result.open("rb") as file:
                return file.read(FILE_MEGABYTES << 20)
        except FileNotFoundError as error:
            raise DocumentError(_FAILED) from error


def is_garbage(text: str) -> bool:
    """Return whether LibreOffice took the bytes of a damaged file for text: too much of it is no character."""
    sample = text[:_SAMPLE]
    return sum(unicodedata.category(character) in _NO_TEXT for character in sample) > _GARBAGE * len(sample)


def remove_work_folders(folder: Path) -> None:
    """Remove the work folders in `folder` that a killed process left behind."""
    for left in folder.glob(f"{WORK_PREFIX}*"):
        shutil.rmtree(left, ignore_errors=True)


def _copy(source: BinaryIO, size: int, target: Path, stop: Stop) -> None:
    with target.open("wb") as file:
        while size > 0 and (block := source.read(min(_BLOCK, size))):
            stop.check()
            size -= file.write(block)


def _run(command: list[str], stop: Stop) -> None:
    """Run the child; kill it when it takes too long."""
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
            raise DocumentError(f"LibreOffice took longer than {WALL_SECONDS:.0f} seconds for this file.") from None
        finally:
            process.kill()
    stop.check()
    if code == UNUSABLE:
        raise DocumentError(_CANNOT_LOAD)
    if is_from_outside(code):
        raise ReaderInterrupted(ChildLost("LibreOffice was ended from outside", 0, from_outside=True))
