"""The settings page about privacy: what leaves this computer, what is remembered, and where it is kept."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from desktop_rag.gui.files.file_wording import size_text
from desktop_rag.gui.privacy.rules_editor import PrivacyRules
from desktop_rag.gui.settings.diagnostics import endpoint_hosts, host_of
from desktop_rag.gui.settings.page_parts import ScrolledPage
from desktop_rag.gui.theme.theme import GRID
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.settings import Settings
from desktop_rag.text.display import shown_path


@dataclass(frozen=True, slots=True)
class History:
    """Something the program remembers: `clear` empties it and returns how to bring it back."""

    name: str
    count: Callable[[], int]
    clear: Callable[[], Callable[[], None]]


class PrivacyPage(ScrolledPage):
    """Names every computer that questions are sent to, and clears what is remembered."""

    sent_requested = Signal()  # show what was sent
    folder_requested = Signal()  # open the data folder in the file manager

    def __init__(
        self, settings: Settings, home: Path, histories: tuple[History, ...] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.add_heading(self.tr("What leaves this computer"))
        for line in self._sent(settings):
            self.add_words(line)
        if settings.update_address:
            asked = self.tr("{0}: asked for a newer version when you choose “Check for updates”. It learns no more.")
            self.add_words(asked.format(host_of(settings.update_address)))
        self.add_words(self.tr("Documents are read, indexed and searched on this computer only."))
        sent = QPushButton(self.tr("What was sent…"), self.inside)
        sent.clicked.connect(self.sent_requested)
        self.column.addWidget(sent, 0, Qt.AlignmentFlag.AlignLeft)
        self.add_heading(self.tr("What may be sent"))
        self._rules = PrivacyRules(settings.privacy, self.inside)
        self.column.addWidget(self._rules)
        self.add_heading(self.tr("What is remembered"))
        for history in histories:
            self.column.addLayout(self._clearing(history))
        kept = self.tr("Questions and answers are kept as conversations. Delete or archive them in their list.")
        self.add_words(kept)
        self.add_heading(self.tr("Data folder"))
        path = self.add_words(shown_path(bytes(home)))
        path.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        path.setAccessibleName(self.tr("Data folder"))
        self._size = self.add_words(self.tr("Its size is being measured …"))
        show = QPushButton(self.tr("Open the folder"), self.inside)
        show.clicked.connect(self.folder_requested)
        self.column.addWidget(show, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch(1)

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the rules of what may be sent."""
        return replace(settings, privacy=self._rules.options())

    def show_size(self, size: int) -> None:
        """Show the bytes of the data folder."""
        self._size.setText(
            self.tr("{0}: settings, indexes, conversations and logs. Your documents are elsewhere.").format(
                size_text(size)
            )
        )

    def _sent(self, settings: Settings) -> list[str]:
        hosts = endpoint_hosts(settings)
        if not any(used for _, used, _ in hosts):
            first = [self.tr("Nothing: the built-in model answers on this computer.")]
        else:
            first = []
        here = self.tr("{0}: this computer. Nothing leaves it.")
        used = self.tr("{0}: in use. It receives your questions and the passages that are read to answer them.")
        idle = self.tr("{0}: set up, not in use. It receives nothing until you choose it.")
        return first + [(here if local else used if active else idle).format(host) for host, active, local in hosts]

    def _clearing(self, history: History) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GRID)
        label = PlainLabel(history.name, "", self.inside)
        button = QPushButton(self.tr("Clear"), self.inside)
        button.setAccessibleDescription(history.name)
        button.setEnabled(history.count() > 0)
        undone: list[Callable[[], None]] = []

        def act() -> None:
            if undone:
                undone.pop()()
            else:
                undone.append(history.clear())
            button.setText(self.tr("Undo") if undone else self.tr("Clear"))

        button.clicked.connect(act)
        row.addWidget(label, 1)
        row.addWidget(button)
        return row
