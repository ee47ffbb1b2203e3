"""Goes back through the steps of a finished run: which step is shown, what it took, and a new run from there."""

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSlider, QWidget

from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.timeline.run_story import StepCost
from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.icons import IconButton
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.plain_labels import ElidedLabel

SEPARATOR = " · "


class FiguresLabel(ElidedLabel):
    """What a step took; figures that do not fit are left out as a whole, from the last one on."""

    def _fit(self) -> None:
        metrics, parts = QFontMetrics(self.font()), self._whole.split(SEPARATOR)
        self.setMinimumWidth(metrics.horizontalAdvance(parts[0]) + 1)  # what a label wants of itself
        while len(parts) > 1 and metrics.horizontalAdvance(SEPARATOR.join(parts)) > self.width():
            parts.pop()
        shown = SEPARATOR.join(parts)
        self.setText(shown)
        self.setToolTip(tool_tip(self._whole) if shown != self._whole else "")


class StepSlider(QWidget):
    """A slider over the steps; at its right end the run is shown as it ended."""

    step_shown = Signal(int)  # show the run as it was after this step; the last one: as it ended
    fork_requested = Signal(int)  # ask again from this step

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._costs: Mapping[int, StepCost] = {}
        self._uses_model = False
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # like the controls of a player in every language
        self._back = IconButton("chevron-left", self.tr("Show the step before"), self)
        self._forward = IconButton("chevron-right", self.tr("Show the next step"), self)
        self._slider = QSlider(Qt.Orientation.Horizontal, self)
        self._slider.setMinimum(1)
        self._slider.setPageStep(5)
        self._slider.setMinimumWidth(60)
        self._slider.setMaximumWidth(160)
        self._slider.setAccessibleName(self.tr("Step shown"))
        self._label = FiguresLabel(self)
        set_role(self._label, "caption")
        self._fork = QPushButton(self.tr("Ask again from here…"), self)
        set_role(self._fork, "link")
        layout = QHBoxLayout(self)
        set_margins(layout, 0, 0, 4, 0)
        layout.setSpacing(GRID // 2)
        for part in (self._back, self._slider, self._forward):
            layout.addWidget(part)
        layout.addSpacing(GRID)
        layout.addWidget(self._label, 1)
        layout.addWidget(self._fork)
        layout.addStrut(self._fork.sizeHint().height())  # the row keeps its height
        self._slider.valueChanged.connect(self._on_moved)
        self._back.clicked.connect(lambda: self._slider.setValue(self.step - 1))
        self._forward.clicked.connect(lambda: self._slider.setValue(self.step + 1))
        self._fork.clicked.connect(lambda: self.fork_requested.emit(self.step))

    @property
    def step(self) -> int:
        """Return the step shown."""
        return self._slider.value()

    @property
    def slider(self) -> QSlider:
        """Return the slider, which takes the arrow keys, Home and End."""
        return self._slider

    @property
    def text(self) -> str:
        """Return Step 2 of 5 · 3.1 s · 2,190 tokens."""
        return self._label.accessibleName()

    def minimumSizeHint(self) -> QSize:
        """Return a small width: the turn is laid out at the least width of its parts."""
        return QSize(160, super().minimumSizeHint().height())

    def show_run(self, steps: int, costs: Mapping[int, StepCost], *, uses_model: bool) -> None:
        """Offer the steps of a run and show its end; `uses_model`: tokens mean something."""
        self._costs, self._uses_model = costs, uses_model
        with QSignalBlocker(self._slider):
            self._slider.setMaximum(max(1, steps))
            self._slider.setValue(steps)
        self._show_step()

    def show_end(self) -> None:
        """Show the run as it ended."""
        self._slider.setValue(self._slider.maximum())

    def _figures(self, step: int) -> list[str]:
        cost = self._costs.get(step)
        if cost is None:
            return []
        figures = [formatting.duration(cost.seconds)] if cost.seconds else []
        if self._uses_model:
            figures.append(formatting.tokens(cost.tokens, estimated=cost.estimated))
            figures += [self.tr("{0} cached").format(formatting.number(cost.cached))] if cost.cached > 0 else []
            figures += [self.tr("{0} thinking").format(formatting.number(cost.reasoning))] if cost.reasoning > 0 else []
            figures += [formatting.speed(cost.per_second)] if cost.per_second else []
        return [*figures, formatting.money(cost.money)] if cost.money is not None else figures

    @Slot()
    def _on_moved(self) -> None:
        self._show_step()
        self.step_shown.emit(self.step)

    def _show_step(self) -> None:
        step, last = self.step, self._slider.maximum()
        place = self.tr("Step {number} of {count}").format(
            number=formatting.number(step), count=formatting.number(last)
        )
        text = SEPARATOR.join((place, *self._figures(step)))
        self._label.show_text(text)
        self._slider.setAccessibleDescription(text)
        self._back.setEnabled(step > 1)
        self._forward.setEnabled(step < last)
        self._fork.setVisible(step < last)
