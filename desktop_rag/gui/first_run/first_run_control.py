"""Opens the dialog of the first start once, counts folders and looks for servers for it, and does what was chosen."""

import os
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

from PySide6.QtCore import QDir, QLocale, QObject, QStandardPaths, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QPushButton, QScrollArea, QStackedWidget, QWidget

from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.first_run.model_page import ModelPage
from desktop_rag.gui.formatting import counted, number
from desktop_rag.gui.library.library_footer import TimeLeft
from desktop_rag.gui.library_status import UNKNOWN, ShownStatus
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import BoundedDialog
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.layouts import LEFT, STRETCH, in_column, in_row
from desktop_rag.gui.widgets.plain_labels import NoteLabel, PlainLabel, button_text
from desktop_rag.index.folders.folder_survey import FolderSurvey, survey
from desktop_rag.index.folders.rules import FolderRule
from desktop_rag.index.indexer_api import LibraryStatus
from desktop_rag.llm.local_servers import LocalServer, find_servers
from desktop_rag.llm.probe import ProbeResult, probe
from desktop_rag.settings import Profile, Settings
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shorten, shown_name, shown_path

# The first page: which folders to search, with what they hold and what would be left out.

_LONGEST = 56  # characters of the name of a folder
_PLACES = (
    QStandardPaths.StandardLocation.DocumentsLocation,
    QStandardPaths.StandardLocation.DesktopLocation,
    QStandardPaths.StandardLocation.DownloadLocation,
)


def suggested_folders() -> tuple[bytes, ...]:
    """Return the usual places of documents that exist; on a system without them they name the home folder itself."""
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111
    found = (QStandardPaths.writableLocation(place) for place in _PLACES)
    return tuple(
        dict.fromkeys(
            os.fsencode(path)
            for path in found
            if path and os.path.isdir(path) and os.path.realpath(path) != home  # noqa: PTH112
        )
    )


def scrolling(page: QWidget, parent: QWidget) -> QScrollArea:
    """Return an area in which `page` scrolls on a small screen; each control in it is reached by keyboard."""
    scroll = QScrollArea(parent)
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QScrollArea.Shape.NoFrame)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setWidget(page)
    return scroll


@dataclass(slots=True)
class _Row:
    """A folder that can be chosen."""

    box: QCheckBox
    facts: PlainLabel
    survey: FolderSurvey | None = None


class FoldersToSearchPage(QWidget):
    """Offers folders; `survey_asked` names those whose files are to be counted."""

    survey_asked = Signal(tuple)  # absolute paths as bytes
    folder_added = Signal()
    changed = Signal()
    sample_wanted = Signal(bool)  # whether the sample library is chosen

    def __init__(self, suggested: tuple[bytes, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[bytes, _Row] = {}
        self._list = in_column(spacing=GRID // 2)
        self._sample = QCheckBox(self.tr("The sample: a few documents to try things with"), self)
        self._more = QPushButton(self.tr("Another folder…"), self)
        set_role(self._more, "link")
        self._total = NoteLabel("", self)
        self._left_out = NoteLabel("caption", self)
        self._arrange()
        for at, path in enumerate(suggested):
            self._add_row(path, chosen=at == 0)
        self._sample.setChecked(not suggested)
        self._sample.toggled.connect(self._refresh)
        self._sample.toggled.connect(self.sample_wanted)
        self._more.clicked.connect(self._on_more_clicked)
        self._refresh()

    def folders(self) -> tuple[bytes, ...]:
        """Return the chosen folders."""
        return tuple(path for path, row in self._rows.items() if row.box.isChecked())

    def wants_sample(self) -> bool:
        """Return whether the sample library is chosen."""
        return self._sample.isChecked()

    def uncounted(self) -> tuple[bytes, ...]:
        """Return the folders whose files have not been counted to the end."""
        return tuple(path for path, row in self._rows.items() if row.survey is None or not row.survey.complete)

    def add_folder(self, path: bytes) -> None:
        """Offer another folder, chosen; the sample library, which stood in for it, is not any more."""
        self._sample.setChecked(False)
        if path in self._rows:
            self._rows[path].box.setChecked(True)
            return
        self._add_row(path, chosen=True)
        self._refresh()
        self.folder_added.emit()
        self.survey_asked.emit(self.uncounted())

    def show_survey(self, path: bytes, survey: FolderSurvey) -> None:
        """Show what was counted in a folder."""
        row = self._rows.get(path)
        if row is not None:
            row.survey = survey
            row.facts.setText(self._facts_of(survey))
            self._refresh()

    def _add_row(self, path: bytes, *, chosen: bool) -> None:
        box = QCheckBox(button_text(shorten(shown_name(path), _LONGEST)), self)
        box.setChecked(chosen)
        box.setAccessibleDescription(shown_path(path))
        box.toggled.connect(self._refresh)
        facts = PlainLabel(self.tr("Counting…"), "caption", self)
        where = PlainLabel(one_line(shown_path(path)), "caption", self)
        under = in_column(where, facts, spacing=0, margins=(4 * GRID, 0, 0, GRID // 2))
        self._list.addWidget(box, 0, Qt.AlignmentFlag.AlignLeft)
        self._list.addLayout(under)
        self._rows[path] = _Row(box, facts)

    def _facts_of(self, survey: FolderSurvey) -> str:
        files = counted(self.tr("%Ln file(s)", "", survey.files), survey.files)
        size = QLocale().formattedDataSize(survey.bytes, 1, QLocale.DataSizeFormat.DataSizeTraditionalFormat)
        if survey.capped:
            return self.tr("More than {0}, {1}").format(files, size)
        text = self.tr("{0}, {1}") if survey.complete else self.tr("Counting… {0}, {1}")
        return text.format(files, size)

    def _refresh(self) -> None:
        """Show the totals of the chosen folders."""
        chosen = [row.survey for row in self._rows.values() if row.box.isChecked()]
        known = [survey for survey in chosen if survey is not None]
        self._total.setText(self._total_of(known) if known else "")
        left = {rule: sum(survey.left_out.get(rule, 0) for survey in known) for rule in FolderRule}
        self._left_out.setText(self._left_out_of(left))
        self.changed.emit()

    def _total_of(self, known: list[FolderSurvey]) -> str:
        words = TimeLeft().words(sum(survey.words_seconds for survey in known))
        meaning = TimeLeft().words(sum(survey.meaning_seconds for survey in known))
        if words == meaning:
            return self.tr("Everything can be found after {0}; you can ask from the start.").format(words)
        return self.tr(
            "Every word can be found after {0}, meaning after {1} or more; you can ask from the start."
        ).format(words, meaning)

    def _left_out_of(self, left: dict[FolderRule, int]) -> str:
        named = (
            (self.tr("files and folders of programs: {0}"), left[FolderRule.SYSTEM] + left[FolderRule.MARKER]),
            (self.tr("hidden: {0}"), left[FolderRule.HIDDEN]),
            (self.tr("passwords and keys: {0}"), left[FolderRule.SECRET]),
            (self.tr("listed in .gitignore: {0}"), left[FolderRule.GITIGNORE]),
            (self.tr("too large: {0}"), left[FolderRule.TOO_BIG]),
            (self.tr("of a type that is not read: {0}"), left[FolderRule.UNREADABLE_TYPE]),
        )
        parts = [text.format(number(count)) for text, count in named if count]
        return self.tr("Left out: {0}").format(", ".join(parts)) if parts else ""

    def _arrange(self) -> None:
        inside = QWidget(self)
        in_column(
            self._list,
            (self._more, LEFT),
            (self._sample, LEFT),
            STRETCH,
            on=inside,
            spacing=GRID // 2,
            margins=(0, 0, GRID, 0),
        )
        in_column((scrolling(inside, self), 1), self._total, self._left_out, on=self)

    def _on_more_clicked(self) -> None:
        dialog = FileDialog(self, self.tr("Add a folder to your library"), folders=True)
        dialog.setDirectory(QDir.homePath())
        dialog.fileSelected.connect(lambda path: self.add_folder(os.fsencode(path)))
        dialog.open()


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
        in_column(self._summary, self._tour, STRETCH, on=ready, spacing=2 * GRID)
        self._pages.addWidget(self.folders)
        for page in (self.model, ready):
            self._pages.addWidget(scrolling(page, self))
        in_column(
            self._title,
            self._text,
            GRID,
            (self._pages, 1),
            in_row(self._later, (self._step, 1), self._back, self._go_on),
            on=self,
            margins=(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID),
        )

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
