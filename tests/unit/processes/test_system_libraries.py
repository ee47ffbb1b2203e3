"""Which shared library is missing, and which package has it."""

import ctypes

import pytest

from desktop_rag.processes.child import debian_package, missing_library


def test_the_missing_library_is_read_from_the_error_of_the_linker() -> None:
    with pytest.raises(OSError, match="libnowhere") as caught:
        ctypes.CDLL("libnowhere.so.9")
    assert missing_library(caught.value) == "libnowhere.so.9"
    assert missing_library(ImportError("No module named 'xllamacpp'")) == ""


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
        ("libX11-xcb.so.1", "libx11-xcb1"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
        ("libEGL.so.1", "libegl1"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
    ],
)
def test_package_of_a_library_follows_debians_rule(library: str, package: str) -> None:
    assert debian_package(library) == package
