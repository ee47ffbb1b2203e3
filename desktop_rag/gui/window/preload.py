"""What the first question needs, loaded while the person still reads the window."""

import gc
import importlib

from desktop_rag.gui.conversation.answer.markdown_blocks import load_parser

_NEEDED = (
    "desktop_rag.agent.run.loop",
    "desktop_rag.agent.toolkits.registry",
    "desktop_rag.agent.extractive.extractive_model",
)
_NEEDED_BY_ENDPOINTS = ("openai", "truststore", "keyring", "desktop_rag.llm.openai_chat")


def load_ahead(*, endpoint: bool) -> None:
    """Import what the first question needs, also what speaks to an endpoint if there is one.

    No garbage is collected meanwhile: to look at all that the modules bring holds up the window, and they stay.
    """
    gc.disable()
    try:
        for name in (*_NEEDED, *(_NEEDED_BY_ENDPOINTS if endpoint else ())):
            importlib.import_module(name)
        load_parser()
        gc.freeze()  # later collections need not look at it either
    finally:
        gc.enable()
