"""What a second start may hand over to the window that is open."""

from pathlib import Path

import msgspec
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from desktop_rag.gui.window.instance_server import InstanceServer
from desktop_rag.gui.window.single_instance import InstanceRequest, address_of
from desktop_rag.index.library import Library


def test_only_the_tokens_that_bring_a_window_forward_are_taken(qtbot: QtBot, own_data_home: Path) -> None:
    library = Library(own_data_home / "work")
    server = InstanceServer(library)
    server.open()
    line = QLocalSocket()
    tokens = (("XDG_ACTIVATION_TOKEN", "abc"), ("LD_PRELOAD", "/evil.so"), ("DESKTOP_STARTUP_ID", "a\0b"))
    with qtbot.waitSignal(server.second_started) as request:
        line.connectToServer(address_of(library))
        assert line.waitForConnected(2000)
        line.write(msgspec.json.encode(InstanceRequest((b"/letters",), tokens)) + b"\n")
        line.flush()
    line.close()
    server.close()
    assert request.args == [InstanceRequest((b"/letters",), (("XDG_ACTIVATION_TOKEN", "abc"),))]
