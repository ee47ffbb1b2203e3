"""API keys in the operating system's keychain, or in memory while the program runs; never in a file.

Every method may block for as long as a locked keychain asks for its password: call them from a background thread.
"""

import logging
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from desktop_rag.errors import CredentialError

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

logger = logging.getLogger(__name__)

SERVICE = "desktop-rag"

SESSION_ONLY = (
    "This computer offers no keychain, so keys are kept in memory and are forgotten when the program ends. "
    "On Linux, a desktop keyring such as GNOME Keyring or KWallet provides one."
)


class Credentials:
    """Keys by profile name. Safe to use from several threads, one call at a time."""

    def __init__(self) -> None:
        """Look for nothing yet: importing the keychain's library takes time."""
        self._lock = threading.Lock()
        self._looked = False
        self._backend: KeyringBackend | None = None
        self._session: dict[str, str] = {}

    @property
    def persistent(self) -> bool:
        """Return whether keys outlive the program."""
        with self._lock:
            return self._keychain() is not None

    @property
    def notice(self) -> str:
        """Return a sentence for the person when keys do not outlive the program, else nothing."""
        return "" if self.persistent else SESSION_ONLY

    def get(self, profile: str) -> str:
        """Return the key of `profile`, empty if there is none; raises `CredentialError`."""
        with self._lock:
            backend = self._keychain()
            if backend is None:
                return self._session.get(profile, "")
            with _explaining("read", profile):
                return backend.get_password(SERVICE, profile) or ""

    def set(self, profile: str, key: str) -> None:
        """Keep `key`, read it back, and raise `CredentialError` if it is not there; an empty key is deleted."""
        if not key:
            self.delete(profile)
            return
        with self._lock:
            backend = self._keychain()
            if backend is None:
                self._session[profile] = key
                return
            with _explaining("stored", profile):
                backend.set_password(SERVICE, profile, key)
                kept = backend.get_password(SERVICE, profile)
            if kept != key:
                raise CredentialError(
                    f"The keychain took the key of “{profile}” but does not give it back. "
                    "Unlock it, or look at its settings, and enter the key again."
                )

    def delete(self, profile: str) -> None:
        """Forget the key of `profile`; one that is not there is no error."""
        with self._lock:
            backend = self._keychain()
            if backend is None:
                self._session.pop(profile, None)
                return
            with _explaining("deleted", profile):
                if backend.get_password(SERVICE, profile) is not None:
                    backend.delete_password(SERVICE, profile)

    def _keychain(self) -> "KeyringBackend | None":
        if not self._looked:
            self._backend = _accepted(_configured())
            self._looked = True
            name = type(self._backend).__qualname__ if self._backend else "memory"
            logger.info("Keys are kept in %s", name)
        return self._backend


def _configured() -> "KeyringBackend | None":
    import keyring

    try:
        return keyring.get_keyring()
    except (ImportError, AttributeError, ValueError, RuntimeError, OSError) as error:  # its settings name nonsense
        logger.warning("The configured keychain cannot be loaded: %s", error)
        return None


def _accepted(backend: "KeyringBackend | None") -> "KeyringBackend | None":
    """Return `backend`, or the best one inside a chain, if it protects what it stores.

    keyring gives real keychains a priority of 1 and more; plain-text files and the backend that always fails have less.
    """
    from keyring.backends.chainer import ChainerBackend

    if isinstance(backend, ChainerBackend):
        inside = (_accepted(inner) for inner in backend.backends)
        return next((inner for inner in inside if inner is not None), None)
    return backend if backend is not None and _priority(backend) >= 1 else None


def _priority(backend: "KeyringBackend") -> float:
    try:
        return float(backend.priority)
    except RuntimeError:  # how a backend says that it cannot work here
        return -1.0


@contextmanager
def _explaining(done: str, profile: str) -> Generator[None]:
    try:
        yield
    except Exception as error:  # a backend is a plug-in: besides KeyringError it raises what D-Bus or its OS raises
        reason = str(error) or type(error).__name__
        raise CredentialError(
            f"The key of “{profile}” could not be {done} ({reason}). Unlock the keychain and try again."
        ) from error
