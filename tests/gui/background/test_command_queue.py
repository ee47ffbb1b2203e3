"""The queue of short commands: it keeps their order and survives whatever one of them raises."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from desktop_rag.errors import DesktopRagError, LibraryBusy, Stopped
from desktop_rag.gui.background import CommandQueue
from desktop_rag.stop import Stop


@pytest.fixture
def commands(qapp: QObject) -> Iterator[CommandQueue]:
    commands = CommandQueue("test")
    yield commands
    commands.close()


def raises(error: Exception) -> int:
    raise error


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), ValueError("odd"), LibraryBusy("wait")])
def test_a_command_that_fails_is_reported_and_the_next_ones_go_on(
    commands: CommandQueue, qtbot: QtBot, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[object] = []
    commands.failed.connect(seen.append)
    commands.run(lambda _: 1, seen.append)
    commands.run(lambda _: raises(error), seen.append)
    commands.run(lambda _: raises(Stopped()), seen.append)
    commands.run(lambda _: 2, seen.append)
    qtbot.waitUntil(lambda: len(seen) == 3)
    first, failure, last = seen
    assert (first, last) == (1, 2)
    assert isinstance(failure, DesktopRagError)
    assert str(error) in str(failure)
    assert bool(caplog.records) is not isinstance(error, DesktopRagError)


def test_a_callback_gets_the_result_as_its_command_typed_it(
    commands: CommandQueue, qtbot: QtBot, tmp_path: Path
) -> None:
    sizes: list[int] = []

    def count(stop: Stop) -> tuple[Path, ...]:
        return tuple(tmp_path.iterdir())

    def show(files: tuple[Path, ...]) -> None:
        sizes.append(len(files))

    commands.run(count, show)
    qtbot.waitUntil(lambda: sizes == [0])
