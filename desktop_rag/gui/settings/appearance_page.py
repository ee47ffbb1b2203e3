"""The settings page of the look: theme, size of the text, density, language."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QSpinBox, QWidget

from desktop_rag.gui.catalogues import LANGUAGES
from desktop_rag.gui.settings.page_parts import Choices, ScrolledPage
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.fields import set_up_number
from desktop_rag.settings import FONT_PERCENT, Density, Settings, Theme


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
