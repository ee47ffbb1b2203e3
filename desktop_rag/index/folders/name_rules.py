"""Rules by file or folder name alone: secrets, files of programs, hidden files, marker files."""

import os
import re
from fnmatch import translate

GITIGNORE = b".gitignore"
GIT_FOLDER = b".git"  # of a repository
LEAST_SLIDES = 20_000  # bytes: the smallest presentations of Keynote have more, private keys a tenth
SEPARATOR = os.fsencode(os.sep)

_SYSTEM_WORDS = """.git .hg .svn .bzr cvs _darcs .fslckout node_modules bower_components __pycache__ __pypackages__
__macosx .venv .tox .nox .eggs .mypy_cache .ruff_cache .pytest_cache .hypothesis .ipynb_checkpoints .gradle .terraform
.cache .thumbnails .ds_store thumbs.db desktop.ini .localized lost+found $recycle.bin .trash .trashes .spotlight-v100
.fseventsd .temporaryitems .documentrevisions-v100 @eadir #recycle"""
# Temporary files of editors and downloads: locks, backups, partial downloads.
_SYSTEM_PATTERNS = """~$* .~lock.* .#* #*# .*.sw[a-z] *.swp *~ 4913 .goutputstream-* .trash-* *.egg-info *.noindex
*.crdownload *.part *.partial .syncthing.*.tmp .fuse_hidden* .nfs0*"""
_SECRET_FOLDERS = """.ssh .gnupg .gpg .aws .azure .gcloud .kube .docker .password-store keychains keyrings kwalletd
.electrum .bitcoin .ethereum .monero .litecoin .dogecoin .mozilla .thunderbird .librewolf
.terraform.d .vault .secrets"""
_SECRET_FILES = """.netrc _netrc .pgpass pgpass.conf .my.cnf .mylogin.cnf .npmrc .pypirc .dockercfg .s3cfg .boto
.git-credentials .htpasswd .htdigest .vault-token wallet.dat logins.json logins.csv signons.sqlite key3.db key4.db
cookies.sqlite secrets.json secrets.yaml secrets.yml secrets.toml credentials.json"""
_SECRET_PATTERNS = """.env* *.env *.pem *.key *.ppk *.p12 *.pfx *.p8 *.jks *.keystore *.kdb *.kdbx *.agilekeychain
*.opvault *.1pif *.1pux *.keychain *.keychain-db *.kwallet *.psafe3 *.gpg *.pgp *.ovpn *.wallet *.tfstate *.tfstate.*
id_rsa* id_dsa* id_ecdsa* id_ed25519* client_secret*.json bitwarden_export* lastpass_export* *passwords.csv"""

_SYSTEM_NAMES = frozenset((*_SYSTEM_WORDS.split(), "system volume information"))
_SECRET_FOLDER_NAMES = frozenset(_SECRET_FOLDERS.split())
_SECRET_NAMES = _SECRET_FOLDER_NAMES | frozenset(_SECRET_FILES.split())
_SYSTEM = re.compile("|".join(map(translate, _SYSTEM_PATTERNS.split())))
_SECRET = re.compile("|".join(map(translate, _SECRET_PATTERNS.split())))
# A folder with one of these asks not to be indexed …
MARKERS = frozenset({b".noindex", b"CACHEDIR.TAG", b"pyvenv.cfg"})
# … and one with one of these is a browser profile or a wallet, whatever its name.
SECRET_MARKERS = frozenset({b"key4.db", b"Login Data", b"wallet.dat"})

SPECIAL_NAMES = MARKERS | SECRET_MARKERS | {GITIGNORE, GIT_FOLDER}  # names in a folder that rules depend on


def is_secret(name: str, size: int = 0) -> bool:
    """Return whether a file (of `size` bytes) or folder of this name may hold passwords or keys.

    Presentations of Keynote have the suffix of keys, but no key is as large; the reader looks at the content.
    """
    lower = name.lower()
    if size >= LEAST_SLIDES:
        lower = lower.removesuffix(".key")
    return lower in _SECRET_NAMES or _SECRET.match(lower) is not None


def is_system(name: str) -> bool:
    """Return whether a file or folder of this name belongs to programs."""
    lower = name.lower()
    return lower in _SYSTEM_NAMES or _SYSTEM.match(lower) is not None


def secret_part(path: bytes, size: int = 0) -> str:
    """Return the name in an absolute path (file or folder) that may hold passwords or keys, or an empty text."""
    *above, name = map(os.fsdecode, path.split(SEPARATOR))
    if is_secret(name, size):
        return name
    return next((part for part in above if part.lower() in _SECRET_FOLDER_NAMES), "")


def is_hidden(path: bytes) -> bool:
    """Return whether the system hides this file or folder by default."""
    name = os.path.basename(path)  # noqa: PTH119 (bytes)
    if name.startswith(b"."):
        return True
    try:
        return hidden_by_system(os.lstat(path))
    except OSError:
        return False


def hidden_by_system(facts: os.stat_result) -> bool:
    """Return whether a file's attributes hide it (Windows and macOS)."""
    attributes: int = getattr(facts, "st_file_attributes", 0)  # FILE_ATTRIBUTE_HIDDEN is 2
    flags: int = getattr(facts, "st_flags", 0)  # UF_HIDDEN is 0x8000
    return bool(attributes & 2 or flags & 0x8000)


# Writes the gitignore line that leaves out one file, or all files of one suffix.

_SPECIAL = re.compile(r"([\\*?\[\]])")
_UNWRITABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


def line_of_file(path: bytes) -> str:
    """Return the line that ignores the file at `path`, relative to its root folder.

    A character that no line can hold (a line break, a byte that is not text) becomes `?`, which matches any one.
    """
    text = path.replace(SEPARATOR, b"/").decode("utf-8", "surrogateescape")
    line = "/" + _UNWRITABLE.sub("?", _SPECIAL.sub(r"\\\1", text))
    return line[:-1] + "\\ " if line.endswith(" ") else line


def line_of_suffix(suffix: str) -> str:
    """Return the line that ignores every file with `suffix` (without its dot), in any case."""
    letters = (f"[{c.lower()}{c.upper()}]" if c.lower() != c.upper() else _SPECIAL.sub(r"\\\1", c) for c in suffix)
    return f"*.{''.join(letters)}"
