"""The first page: which folders to search, with what they hold and what would be left out."""

import os
from dataclasses import dataclass

from PySide6.QtCore import QDir, QLocale, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_rag.gui.formatting import counted, number
from desktop_rag.gui.library.library_footer import TimeLeft
from desktop_rag.gui.theme.density import set_margins
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.gui.widgets.plain_labels import NoteLabel, PlainLabel, button_text
from desktop_rag.index.folders.folder_survey import FolderSurvey
from desktop_rag.index.folders.rules import FolderRule
from desktop_rag.text.display import one_line, shorten, shown_name, shown_path

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
        self._list = QVBoxLayout()
        self._list.setSpacing(GRID // 2)
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
        under = QVBoxLayout()
        set_margins(under, 4 * GRID, 0, 0, GRID // 2)
        under.setSpacing(0)
        under.addWidget(where)
        under.addWidget(facts)
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
        column = QVBoxLayout(inside)
        set_margins(column, 0, 0, GRID, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(self._list)
        column.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._sample, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(scrolling(inside, self), 1)
        layout.addWidget(self._total)
        layout.addWidget(self._left_out)

    def _on_more_clicked(self) -> None:
        dialog = FileDialog(self, self.tr("Add a folder to your library"), folders=True)
        dialog.setDirectory(QDir.homePath())
        dialog.fileSelected.connect(lambda path: self.add_folder(os.fsencode(path)))
        dialog.open()
