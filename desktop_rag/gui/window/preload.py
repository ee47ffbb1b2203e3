"""Prepares what the first question and the first dialogs need while the user still looks at the window."""

import gc
import importlib
from collections.abc import Generator

from PySide6.QtCore import QObject, Slot

from desktop_rag.agent.extractive.model_process import ExtractiveModelClient
from desktop_rag.gui.background import StreamWorker
from desktop_rag.gui.conversation.answer.markdown_blocks import load_parser
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.service.searcher_client import SearcherClient
from desktop_rag.settings import Settings
from desktop_rag.stop import Stop

# Classes of Qt are made on the GUI thread alone: before Python 3.12 shiboken keeps them in a table without a lock, and
# the GUI thread reads it without the GIL. Several names, so that no turn of the event loop takes long.
_VIEWER = (
    "desktop_rag.gui.viewer.clean.rendered_view",
    "desktop_rag.gui.viewer.tabs.document_side",
    "desktop_rag.gui.viewer.tabs.document_tab",
)
_DIALOGS = (
    "desktop_rag.gui.settings.profiles_page",
    "desktop_rag.gui.settings.diagnostics",
    "desktop_rag.gui.settings.settings_dialog",
    "desktop_rag.gui.conversation.timeline.comparison_dialog",
)
_NEEDED = (  # by questions and by the dialogs, without Qt
    "desktop_rag.agent.run.loop",
    "desktop_rag.agent.toolkits.registry",
    "desktop_rag.agent.run.replay",
    "desktop_rag.agent.run.run_comparison",
    "desktop_rag.llm.probe",
    "desktop_rag.mcp_server.client_entries",
    "importlib.metadata",
    "rapidfuzz.distance.Indel",  # by the list of commands
)
_NEEDED_BY_ENDPOINTS = ("openai", "truststore", "keyring", "desktop_rag.llm.openai_chat")


class Preloader(QObject):
    """Starts the searcher and imports the agent in the background, and the viewer and the dialogs between events."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker: StreamWorker[str] = StreamWorker("preload", self._import, self)

    def start(self, retriever: SearcherClient, built_in: ExtractiveModelClient, settings: Settings) -> None:
        """Prepare for questions to this library with these settings."""
        self._worker.start(lambda stop: _load(retriever, built_in, settings, stop))

    @Slot()
    def stop(self) -> None:
        """Stop waiting for the searcher: its library is left."""
        self._worker.stop()

    def close(self) -> None:
        """Stop and wait for the thread."""
        self._worker.close()

    @Slot(object)
    def _import(self, name: str) -> None:
        importlib.import_module(name)


def _load(retriever: SearcherClient, built_in: ExtractiveModelClient, settings: Settings, stop: Stop) -> Generator[str]:
    """Yield the modules to import on the GUI thread."""
    yield from _VIEWER  # first: a hit may be clicked at once
    retriever.facts(Scope(), stop)  # starts the searcher
    if settings.profile() is None:
        built_in.start(stop)
    preload_agent(endpoint=settings.profile() is not None)
    yield from _DIALOGS


def preload_agent(*, endpoint: bool) -> None:
    """Import what the first question needs, and what endpoints need if one is configured.

    Garbage collection is off meanwhile: scanning the new modules would stall the window, and they are never freed.
    """
    gc.disable()
    try:
        for name in (*_NEEDED, *(_NEEDED_BY_ENDPOINTS if endpoint else ())):
            importlib.import_module(name)
        load_parser()
        gc.freeze()  # later collections skip them
    finally:
        gc.enable()
