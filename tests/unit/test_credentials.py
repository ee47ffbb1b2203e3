import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import ClassVar

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null

from desktop_rag.credentials import SERVICE, Credentials
from desktop_rag.errors import CredentialError


class MemoryKeychain(KeyringBackend):
    """A real backend that would be accepted; `broken` is raised by every call, `forgetful` loses what it takes."""

    viable = False  # never chosen by itself: other tests must not find it
    priority = 5.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # keyring left it without annotations
        self.passwords: dict[tuple[str, str], str] = {}
        self.broken: Exception | None = None
        self.forgetful = False

    def get_password(self, service: str, username: str) -> str | None:
        self._fail()
        return self.passwords.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._fail()
        if not self.forgetful:
            self.passwords[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._fail()
        del self.passwords[service, username]

    def _fail(self) -> None:
        if self.broken is not None:
            raise self.broken


class PlaintextFile(MemoryKeychain):
    """Claims the priority of keyrings.alt's plain-text file."""

    priority = 0.5


class UnavailableHere(MemoryKeychain):
    """Says as keyring's own backends do that its service is missing."""

    @property
    def priority(self) -> float:  # type: ignore[override]
        raise RuntimeError("no D-Bus")


class Chain(chainer.ChainerBackend):
    """A chain of given backends instead of those found on this computer."""

    backends: ClassVar[list[KeyringBackend]] = []

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # keyring left it without annotations


@pytest.fixture
def keychain() -> Iterator[MemoryKeychain]:
    before = keyring.get_keyring()
    backend = MemoryKeychain()
    keyring.set_keyring(backend)
    yield backend
    keyring.set_keyring(before)


def use(backend: KeyringBackend) -> Credentials:
    keyring.set_keyring(backend)
    return Credentials()


def test_a_key_is_stored_in_the_keychain_by_profile(keychain: MemoryKeychain) -> None:
    credentials = Credentials()
    credentials.set("Office", "sk-1")
    assert keychain.passwords == {(SERVICE, "Office"): "sk-1"}
    assert Credentials().get("Office") == "sk-1"
    assert credentials.persistent
    assert credentials.notice == ""


def test_a_profile_without_a_key_has_an_empty_one(keychain: MemoryKeychain) -> None:
    assert Credentials().get("Local") == ""


def test_deleting_twice_is_no_error(keychain: MemoryKeychain) -> None:
    credentials = Credentials()
    credentials.set("Office", "sk-1")
    credentials.delete("Office")
    credentials.delete("Office")
    assert keychain.passwords == {}


def test_an_empty_key_is_not_stored(keychain: MemoryKeychain) -> None:
    credentials = Credentials()
    credentials.set("Office", "sk-1")
    credentials.set("Office", "")
    assert keychain.passwords == {}


def test_a_keychain_that_loses_the_key_is_detected(keychain: MemoryKeychain) -> None:
    keychain.forgetful = True
    with pytest.raises(CredentialError, match="does not give it back"):
        Credentials().set("Office", "sk-1")


ACTIONS: list[Callable[[Credentials], object]] = [
    lambda credentials: credentials.get("Office"),
    lambda credentials: credentials.set("Office", "sk-1"),
    lambda credentials: credentials.delete("Office"),
]


@pytest.mark.parametrize("error", [keyring.errors.KeyringLocked("locked"), OSError("locked"), Exception("locked")])
@pytest.mark.parametrize("action", ACTIONS, ids=["get", "set", "delete"])
def test_keychain_exceptions_become_credential_errors(
    keychain: MemoryKeychain, error: Exception, action: Callable[[Credentials], object]
) -> None:
    keychain.broken = error
    with pytest.raises(CredentialError, match=r"“Office” could not be .*locked.*Unlock"):
        action(Credentials())


@pytest.mark.parametrize("backend", [fail.Keyring, null.Keyring, PlaintextFile, UnavailableHere])
def test_without_a_safe_keychain_keys_last_for_the_session(
    keychain: MemoryKeychain, backend: type[KeyringBackend]
) -> None:
    chosen = backend()
    credentials = use(chosen)
    credentials.set("Office", "sk-1")
    assert credentials.get("Office") == "sk-1"
    assert not credentials.persistent
    assert "forgotten when the program ends" in credentials.notice
    assert not isinstance(chosen, MemoryKeychain) or chosen.passwords == {}
    credentials.delete("Office")
    assert credentials.get("Office") == ""


def test_a_chain_is_searched_for_a_safe_keychain(keychain: MemoryKeychain, monkeypatch: pytest.MonkeyPatch) -> None:
    unsafe = PlaintextFile()
    monkeypatch.setattr(Chain, "backends", [unsafe, keychain])
    use(Chain()).set("Office", "sk-1")
    assert unsafe.passwords == {}
    assert keychain.passwords == {(SERVICE, "Office"): "sk-1"}


def test_a_chain_of_unsafe_keychains_is_refused(keychain: MemoryKeychain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Chain, "backends", [PlaintextFile(), PlaintextFile()])
    assert not use(Chain()).persistent


def test_a_key_never_shows_in_an_error(keychain: MemoryKeychain) -> None:
    keychain.forgetful = True
    with pytest.raises(CredentialError) as caught:
        Credentials().set("Office", "sk-secret")
    assert "sk-secret" not in str(caught.value)


def test_looking_for_a_keychain_starts_no_program() -> None:
    script = (
        "import sys\n"
        "started = []\n"
        "sys.addaudithook(lambda name, args: started.append(args[0]) if name == 'subprocess.Popen' else None)\n"
        "from desktop_rag.credentials import Credentials\n"
        "Credentials().persistent\n"
        "print(started)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"
