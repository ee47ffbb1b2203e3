"""Joins the first start and the tour with the window: both act through what a user would press there."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.turn_view import TurnView
from desktop_rag.gui.conversation.welcome_control import sample_questions
from desktop_rag.gui.first_run.tour import Tour, TourPlaces, samples
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.settings.settings_control import SettingsControl
from desktop_rag.gui.window.main_window import MainWindow

if TYPE_CHECKING:
    from desktop_rag.gui.first_run.first_run_control import FirstRunControl


class Introduction(QObject):
    """The first start and the tour of one window."""

    def __init__(
        self, settings: SettingsControl, status: ShownStatus, window: MainWindow, pane: ConversationPane
    ) -> None:
        super().__init__(window)
        self._settings = settings
        self._status = status
        self._window = window
        self._pane = pane
        library = window.library
        places = TourPlaces(
            library=library,
            search=library.search_button,
            composer=pane.composer,
            files=library.files_button,
            answer=self._answer,
            timeline=self._timeline,
            write_question=pane.composer.set_question,
            withdraw_question=pane.composer.withdraw_question,
            ask=self._ask,
            begin=self._begin,
        )
        self.first_run: FirstRunControl | None = None
        self.tour = Tour(places, status, sample_questions()[0], window)
        self.tour.sample_requested.connect(library.sample_requested)
        self.tour.ended.connect(self._on_tour_ended)
        window.menus.tour.triggered.connect(self.tour.start)

    def offer(self) -> None:
        """Show the first start to a new user; existing users never see it, and do not wait for its code."""
        if not self._settings.is_new or self._settings.settings.introduced:
            return
        from desktop_rag.gui.first_run.first_run_control import FirstRunControl

        self.first_run = FirstRunControl(self._settings, self._status, self._window)
        self.first_run.folders_chosen.connect(self._window.library.folders_dropped)
        self.first_run.sample_chosen.connect(self._window.library.sample_requested)
        self.first_run.tour_chosen.connect(self.tour.start_with_sample)
        self.first_run.offer()

    def close(self) -> None:
        """Stop all work and wait for it."""
        if self.first_run is not None:
            self.first_run.close()

    @Slot()
    def _begin(self) -> None:
        """Show an empty conversation and the sidebar."""
        self._window.menus.show_sidebar.setChecked(True)
        self._window.conversations.new_requested.emit()

    @Slot(str)
    def _ask(self, question: str) -> None:
        self._pane.composer.set_question("")
        self._pane.composer.question_asked.emit(question)

    @Slot()
    def _on_tour_ended(self) -> None:
        """Remove the sample library that the tour has added to the user's folders, which can be undone."""
        added = samples(self._status.current) if self.tour.added_sample else []
        if added and len(self._status.current.folders) > len(added):
            self._window.library.remove_requested.emit(added[0].folder)

    def _turn(self) -> TurnView | None:
        turns = self._pane.view.turns
        return turns[-1] if turns else None

    def _answer(self) -> QWidget | None:
        turn = self._turn()
        return turn.answer if turn is not None else None

    def _timeline(self) -> QWidget | None:
        turn = self._turn()
        return turn.timeline.header if turn is not None else None
