"""What the window's process writes beside the library is for its owner only, whatever the umask."""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.gui.window.desktop_application import _PrivateFile
from desktop_rag.gui.window.single_instance import WindowLock, address_of
from desktop_rag.index.library import Library

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are those of Unix")


@pytest.fixture
def _no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_no_umask")
def test_the_log_and_its_older_files_are_private(tmp_path: Path) -> None:
    (tmp_path / "window.log").touch(mode=0o644)  # of an older version
    handler = _PrivateFile(tmp_path / "window.log", maxBytes=100, backupCount=2, encoding="utf-8")
    for number in range(9):
        handler.emit(logging.makeLogRecord({"msg": f"{number} " + "ü" * 40}))
    handler.close()
    assert len(list(tmp_path.iterdir())) == 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


@pytest.mark.usefixtures("_no_umask")
def test_the_lock_of_the_window_is_private(own_data_home: Path) -> None:
    library = Library(own_data_home / "library")
    lock, place = WindowLock(library), Path(address_of(library))
    assert lock.acquire()
    modes = {path.suffix: stat.S_IMODE(path.stat().st_mode) for path in place.parent.glob(f"{place.stem}.*")}
    lock.release()
    assert modes == {".lock": 0o600, ".pid": 0o600}
