"""Commands run before the next step of the loop."""

import threading

import pytest

from desktop_rag.index.indexer.indexer_loop import WriteGate


def test_without_commands_the_loop_does_not_wait() -> None:
    WriteGate().wait_for_commands()


def test_the_loop_waits_for_running_commands() -> None:
    gate = WriteGate()
    order: list[str] = []

    def loop() -> None:
        gate.wait_for_commands()
        order.append("step")

    with gate.command():
        with gate.command():
            thread = threading.Thread(target=loop)
            thread.start()
        order.append("commands")
    thread.join()
    assert order == ["commands", "step"]


def test_a_hanging_command_delays_the_loop_only_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.index.indexer.indexer_loop.MAX_WAIT_SECONDS", 0.01)
    gate = WriteGate()
    with gate.command():
        gate.wait_for_commands()
