"""The fixtures of the tests on an X server; elsewhere than on Linux there is none."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import machine
from desktop_rag.paths import resources

if TYPE_CHECKING:
    from tests.desktop.desktop import Desktop

collect_ignore_glob = [] if sys.platform.startswith("linux") else ["test_*.py"]


@pytest.fixture
def desktop(tmp_path: Path) -> "Iterator[Desktop]":
    """Return an empty desktop with an empty home folder."""
    from tests.desktop.desktop import LAUNCHER, NEEDED, Desktop  # it needs a package that only Linux has

    missing = [name for name in NEEDED if shutil.which(name) is None] + machine.missing_libraries(screen=True)
    if missing or not LAUNCHER.exists():
        pytest.skip(f"needs {', '.join(missing) or 'at-spi2-core'}")
    desktop = Desktop(tmp_path)
    yield desktop
    desktop.close()


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """Return a copy of the sample folder."""
    return Path(shutil.copytree(resources() / "sample", tmp_path / "Boat workshop"))
