"""Where a team library is: a small file in the folder that holds the user's own conversations with it.

The password or token is never in the file: it is in the keychain, or in an environment variable.
"""

import os
from dataclasses import dataclass

import msgspec

from desktop_rag.credentials import Credentials
from desktop_rag.decoding import decode_json
from desktop_rag.errors import LibraryError, TeamError, TeamMisconfigured
from desktop_rag.index.library import Library
from desktop_rag.index.team_status import STORE_SECRET, TEAM_PASSWORD, TEAM_TOKEN
from desktop_rag.paths import write_durably
from desktop_rag.team.access.file_store import FileStore, StoreKey
from desktop_rag.team.server.team_connection import TeamConnection


@dataclass(frozen=True, slots=True)
class TeamAddress:
    """The address of a team library (`https://SERVER:9200/NAME`), who asks, and the CA of the server if it needs one.

    One signs in with a user and a password, with a token (`token` says that the keychain has one), or with a
    `certificate`: a PEM file that holds its key too, for which the keychain has the password, if any.
    `spaces` narrows what the user's role allows; empty for all of it. `mounts`: see `team_mounts`.
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
