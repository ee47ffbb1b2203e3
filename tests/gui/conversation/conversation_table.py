"""A conversation pane and the list of conversations on a small library, with a scripted endpoint behind them."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import Conversation, ConversationId
from desktop_rag.gui.conversation.composer.question_field import QuestionField
from desktop_rag.gui.conversation.conversation_control import ConversationControl
from desktop_rag.gui.conversation.conversation_pane import ConversationPane
from desktop_rag.gui.conversation.conversations_model import CONVERSATION_ROLE, MARK_ROLE
from desktop_rag.gui.conversation.conversations_panel import ConversationsPanel
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.gui.viewer_requests import ViewerRequests
from desktop_rag.gui.widgets.panel_list import PanelList
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import Profile, Settings
from tests.endpoint import Call, ScriptedEndpoint, ScriptEntry, Turn
from tests.integration.retrieval.conftest import LEASE, SmallLibrary


class Table:
    """A conversation pane and the list of conversations, with everything behind them."""

    def __init__(self, folder: Path, endpoint: ScriptedEndpoint, qtbot: QtBot) -> None:
        profile = Profile("local", endpoint.base_url, "scripted")
        self.settings = Settings((profile,), "local")
        self.pane = ConversationPane(ViewerRequests(), ShownStatus())
        self.panel = ConversationsPanel()
        self.library = SmallLibrary(folder)
        self.library.add({"lease.md": LEASE})
        self.engine = SearchEngine(self.library.layout.folder)
        self.store = self.library.layout.conversations
        self.control = self._new_control()
        for widget in (self.pane, self.panel):
            qtbot.addWidget(widget)
        self.pane.resize(700, 600)
        self.pane.show()
        self.control.start()
        self._qtbot = qtbot
        self._open = True

    def _new_control(self) -> ConversationControl:
        return ConversationControl(self.pane, self.panel, self.engine, self.store, lambda: self.settings, self.pane)

    def restart(self) -> None:
        """Close the conversations and open them again, as a new window does."""
        self.control.close()
        self.control.leave()
        self.control = self._new_control()
        self.control.start()

    def close(self) -> None:
        if self._open:
            self._open = False
            self.control.close()
            self.engine.close()
            self.library.close()
            self.pane.hide()

    def ask(self, question: str) -> None:
        self.pane.composer.set_question(question)
        QTest.keyClick(self.pane.findChildren(QuestionField)[0], Qt.Key.Key_Return)

    def shown(self) -> list[tuple[str, str]]:
        """Return each question with the first paragraph of its answer, without the agent's remarks below it."""
        return [(turn.question, turn.answer.markdown.split("\n\n")[0]) for turn in self.pane.view.turns]

    def wait_until_shown(self, *turns: tuple[str, str]) -> None:
        self._qtbot.waitUntil(lambda: self.shown() == list(turns), timeout=60_000)

    def wait_until_listed(self, *titles: str) -> list[ConversationId]:
        numbers = [ConversationId(number) for number in range(1, 10)]
        self._qtbot.waitUntil(
            lambda: sorted(filter(None, map(self.panel.title_of, numbers))) == sorted(titles), timeout=60_000
        )
        return [number for title in titles for number in numbers if self.panel.title_of(number) == title]

    def marks(self) -> dict[ConversationId, str]:
        """Return the marks in the list by conversation."""
        view = self.panel.findChildren(PanelList)[0]
        indexes = [view.model().index(row, 0) for row in range(view.model().rowCount())]
        rows = [(index.data(CONVERSATION_ROLE), index.data(MARK_ROLE)) for index in indexes]
        return {summary.id: str(mark) for summary, mark in rows if summary and mark}

    def stored(self, conversation: ConversationId) -> Conversation:
        store = ConversationStore(self.store)
        try:
            return store.load(conversation)
        finally:
            store.close()


def answers(*turns: Turn) -> list[ScriptEntry]:
    """Search before each answer, as a model that calls tools does."""
    search = Turn(calls=[Call("search", '{"queries": ["rent"], "mode": "keyword"}')])
    return [entry for turn in turns for entry in (search, turn)]
