"""Adding a team's library to the user's list: the address is checked first, so that nothing is left of a failure."""

import os
from collections.abc import Sequence
from contextlib import closing

from desktop_rag.credentials import Credentials
from desktop_rag.errors import CredentialError, DesktopRagError, TeamError, TeamMisconfigured
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.index.team_status import TEAM_PASSWORD, TEAM_TOKEN, TeamStatus, note_team_status
from desktop_rag.stop import Stop
from desktop_rag.team.access.team_address import TeamAddress
from desktop_rag.team.format.team_generations import require_known_format
from desktop_rag.team.format.team_indexes import DOCUMENTS, in_spaces
from desktop_rag.team.server.json_answers import Json, as_dict, as_list
from desktop_rag.team.server.team_connection import TeamConnection


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

    An empty `password` is one of the environment, or none. Raises `TeamError`, `CredentialError` or `LibraryRefused`,
    and `Stopped`; the list is then as before.
    """
    address.require_usable()
    if password and not address.has_secret:
        raise TeamMisconfigured("A password needs the name of its user. Write both, or neither.")
    if (password or files_secret) and not credentials.persistent:
        raise CredentialError(
            "This computer offers no keychain, so the password of a team library cannot be kept for its searches. "
            "Install one, such as GNOME Keyring or KWallet, or start the program with the password in "
            "DESKTOP_RAG_TEAM_PASSWORD and leave the field empty."
        )
    with closing(address.connect(password)) as connection:
        files = readable_files(connection, stop, address.spaces)
    stop.check()
    library = known.create(name)
    try:
        address.store(library.library)
        if password:
            credentials.set(address.keychain_name, password)
        if files_secret:
            credentials.set(address.files_keychain_name, files_secret)
    except DesktopRagError:
        known.delete(library.name)
        raise
    note_team_status(library.library, TeamStatus(address.url, files))
    return library


def readable_files(connection: TeamConnection, stop: Stop, spaces: Sequence[str] = ()) -> int:
    """Return how many files this user may search there; raises `TeamError` if it is no library of this version."""
    require_known_format(connection, stop)
    query: Json = {"bool": {"filter": in_spaces(spaces)}}
    body: Json = {"query": query, "size": 0, "aggs": {"files": {"sum": {"field": "files"}}}}
    answer = connection.ask("POST", f"/{connection.index(DOCUMENTS)}/_search", body, stop)
    if as_list(as_dict(answer.get("_shards")).get("failures")):
        raise TeamError("A part of the team's library is not available now. Try again in a moment.")
    value = as_dict(as_dict(answer.get("aggregations")).get("files")).get("value")
    return int(value) if isinstance(value, int | float) else 0
