"""The dialog of the first start: folders, model, ready."""

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.gui.first_run.first_folders_page import FoldersToSearchPage, scrolling
from desktop_rag.gui.first_run.model_page import ModelPage
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.settings import Profile
from desktop_rag.text.display import shown_name


@dataclass(frozen=True, slots=True)
class FirstChoices:
    """What was chosen; `profile` is None for the built-in model."""

    folders: tuple[bytes, ...]
    sample: bool
    profile: Profile | None = None
    key: str = ""
    tour: bool = True


class FirstRunDialog(BoundedDialog):
    """Three pages with Back and Continue; closing it is “set up later”."""

    finished_with = Signal(object)  # the FirstChoices; not emitted when it is closed before

    def __init__(self, suggested: tuple[bytes, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Welcome to Desktop RAG"))
        self.resize(600, 540)
        self.folders = FoldersToSearchPage(suggested, self)
        self.model = ModelPage(self)
        self._tour = QCheckBox(self.tr("Show me around the window, with a few sample documents (two minutes)"), self)
        self._tour.setChecked(self.folders.wants_sample())  # the tour adds the sample
        self._title = PlainLabel("", "title", self)
        self._text = PlainLabel("", "muted", self)
        self._step = PlainLabel("", "caption", self)
        self._summary = PlainLabel("", "", self)
        self._pages = QStackedWidget(self)
        self._later = QPushButton(self.tr("Set up later"), self)
        self._back = QPushButton(self.tr("Back"), self)
        self._go_on = QPushButton(self.tr("Continue"), self)
        set_role(self._later, "link")
        set_role(self._go_on, "primary")
        self._later.setAutoDefault(False)
        self._back.setAutoDefault(False)
        self._go_on.setDefault(True)
        self._arrange()
        self._later.clicked.connect(self.reject)
        self._back.clicked.connect(self._on_back_clicked)
        self._go_on.clicked.connect(self._on_continue_clicked)
        for page in (self.folders, self.model):
            page.changed.connect(self._refresh)
        self.folders.folder_added.connect(self._go_on.setFocus)  # Enter goes on; it would ask for another folder
        self._tour.toggled.connect(self._refresh)
        self.folders.sample_wanted.connect(self._tour.setChecked)
        self._show_page(0)

    def choices(self) -> FirstChoices:
        """Return what is chosen now."""
        folders = self.folders
        return FirstChoices(
            folders.folders(),
            folders.wants_sample() or self._tour.isChecked(),
            self.model.profile(),
            self.model.key(),
            self._tour.isChecked(),
        )

    def show_page(self, page: int) -> None:
        """Show a page, from 0."""
        self._show_page(page)

    def _show_page(self, page: int) -> None:
        self._pages.setCurrentIndex(page)
        titles = (
            (
                self.tr("Which folders do you want to search?"),
                self.tr("Your files stay where they are and are never changed. You can add and remove folders later."),
            ),
            (
                self.tr("Who answers your questions?"),
                self.tr("Searching needs no model. You can change this at any time in the settings."),
            ),
            (self.tr("Ready"), self.tr("Reading begins now, in the background.")),
        )
        title, text = titles[page]
        self._title.setText(title)
        self._text.setText(text)
        self._step.setText(self.tr("Step {0} of {1}").format(page + 1, self._pages.count()))
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self._back.setVisible(page > 0)
        self._go_on.setText(self.tr("Start") if page == self._pages.count() - 1 else self.tr("Continue"))
        self._refresh()
        self._go_on.setFocus()

    def _summary_of(self, choices: FirstChoices) -> str:
        profile = choices.profile
        answers = self.tr("The built-in model answers, with quotes from your documents.")
        if profile is not None:
            answers = self.tr("{0} answers, at {1}.").format(profile.model, profile.base_url)
        nothing = self.tr("No folder is chosen yet: drop one anywhere on the window when you like.")
        names = [shown_name(folder) for folder in choices.folders]
        names += [self.tr("a few sample documents")] if choices.sample else []
        chosen = self.tr("To be searched: {0}.").format(", ".join(names))
        return "\n\n".join((chosen if names else nothing, answers))

    def _refresh(self) -> None:
        self._summary.setText(self._summary_of(self.choices()))
        self._go_on.setEnabled(self._pages.currentIndex() != 1 or self.model.is_complete())

    def _arrange(self) -> None:
        ready = QWidget(self)
        column = QVBoxLayout(ready)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * GRID)
        column.addWidget(self._summary)
        column.addWidget(self._tour)
        column.addStretch(1)
        self._pages.addWidget(self.folders)
        for page in (self.model, ready):
            self._pages.addWidget(scrolling(page, self))
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self._later)
        buttons.addWidget(self._step, 1)
        buttons.addWidget(self._back)
        buttons.addWidget(self._go_on)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(self._title)
        layout.addWidget(self._text)
        layout.addSpacing(GRID)
        layout.addWidget(self._pages, 1)
        layout.addLayout(buttons)

    def _on_back_clicked(self) -> None:
        self._show_page(self._pages.currentIndex() - 1)

    def _on_continue_clicked(self) -> None:
        page = self._pages.currentIndex() + 1
        if page < self._pages.count():
            self._show_page(page)
        else:
            self.finished_with.emit(self.choices())
            self.accept()
