"""Runtime hook of the frozen program on Linux: the cipher with which `secretstorage` talks to the keyring service.

It needs nothing of the package `cryptography` (12 MB) but AES in CBC mode, which `Cryptodome`, shipped for 7z archives,
has too. The modules are registered under the names that `secretstorage` imports.
"""

import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Protocol

_CIPHERS = "cryptography.hazmat.primitives.ciphers"


@dataclass(frozen=True, slots=True)
class AES:
    """An AES key of 16, 24 or 32 bytes."""

    key: bytes


@dataclass(frozen=True, slots=True)
class CBC:
    """The initialisation vector of cipher block chaining, 16 bytes."""

    vector: bytes


class _Step(Protocol):
    def __call__(self, data: bytes) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Context:
    """One encryption or decryption; the data's length must be a multiple of 16."""

    update: _Step

    def finalize(self) -> bytes:
        """Return the rest, which is always empty: `update` returns all."""
        return b""


class Cipher:
    """AES in CBC mode."""

    def __init__(self, algorithm: AES, mode: CBC, backend: object = None) -> None:
        self._key, self._vector = algorithm.key, mode.vector

    def encryptor(self) -> Context:
        """Return a new encryption."""
        from Cryptodome.Cipher import AES as _AES

        cipher = _AES.new(self._key, _AES.MODE_CBC, iv=self._vector)
        return Context(lambda data: cipher.encrypt(data))

    def decryptor(self) -> Context:
        """Return a new decryption."""
        from Cryptodome.Cipher import AES as _AES

        cipher = _AES.new(self._key, _AES.MODE_CBC, iv=self._vector)
        return Context(lambda data: cipher.decrypt(data))


def modules() -> dict[str, ModuleType]:
    """Return the modules that `secretstorage` imports, by name."""
    contents: dict[str, dict[str, object]] = {
        "cryptography": {},
        "cryptography.hazmat": {},
        "cryptography.hazmat.backends": {"default_backend": lambda: None},
        "cryptography.hazmat.primitives": {},
        _CIPHERS: {"Cipher": Cipher},
        f"{_CIPHERS}.algorithms": {"AES": AES},
        f"{_CIPHERS}.modes": {"CBC": CBC},
    }
    made = {name: ModuleType(name) for name in contents}
    for name, module in made.items():
        vars(module).update(contents[name], __path__=[])
        parent, _, own = name.rpartition(".")
        if parent:
            setattr(made[parent], own, module)
    return made


if getattr(sys, "frozen", False):
    sys.modules.update(modules())
