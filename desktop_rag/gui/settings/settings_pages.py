"""The simple pages of the settings: method, limits, answers, editor."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QLineEdit,
    QRadioButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.answer_methods import plain_methods, research_methods
from desktop_rag.gui.settings.page_parts import Choices, ScrolledPage
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.fields import indent_number
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.settings import Limits, MoneyLimits, Unsourced


class MethodPage(QWidget):
    """The choice of method, each with one line about it; the button below the question changes it, too."""

    def __init__(self, active: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        plain, research = plain_methods(), research_methods(active)
        self._toolkits = tuple(method.toolkit for method in (*plain, *research))
        self._group = QButtonGroup(self)
        scroll = QScrollArea(self)
        column = QWidget(scroll.viewport())
        rows = QVBoxLayout(column)
        set_margins(rows, 0, 0, GRID, 0)
        rows.setSpacing(GRID // 2)
        for number, method in enumerate((*plain, *research)):
            if number == len(plain):
                rows.addSpacing(GRID)
                rows.addWidget(PlainLabel(self.tr("Research: the systems of the papers"), "heading", column))
            button = QRadioButton(method.name, column)
            button.setChecked(method.toolkit == active)
            button.setAccessibleDescription(method.line)
            line = PlainLabel(method.line, "muted", column)
            line.setIndent(3 * GRID)
            self._group.addButton(button, number)
            rows.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            rows.addWidget(line)
            rows.addSpacing(GRID // 2)
        rows.addStretch(1)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(column)
        layout = _page(self)
        layout.addWidget(PlainLabel(self.tr("Method"), "heading", self))
        intro = self.tr("How a question is answered: how much is searched and read, and what counts as found.")
        layout.addWidget(PlainLabel(intro, "muted", self).fit_height())
        layout.addWidget(scroll, 1)

    def toolkit(self, before: str) -> str:
        """Return the toolkit of the chosen method, or `before` if none was chosen."""
        chosen = self._group.checkedId()
        return self._toolkits[chosen] if chosen >= 0 else before


class LimitsPage(ScrolledPage):
    """The limits of a run, and of the money that all runs may cost."""

    def __init__(self, limits: Limits, money: MoneyLimits, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        intro = self.tr(
            "When a run reaches one of these limits, you are asked whether it may go on. If you do not answer within a "
            "minute, the answer uses what was found until then; the built-in model never asks."
        )
        self._steps = self._spin(self.tr("Steps"), 1, 200, limits.steps)
        self._tool_calls = self._spin(self.tr("Searches and reads"), 1, 1000, limits.tool_calls)
        self._seconds = self._spin(self.tr("Time"), 0, 36_000, limits.seconds, self.tr(" seconds"), unlimited=True)
        tokens = self.tr(" tokens")
        self._context = self._spin(
            self.tr("Context per request"), 2048, 10_000_000, limits.context_tokens, tokens, step=1024
        )
        self._total = self._spin(
            self.tr("Tokens per run"), 0, 1_000_000_000, limits.total_tokens, tokens, step=10_000, unlimited=True
        )
        form = QFormLayout()
        form.setHorizontalSpacing(2 * GRID)
        form.setVerticalSpacing(GRID)
        for field in (self._steps, self._tool_calls, self._seconds, self._context, self._total):
            form.addRow(field.accessibleName(), field)
        about_money = self.tr(
            "Before a request may pass one of these, you are asked. They count where prices are set for the model."
        )
        self._run = self._amount(self.tr("Money per run"), money.run)
        self._day = self._amount(self.tr("Money per day"), money.day)
        self._month = self._amount(self.tr("Money per month"), money.month)
        of_money = PlainLabel(about_money, "muted", self.inside).fit_height()
        of_money.setContentsMargins(0, 2 * GRID, 0, GRID)
        form.addRow(of_money)  # in one form all fields stand below each other
        for amount in (self._run, self._day, self._month):
            form.addRow(amount.accessibleName(), amount)
        layout = self.column
        layout.addWidget(PlainLabel(intro, "muted", self.inside).fit_height())
        layout.addSpacing(GRID)
        layout.addLayout(form)
        layout.addStretch(1)

    def limits(self) -> Limits:
        """Return the limits in the fields."""
        return Limits(
            steps=self._steps.value(),
            tool_calls=self._tool_calls.value(),
            seconds=self._seconds.value(),
            context_tokens=self._context.value(),
            total_tokens=self._total.value(),
        )

    def money(self) -> MoneyLimits:
        """Return the limits on money in the fields."""
        return MoneyLimits(self._day.value(), self._month.value(), self._run.value())

    def _amount(self, name: str, value: float) -> QDoubleSpinBox:
        field = QDoubleSpinBox(self.inside)
        field.setRange(0.0, 1_000_000.0)
        field.setDecimals(2)
        field.setGroupSeparatorShown(True)
        field.setSpecialValueText(self.tr("No limit"))
        field.setAccessibleName(name)
        field.setValue(value)
        indent_number(field, 200)
        return field

    def _spin(
        self, name: str, least: int, most: int, value: int, suffix: str = "", *, step: int = 1, unlimited: bool = False
    ) -> QSpinBox:
        field = QSpinBox(self.inside)
        field.setRange(least, most)
        field.setSingleStep(step)
        field.setSuffix(suffix)
        field.setGroupSeparatorShown(True)
        indent_number(field, 200)
        field.setAccessibleName(name)
        if unlimited:
            field.setSpecialValueText(self.tr("No limit"))
        field.setValue(value)
        return field


class AnswersPage(ScrolledPage):
    """How a statement without a source is shown, whether the model looks again, and whether questions are suggested."""

    def __init__(
        self, unsourced: Unsourced, parent: QWidget | None = None, *, second_look: bool, follow_ups: bool
    ) -> None:
        super().__init__(parent)
        names = ((Unsourced.MARK, self.tr("Mark it")), (Unsourced.FORBID, self.tr("Replace it with a note")))
        explanation = self.tr(
            "Models also state what they remember from their training. A statement without a citation is always "
            "marked or replaced."
        )
        layout = self.column
        layout.addWidget(PlainLabel(self.tr("A statement without a source in your documents"), "heading", self.inside))
        layout.addWidget(PlainLabel(explanation, "muted", self.inside).fit_height())
        self._choices = Choices(names, unsourced, self.inside, layout)
        layout.addSpacing(2 * GRID)
        layout.addWidget(PlainLabel(self.tr("A second look by the model"), "heading", self.inside))
        self._second_look = QCheckBox(self.tr("Have the model compare statements with their lines"), self.inside)
        self._second_look.setChecked(second_look)
        layout.addWidget(self._second_look, 0, Qt.AlignmentFlag.AlignLeft)
        cost = self.tr(
            "Costs one more request, about 130 tokens a statement. What the model reads counts only with words that "
            "stand in these lines. Off: what nobody compared is shown as “not checked”."
        )
        layout.addWidget(PlainLabel(cost, "muted", self.inside).fit_height())
        layout.addSpacing(2 * GRID)
        layout.addWidget(PlainLabel(self.tr("The next question"), "heading", self.inside))
        self._follow_ups = QCheckBox(self.tr("Suggest questions below the last answer"), self.inside)
        self._follow_ups.setChecked(follow_ups)
        layout.addWidget(self._follow_ups, 0, Qt.AlignmentFlag.AlignLeft)
        about = self.tr("They are made from the lines that were read, without asking a model.")
        layout.addWidget(PlainLabel(about, "muted", self.inside).fit_height())
        layout.addStretch(1)

    def second_look(self) -> bool:
        """Return whether the model compares its statements with the lines they cite."""
        return self._second_look.isChecked()

    def follow_ups(self) -> bool:
        """Return whether questions are suggested."""
        return self._follow_ups.isChecked()

    def unsourced(self) -> Unsourced:
        """Return the chosen treatment."""
        return self._choices.chosen()


class EditorPage(ScrolledPage):
    """The command that opens a text file at a line in your editor; empty: the editor that was detected."""

    def __init__(self, editor: str, detected: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = QLineEdit(editor, self.inside)
        self._field.setPlaceholderText(detected or "code -g {path}:{line}")
        self._field.setAccessibleName(self.tr("Editor command"))
        usage = self.tr(
            "“Open in my editor at this line” runs this command, with {path} and {line} for the file and the line."
        )
        default = (
            self.tr("If the field is empty, {0} is used.").format(detected)
            if detected
            else self.tr("No editor was found on this computer.")
        )
        layout = self.column
        layout.addWidget(PlainLabel(self.tr("Your editor"), "heading", self.inside))
        layout.addWidget(self._field)
        layout.addWidget(PlainLabel(f"{usage} {default}", "muted", self.inside).fit_height())
        layout.addStretch(1)

    def editor(self) -> str:
        """Return the typed command."""
        return self._field.text().strip()


def _page(widget: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(0, 2 * GRID, 0, 0)
    layout.setSpacing(GRID)
    return layout
