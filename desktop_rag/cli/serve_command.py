"""`desktop-rag serve`: answer chat clients from the library, as an OpenAI-compatible endpoint on loopback."""

import argparse
import os
import secrets
from contextlib import suppress
from functools import partial

from desktop_rag.agent.run.model_choice import chosen_profile
from desktop_rag.chat_server.loopback_server import serve as serve_http
from desktop_rag.cli.output import FOUND, NOTHING, Output
from desktop_rag.cli.scope_options import lasting_filters
from desktop_rag.cli.serving_key import ServingKey, port_told
from desktop_rag.credentials import Credentials
from desktop_rag.errors import CredentialError
from desktop_rag.index.library import Library
from desktop_rag.paths import settings_file
from desktop_rag.settings import load
from desktop_rag.stop import Stop

KEY = "DESKTOP_RAG_SERVE_KEY"  # the key of the endpoint; without it the one in the keychain
KEY_NAME = "desktop-rag serve"  # in the keychain


def serve(library: Library, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """Serve until Ctrl+C."""
    filters, profile, port = lasting_filters(options, library), options.profile, options.port
    chosen_profile(load(settings_file()), profile)  # an unknown name is told now, not to the first client
    key = ServingKey(KEY, "" if os.environ.get(KEY) else _kept_key())
    if not key.is_usable(output):
        return NOTHING
    ready = partial(key.print_address, library.folder, output=output)
    with port_told(port):
        serve_http(library, filters, profile, port, key.key, ready, stop)
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
