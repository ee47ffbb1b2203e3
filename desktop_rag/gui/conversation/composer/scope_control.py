"""Connects the @ in the question, and files dropped on it, with the library."""

import os
import time
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.gui.background import LatestOnlyWorker
from desktop_rag.gui.conversation.composer.composer import Composer
from desktop_rag.gui.conversation.composer.scope_picker import (
    DroppedChoices,
    FoundChoices,
    ScopeChoice,
    find_choices,
    find_dropped,
)
from desktop_rag.retrieval.api import Facets, Retriever

_FRESH_SECONDS = 30


class ScopeControl(QObject):
    """Looks up what the question can be limited to, on a background thread."""

    files_dropped = Signal(object)  # a tuple of paths as bytes that are not in the library
    folder_dropped = Signal(bytes)  # one that is not in the library

    def __init__(self, composer: Composer, retriever: Retriever, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._composer = composer
        self._retriever = retriever
        self._facets: Facets | None = None  # of the whole library, kept while you type
        self._counted = 0.0  # when, in seconds
        self._choices = LatestOnlyWorker("scope", self._on_found, self)
        self._drops = LatestOnlyWorker("dropped scope", self._on_dropped, self)

    def attach(self) -> None:
        """Follow the question field."""
        self._composer.picker.wanted.connect(self._on_wanted)
        self._composer.picker.chosen.connect(self._on_chosen)

    def detach(self) -> None:
        """Leave the question field to another library."""
        self._composer.picker.wanted.disconnect(self._on_wanted)
        self._composer.picker.chosen.disconnect(self._on_chosen)

    def close(self) -> None:
        """Wait for the threads."""
        self._choices.close()
        self._drops.close()

    def limit_to(self, paths: tuple[Path, ...]) -> None:
        """Limit the question to files and folders of the library."""
        self._drops.ask(lambda stop: find_dropped(self._retriever, paths, stop))

    @Slot(str)
    def _on_wanted(self, letters: str) -> None:
        facets = self._facets if time.monotonic() - self._counted < _FRESH_SECONDS else None
        self._choices.ask(lambda stop: find_choices(self._retriever, letters, facets, stop))

    def _on_found(self, found: FoundChoices) -> None:
        if found.facets is not self._facets:
            self._facets, self._counted = found.facets, time.monotonic()
        self._composer.picker.show_choices(found.words, found.choices)

    @Slot(ScopeChoice)
    def _on_chosen(self, choice: ScopeChoice) -> None:
        self._composer.narrow(choice.added_to(self._composer.scope()))

    def _on_dropped(self, dropped: DroppedChoices) -> None:
        scope = self._composer.scope()
        for choice in dropped.choices:
            scope = choice.added_to(scope)
        if dropped.choices:
            self._composer.narrow(scope)
            self._composer.setFocus()
        if dropped.files:
            self.files_dropped.emit(tuple(map(os.fsencode, dropped.files)))
        for folder in dropped.folders[:1]:
            self.folder_dropped.emit(os.fsencode(folder))
