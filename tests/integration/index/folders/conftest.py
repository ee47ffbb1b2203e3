"""A real watcher on two real folders, in each of the two ways of being notified."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.index.folders import watch
from desktop_rag.index.folders.watch import Watcher
from desktop_rag.index.folders.watch_backends import InotifyBackend, ObserverBackend, OnHint, WatchBackend
from tests.integration.index.folders.watching import ONE, TWO, Reports, begin, linux


@pytest.fixture
def reports() -> Reports:
    return Reports()


@pytest.fixture(params=[pytest.param(InotifyBackend, marks=linux), ObserverBackend], ids=["kernel", "observer"])
def notices(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Watch in both ways, whatever this system would choose."""

    def chosen(on_hint: OnHint) -> WatchBackend:
        return InotifyBackend(on_hint) if request.param is InotifyBackend else ObserverBackend(on_hint)

    monkeypatch.setattr(watch, "make_backend", chosen)


@pytest.fixture
def watcher(reports: Reports, notices: None) -> Iterator[Watcher]:
    watcher = Watcher(reports, quiet=0.05, longest=0.5)
    yield watcher
    watcher.close()


@pytest.fixture
def one(tmp_path: Path, watcher: Watcher) -> Path:
    return begin(watcher, ONE, tmp_path / "one")


@pytest.fixture
def two(tmp_path: Path, watcher: Watcher) -> Path:
    return begin(watcher, TWO, tmp_path / "two")
