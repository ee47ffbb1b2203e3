"""Skips tests where the library that unpacks archives is missing; the program then says so."""

import ctypes

import pytest

from desktop_rag.documents.formats.containers import native_archives


def _is_installed() -> bool:
    try:
        ctypes.CDLL(native_archives._LIBRARY)
    except OSError:
        return False
    return True


needs_libarchive = pytest.mark.skipif(not _is_installed(), reason="needs libarchive")
