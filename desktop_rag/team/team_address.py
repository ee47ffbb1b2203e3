"""Where a team library is: a small file in the folder that holds the user's own conversations with it.

The password or token is never in the file: it is in the keychain, or in an environment variable.
"""

import os
from dataclasses import dataclass

import msgspec

from desktop_rag.credentials import Credentials
from desktop_rag.errors import LibraryError, TeamError
from desktop_rag.index.library import Library
from desktop_rag.team.team_connection import TeamConnection

PASSWORD = "DESKTOP_RAG_TEAM_PASSWORD"  # the name of an environment variable
TOKEN = "DESKTOP_RAG_TEAM_TOKEN"


@dataclass(frozen=True, slots=True)
class TeamAddress:
    """The address of a team library (`https://SERVER:9200/NAME`), who asks, and the CA of the server if it needs one.

    `spaces` narrows what the user's role allows; empty for all of it.
    """

    url: str
    user: str = ""
    ca_file: str = ""
    spaces: tuple[str, ...] = ()

    def connect(self, password: str = "") -> TeamConnection:
        """Return a connection with this password, else that or the token of the environment or of the keychain.

        Raises `TeamError`.
        """
        token = "" if password else os.environ.get(TOKEN, "")
        password = password or os.environ.get(PASSWORD, "")
        if self.user and not (password or token):
            password = Credentials().get(self.keychain_name)
        return TeamConnection(self.url, self.user, password, token, self.ca_file)

    @property
    def keychain_name(self) -> str:
        """Return the name under which the keychain has the password."""
        return f"team library {self.url} {self.user}"

    def require_usable(self) -> None:
        """Raise `TeamError` for an address that cannot be used, before anything is sent or stored."""
        if "@" in self.url:
            raise TeamError("The user and the password are not part of the address: give them apart from it.")
        TeamConnection(self.url, ca_file=self.ca_file).close()

    def store(self, library: Library) -> None:
        """Write the file; raises `TeamError` for an address that cannot be used."""
        self.require_usable()
        try:
            library.create()
            library.team.write_bytes(msgspec.json.encode(self))
        except OSError as error:
            raise LibraryError(f"{library.team} cannot be written ({error.strerror}).") from error


def team_address(library: Library) -> TeamAddress | None:
    """Return the address in a library's folder; None if it is a library on this computer. Raises `TeamError`."""
    try:
        return msgspec.json.decode(library.team.read_bytes(), type=TeamAddress)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise TeamError(f"{library.team} cannot be read ({error}). Remove the library and add it again.") from error
