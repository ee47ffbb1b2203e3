"""The converter child: restricts itself, then converts one file by LibreOffice or Ghostscript.

It may write in its work folder and read the data of these programs, and creates no socket and no process. LibreOffice
is loaded as a library, Ghostscript replaces this process. The structures declare the first functions of
include/LibreOfficeKit/LibreOfficeKit.h.
"""

import ctypes
import os
from pathlib import Path

from desktop_rag.documents.conversion.converted_types import LIBRARIES
from desktop_rag.documents.conversion.converter import FILE_MEGABYTES, UNUSABLE
from desktop_rag.documents.sandbox.process_limits import limit_this_process
from desktop_rag.processes.confinement.confine import confine_converter

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
