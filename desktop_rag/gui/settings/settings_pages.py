"""The simple pages of the settings: method, limits, answers, editor, look."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
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
from desktop_rag.gui.catalogues import LANGUAGES
from desktop_rag.gui.os_services import detected_editor
from desktop_rag.gui.settings.page_parts import Choices, ScrolledPage
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.fields import set_up_number
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.settings import FONT_PERCENT, Density, Limits, MoneyLimits, Settings, Theme, Unsourced


class AppearancePage(ScrolledPage):
    """The choice of theme, size of the text, density and language."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        themes = (
            (Theme.SYSTEM, self.tr("Same as the system")),
            (Theme.LIGHT, self.tr("Light")),
            (Theme.DARK, self.tr("Dark")),
        )
        self.add_heading(self.tr("Theme"))
        self._theme = Choices(themes, settings.theme, self.inside, self.column)
        self.add_heading(self.tr("Size of the text"))
        name = self.tr("Size of the text")
        self._percent = set_up_number(QSpinBox(self.inside), name, *FONT_PERCENT, 10, 14 * GRID, suffix=self.tr(" %"))
        self._percent.setValue(settings.font_percent)
        self.column.addWidget(self._percent, 0, Qt.AlignmentFlag.AlignLeft)
        self.add_words(
            self.tr("The font size of the whole window, answers and documents included. 100 % is that of the system.")
        )
        densities = (
            (Density.COMFORTABLE, self.tr("Comfortable")),
            (Density.COMPACT, self.tr("Compact: more rows on the screen")),
        )
        self.add_heading(self.tr("Density"))
        self._density = Choices(densities, settings.density, self.inside, self.column)
        self._language = QComboBox(self.inside)
        self._language.addItem(self.tr("Same as the system"), "")
        for code, name in LANGUAGES.items():
            self._language.addItem(name, code)
        self._language.setCurrentIndex(max(0, self._language.findData(settings.language)))
        self._language.setAccessibleName(self.tr("Language"))
        self.add_heading(self.tr("Language"))
        self.column.addWidget(self._language, 0, Qt.AlignmentFlag.AlignLeft)
        self.add_words(self.tr("Another language is used from the next start on."))
        self.column.addStretch(1)

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the values of this page."""
        return replace(
            settings,
            theme=self._theme.chosen(),
            font_percent=self._percent.value(),
            density=self._density.chosen(),
            language=str(self._language.currentData()),
        )


class MethodPage(QWidget):
    """The choice of method, each with one line about it; the button below the question changes it, too."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        active = settings.toolkit
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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2 * GRID, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(PlainLabel(self.tr("Method"), "heading", self))
        intro = self.tr("How a question is answered: how much is searched and read, and what counts as found.")
        layout.addWidget(PlainLabel(intro, "muted", self).fit_height())
        layout.addWidget(scroll, 1)

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the chosen method, if one was chosen."""
        chosen = self._group.checkedId()
        return replace(settings, toolkit=self._toolkits[chosen]) if chosen >= 0 else settings


class LimitsPage(ScrolledPage):
    """The limits of a run, and of the money that all runs may cost."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        intro = self.tr(
            "When a run reaches one of these limits, you are asked whether it may go on. If you do not answer within a "
            "minute, the answer uses what was found until then; the built-in model never asks."
        )
        seconds, tokens, unlimited = self.tr(" seconds"), self.tr(" tokens"), self.tr("No limit")
        self._limits = {
            "steps": self._whole(self.tr("Steps"), 1, 200),
            "tool_calls": self._whole(self.tr("Searches and reads"), 1, 1000),
            "seconds": self._whole(self.tr("Time"), 0, 36_000, suffix=seconds, unset=unlimited),
            "context_tokens": self._whole(self.tr("Context per request"), 2048, 10_000_000, 1024, suffix=tokens),
            "total_tokens": self._whole(
                self.tr("Tokens per run"), 0, 1_000_000_000, 10_000, suffix=tokens, unset=unlimited
            ),
        }
        self._money = {
            "run": self._amount(self.tr("Money per run"), unlimited),
            "day": self._amount(self.tr("Money per day"), unlimited),
            "month": self._amount(self.tr("Money per month"), unlimited),
        }
        form = QFormLayout()
        form.setHorizontalSpacing(2 * GRID)
        form.setVerticalSpacing(GRID)
        for name, field in self._limits.items():
            field.setValue(getattr(settings.limits, name))
            form.addRow(field.accessibleName(), field)
        about_money = self.tr(
            "Before a request may pass one of these, you are asked. They count where prices are set for the model."
        )
        of_money = PlainLabel(about_money, "muted", self.inside).fit_height()
        of_money.setContentsMargins(0, 2 * GRID, 0, GRID)
        form.addRow(of_money)  # in one form all fields stand below each other
        for name, amount in self._money.items():
            amount.setValue(getattr(settings.money, name))
            form.addRow(amount.accessibleName(), amount)
        self.add_words(intro)
        self.column.addSpacing(GRID)
        self.column.addLayout(form)
        self.column.addStretch(1)

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the limits in the fields."""
        limits = Limits(**{name: field.value() for name, field in self._limits.items()})
        money = MoneyLimits(**{name: field.value() for name, field in self._money.items()})
        return replace(settings, limits=limits, money=money)

    def _whole(self, name: str, least: int, most: int, step: int = 1, *, suffix: str = "", unset: str = "") -> QSpinBox:
        return set_up_number(QSpinBox(self.inside), name, least, most, step, 200, suffix=suffix, unset=unset)

    def _amount(self, name: str, unlimited: str) -> QDoubleSpinBox:
        return set_up_number(QDoubleSpinBox(self.inside), name, 0.0, 1_000_000.0, 1.0, 200, unset=unlimited)


class AnswersPage(ScrolledPage):
    """How a statement without a source is shown, whether the model looks again, and whether questions are suggested."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        names = ((Unsourced.MARK, self.tr("Mark it")), (Unsourced.FORBID, self.tr("Replace it with a note")))
        explanation = self.tr(
            "Models also state what they remember from their training. A statement without a citation is always "
            "marked or replaced."
        )
        self.add_heading(self.tr("A statement without a source in your documents"))
        self.add_words(explanation)
        self._choices = Choices(names, settings.unsourced, self.inside, self.column)
        self.add_heading(self.tr("A second look by the model"))
        cost = self.tr(
            "Costs one more request, about 130 tokens a statement. What the model reads counts only with words that "
            "stand in these lines. Off: what nobody compared is shown as “not checked”."
        )
        compare = self.tr("Have the model compare statements with their lines")
        self._second_look = self.add_box(compare, cost, checked=settings.second_look)
        self.add_heading(self.tr("The next question"))
        about = self.tr("They are made from the lines that were read, without asking a model.")
        suggest = self.tr("Suggest questions below the last answer")
        self._follow_ups = self.add_box(suggest, about, checked=settings.follow_ups)
        self.column.addStretch(1)

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the values of this page."""
        return replace(
            settings,
            unsourced=self._choices.chosen(),
            second_look=self._second_look.isChecked(),
            follow_ups=self._follow_ups.isChecked(),
        )


class EditorPage(ScrolledPage):
    """The command that opens a text file at a line in your editor; empty: the editor that was detected."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        detected = detected_editor()
        self._field = QLineEdit(settings.editor, self.inside)
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
        self.add_heading(self.tr("Your editor"))
        self.column.addWidget(self._field)
        self.add_words(f"{usage} {default}")
        self.column.addStretch(1)

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the typed command."""
        return replace(settings, editor=self._field.text().strip())
