"""How questions are worked on: the toolkits to choose from, each with its sentence."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QRadioButton, QScrollArea, QVBoxLayout, QWidget

from desktop_rag.agent.toolkits.registry import offered
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.plain_labels import PlainLabel


class ToolkitPage(QWidget):
    """One toolkit is in use; the small button below the question changes it too."""

    def __init__(self, active: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        kits = offered(more=active)
        self._names = tuple(kit.name for kit in kits)
        self._group = QButtonGroup(self)
        heading = QLabel(self.tr("Toolkit"), self)
        set_role(heading, "heading")
        column = QWidget(self)
        rows = QVBoxLayout(column)
        rows.setContentsMargins(0, 0, GRID, 0)
        rows.setSpacing(GRID // 2)
        for number, kit in enumerate(kits):
            button = QRadioButton(kit.name, column)
            button.setChecked(kit.name == active)
            button.setAccessibleDescription(kit.summary)
            sentence = PlainLabel(kit.summary, "muted", column)
            sentence.setIndent(3 * GRID)
            self._group.addButton(button, number)
            rows.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            rows.addWidget(sentence)
            rows.addSpacing(GRID // 2)
        rows.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(column)
        what = self.tr("What the model is given to work with, and how it goes about a question.")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2 * GRID, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(heading)
        layout.addWidget(PlainLabel(what, "muted", self))
        layout.addWidget(scroll, 1)

    def toolkit(self, before: str) -> str:
        """Return the chosen toolkit; `before` stays if none is chosen, because it is gone."""
        chosen = self._group.checkedId()
        return self._names[chosen] if chosen >= 0 else before
