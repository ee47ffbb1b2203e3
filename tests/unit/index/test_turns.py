"""A command comes before the next step of the loop."""

import threading

import pytest

from desktop_rag.index.indexer.write_gate import WriteGate


def test_nobody_waits_for_nobody() -> None:
    WriteGate().wait_for_commands()


def test_the_loop_waits_for_commands_that_are_carried_out() -> None:
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


def test_a_command_that_hangs_does_not_keep_the_loop_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.index.indexer.write_gate.MAX_WAIT_SECONDS", 0.01)
    gate = WriteGate()
    with gate.command():
        gate.wait_for_commands()
