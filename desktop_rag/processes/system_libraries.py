"""Shared libraries of the system that a part of the program needs and that are not installed."""

import re

_NOT_FOUND = re.compile(r"([^\s/]+\.so[.\d]*): cannot open shared object file")


def missing_library(error: ImportError | OSError) -> str:
    """Return the name of the shared library without which something could not be loaded, "" for another reason."""
    found = _NOT_FOUND.search(str(error))
    return found.group(1) if found else ""


def debian_package(library: str) -> str:
    """Return the package of a shared library by Debian's naming rule (Debian Policy 8.1): name and soname version."""
    name, _, version = library.lower().partition(".so")
    if name in ("libglib-2.0", "libgthread-2.0"):  # the exception
        return "libglib2.0-0"
    version = version.lstrip(".")
    return f"{name}-{version}" if name[-1:].isdigit() else f"{name}{version}"
