"""Opens the dialog of the first start once, counts folders and looks for servers for it, and does what was chosen."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.gui.background.latest_worker import LatestOnlyWorker
from desktop_rag.gui.first_run.first_folders_page import FoldersToSearchPage, scrolling, suggested_folders
from desktop_rag.gui.first_run.model_page import ModelPage
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.plain_labels import PlainLabel
from desktop_rag.index.folders.folder_survey import FolderSurvey, survey
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.llm.local_servers import LocalServer, find_servers
from desktop_rag.llm.probe import ProbeResult, probe
from desktop_rag.settings import Profile, Settings
from desktop_rag.stop import Stop
from desktop_rag.text.display import shown_name

# The dialog of the first start: folders, model, ready.


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


Surveyed = tuple[bytes, FolderSurvey]


class FirstRunControl(QObject):
    """Shows the dialog of the first start to a user who has neither settings nor folders."""

    folders_chosen = Signal(object)  # absolute paths as bytes: add them
    sample_chosen = Signal()  # add the sample library
    tour_chosen = Signal()  # show the tour

    def __init__(
        self,
        settings: SettingsControl,
        status: ShownStatus,
        window: QWidget,
        suggested: Callable[[], tuple[bytes, ...]] = suggested_folders,
        search: Callable[[Stop], Generator[LocalServer]] = find_servers,
    ) -> None:
        super().__init__(window)
        self._settings = settings
        self._status = status
        self._window = window
        self._suggested = suggested
        self._search = search
        self._dialog: FirstRunDialog | None = None
        self._is_offering = False
        self._surveys = LatestOnlyWorker[Surveyed]("survey", self._on_surveyed, self)
        self._servers = LatestOnlyWorker[LocalServer]("servers", self._on_server_found, self)
        self._listing = LatestOnlyWorker[ProbeResult]("first models", self._on_listed, self)
        self._servers.finished.connect(self._on_search_ended)
        self._servers.failed.connect(self._on_search_failed)

    def offer(self) -> None:
        """Open the dialog as soon as the library proves to be empty, if there were no settings at the start."""
        if self._settings.is_new and not self._settings.settings.introduced:
            self._is_offering = True
            self._status.changed.connect(self._on_status)

    def close(self) -> None:
        """Stop counting and searching, and wait for it."""
        for worker in (self._surveys, self._servers, self._listing):
            worker.close()

    @Slot(LibraryStatus)
    def _on_status(self, status: LibraryStatus) -> None:
        if status is UNKNOWN or not self._is_offering:
            return
        self._is_offering = False
        self._status.changed.disconnect(self._on_status)
        if not (status.folders or status.missing or status.trouble):
            self.open()

    def open(self) -> FirstRunDialog:
        """Open the dialog."""
        dialog = self._dialog = FirstRunDialog(self._suggested(), self._window)
        dialog.folders.survey_asked.connect(self._survey)
        dialog.model.search_requested.connect(self._on_search_requested)
        dialog.model.list_requested.connect(self._on_list_requested)
        dialog.finished_with.connect(self._on_finished)
        dialog.finished.connect(self._on_closed)
        self._survey(dialog.folders.uncounted())
        dialog.open()
        return dialog

    @Slot(tuple)
    def _survey(self, paths: tuple[bytes, ...]) -> None:
        def count(stop: Stop) -> Generator[Surveyed]:
            for path in paths:
                for found in survey(path, stop):
                    yield path, found

        self._surveys.ask(count)

    @Slot(object)
    def _on_surveyed(self, found: Surveyed) -> None:
        if self._dialog is not None:
            self._dialog.folders.show_survey(*found)

    @Slot()
    def _on_search_requested(self) -> None:
        self._servers.ask(self._search)

    @Slot(object)
    def _on_server_found(self, server: LocalServer) -> None:
        if self._dialog is not None:
            self._dialog.model.add_server(server)

    @Slot()
    def _on_search_ended(self) -> None:
        if self._dialog is not None:
            self._dialog.model.end_search()

    @Slot(Exception)
    def _on_search_failed(self, error: Exception) -> None:
        if self._dialog is not None:
            self._dialog.model.end_search(str(error))

    @Slot(Profile, str)
    def _on_list_requested(self, profile: Profile, key: str) -> None:
        def ask(stop: Stop) -> Generator[ProbeResult]:
            yield probe(profile, key, stop)

        self._listing.ask(ask)

    @Slot(object)
    def _on_listed(self, result: ProbeResult) -> None:
        if self._dialog is not None:
            self._dialog.model.show_models(result)

    @Slot(object)
    def _on_finished(self, choices: FirstChoices) -> None:
        settings: Settings = replace(self._settings.settings, introduced=True)
        if choices.profile is not None:
            if choices.key:
                self._settings.store_key(choices.profile.name, choices.key)
            settings = replace(settings.with_profile(choices.profile), active_profile=choices.profile.name)
        self._settings.use(settings)
        if choices.folders:
            self.folders_chosen.emit(choices.folders)
        if choices.sample:
            self.sample_chosen.emit()
        if choices.tour:
            self.tour_chosen.emit()

    @Slot()
    def _on_closed(self) -> None:
        self._dialog = None
        for worker in (self._surveys, self._servers, self._listing):
            worker.stop()
        self._settings.use(replace(self._settings.settings, introduced=True))
