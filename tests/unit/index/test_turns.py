"""A command comes before the next step of the loop."""

import threading

import pytest

from desktop_rag.index.indexer.write_gate import WriteGate


def test_nobody_waits_for_nobody() -> None:
    WriteGate().give_way()


def test_the_loop_waits_for_commands_that_are_carried_out() -> None:
    turns = WriteGate()
    order: list[str] = []

    def loop() -> None:
        turns.give_way()
        order.append("step")

    with turns.command():
        with turns.command():
            thread = threading.Thread(target=loop)
            thread.start()
        order.append("commands")
    thread.join()
    assert order == ["commands", "step"]


def test_a_command_that_hangs_does_not_keep_the_loop_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.index.indexer.write_gate.PATIENCE_SECONDS", 0.01)
    turns = WriteGate()
    with turns.command():
        turns.give_way()
