"""The searcher child of any library: on this computer, or a team's, whose address is in its folder.

Only the searcher of a team library uses the network, and only the origin of that address. What searches is imported
when the kernel confines the process: numpy starts threads, which would not be confined.
"""

import argparse
import os
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.errors import LibraryError
from desktop_rag.index.library import Library
from desktop_rag.paths import stat_of
from desktop_rag.settings import chosen_encoder
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    from desktop_rag.retrieval.service.search_engine import SearchEngine

LOOK_SECONDS = 1.0  # between two looks whether the address was edited


def main(arguments: list[str]) -> int:
    """Serve one library until the parent closes the pipe."""
    parser = argparse.ArgumentParser(prog="_searcher")
    parser.add_argument("--library", type=Path, required=True)
    library = Library(parser.parse_args(arguments).library)
    from desktop_rag.processes.confinement.confine import confine_searcher  # a search in this process is not confined

    if library.is_team():
        return _serve_team(library)
    encoder = chosen_encoder()
    confine_searcher(library.folder, encoder)
    from desktop_rag.retrieval.service.searcher import serve_library  # the command line searches without it

    return serve_library(library, encoder)


def _serve_team(library: Library) -> int:
    from desktop_rag.processes.confinement.confine import confine_team_searcher
    from desktop_rag.processes.connection import parent_connection
    from desktop_rag.processes.service import Service
    from desktop_rag.processes.serving import serve
    from desktop_rag.retrieval.explorer import SearcherRequests

    connection = parent_connection()
    confine_team_searcher(library.folder, _ports(library))
    threading.Thread(target=_end_when_changed, args=(library.team,), name="address", daemon=True).start()
    engine = engine_of(library)
    handle = Service[SearcherRequests](SearcherRequests).handler(engine)
    serve(connection, handle, on_disconnect=lambda: os._exit(0), prepare=lambda: note_status(library, engine))
    return 0


def _end_when_changed(address: Path) -> None:
    """End this process when the address was edited: the next one reads it, and may connect to its ports only."""

    def state() -> object:
        found = stat_of(address)
        return found and (found.st_mtime_ns, found.st_ino)

    before = state()
    while state() == before:
        time.sleep(LOOK_SECONDS)
    os._exit(0)


def _ports(library: Library) -> tuple[int, ...]:
    """Return the TCP ports of the team's server and store of files; none if its address cannot be used."""
    from desktop_rag.team.access.file_store import FileStore, StoreKey
    from desktop_rag.team.access.team_joining import team_address
    from desktop_rag.team.server.team_connection import TeamConnection

    try:
        address = team_address(library)
        if address is None:
            return ()
        store = FileStore(address.files_url, StoreKey("", "")) if address.files_url else None
        return (*TeamConnection(address.url).ports, *((store.port,) if store is not None else ()))
    except LibraryError:  # the first search says so
        return ()


def note_status(library: Library, engine: "SearchEngine") -> None:
    """Note for the window how many files the team's library has (or last had), and what is wrong with it.

    The engine notes the state of a server that can be reached.
    """
    from desktop_rag.index.team_status import TeamStatus, note_team_status, noted_team_status
    from desktop_rag.retrieval.api import Scope
    from desktop_rag.team.access.team_joining import team_address

    address = team_address(library)
    place = address.url if address is not None else ""
    try:
        files = engine.facts(Scope(), Stop()).files
        note_team_status(library, TeamStatus(place, files, noted_team_status(library).trouble))
    except LibraryError as error:
        note_team_status(library, TeamStatus(place, noted_team_status(library).files, str(error)))


def engine_of(library: Library) -> "SearchEngine":
    """Return the search engine of a library of either kind, in this process; raises `TeamError`."""
    from desktop_rag.retrieval.service.search_engine import SearchEngine

    if library.is_team():
        from desktop_rag.index.team_status import note_trouble
        from desktop_rag.team.access.file_store import StoredCopies
        from desktop_rag.team.access.team_joining import team_address
        from desktop_rag.team.reader.team_engine import TeamEngine

        if (address := team_address(library)) is not None:
            store = address.file_store()
            copies = StoredCopies(library.team_files, store) if store is not None else None
            tell = partial(note_trouble, library)
            return TeamEngine(address.connect(), chosen_encoder(), address.spaces, address.mounts, copies, tell)
    return SearchEngine(library.folder, chosen_encoder())
