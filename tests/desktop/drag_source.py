"""A window of another program, from which a folder can be dragged: `python drag_source.py FOLDER X Y`."""

import sys

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel


class DragSource(QLabel):
    """A label that is dragged as a folder, as from a file manager."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to drag."""
        del event
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(sys.argv[1])])
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)


application = QApplication(sys.argv)
label = DragSource("drag me")
label.setWindowTitle("Another program")
label.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint)
label.resize(120, 60)
label.move(QPoint(int(sys.argv[2]), int(sys.argv[3])))
label.show()
application.exec()
