"""Converts a file that no reader here can read into one that is read, by another program in a restricted child.

Used on Linux alone, whose kernel confines it. Each file has a process of its own, and a work folder that is removed
afterwards.
"""

import ctypes
import os
import shutil
import subprocess
import tempfile
import unicodedata
from collections import Counter
from pathlib import Path
from typing import BinaryIO

from desktop_rag.documents.conversion.converted_types import LIBRARIES, path_of, program_for, target_suffix
from desktop_rag.documents.file_types import suffix_of
from desktop_rag.documents.sandbox.limited_child import ChildLost
from desktop_rag.documents.sandbox.process_limits import is_from_outside, limit_this_process
from desktop_rag.documents.sandbox.reader_client import ReaderInterrupted
from desktop_rag.errors import DocumentError, ProblemKind, ProcessError
from desktop_rag.processes.child import own_command, plain_environment
from desktop_rag.processes.confinement.confine import confine_converter
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
            raise DocumentError(f"{program} could not read this file.", ProblemKind.DAMAGED)
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


# The converter child: restricts itself, then converts one file by LibreOffice or Ghostscript.
#
# It may write in its work folder and read the data of these programs, and creates no socket and no process. LibreOffice
# is loaded as a library, Ghostscript replaces this process. The structures declare the first functions of
# include/LibreOfficeKit/LibreOfficeKit.h.

MEMORY_MEGABYTES = 2048
CPU_SECONDS = 120

_NICENESS = 15
_GHOSTSCRIPT = ("-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dSubsetFonts=false", "-sDEVICE=pdfwrite")
_OPEN_FILES = 512
# Links in the program's folder lead to some of them.
_DATA = (
    *("/etc/libreoffice", "/usr/share/libreoffice", "/var/lib/libreoffice", "/var/spool/libreoffice"),
    *("/etc/fonts", "/var/cache/fontconfig", "/usr/share/fonts", "/usr/share/fontconfig"),
    *("/usr/share/liblangtag", "/usr/share/libexttextcat", "/usr/share/mime"),
    *("/etc/passwd", "/etc/nsswitch.conf"),
    *("/usr/share/ghostscript", "/var/lib/ghostscript", "/usr/share/color"),
)


class _Kit(ctypes.Structure):
    pass


class _Document(ctypes.Structure):
    pass


_Size, _Text = ctypes.c_size_t, ctypes.c_char_p
_KitPointer, _DocumentPointer = ctypes.POINTER(_Kit), ctypes.POINTER(_Document)


class _KitFunctions(ctypes.Structure):
    _fields_ = (
        ("size", _Size),
        ("destroy", ctypes.CFUNCTYPE(None, _KitPointer)),
        ("load", ctypes.CFUNCTYPE(_DocumentPointer, _KitPointer, _Text)),
    )


class _DocumentFunctions(ctypes.Structure):
    _fields_ = (
        ("size", _Size),
        ("destroy", ctypes.CFUNCTYPE(None, _DocumentPointer)),
        ("save", ctypes.CFUNCTYPE(ctypes.c_int, _DocumentPointer, _Text, _Text, _Text)),
    )


_Kit._fields_ = (("functions", ctypes.POINTER(_KitFunctions)),)
_Document._fields_ = (("functions", ctypes.POINTER(_DocumentFunctions)),)


def main(arguments: list[str]) -> int:
    """Convert a file: the path of the program, the work folder, and in it the names of the file and the result."""
    program, work, given, result = arguments
    limit_this_process(
        MEMORY_MEGABYTES,
        CPU_SECONDS,
        _NICENESS,
        file_megabytes=FILE_MEGABYTES,
        open_files=_OPEN_FILES,
        threads=True,
    )
    folders = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), work)
    os.environ.update(folders, SAL_USE_VCLPLUGIN="svp", GSETTINGS_BACKEND="memory", LC_ALL="C.UTF-8")
    os.chdir(work)
    if result.endswith(".pdf"):
        confine_converter(work, *_DATA, program=program)
        environment = {name: os.environ[name] for name in ("HOME", "TMPDIR", "LC_ALL")}
        os.execve(program, [program, *_GHOSTSCRIPT, f"-sOutputFile={result}", given], environment)
    confine_converter(work, str(Path(program).parent), *_DATA)
    os._exit(_convert(Path(program), Path(work), given, result))  # the threads of the program would outlive its return


def _convert(program: Path, work: Path, given: str, result: str) -> int:
    try:
        name = next(name for name in LIBRARIES if (program / name).is_file())
        start = ctypes.CDLL(str(program / name)).libreofficekit_hook_2
    except (OSError, AttributeError, StopIteration):
        return UNUSABLE
    start.restype, start.argtypes = _KitPointer, (_Text, _Text)
    kit = start(os.fsencode(program), (work / "profile").as_uri().encode())
    if not kit:
        return UNUSABLE
    document = kit.contents.functions.contents.load(kit, (work / given).as_uri().encode())
    if not document:
        return 1
    suffix = Path(result).suffix.removeprefix(".")
    target = (work / result).as_uri().encode()
    saved = document.contents.functions.contents.save(document, target, suffix.encode(), None)
    return 0 if saved else 1
