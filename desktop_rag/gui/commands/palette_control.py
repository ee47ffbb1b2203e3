"""Opens the command palette with everything the window can do at that moment, and remembers what was used last."""

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.command_parts import CommandPart, Commands, keys_text, plain_text
from desktop_rag.gui.commands.command_palette import CommandPalette, PaletteEntry
from desktop_rag.gui.theme.theme import resume_updates
from desktop_rag.gui.window_state import load_window_state, store_window_state

_MOST_RECENT = 8
_NEXT_TURN = 1  # ms: a timer of 0 ms can expire in this turn of the event loop
PaletteSource = Callable[[], Iterable[PaletteEntry]]


class PaletteControl(QObject):
    """Collects the entries of the commands and of `sources`; the last used ones stand first."""

    opened = Signal(QObject)  # the CommandPalette

    def __init__(self, commands: Commands, window: QWidget) -> None:
        super().__init__(window)
        self._commands = commands
        self._window = window
        self._sources: list[PaletteSource] = []

    def add_source(self, source: PaletteSource) -> None:
        """Offer the entries of `source`, too; it is called whenever the palette opens."""
        self._sources.append(source)

    def entries(self) -> list[PaletteEntry]:
        """Return everything in the window, the last used first, then what is possible now."""
        entries = [
            self._entry(part, action)
            for part in self._commands.parts
            for action in part.actions
            if action.isVisible() and plain_text(action)
        ]
        entries += [entry for source in self._sources for entry in source()]
        recent = {key: place for place, key in enumerate(self._recent())}
        entries.sort(key=lambda entry: (recent.get(entry.key, len(recent)), bool(entry.blocked)))
        return entries

    @Slot()
    def open(self) -> None:
        """Open the palette over the window."""
        palette = CommandPalette(self.entries(), self._window)
        palette.chosen.connect(self._on_chosen)
        palette.setUpdatesEnabled(False)  # it is laid out now, and painted in a turn of its own
        self.opened.emit(palette)
        palette.show()  # not modal: a click beside it closes it
        palette.activateWindow()
        QTimer.singleShot(_NEXT_TURN, palette, partial(resume_updates, palette))

    def _entry(self, part: CommandPart, action: QAction) -> PaletteEntry:
        why = part.blocked()
        if not why and not action.isEnabled():
            why = action.whatsThis() or self.tr("Not possible at the moment")
        return PaletteEntry(part.key_of(action), plain_text(action), part.title, action.trigger, keys_text(action), why)

    def _recent(self) -> list[str]:
        kept = load_window_state().get("commands")
        return kept if isinstance(kept, list) else []

    @Slot(object)
    def _on_chosen(self, entry: PaletteEntry) -> None:
        if entry.key:
            keys = [entry.key, *(key for key in self._recent() if key != entry.key)]
            store_window_state({"commands": keys[:_MOST_RECENT]})
        QTimer.singleShot(0, self._window, entry.run)  # after the focus is back where it was
