"""A window of another program on which things can be dropped: `python drop_target.py FILE X Y` writes them as JSON."""

import json
import sys
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel


class DropTarget(QLabel):
    """A label that takes what any program drops on it."""

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take everything."""
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Write down what was dropped."""
        data = event.mimeData()
        urls = [url.toLocalFile() for url in data.urls()]
        dropped = {"text": data.text(), "html": data.html(), "files": urls, "action": event.dropAction().name}
        Path(sys.argv[1]).write_text(json.dumps(dropped), encoding="utf-8")
        event.acceptProposedAction()


application = QApplication(sys.argv)
label = DropTarget("drop here")
label.setAcceptDrops(True)
label.setWindowTitle("Another program")
label.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint)
label.resize(120, 60)
label.move(QPoint(int(sys.argv[2]), int(sys.argv[3])))
label.show()
application.exec()
