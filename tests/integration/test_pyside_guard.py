"""The pinned PySide6 survives what some releases do not: many calls that return or pass None.

PySide6 6.12.0 drops references to None and True on Python 3.11 and takes the process down after five to seven
thousand calls. An aborted process cannot fail a test of its own, so the calls are made in another one.
"""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.processes

CALLS = 20_000

PROGRAM = f"""
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QLabel

class Sender(QObject):
    sent = Signal(object)

class Receiver(QObject):
    count = 0

    @Slot(object)
    def receive(self, value):
        self.count += 1

application = QApplication([])
sender, receiver, label = Sender(), Receiver(), QLabel()
sender.sent.connect(receiver.receive)
for number in range({CALLS}):
    sender.sent.emit(None)
    label.setText(str(number))
print(receiver.count, label.text())
"""


def test_twenty_thousand_signals_and_texts_leave_the_process_alive() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == [str(CALLS), str(CALLS - 1)]
