"""Two runs side by side: their figures, the queries and documents of only one or both, and both answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from PySide6.QtCore import QDateTime, Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.run.run_comparison import RunComparison, RunFacts, SharedItems, compare_runs
from desktop_rag.gui import formatting
from desktop_rag.gui.answer_methods import method_name
from desktop_rag.gui.conversation.timeline.compared_answers import PAGE, ComparedAnswers
from desktop_rag.gui.theme.theme import GRID, set_margins
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.fields import close_button
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.text.display import one_line, shorten

_SIZE = (860, 620)
_MOST_ITEMS = 12  # of a list


@dataclass(frozen=True, slots=True)
class ComparableRun:
    """A run to compare with; `now`: it was replayed just now."""

    turn: Turn
    now: bool = False


class ComparisonDialog(BoundedDialog):
    """Shows a run beside another one that you choose."""

    def __init__(self, turn: Turn, candidates: Sequence[ComparableRun], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Compare runs"))
        self.resize(*_SIZE)
        self._turn = turn
        self._choice = QComboBox(self)
        self._choice.setAccessibleName(self.tr("Run to compare with"))
        for candidate in candidates:
            self._choice.addItem(self._title(candidate), candidate)
        self._choice.setVisible(len(candidates) > 1)
        self._table = QScrollArea(self)
        self._table.setWidgetResizable(True)
        self._table.setFrameShape(QFrame.Shape.NoFrame)
        self._table.setAccessibleName(self.windowTitle())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(PlainLabel(_question(turn), "heading", self))
        layout.addWidget(self._choice)
        layout.addWidget(self._table, 1)
        layout.addWidget(close_button(self, self.tr("Close")), 0, Qt.AlignmentFlag.AlignRight)
        self._choice.currentIndexChanged.connect(self._show)
        self._show()

    def _title(self, candidate: ComparableRun) -> str:
        if candidate.now:
            return self.tr("The same searches, now")
        return f"{_question(candidate.turn)} · {_asked(candidate.turn)}"

    @Slot()
    def _show(self) -> None:
        candidate = self._choice.currentData()
        if not isinstance(candidate, ComparableRun):
            return
        compared = compare_runs(self._turn, candidate.turn)
        turns = (self._turn, candidate.turn)
        self._table.setWidget(_Sheet(compared, turns, now=candidate.now, parent=self))


def _question(turn: Turn) -> str:
    return shorten(one_line(turn.question), PAGE)


def _asked(turn: Turn) -> str:
    moment = QDateTime.fromMSecsSinceEpoch(turn.asked_ns // 1_000_000)
    return formatting.shown_moment(moment)


class _Sheet(QWidget):
    """The rows of a comparison: a name, the left run, the right run."""

    def __init__(
        self, compared: RunComparison, turns: tuple[Turn, Turn], *, now: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        set_margins(self._grid, 0, GRID, GRID, GRID)
        self._grid.setHorizontalSpacing(2 * GRID)
        self._grid.setVerticalSpacing(GRID)
        self._grid.setColumnMinimumWidth(0, 10 * GRID)  # wrapped labels request no width
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(2, 1)
        left, right = compared.left, compared.right
        self._add("", self.tr("Then"), self.tr("Now"), "heading") if now else self._add_runs(left, right)
        if not now:
            self._add(self.tr("Asked"), *map(_asked, turns))
        before, after = map(_question, turns)
        if before != after:
            self._add(self.tr("Question"), before, after)
        self._add(self.tr("Outcome"), self._outcome(left), self._outcome(right))
        reasons = self._no_answer(left), self.tr("Only the searches were repeated") if now else self._no_answer(right)
        self._add_answers(ComparedAnswers((left.text, right.text), self, reasons))
        self._add(self.tr("Cost"), self._work(left), self._work(right))
        self._add_shared(self.tr("Searched"), compared.queries, tuple)
        self._add_shared(self.tr("Documents"), compared.documents, _names)
        self._add_shared(self.tr("Cited"), compared.cited, _names)
        self._grid.setRowStretch(self._grid.rowCount(), 1)

    def _add_runs(self, left: RunFacts, right: RunFacts) -> None:
        shown = (f"{one_line(run.model)} · {method_name(run.toolkit)}" for run in (left, right))
        here, there = (self.tr("{0} of 2 · {1}").format(place, text) for place, text in enumerate(shown, 1))
        self._add("", here, there, "heading")

    def _add(self, name: str, left: str, right: str, role: str = "") -> None:
        row = self._grid.rowCount()
        for column, (text, kind) in enumerate(((name, "muted"), (left, role), (right, role))):
            if not (column or text):
                continue  # a screen reader would announce the empty label
            label = PlainLabel(text or ("–" if column else ""), kind, self)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            if column:
                label.setAccessibleName(f"{name}: {text}")
            self._grid.addWidget(label, row, column, Qt.AlignmentFlag.AlignTop)

    def _add_answers(self, answers: ComparedAnswers) -> None:
        row = self._grid.rowCount()
        for column, part in enumerate((PlainLabel(self.tr("Answer"), "muted", self), *answers.labels)):
            self._grid.addWidget(part, row, column, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(answers.switch, row + 1, 1, 1, 2, Qt.AlignmentFlag.AlignLeft)

    def _add_shared(
        self, name: str, shared: SharedItems, format_items: Callable[[Sequence[str]], Sequence[str]]
    ) -> None:
        both = self._listed(self.tr("Both"), format_items(shared.both))
        sides = [self._listed(self.tr("Only here"), format_items(side)) for side in (shared.left, shared.right)]
        here, there = ("\n".join(filter(None, (side, both))) for side in sides)
        self._add(name, here, there)

    def _listed(self, title: str, items: Sequence[str]) -> str:
        if not items:
            return ""
        rest = self.tr("and %Ln more", "", len(items) - _MOST_ITEMS) if len(items) > _MOST_ITEMS else ""
        shown = (f"• {one_line(item)}" for item in items[:_MOST_ITEMS])
        return "\n".join((f"{title} ({len(items)}):", *shown, *([rest] if rest else [])))

    def _outcome(self, run: RunFacts) -> str:
        outcome = {
            "answered": self.tr("Answered"),
            "not found": self.tr("Not found"),
            "stopped": self.tr("Stopped"),
            "failed": self.tr("Failed"),
        }.get(run.outcome, self.tr("Unfinished"))
        return " · ".join(filter(None, (outcome, formatting.claims(run.claims))))

    def _no_answer(self, run: RunFacts) -> str:
        """Return why a run has no answer."""
        if run.outcome == "stopped":
            return self.tr("Stopped before an answer was written")
        return self.tr("Failed before an answer was written") if run.outcome == "failed" else self.tr("No answer yet")

    def _work(self, run: RunFacts) -> str:
        parts = [formatting.steps(run.steps), formatting.duration(run.seconds)]
        parts += [formatting.tokens(run.tokens, estimated=run.estimated)] if run.uses_model else []
        return " · ".join((*parts, *([formatting.money(run.money)] if run.money is not None else [])))


def _names(paths: Sequence[str]) -> Sequence[str]:
    return tuple(PurePath(path).name for path in paths)
