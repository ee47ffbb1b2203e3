"""`desktop-rag serve`: answer chat clients from the library, as an OpenAI-compatible endpoint on loopback."""

import os
import secrets
from contextlib import suppress

from desktop_rag.agent.run.model_choice import chosen_profile
from desktop_rag.chat_server.loopback_server import serve as serve_http
from desktop_rag.cli.output import FOUND, NOTHING, Output
from desktop_rag.credentials import Credentials
from desktop_rag.errors import CredentialError
from desktop_rag.index.library import Library
from desktop_rag.paths import settings_file
from desktop_rag.retrieval.api import Filter
from desktop_rag.settings import load
from desktop_rag.stop import Stop

KEY = "DESKTOP_RAG_SERVE_KEY"  # the key of the endpoint; without it the one in the keychain
KEY_NAME = "desktop-rag serve"  # in the keychain
LEAST_KEY = 16  # characters


def serve(
    library: Library, filters: tuple[Filter, ...], profile: str | None, port: int, output: Output, stop: Stop
) -> int:
    """Serve until Ctrl+C."""
    chosen_profile(load(settings_file()), profile)  # an unknown name is told now, not to the first client
    key = os.environ.get(KEY) or _kept_key()
    if len(key) < LEAST_KEY or not key.isascii() or not key.isprintable():
        output.error("This key cannot be used", f"Give at least {LEAST_KEY} plain characters in {KEY}, or none.")
        return NOTHING

    def ready(address: str) -> None:
        shown = "" if KEY in os.environ else key
        if output.as_json:
            output.value({"type": "serving", "address": address, "key": shown})
            return
        output.note(f"Serving {library.folder} at {address}", "")
        if shown:
            output.note(f"Key: {shown}", "")

    serve_http(library, filters, profile, port, key, ready, stop)
    return FOUND


def _kept_key() -> str:
    """Return the key in the keychain, made at the first start; without a keychain a new one each time."""
    credentials = Credentials()
    with suppress(CredentialError):
        if kept := credentials.get(KEY_NAME):
            return kept
    key = f"sk-{secrets.token_urlsafe(24)}"
    with suppress(CredentialError):
        credentials.set(KEY_NAME, key)
    return key
