"""API keys in the keychain of the operating system, or in memory while the program runs; never in a file.

Every method may block while a locked keychain asks for its password: call them from a background thread.
"""

import logging
import sys
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
    """API keys by profile name; calls from several threads are serialised."""

    def __init__(self) -> None:
        """Create without loading the keychain library, which takes time."""
        self._lock = threading.Lock()
        self._loaded = False
        self._backend: KeyringBackend | None = None
        self._in_memory: dict[str, str] = {}

    @property
    def persistent(self) -> bool:
        """Return whether keys are stored permanently."""
        with self._lock:
            return self._keychain() is not None

    @property
    def notice(self) -> str:
        """Return a sentence for the user if keys are not stored permanently, else ""."""
        return "" if self.persistent else SESSION_ONLY

    def get(self, profile: str) -> str:
        """Return the key of `profile`, or ""; raises `CredentialError`."""
        with self._lock:
            backend = self._keychain()
            if backend is None:
                return self._in_memory.get(profile, "")
            with _translating_errors("read", profile):
                return backend.get_password(SERVICE, profile) or ""

    def set(self, profile: str, key: str) -> None:
        """Store `key` and verify it by reading it back; an empty key is deleted. Raises `CredentialError`."""
        if not key:
            self.delete(profile)
            return
        with self._lock:
            backend = self._keychain()
            if backend is None:
                self._in_memory[profile] = key
                return
            with _translating_errors("stored", profile):
                backend.set_password(SERVICE, profile, key)
                stored = backend.get_password(SERVICE, profile)
            if stored != key:
                raise CredentialError(
                    f"The keychain took the key of “{profile}” but does not give it back. "
                    "Unlock it, or check its settings, and enter the key again."
                )

    def delete(self, profile: str) -> None:
        """Delete the key of `profile`, if there is one."""
        with self._lock:
            backend = self._keychain()
            if backend is None:
                self._in_memory.pop(profile, None)
                return
            with _translating_errors("deleted", profile):
                if backend.get_password(SERVICE, profile) is not None:
                    backend.delete_password(SERVICE, profile)

    def _keychain(self) -> "KeyringBackend | None":
        if not self._loaded:
            self._backend = _secure_backend(_configured_backend())
            self._loaded = True
            name = type(self._backend).__qualname__ if self._backend else "memory"
            logger.info("Keys are kept in %s", name)
        return self._backend


def _configured_backend() -> "KeyringBackend | None":
    import keyring

    if sys.platform != "darwin":  # its search for libraries of macOS starts ldconfig, gcc and ld
        sys.modules.setdefault("keyring.backends.macOS.api", None)  # type: ignore[arg-type]
    try:
        return keyring.get_keyring()
    except (ImportError, AttributeError, ValueError, RuntimeError, OSError) as error:  # invalid keyring settings
        logger.warning("The configured keychain cannot be loaded: %s", error)
        return None


def _secure_backend(backend: "KeyringBackend | None") -> "KeyringBackend | None":
    """Return `backend`, or the best one of a chain, if it stores keys encrypted.

    keyring gives real keychains a priority of 1 and more; plain-text files and the backend that always fails have less.
    """
    from keyring.backends.chainer import ChainerBackend

    if isinstance(backend, ChainerBackend):
        inner_backends = (_secure_backend(inner) for inner in backend.backends)
        return next((inner for inner in inner_backends if inner is not None), None)
    return backend if backend is not None and _priority(backend) >= 1 else None


def _priority(backend: "KeyringBackend") -> float:
    try:
        return float(backend.priority)
    except RuntimeError:  # how a backend reports that it is not available
        return -1.0


@contextmanager
def _translating_errors(done: str, profile: str) -> Generator[None]:
    try:
        yield
    except Exception as error:  # a backend is a plug-in: besides KeyringError it may raise errors of D-Bus or the OS
        reason = str(error) or type(error).__name__
        raise CredentialError(
            f"The key of “{profile}” could not be {done} ({reason}). Unlock the keychain and try again."
        ) from error
