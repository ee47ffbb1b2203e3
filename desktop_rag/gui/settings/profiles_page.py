"""The settings page of models: the built-in one and those that were connected."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, QSize, Signal
from PySide6.QtWidgets import (
    QListWidget,
    QPushButton,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_rag.gui.formatting import tool_tip
from desktop_rag.gui.settings.endpoint.connect_cards import ConnectCards
from desktop_rag.gui.settings.profile_editor import ProfileEditor
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.fields import ElidedComboBox, WidePageArea, on_small_screen
from desktop_rag.gui.widgets.layouts import in_column, in_row
from desktop_rag.gui.widgets.plain_labels import Label
from desktop_rag.llm.local_servers import LocalServer
from desktop_rag.llm.probe import ProbeResult
from desktop_rag.settings import Profile, Settings
from desktop_rag.text.display import one_line


@dataclass(frozen=True, slots=True)
class _Draft:
    """A profile while it is edited; `saved_name` is empty for a new one, `key` unless one was typed."""

    profile: Profile
    saved_name: str = ""
    key: str = ""


class _Narrow(QStyledItemDelegate):
    """Lets a name that is too long for the list end in dots, instead of making the list scroll."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height of a row, and no width."""
        return QSize(1, super().sizeHint(option, index).height())


class ProfilesPage(QWidget):
    """Edits copies of the profiles; `applied_to` takes them over."""

    probe_requested = Signal(Profile, str)  # test it with the typed key, empty for the stored one
    examination_requested = Signal(Profile, str)  # find out what it can do; as `probe_requested`
    learned_requested = Signal(Profile)  # show what was learned about its endpoint
    probe_stopped = Signal()  # stop the running test
    search_requested = Signal()  # look for servers on this computer
    file_requested = Signal()  # choose a model file

    def __init__(self, settings: Settings, parent: QWidget | None = None, *, at_once: bool = True) -> None:
        """Build the page; without `at_once` its two sides are missing: exhaust `build` before anything else."""
        super().__init__(parent)
        self._saved = tuple(profile.name for profile in settings.profiles)
        self._drafts = [_Draft(profile, profile.name) for profile in settings.profiles]
        self._shown = -1
        self._stored: frozenset[str] = frozenset()
        self._notice = ""
        self._active = ElidedComboBox(self)
        self._list = QListWidget(self)
        self._add = QPushButton(self.tr("Connect a model"), self)
        self._duplicate = QPushButton(self.tr("Duplicate"), self)
        self._remove = QPushButton(self.tr("Remove"), self)
        self._pages = QStackedWidget(self)
        self._error = Label(parent=self)
        self._chosen = settings.active_profile
        if at_once:
            for _ in self.build():
                pass

    def build(self) -> Iterator[None]:
        """Build the cards, the editor and the page, one before each item; the editor is laid out on its own."""
        cards, fields = WidePageArea(self._pages), WidePageArea(self._pages)
        self._cards = ConnectCards(cards.viewport())
        cards.setWidget(self._cards)
        yield
        self._editor = ProfileEditor(fields.viewport())
        yield
        fields.setWidget(self._editor)
        yield
        self._pages.addWidget(cards)
        self._pages.addWidget(fields)
        self._arrange()
        self._connect()
        self._refill(0 if self._drafts else -1)
        names, active = [draft.profile.name for draft in self._drafts], self._chosen
        self._active.setCurrentIndex(names.index(active) + 1 if active in names else 0)

    def applied_to(self, settings: Settings) -> Settings:
        """Return `settings` with the edited profiles and the chosen one."""
        chosen = self._active.currentIndex() - 1
        profiles = tuple(draft.profile for draft in self._drafts)
        return replace(settings, profiles=profiles, active_profile=profiles[chosen].name if chosen >= 0 else "")

    def typed_keys(self) -> tuple[tuple[str, str], ...]:
        """Return (profile name, key) for each typed key."""
        return tuple((draft.profile.name, draft.key) for draft in self._drafts if draft.key)

    def renamed(self) -> tuple[tuple[str, str], ...]:
        """Return (old name, new name) of the renamed profiles; their stored keys must be renamed, too."""
        pairs = ((draft.saved_name, draft.profile.name) for draft in self._drafts)
        return tuple((old, new) for old, new in pairs if old and old != new)

    def removed(self) -> tuple[str, ...]:
        """Return the names of removed profiles; their keys must not be used for a new one of the same name."""
        left = {draft.saved_name for draft in self._drafts}
        return tuple(name for name in self._saved if name not in left)

    def show_first_error(self) -> bool:
        """Show the first invalid profile and why; return whether there is one."""
        names: set[str] = set()
        for row, draft in enumerate(self._drafts):
            error = self._error_of(draft.profile, names)
            names.add(draft.profile.name)
            if error:
                self._list.setCurrentRow(row)
                self._error.setText(error)
                self._error.show()
                named = "://" in draft.profile.base_url or draft.profile.model_file
                (self._editor.focus_name if named else self._editor.focus_address)()
                return True
        self._error.hide()
        return False

    def show_keys(self, stored: frozenset[str], notice: str) -> None:
        """Show which profile names have a stored key, and `notice` if keys are lost when the program ends."""
        self._stored, self._notice = stored, notice
        self._show_key_state()

    def show_probe(self, result: ProbeResult) -> None:
        """Show the result of the last test."""
        (self._cards.show_listed if self._cards.is_waiting() else self._editor.show_probe)(result)

    def add_server(self, server: LocalServer) -> None:
        """Offer the models of a server that was found."""
        self._cards.add_server(server)

    def add_profile(self, profile: Profile, key: str = "") -> None:
        """Add a profile, open it, and answer with it; its name gets a number if it is taken."""
        self._drafts.append(_Draft(replace(profile, name=self._free_name(profile.name)), key=key))
        self._refill(len(self._drafts) - 1)
        self._active.setCurrentIndex(len(self._drafts))

    def end_search(self) -> None:
        """Say what the search found."""
        self._cards.end_search()

    def _error_of(self, profile: Profile, taken: set[str]) -> str:
        if not profile.model_file and not profile.base_url.startswith(("http://", "https://")):
            return self.tr("The address must begin with http:// or https://.")
        if not profile.name:
            return self.tr("Give this model a name.")
        if profile.name in taken:
            return self.tr("Two models are called “{0}”. Names must differ.").format(one_line(profile.name))
        return ""

    def _free_name(self, name: str) -> str:
        taken = {draft.profile.name for draft in self._drafts}
        candidates = (name, *(f"{name} {count}" for count in range(2, len(taken) + 3)))
        return next(candidate for candidate in candidates if candidate not in taken)

    def _refill(self, row: int) -> None:
        chosen = self._active.currentIndex()
        with QSignalBlocker(self._list), QSignalBlocker(self._active):
            self._list.clear()
            self._active.clear()
            self._active.addItem(self.tr("Built-in – quotes your documents, no language model"))
            for draft in self._drafts:
                self._list.addItem(self._label(draft.profile))
                self._list.item(self._list.count() - 1).setToolTip(tool_tip(self._label(draft.profile)))
                self._active.addItem(self._label(draft.profile))
            self._list.setCurrentRow(row)
        self._active.setCurrentIndex(chosen if 0 <= chosen <= len(self._drafts) else 0)
        self._on_row_changed(row)

    def _label(self, profile: Profile) -> str:
        return one_line(profile.name) or self.tr("No name yet")

    def _show_key_state(self) -> None:
        if 0 <= self._shown < len(self._drafts):
            stored = self._drafts[self._shown].saved_name in self._stored
            self._editor.show_key_state(stored=stored, notice=self._notice)

    def _arrange(self) -> None:
        answered = Label(self.tr("Questions are answered by"), self)
        answered.setBuddy(self._active)
        self._active.setAccessibleName(self.tr("Questions are answered by"))
        self._list.setAccessibleName(self.tr("Models"))
        self._list.setFixedWidth(136 if on_small_screen(self) else 176)
        self._list.setItemDelegate(_Narrow(self._list))
        set_role(self._list, "box")
        self._beside = QWidget(self)  # what was connected
        set_role(self._error, "trouble")
        self._error.hide()
        in_column((self._list, 1), *(self._add, self._duplicate, self._remove), on=self._beside)
        in_column(
            in_row(answered, (self._active, 1)),
            (in_row(self._beside, (self._pages, 1), spacing=2 * GRID), 1),
            self._error,
            on=self,
            spacing=2 * GRID,
            margins=(0, 2 * GRID, 0, 0),
        )

    def _connect(self) -> None:
        self._add.clicked.connect(lambda: self._list.setCurrentRow(-1))
        self._cards.search_requested.connect(self.search_requested)
        self._cards.file_requested.connect(self.file_requested)
        self._cards.list_requested.connect(self.probe_requested)
        self._cards.chosen.connect(self._on_model_chosen)
        self._list.currentRowChanged.connect(self._on_row_changed)
        self._duplicate.clicked.connect(self._on_duplicate_clicked)
        self._remove.clicked.connect(self._on_remove_clicked)
        self._editor.changed.connect(self._on_edited)
        self._editor.probe_requested.connect(self.probe_requested)
        self._editor.probe_stopped.connect(self.probe_stopped)
        self._editor.examination_requested.connect(self.examination_requested)
        self._editor.learned_requested.connect(self.learned_requested)

    def _on_row_changed(self, row: int) -> None:
        self._shown = row
        has_profile = 0 <= row < len(self._drafts)
        self._pages.setCurrentIndex(1 if has_profile else 0)
        self._beside.setVisible(bool(self._drafts))
        self._add.setEnabled(has_profile)
        self._duplicate.setEnabled(has_profile)
        self._remove.setEnabled(has_profile)
        self.probe_stopped.emit()
        if has_profile:
            with QSignalBlocker(self._editor):
                self._editor.show_profile(self._drafts[row].profile, self._drafts[row].key)
            self._show_key_state()

    def _on_edited(self) -> None:
        if not 0 <= self._shown < len(self._drafts):
            return
        draft = replace(self._drafts[self._shown], profile=self._editor.profile(), key=self._editor.typed_key())
        self._drafts[self._shown] = draft
        self._error.hide()
        self._list.item(self._shown).setText(self._label(draft.profile))
        self._list.item(self._shown).setToolTip(tool_tip(self._label(draft.profile)))
        self._active.setItemText(self._shown + 1, self._label(draft.profile))

    def _on_model_chosen(self, profile: Profile, key: str) -> None:
        """Add a model of the cards and test it."""
        self._cards.forget()
        self.add_profile(profile, key)
        self._editor.test()

    def _on_duplicate_clicked(self) -> None:
        original = self._drafts[self._shown].profile
        self._drafts.append(_Draft(replace(original, name=self._free_name(original.name))))
        self._refill(len(self._drafts) - 1)
        self._editor.focus_name()

    def _on_remove_clicked(self) -> None:
        row = self._shown
        chosen = self._active.currentIndex()
        del self._drafts[row]
        self._refill(min(row, len(self._drafts) - 1))
        if chosen == row + 1:
            self._active.setCurrentIndex(0)
        elif chosen > row + 1:
            self._active.setCurrentIndex(chosen - 1)
