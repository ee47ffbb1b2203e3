"""Which files LibreOffice converts, where it is installed: those without a reader, or too old for theirs."""

import shutil
import sys
from functools import cache
from pathlib import Path
from types import MappingProxyType

from desktop_rag.documents.file_types import WORD_95, suffix_of

LIBRARIES = ("libmergedlo.so", "libsofficeapp.so")  # one of them has the entry point of LibreOffice

_TARGETS = {"odt": "wpd wps", "odg": "pub vsd"}
_TARGET_OF = MappingProxyType({suffix: target for target, names in _TARGETS.items() for suffix in names.split()})
_SECOND_WAY = MappingProxyType({"doc": "odt", "dot": "odt"})


@cache
def program_folder() -> str:
    """Return the folder of LibreOffice's libraries, or "" if it is not installed or cannot be confined."""
    command = shutil.which("soffice") if sys.platform.startswith("linux") else None
    folder = Path(command).resolve().parent if command else None
    return str(folder) if folder is not None and any((folder / name).is_file() for name in LIBRARIES) else ""


def is_converted(name: str) -> bool:
    """Return whether a file of this name is read by converting it, since it has no reader."""
    return suffix_of(name) in _TARGET_OF and bool(program_folder())


def is_second_way(name: str, refusal: str) -> bool:
    """Return whether a file of this name, which its reader refused with `refusal`, is read by converting it."""
    return refusal == WORD_95 and suffix_of(name) in _SECOND_WAY and bool(program_folder())


def converted_name(name: str) -> str:
    """Return the name under which the converted file is read."""
    return f"{name}.{target_suffix(name)}"


def target_suffix(name: str) -> str:
    """Return the suffix of what a file of this name is converted into."""
    suffix = suffix_of(name)
    return _TARGET_OF.get(suffix) or _SECOND_WAY[suffix]
