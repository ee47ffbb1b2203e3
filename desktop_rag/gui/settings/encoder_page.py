"""The settings page about search by meaning: which sentence encoder is used, and what a change costs."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QVBoxLayout, QWidget

from desktop_rag.gui.files.file_wording import size_text
from desktop_rag.gui.language_names import language_name
from desktop_rag.gui.settings.page_parts import ScrolledPage
from desktop_rag.gui.theme.theme import GRID, scaled
from desktop_rag.gui.widgets.command_row import CommandRow
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.encoding.encoder_description import can_convert

_NAMED = 6  # languages that are named; more are counted


@dataclass(frozen=True, slots=True)
class EncoderChoice:
    """An encoder that can be chosen; `value` is its folder in the settings, "" for the shipped one.

    `languages` are ISO 639-1 codes; `sentences_per_second` is 0 if unknown.
    """

    value: str
    name: str
    languages: tuple[str, ...]
    bytes: int
    sentences_per_second: float


class EncoderPage(ScrolledPage):
    """A choice of the encoders on this computer, and the commands that bring others."""

    def __init__(self, chosen: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chosen = chosen
        self._sentences = 0
        self._choices: tuple[EncoderChoice, ...] = ()
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._on_chosen)
        self.add_heading(self.tr("Encoder"))
        self.add_words(
            self.tr(
                "The encoder turns sentences into numbers, so that a question finds passages that say the same in "
                "other words. It runs on this computer."
            )
        )
        self._rows = QVBoxLayout()
        self._rows.setSpacing(GRID // 2)
        self.column.addLayout(self._rows)
        self._cost = self.add_words()
        self._cost.hide()
        self.add_heading(self.tr("Other encoders"))
        self.add_words(
            self.tr(
                "For documents in other languages, or questions in one language about documents in another, fetch the "
                "encoder of more than 90 languages (487 MB to fetch, 128 MB afterwards):"
            )
        )
        self._add_command("desktop-rag encoder get multilingual-e5-small")
        self.add_words(self.tr("For a finer sense of English (134 MB to fetch, 35 MB afterwards):"))
        self._add_command("desktop-rag encoder get gte-small")
        self.add_words(self.tr("From a folder or archive, as model hubs publish sentence encoders:"))
        self._add_command(self.tr("desktop-rag encoder add FOLDER"))
        if not can_convert():
            self.add_words(
                self.tr(
                    "This installation keeps them as they are published: four times as large, and about half as fast. "
                    "Wherever Desktop RAG is installed by the following command, “encoder add” converts them; then add "
                    "the folder with the result here."
                )
            )
            self._add_command("pip install 'desktop-rag[encoders]'")
        self.column.addStretch(1)

    def show_encoders(self, choices: Sequence[EncoderChoice], sentences: int) -> None:
        """Show the encoders; `sentences` are those of the library, which a change encodes again."""
        self._choices, self._sentences = tuple(choices), sentences
        for number, choice in enumerate(self._choices):
            button = QRadioButton(choice.name, self.inside)
            button.setChecked(choice.value == self._chosen)
            line = PlainLabel(self._about(choice), "muted", self.inside)
            line.setIndent(scaled(4 * GRID - 2))  # below the name
            button.setAccessibleDescription(line.text())
            self._group.addButton(button, number)
            self._rows.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            self._rows.addWidget(line)

    def encoder(self) -> str:
        """Return the chosen encoder as the settings keep it."""
        number = self._group.checkedId()
        return self._choices[number].value if number >= 0 else self._chosen

    def _about(self, choice: EncoderChoice) -> str:
        named = ", ".join(language_name(code) for code in choice.languages[:_NAMED])
        if len(choice.languages) > _NAMED:
            named = self.tr("{0} languages").format(len(choice.languages))
        parts = [named or self.tr("languages unknown"), size_text(choice.bytes)]
        if choice.sentences_per_second:
            parts.append(self.tr("about {0} sentences a second").format(round(choice.sentences_per_second)))
        return " · ".join(parts)

    def _on_chosen(self, number: int) -> None:
        choice = self._choices[number]
        if choice.value == self._chosen:
            self._cost.hide()
            return
        count = QLocale().toString(self._sentences)
        text = self.tr("All {0} sentences of this library are encoded again.").format(count)
        if choice.sentences_per_second:
            minutes = max(2, round(self._sentences / choice.sentences_per_second / 60))
            takes = self.tr("That takes about {0} minutes of one processor core.").format(minutes)
            text = f"{text} {takes}"
        later = self.tr("It begins when the program is next started; until it is done, search uses the encoder before.")
        self._cost.setText(f"{text} {later}")
        self._cost.show()

    def _add_command(self, command: str) -> None:
        self.column.addLayout(CommandRow(command, self.inside))
