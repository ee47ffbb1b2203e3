"""`desktop-rag serve-index` writes a library to a team library; `libraries --team` adds one to read."""

import argparse
import getpass
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict, replace
from pathlib import Path

from rich.progress import BarColumn, Progress, TextColumn

from desktop_rag.cli.index_command import duration
from desktop_rag.cli.output import FOUND, NOTHING, Output, shown_path
from desktop_rag.credentials import Credentials
from desktop_rag.errors import CredentialError, DesktopRagError, LibraryRefused
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.index.library import require_catalog
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.index.team_status import NO_KEYCHAIN, STORE_SECRET, TEAM_PASSWORD, TEAM_TOKEN
from desktop_rag.stop import Stop
from desktop_rag.team.access.file_store import mount_of
from desktop_rag.team.access.team_joining import (
    TeamAddress,
    change_team_library,
    join_team_library,
    password_of_environment,
    require_team_address,
)
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_worker import CopyProgress, TeamWorker, serving_metrics

NOTE_SECONDS = 10.0  # between two lines on the progress of a copy


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
        _path(options.ca_file) or "",
        certificate=_path(options.certificate) or "",
        files_url=options.store or "",
        files_key=options.store_key or "",
    )
    address.require_usable()

    def say(text: str) -> None:
        output.note(text, "")

    with closing(address.connect()) as connection, shown_copying(output) as show:
        worker = TeamWorker(library, connection, sources, say, address.file_store(), show)
        metrics = serving_metrics(options.status_port, worker.metrics) if options.status_port else nullcontext()
        with metrics, closing(LibraryClient(library, must_exist=True)) as indexer:
            threading.Thread(target=_keep_indexing, args=(indexer, stop), daemon=True).start()
            worker.run(stop, options.shards, options.replicas, once=options.once)
    return FOUND


@contextmanager
def shown_copying(output: Output) -> Generator[Callable[[CopyProgress], None]]:
    """Yield what shows the progress: as a bar in a terminal, else as a line every `NOTE_SECONDS`."""
    console, noted = output.progress_console, time.monotonic() - NOTE_SECONDS
    bar = Progress(BarColumn(bar_width=40), TextColumn("{task.description}"), console=console, transient=True)
    task = bar.add_task("", total=None)

    def show(progress: CopyProgress) -> None:
        nonlocal noted
        if console is not None:
            bar.update(task, total=progress.total, completed=progress.copied, description=copying_text(progress))
        elif time.monotonic() - noted >= NOTE_SECONDS:
            noted = time.monotonic()
            output.note(f"{copying_text(progress)}.", "")
            if output.as_json:
                output.value({"type": "progress", **asdict(progress)})

    with bar if console is not None else nullcontext():
        yield show


def copying_text(progress: CopyProgress) -> str:
    """Return how far a copy is, in a sentence without its point."""
    share = f"{progress.copied / max(progress.total, 1):.0%} copied, {progress.documents:,} documents on the server"
    return share + (f", about {duration(progress.seconds)} left" if progress.seconds is not None else "")


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


def add_team_library(known: Libraries, options: argparse.Namespace, output: Output) -> int:
    """Add a team library to the list; asks for the password or token and stores it in the keychain."""
    name, *rest = options.team
    if len(rest) != 1:
        raise LibraryRefused("To add a team library, write --team NAME URL; to change one, --team NAME --edit.")
    address = _changed(TeamAddress(rest[0]), options)
    address.require_usable()  # before a password is asked for
    credentials = Credentials()
    secret = files_secret = ""
    if address.has_secret and not password_of_environment():
        if not credentials.persistent and address.needs_secret:
            raise CredentialError(NO_KEYCHAIN)
        secret = _asked(_whose(address))
        if not secret and address.needs_secret:
            return _no_secret(address, output)
    if address.files_url and not os.environ.get(STORE_SECRET):
        files_secret = _asked(f"Secret of the access key {address.files_key}")
    join_team_library(known, name, address, secret, credentials, Stop(), files_secret)
    return FOUND


def edit_team_library(known: Libraries, options: argparse.Namespace, output: Output) -> int:
    """Change the address of a team library, who signs in, or the password, which is asked for in a terminal."""
    name, *rest = options.team
    library = known.named(name) or known.find(name)
    before = require_team_address(library)
    if len(rest) > 1:
        raise LibraryRefused("Write --team NAME --edit, with a new address behind the name if it has changed.")
    address = _changed(replace(before, url=rest[0]) if rest else before, options)
    address.require_usable()
    credentials = Credentials()
    secret = files_secret = ""
    if address.has_secret and not password_of_environment():
        if not credentials.persistent and address.needs_secret:
            raise CredentialError(NO_KEYCHAIN)
        secret = _asked(f"{_whose(address)} (empty: as before)")
    if address.files_url and not os.environ.get(STORE_SECRET):
        files_secret = _asked(f"Secret of the access key {address.files_key} (empty: as before)")
    change_team_library(library, address, secret, credentials, Stop(), files_secret)
    output.note(f"“{library.name}” was changed.", "")
    return FOUND


def _changed(address: TeamAddress, options: argparse.Namespace) -> TeamAddress:
    """Return an address with what the options say; "" takes a value away."""
    if options.user or options.token or options.certificate:  # one way to sign in takes the place of the other
        address = replace(address, user="", token=options.token, certificate="")
    given = {
        "user": options.user,
        "ca_file": _path(options.ca_file),
        "certificate": _path(options.certificate),
        "mounts": None if options.mount is None else tuple(mount_of(each) for each in options.mount if each),
        "files_url": options.store,
        "files_key": "" if options.store == "" else options.store_key,
    }
    return replace(address, **{name: value for name, value in given.items() if value is not None})


def _whose(address: TeamAddress) -> str:
    return "Token" if address.token else f"Password of {address.user or 'the key, if it has one'}"


def _no_secret(address: TeamAddress, output: Output) -> int:
    missing, variable = ("token", TEAM_TOKEN) if address.token else ("password", TEAM_PASSWORD)
    output.error(f"There is no {missing}", f"Type it in a terminal, or give it in {variable} for each command.")
    return NOTHING


def _asked(what: str) -> str:
    return getpass.getpass(f"{what}: ") if sys.stdin.isatty() else ""


def _path(file: str | None) -> str | None:
    """Return the whole path of a file; "" and None as they are."""
    return str(Path(file).absolute()) if file else file
