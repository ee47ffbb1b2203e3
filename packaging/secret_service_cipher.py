"""Runtime hook of the frozen program: the ciphers with which `secretstorage` and the SDK of MCP work.

They need nothing of the package `cryptography` (12 MB) but AES in CBC mode, and AES-GCM with keys by HKDF, which
`Cryptodome`, shipped for 7z archives, and the standard library have too. The modules are registered under the names
that the two import.
"""

import hashlib
import hmac
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from Cryptodome.Cipher._mode_gcm import GcmMode

_TAG = 16  # bytes
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


class InvalidTag(Exception):
    """The text was not encrypted with this key, or was changed."""


class AESGCM:
    """AES in Galois/counter mode; the tag of 16 bytes follows the encrypted text."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None) -> bytes:
        """Encrypt and authenticate."""
        cipher = self._cipher(nonce, associated_data)
        hidden, tag = cipher.encrypt_and_digest(data)
        return hidden + tag

    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None) -> bytes:
        """Verify and decrypt; raises `InvalidTag`."""
        try:
            return self._cipher(nonce, associated_data).decrypt_and_verify(data[:-_TAG], data[-_TAG:])
        except ValueError as error:
            raise InvalidTag from error

    def _cipher(self, nonce: bytes, associated_data: bytes | None) -> "GcmMode":
        from Cryptodome.Cipher import AES as _AES

        cipher = _AES.new(self._key, _AES.MODE_GCM, nonce=nonce, mac_len=_TAG)
        cipher.update(associated_data or b"")
        return cipher


class SHA256:
    """The hash function of keys."""

    name = "sha256"


class HKDF:
    """Derives a key by HMAC: RFC 5869, sections 2.2 and 2.3."""

    def __init__(self, algorithm: SHA256, length: int, salt: bytes | None, info: bytes | None) -> None:
        self._hash, self._length, self._salt, self._info = algorithm.name, length, salt, info or b""

    def derive(self, key_material: bytes) -> bytes:
        """Return a key of the length."""
        salt = self._salt or bytes(hashlib.new(self._hash).digest_size)
        extracted = hmac.digest(salt, key_material, self._hash)
        derived = block = b""
        number = 0
        while len(derived) < self._length:
            number += 1
            block = hmac.digest(extracted, block + self._info + bytes([number]), self._hash)
            derived += block
        return derived[: self._length]


def modules() -> dict[str, ModuleType]:
    """Return the modules that `secretstorage` and the SDK of MCP import, by name."""
    contents: dict[str, dict[str, object]] = {
        "cryptography": {},
        "cryptography.exceptions": {"InvalidTag": InvalidTag},
        "cryptography.hazmat": {},
        "cryptography.hazmat.backends": {"default_backend": lambda: None},
        "cryptography.hazmat.primitives": {},
        "cryptography.hazmat.primitives.hashes": {"SHA256": SHA256},
        "cryptography.hazmat.primitives.kdf": {},
        "cryptography.hazmat.primitives.kdf.hkdf": {"HKDF": HKDF},
        _CIPHERS: {"Cipher": Cipher},
        f"{_CIPHERS}.aead": {"AESGCM": AESGCM},
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
