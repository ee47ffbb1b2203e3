"""Adding, changing and removing team libraries of the user's list.

An address is checked first, so that nothing is left of a failure.
"""

import os
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass

import msgspec

from desktop_rag.credentials import Credentials
from desktop_rag.decoding import decode_json
from desktop_rag.errors import (
    CredentialError,
    DesktopRagError,
    LibraryError,
    LibraryRefused,
    TeamError,
    TeamMisconfigured,
)
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.index.library import Library
from desktop_rag.index.team_status import (
    NO_KEYCHAIN,
    STORE_SECRET,
    TEAM_PASSWORD,
    TEAM_TOKEN,
    TeamStatus,
    note_team_status,
)
from desktop_rag.llm.json_value import as_list, as_object
from desktop_rag.paths import write_durably
from desktop_rag.stop import Stop
from desktop_rag.team.access.file_store import FileStore, StoreKey
from desktop_rag.team.format.team_indexes import DOCUMENTS, in_spaces, require_known_format
from desktop_rag.team.server.json_answers import Json, aggregated
from desktop_rag.team.server.team_connection import TeamConnection

# Where a team library is: a small file in the folder that holds the user's own conversations with it.
#
# The password or token is never in the file: it is in the keychain, or in an environment variable.


@dataclass(frozen=True, slots=True)
class TeamAddress:
    """The address of a team library (`https://SERVER:9200/NAME`), who asks, and the CA of the server if it needs one.

    One signs in with a user and a password, with a token (`token` says that the keychain has one), or with a
    `certificate`: a PEM file that holds its key too, for which the keychain has the password, if any.
    `spaces` narrows what the user's role allows; empty for all of it. `mounts`: see `file_store`.
    `files_url` is that of a store of files, `files_key` the id of an access key to it; its secret is kept likewise.
    """

    url: str
    user: str = ""
    ca_file: str = ""
    spaces: tuple[str, ...] = ()
    certificate: str = ""
    token: bool = False
    mounts: tuple[tuple[str, str], ...] = ()
    files_url: str = ""
    files_key: str = ""

    @property
    def has_secret(self) -> bool:
        """Return whether a password or token belongs to it; the key of a certificate may have none."""
        return bool(self.user or self.certificate or self.token)

    @property
    def needs_secret(self) -> bool:
        """Return whether nobody signs in there without a password or token."""
        return bool(self.user or self.token)

    def connect(self, secret: str = "") -> TeamConnection:
        """Return a connection with this password or token, else that of the environment or of the keychain.

        Raises `TeamError`, also if there is none: the server would only refuse the user.
        """
        token = "" if secret else os.environ.get(TEAM_TOKEN, "")
        secret = secret or os.environ.get(TEAM_PASSWORD, "")
        if self.has_secret and not (secret or token):
            secret = self._kept_secret(Credentials())
        if self.token and not token:
            secret, token = "", secret
        return TeamConnection(self.url, self.user, secret, token, self.ca_file, self.certificate)

    def _kept_secret(self, credentials: Credentials) -> str:
        if not credentials.persistent:
            if not self.needs_secret:
                return ""
            variable = TEAM_TOKEN if self.token else TEAM_PASSWORD
            raise TeamMisconfigured(
                f"This computer offers no keychain that could know the password or token of the team's library. "
                f"Give it in the environment variable {variable}."
            )
        kept = credentials.get(self.keychain_name)
        if not kept and self.needs_secret:
            raise TeamMisconfigured(
                "The keychain has no password or token for the team's library. Enter it: “Edit team library…” in the "
                "menu of libraries, or `desktop-rag libraries --team NAME --edit`."
            )
        return kept

    def is_on_hosts_of(self, other: "TeamAddress") -> bool:
        """Return whether all its servers are servers of the other address, too."""
        return _hosts(self.url) <= _hosts(other.url)

    @property
    def keychain_name(self) -> str:
        """Return the name under which the keychain has the password or token."""
        who = "token" if self.token else self.user or self.certificate
        return f"team library {self.url} {who}"

    def file_store(self, secret: str = "") -> FileStore | None:
        """Return the store of files with this secret, else that of the environment or of the keychain, if it has one.

        Raises `TeamError`.
        """
        if not self.files_url:
            return None
        secret = secret or os.environ.get(STORE_SECRET, "") or Credentials().get(self.files_keychain_name)
        return FileStore(self.files_url, StoreKey(self.files_key, secret), self.ca_file)

    @property
    def files_keychain_name(self) -> str:
        """Return the name under which the keychain has the secret of the store's access key."""
        return f"team files {self.files_url} {self.files_key}"

    def require_usable(self) -> None:
        """Raise `TeamError` for an address that cannot be used, before anything is sent or stored."""
        if "@" in self.url:
            raise TeamMisconfigured("The user and the password are not part of the address: give them apart from it.")
        TeamConnection(self.url, ca_file=self.ca_file, certificate=self.certificate).close()
        if self.files_url:
            if not self.files_key:
                raise TeamMisconfigured("A store of files needs the id of an access key. Write both, or neither.")
            FileStore(self.files_url, StoreKey(self.files_key, "")).close()

    def store(self, library: Library) -> None:
        """Write the file; raises `TeamError` for an address that cannot be used."""
        self.require_usable()
        try:
            library.create()
            write_durably(library.team, msgspec.json.encode(self))
        except OSError as error:
            raise LibraryError(f"{library.team} cannot be written ({error.strerror}).") from error


def _hosts(url: str) -> set[str]:
    scheme, _, rest = url.partition("://")
    return {f"{scheme}://{host}".lower() for host in rest.partition("/")[0].split(",")}


def team_address(library: Library) -> TeamAddress | None:
    """Return the address in a library's folder; None if it is a library on this computer. Raises `TeamError`."""
    try:
        return decode_json(library.team.read_bytes(), TeamAddress)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise TeamError(f"{library.team} cannot be read ({error}). Remove the library and add it again.") from error


def password_of_environment() -> bool:
    """Return whether the environment names a password or token, which is then used for every team library."""
    return bool(os.environ.get(TEAM_PASSWORD) or os.environ.get(TEAM_TOKEN))


def join_team_library(
    known: Libraries,
    name: str,
    address: TeamAddress,
    password: str,
    credentials: Credentials,
    stop: Stop,
    files_secret: str = "",
) -> KnownLibrary:
    """Check the address, then add its library to the list and keep the password and a store's secret in the keychain.

    What is left of a removed library with this address and user is taken up again. An empty `password` is one of the
    environment, or none. Raises `TeamError`, `CredentialError` or `LibraryRefused`,
    and `Stopped`; the list is then as before.
    """
    _require_keychain(address, password or files_secret, credentials)
    if address.needs_secret and not password and not password_of_environment():
        raise TeamMisconfigured("The password or token is missing.")
    files = _files_at(address, password, stop)
    library = _left_library(known, name, address) or known.create(name)
    try:
        address.store(library.library)
        _keep(address, password, files_secret, credentials)
    except DesktopRagError:
        known.remove(library.name) if library.library.has_own_data() else known.delete(library.name)
        raise
    note_team_status(library.library, TeamStatus(address.url, files))
    return library


def change_team_library(
    library: KnownLibrary,
    address: TeamAddress,
    password: str,
    credentials: Credentials,
    stop: Stop,
    files_secret: str = "",
) -> None:
    """Check a new address of a library of the list, then write it; the secrets go to the keychain.

    Without a new `password` the one in the keychain stays, for the same user on the same servers: others do not get it.
    Raises as `join_team_library`; the library is then as before.
    """
    before = require_team_address(library)
    _require_keychain(address, password or files_secret, credentials)
    who, earlier = ((each.user, each.token, each.certificate) for each in (address, before))
    kept = ""
    if address.has_secret and not password and not password_of_environment():
        if who == earlier and address.is_on_hosts_of(before):
            kept = credentials.get(before.keychain_name)
        elif address.needs_secret:
            raise TeamMisconfigured("Another user or server needs its password or token: give it, too.")
    store, kept_store = (address.files_url, address.files_key), (before.files_url, before.files_key)
    if address.files_url and store != kept_store and not files_secret and not os.environ.get(STORE_SECRET):
        raise TeamMisconfigured("Another store or access key needs its secret: give it, too.")
    files = _files_at(address, password or kept, stop)
    _keep(
        address, password or (kept if address.keychain_name != before.keychain_name else ""), files_secret, credentials
    )
    address.store(library.library)
    _forget(before, address, credentials)
    note_team_status(library.library, TeamStatus(address.url, files))


def leave_team_library(known: Libraries, name: str, credentials: Credentials, *, delete: bool = False) -> None:
    """Remove any library from the list, or delete it; of a team's library nothing stays that has only its address.

    Raises as `Libraries.remove` and `Libraries.delete`.
    """
    library = known.named(name)
    address = None
    if library is not None:
        with suppress(TeamError):
            address = team_address(library.library)
    if address is None or library is None:
        known.delete(name) if delete else known.remove(name)
        return
    if delete or not library.library.has_own_data():
        known.delete(name)
        _forget(address, None, credentials)
    else:
        known.remove(name)


def require_team_address(library: KnownLibrary) -> TeamAddress:
    """Return the address of a team's library; raises `LibraryRefused` for another one, and `TeamError`."""
    address = team_address(library.library)
    if address is None:
        raise LibraryRefused(f"“{library.name}” is no team library: its documents are on this computer.")
    return address


def _require_keychain(address: TeamAddress, secret: str, credentials: Credentials) -> None:
    address.require_usable()
    if secret and not (address.has_secret or address.files_url):
        raise TeamMisconfigured("A password needs the name of its user. Write both, or neither.")
    if secret and not credentials.persistent:
        raise CredentialError(NO_KEYCHAIN)


def _files_at(address: TeamAddress, password: str, stop: Stop) -> int:
    with closing(address.connect(password)) as connection:
        files = readable_files(connection, stop, address.spaces)
    stop.check()
    return files


def _left_library(known: Libraries, name: str, address: TeamAddress) -> KnownLibrary | None:
    """Return the library of this address that was removed from the list, on the list again with what it has."""
    for folder in known.left_folders():
        with suppress(TeamError):
            left = team_address(Library(folder))
            if left is not None and (left.url, left.user) == (address.url, address.user):
                return known.take_up(name, folder)
    return None


def _keep(address: TeamAddress, password: str, files_secret: str, credentials: Credentials) -> None:
    if password:
        credentials.set(address.keychain_name, password)
    if files_secret:
        credentials.set(address.files_keychain_name, files_secret)


def _forget(before: TeamAddress, now: TeamAddress | None, credentials: Credentials) -> None:
    """Delete the secrets that belong to nothing any more; a keychain that refuses it keeps them."""
    used = {now.keychain_name, now.files_keychain_name} if now is not None else set()
    for name in {before.keychain_name, before.files_keychain_name} - used:
        with suppress(CredentialError):
            credentials.delete(name)


def readable_files(connection: TeamConnection, stop: Stop, spaces: Sequence[str] = ()) -> int:
    """Return how many files this user may search there; raises `TeamError` if it is no library of this version."""
    require_known_format(connection, stop)
    query: Json = {"bool": {"filter": in_spaces(spaces)}}
    body: Json = {"query": query, "size": 0, "aggs": {"files": {"sum": {"field": "files"}}}}
    answer = connection.ask("POST", f"/{connection.index(DOCUMENTS)}/_search", body, stop)
    if as_list(as_object(answer.get("_shards")).get("failures")):
        raise TeamError("A part of the team's library is not available now. Try again in a moment.")
    value = aggregated(answer, "files").get("value")
    return int(value) if isinstance(value, int | float) else 0
