"""The settings page about search by meaning: which sentence encoder is used, and what a change costs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QWidget,
)

from desktop_rag.gui.files.file_wording import size_text
from desktop_rag.gui.formatting import language_name
from desktop_rag.gui.formatting import number as shown_number
from desktop_rag.gui.settings.page_parts import ScrolledPage
from desktop_rag.gui.theme.theme import GRID, scaled, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.gui.widgets.fields import CommandRow
from desktop_rag.gui.widgets.layouts import in_column, in_row
from desktop_rag.gui.widgets.plain_labels import PlainLabel, button_text
from desktop_rag.index.encoding.encoder_child import EncoderProgress
from desktop_rag.index.encoding.encoder_description import can_convert
from desktop_rag.index.encoding.installed_encoders import KnownEncoder, known_encoder
from desktop_rag.settings import Settings

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
    """A choice of the encoders on this computer; others are fetched after a question, or added by a command."""

    fetch_requested = Signal(str)  # fetch and convert the known encoder of this name, after asking
    fetch_stopped = Signal()  # end it

    def __init__(self, chosen: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chosen = chosen
        self._sentences = 0
        self._choices: tuple[EncoderChoice, ...] = ()
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._on_chosen)
        self._offers: dict[str, QPushButton] = {}
        self._fetching = ""
        self.add_heading(self.tr("Languages"))
        self.add_words(
            self.tr(
                "A question also finds passages that say the same in other words, in these languages. "
                "All of it happens on this computer."
            )
        )
        self._rows = in_column(spacing=GRID // 2)
        self.column.addLayout(self._rows)
        self._cost = self.add_words()
        self._cost.hide()
        self.add_heading(self.tr("More languages"))
        several = self.tr("More than 90, also for questions in one language about documents in another.")
        self._add_offer("multilingual-e5-small", several)
        self._add_offer("gte-small", self.tr("For a finer sense of English."))
        self._said = self.add_words()
        self._said.hide()
        self._bar = QProgressBar(self.inside)
        self._bar.setTextVisible(False)
        self._bar.hide()
        self.column.addWidget(self._bar)
        self.add_heading(self.tr("From a folder or archive"))
        self.add_words(self.tr("Sentence encoders as model hubs publish them:"))
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
        chosen = self.encoder()
        known = {each.value for each in self._choices}
        shown = (*self._choices, *(each for each in choices if each.value not in known))
        self._sentences = sentences
        for number, choice in enumerate(shown):
            if choice.value in known:
                continue
            button = QRadioButton(button_text(self._languages(choice)), self.inside)
            button.setChecked(choice.value == chosen)
            line = PlainLabel(self._about(choice), "muted", self.inside)
            line.setIndent(scaled(4 * GRID - 2))  # below the name
            button.setAccessibleDescription(line.text())
            self._group.addButton(button, number)
            self._rows.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            self._rows.addWidget(line)
        self._choices = shown
        for name, offer in self._offers.items():
            if any(each.name == name for each in shown):
                offer.setText(self.tr("On this computer"))
                offer.setEnabled(False)

    def encoder(self) -> str:
        """Return the chosen encoder as the settings keep it."""
        number = self._group.checkedId()
        return self._choices[number].value if number >= 0 else self._chosen

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the chosen encoder."""
        return replace(settings, encoder=self.encoder())

    def _languages(self, choice: EncoderChoice) -> str:
        named = ", ".join(map(language_name, choice.languages)) or self.tr("Other languages")
        if len(choice.languages) > _NAMED:
            named = self.tr("{0} languages").format(len(choice.languages))
        return f"{named} ({choice.name})" if choice.value else named

    def _about(self, choice: EncoderChoice) -> str:
        parts = [*(() if choice.value else (choice.name,)), size_text(choice.bytes)]
        if choice.sentences_per_second:
            parts.append(self.tr("about {0} sentences a second").format(round(choice.sentences_per_second)))
        return " · ".join(parts)

    def _on_chosen(self, number: int) -> None:
        choice = self._choices[number]
        if choice.value == self._chosen:
            self._cost.hide()
            return
        count = QLocale().toString(self._sentences)
        text = self.tr("All {0} sentences of this library are prepared again.").format(count)
        if choice.sentences_per_second:
            minutes = max(2, round(self._sentences / choice.sentences_per_second / 60))
            takes = self.tr("That takes about {0} minutes of one processor core.").format(minutes)
            text = f"{text} {takes}"
        later = self.tr("It begins when the program is next started; until then you search as before.")
        self._cost.setText(f"{text} {later}")
        self._cost.show()

    def show_progress(self, name: str, progress: EncoderProgress) -> None:
        """Show how far the fetch of an encoder is."""
        if self._fetching != name:
            self._fetching = name
            for offered, offer in self._offers.items():
                offer.setText(self._offered(offered) if offered != name else self.tr("Cancel"))
                offer.setEnabled(offered == name)
        self._say(_progress_text(name, progress))
        self._bar.setRange(0, progress.total)
        self._bar.setValue(progress.done)
        self._bar.show()

    def end_fetch(self, trouble: str = "") -> None:
        """Say how the fetch has ended."""
        name, self._fetching = self._fetching, ""
        self._bar.hide()
        added = any(each.name == name for each in self._choices)
        done = self.tr("{0} was added. Choose it above, and save.") if added else self.tr("{0} was not added.")
        self._say(trouble or done.format(name), trouble=bool(trouble))
        for offered, offer in self._offers.items():
            known = any(each.name == offered for each in self._choices)
            offer.setText(self.tr("On this computer") if known else self._offered(offered))
            offer.setEnabled(not known)

    def _say(self, text: str, *, trouble: bool = False) -> None:
        set_role(self._said, "trouble" if trouble else "muted")
        self._said.setText(text)
        self._said.show()

    def _add_offer(self, name: str, use: str) -> None:
        known = known_encoder(name)
        cost = self.tr(
            "{0} MB to fetch, {1} MB afterwards; {2} MB of memory while in use, and encoding takes {3} times as long."
        )
        slower = QLocale().toString(1 / known.speed, "f", 1)
        megabytes = (shown_number(each) for each in (round(known.download_bytes / 1e6), known.megabytes, known.memory))
        self.add_words(f"{use} {cost.format(*megabytes, slower)}")
        button = self._offers[name] = QPushButton(self._offered(name), self.inside)
        button.setAutoDefault(False)
        button.setAccessibleDescription(name)
        button.clicked.connect(partial(self._on_offer_clicked, name))
        self.column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def _offered(self, name: str) -> str:
        return self.tr("Fetch {0}…").format(name)

    def _on_offer_clicked(self, name: str) -> None:
        if self._fetching:
            self.fetch_stopped.emit()
        else:
            self.fetch_requested.emit(name)

    def _add_command(self, command: str) -> None:
        self.column.addLayout(CommandRow(command, self.inside))


def _progress_text(name: str, progress: EncoderProgress) -> str:
    if not progress.total:
        return QCoreApplication.translate("EncoderPage", "{0}: converted and tested…").format(name)
    counts = shown_number(progress.done), shown_number(progress.total)
    return QCoreApplication.translate("EncoderPage", "{0}: {1} of {2} MB fetched").format(name, *counts)


class FetchActivity(QWidget):
    """The fetch of an encoder in the status bar, while its settings page is closed: how far it is, and Cancel."""

    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said = PlainLabel("", "caption", self)
        cancel = QPushButton(self.tr("Cancel"), self)
        set_role(cancel, "footer")
        cancel.clicked.connect(self.stopped)
        in_row(self._said, cancel, on=self)
        self._cancel = cancel
        self.hide()

    def show_progress(self, name: str, progress: EncoderProgress) -> None:
        """Show how far it is."""
        self._said.setText(_progress_text(name, progress))
        self._cancel.setAccessibleName(self.tr("Cancel the fetch of {0}").format(name))
        self.show()

    def outcome(self, name: str, trouble: str, *, added: bool) -> str:
        """Hide, and return how the fetch has ended."""
        self.hide()
        done = self.tr("{0} was added. Choose it in the settings, under “Search by meaning”.")
        return trouble or (done if added else self.tr("{0} was not added.")).format(name)


class FetchDialog(ActionDialog):
    """Names the host from which an encoder is fetched; Escape and Cancel fetch nothing."""

    def __init__(self, known: KnownEncoder, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.setWindowTitle(self.tr("Fetch {0}?").format(known.name))
        self.act.setText(self.tr("Fetch"))
        set_role(self.act, "primary")
        host = urlsplit(known.files[0].address).hostname
        size = shown_number(round(known.download_bytes / 1e6))
        what = self.tr(
            "{0} MB are fetched from {1}, which learns the address of this computer on the network, and nothing else. "
            "Licence: {2}."
        )
        later = self.tr("It is then converted, which takes a few minutes of one processor core.")
        self.arrange(self.words(what.format(size, host, known.described.license)), self.words(later, "muted"))
