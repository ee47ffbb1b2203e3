"""`desktop-rag serve-index` writes a library to a team library; `libraries --team` adds one to read."""

import argparse
import getpass
import os
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from desktop_rag.cli.output import FOUND, NOTHING, Output, shown_path
from desktop_rag.credentials import Credentials
from desktop_rag.errors import DesktopRagError, LibraryRefused
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.index.library import require_catalog
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.team_status import STORE_SECRET, TEAM_PASSWORD, TEAM_TOKEN
from desktop_rag.stop import Stop
from desktop_rag.team.access.team_address import TeamAddress
from desktop_rag.team.access.team_joining import join_team_library, password_of_environment
from desktop_rag.team.access.team_mounts import mount_of
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_worker import TeamWorker, serving_metrics


def serve_index(known: KnownLibrary, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """Keep the team library up to date until stopped; with `--once` until everything is copied."""
    library = known.library
    if library.is_team():
        raise LibraryRefused("This is a team library itself. Name the library on this computer that is to be copied.")
    require_catalog(library)
    sources = sources_of(options.name or known.name, options.space)
    with closing(CatalogReader.open(library.catalog)) as catalog:
        roots = [folder.path for folder in catalog.folders.all()]
    for each in require_roots(sources, roots):
        output.note(f"{shown_path(Path(os.fsdecode(each)))} is in no space, so it is not copied.", "yellow")
    address = TeamAddress(
        options.to,
        options.user,
        _path(options.ca_file),
        certificate=_path(options.certificate),
        files_url=options.store,
        files_key=options.store_key,
    )
    address.require_usable()

    def say(text: str) -> None:
        output.note(text, "")

    with closing(address.connect()) as connection:
        worker = TeamWorker(library, connection, sources, say, address.file_store())
        metrics = serving_metrics(options.status_port, worker.metrics) if options.status_port else nullcontext()
        with metrics, closing(LibraryClient(library, must_exist=True)) as indexer:
            threading.Thread(target=_keep_indexing, args=(indexer, stop), daemon=True).start()
            worker.run(stop, options.shards, options.replicas, once=options.once)
    return FOUND


def _keep_indexing(indexer: LibraryClient, stop: Stop) -> None:
    """Stay connected to the indexer, which ends after its last client."""
    try:
        for _ in indexer.follow(stop):
            pass
    except DesktopRagError as error:
        if not stop.is_set():
            sys.stderr.write(f"The indexer has ended: {error}\n")


def sources_of(name: str, spaces: list[str]) -> tuple[TeamSource, ...]:
    """Return the sources of `--space NAME=FOLDER` options; without any, the whole library as the space “everyone”."""
    roots: dict[str, list[bytes]] = {}
    for each in spaces:
        space, sign, folder = each.partition("=")
        if not (space and sign and folder):
            raise LibraryRefused(f"“{each}” is no space. Write NAME=FOLDER, with a root folder of the library.")
        roots.setdefault(space, []).append(os.fsencode(Path(folder).absolute()))
    if not roots:
        return (TeamSource(f"{name}:everyone", "everyone"),)
    return tuple(TeamSource(f"{name}:{space}", space, tuple(folders)) for space, folders in roots.items())


def require_roots(sources: Iterable[TeamSource], roots: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the roots of the library that are in no source; raises `LibraryRefused` for a folder that is no root."""
    named = {folder for source in sources for folder in source.roots}
    if strangers := sorted(named.difference(roots)):
        known = ", ".join(map(os.fsdecode, roots)) or "none yet"
        raise LibraryRefused(
            f"{os.fsdecode(strangers[0])} is no root folder of the library. A space has whole root folders, "
            f"here: {known}. To divide one, `desktop-rag forget` it, then `desktop-rag index` its folders."
        )
    return tuple(root for root in roots if named and root not in named)


def add_team_library(known: Libraries, name: str, url: str, options: argparse.Namespace, output: Output) -> int:
    """Add a team library to the list; asks for the password or token and stores it in the keychain."""
    certificate = _path(options.certificate)
    mounts = tuple(map(mount_of, options.mount))
    ca_file, store = _path(options.ca_file), (options.store, options.store_key)
    address = TeamAddress(url, options.user, ca_file, (), certificate, options.token, mounts, *store)
    address.require_usable()  # before a password is asked for
    secret = files_secret = ""
    if address.has_secret and not password_of_environment():
        who = "Token" if address.token else f"Password of {options.user or 'the key, if it has one'}"
        secret = _asked(who)
        if not secret and not certificate:
            missing, variable = ("token", TEAM_TOKEN) if address.token else ("password", TEAM_PASSWORD)
            output.error(f"There is no {missing}", f"Type it in a terminal, or give it in {variable} for each command.")
            return NOTHING
    if address.files_url and not os.environ.get(STORE_SECRET):
        files_secret = _asked(f"Secret of the access key {address.files_key}")
    join_team_library(known, name, address, secret, Credentials(), Stop(), files_secret)
    return FOUND


def _asked(what: str) -> str:
    return getpass.getpass(f"{what}: ") if sys.stdin.isatty() else ""


def _path(file: Path | None) -> str:
    return str(file.absolute()) if file is not None else ""
