"""Imports what the first question needs while the user still looks at the window."""

import gc
import importlib

from desktop_rag.gui.conversation.answer.markdown_blocks import load_parser

_NEEDED = (
    "desktop_rag.agent.run.loop",
    "desktop_rag.agent.toolkits.registry",
    "desktop_rag.agent.extractive.extractive_model",
)
_NEEDED_BY_ENDPOINTS = ("openai", "truststore", "keyring", "desktop_rag.llm.openai_chat")


def preload_agent(*, endpoint: bool) -> None:
    """Import the modules the first question needs, and those for endpoints if one is configured.

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
