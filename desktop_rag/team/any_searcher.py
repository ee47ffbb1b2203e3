"""The searcher child of any library: on this computer, or a team's, whose address is in its folder.

Only the searcher of a team library uses the network, and only the origin of that address.
"""

import argparse
import os
from pathlib import Path

from desktop_rag.errors import LibraryError
from desktop_rag.index.library import Library
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import chosen_encoder
from desktop_rag.stop import Stop


def main(arguments: list[str]) -> int:
    """Serve one library until the parent closes the pipe."""
    parser = argparse.ArgumentParser(prog="_searcher", add_help=False)
    parser.add_argument("--library", type=Path, required=True)
    library = Library(parser.parse_known_args(arguments)[0].library)
    if library.is_team():
        return _serve_team(library)
    from desktop_rag.retrieval.service import searcher  # the command line searches without it

    return searcher.main(arguments)


def _serve_team(library: Library) -> int:
    from desktop_rag.processes.connection import parent_connection
    from desktop_rag.processes.service import Service
    from desktop_rag.processes.serving import serve
    from desktop_rag.retrieval.file_browser import SearcherRequests

    connection = parent_connection()
    engine = engine_of(library)
    handle = Service[SearcherRequests](SearcherRequests).handler(engine)
    serve(connection, handle, on_disconnect=lambda: os._exit(0), prepare=lambda: note_status(library, engine))
    return 0


def note_status(library: Library, engine: SearchEngine) -> None:
    """Note for the window how many files the team's library has, or why it cannot be reached."""
    from desktop_rag.index.team_status import TeamStatus, note_team_status
    from desktop_rag.team.team_address import team_address

    address = team_address(library)
    place = address.url if address is not None else ""
    try:
        note_team_status(library, TeamStatus(place, engine.facts(Scope(), Stop()).files))
    except LibraryError as error:
        note_team_status(library, TeamStatus(place, 0, str(error)))


def engine_of(library: Library) -> SearchEngine:
    """Return the search engine of a library of either kind, in this process; raises `TeamError`."""
    if library.is_team():
        from desktop_rag.team.team_address import team_address
        from desktop_rag.team.team_engine import TeamEngine

        if (address := team_address(library)) is not None:
            return TeamEngine(address.connect(), chosen_encoder(), address.spaces)
    return SearchEngine(library.folder, chosen_encoder())
