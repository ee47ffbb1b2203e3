"""Which files are converted by which program, if it is installed: those without a reader, or too old for theirs."""

import shutil
import sys
from functools import cache
from pathlib import Path
from types import MappingProxyType

from desktop_rag.documents.file_types import UNREAD_WORD, suffix_of

LIBREOFFICE, GHOSTSCRIPT = "LibreOffice", "Ghostscript"
LIBRARIES = ("libmergedlo.so", "libsofficeapp.so")  # one of them has the entry point of LibreOffice

_PROGRAM_OF = MappingProxyType({"odt": LIBREOFFICE, "odg": LIBREOFFICE, "pdf": GHOSTSCRIPT})  # by its result
_TARGETS = {"odt": "wpd wps", "odg": "pub vsd", "pdf": "ps eps"}
_TARGET_OF = MappingProxyType({suffix: target for target, names in _TARGETS.items() for suffix in names.split()})
_SECOND_WAY = MappingProxyType({"doc": "odt", "dot": "odt"})


@cache
def path_of(program: str) -> str:
    """Return the folder of LibreOffice's libraries, or the file of Ghostscript.

    It is "" if the program is not installed or cannot be confined.
    """
    if not sys.platform.startswith("linux"):
        return ""
    if program == GHOSTSCRIPT:
        return shutil.which("gs") or ""
    command = shutil.which("soffice")
    folder = Path(command).resolve().parent if command else None
    return str(folder) if folder is not None and any((folder / name).is_file() for name in LIBRARIES) else ""


def is_converted(name: str) -> bool:
    """Return whether a file of this name is read by converting it, since it has no reader."""
    return suffix_of(name) in _TARGET_OF and bool(path_of(program_for(name)))


def is_second_way(name: str, refusal: str) -> bool:
    """Return whether a file of this name, which its reader refused with `refusal`, is read by converting it."""
    return refusal == UNREAD_WORD and suffix_of(name) in _SECOND_WAY and bool(path_of(program_for(name)))


def program_for(name: str) -> str:
    """Return the program that converts files of this name."""
    return _PROGRAM_OF[target_suffix(name)]


def converted_name(name: str) -> str:
    """Return the name under which the converted file is read."""
    return f"{name}.{target_suffix(name)}"


def target_suffix(name: str) -> str:
    """Return the suffix of what a file of this name is converted into."""
    suffix = suffix_of(name)
    return _TARGET_OF.get(suffix) or _SECOND_WAY[suffix]
