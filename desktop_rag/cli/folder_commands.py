"""`desktop-rag forget`, `relocate` and `retry`: what is done with folders and files that are in the library."""

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.forgetting import forget as forget_folder
from desktop_rag.agent.conversations.forgetting import preview_forget
from desktop_rag.cli.index_command import PATIENCE_SECONDS, is_settled
from desktop_rag.cli.output import FOUND, NOTHING, Output, shown_path
from desktop_rag.cli.status_command import ALL, problem_json
from desktop_rag.errors import LibraryError, LibraryRefused
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.indexer.status_board import problems
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.index.library import Library, expect_catalog
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.stop import Stop
from desktop_rag.text.display import printable


def forget(library: Library, path: Path, output: Output, stop: Stop, *, quotes: bool) -> int:
    """Erase a folder, with its `quotes` in conversations if asked, and return when no byte of it is left."""
    expect_catalog(library)
    with ExitStack() as opened:
        client = opened.enter_context(closing(LibraryClient(library, made=True)))
        store = opened.enter_context(closing(ConversationStore(library.conversations))) if _has_store(library) else None
        folder = _folder(_now(client, stop), path)
        would = preview_forget(client, store, folder, stop)
        erased = forget_folder(client, store, folder, stop, quotes=quotes)
        _wait(client, stop)
    left = would.turns - erased
    if output.as_json:
        path_text = printable(folder.path)
        output.value(
            {"type": "forgotten", "path": path_text, "documents": would.documents, "erased": erased, "quoting": left}
        )
        return FOUND
    documents = "1 document" if would.documents == 1 else f"{would.documents:,} documents"
    output.line(f"{shown_path(folder.path)} is forgotten: {documents} erased.")
    if erased:
        output.line(f"{_answers(erased)} that quoted it erased, and older copies of your conversations deleted.")
    if left:
        output.note(f"{_answers(left)} still quote it. Erased with it they are by: desktop-rag forget FOLDER --quotes")
    return FOUND


def relocate(library: Library, old: Path, new: Path, output: Output, stop: Stop) -> int:
    """Say that the folders at and below `old` lie at and below `new` now."""
    expect_catalog(library)
    with closing(LibraryClient(library, made=True)) as client:
        moved = client.relocate(os.fsencode(old.absolute()), os.fsencode(new.absolute()), stop)
    if output.as_json:
        output.value({"type": "relocated", "folders": moved.folders, "files": moved.files, "known": moved.known})
        return FOUND
    folders = "1 folder lies" if moved.folders == 1 else f"{moved.folders:,} folders lie"
    output.line(
        f"{folders} in {shown_path(new.absolute())} now: {moved.known:,} of {moved.files:,} files are known "
        "again without reading them."
    )
    return FOUND


def retry(library: Library, paths: Sequence[Path], output: Output, stop: Stop) -> int:
    """Read files again that could not be read, or only in part; without `paths` all that are set aside."""
    expect_catalog(library)
    names = tuple(os.path.realpath(os.fsencode(path)) for path in paths)
    with closing(LibraryClient(library, made=True)) as client:
        client.try_again(names, stop)
        with closing(client.follow(stop)) as statuses:
            now = next((status for status in statuses if is_settled(status)), None)
    stop.check()
    with closing(CatalogReader.open(library.catalog)) as catalog:
        folders = now.folders if now else ()
        left = [problem for folder in folders for problem in problems(catalog, folder.folder, ALL).problems]
    left = [problem for problem in left if (problem.path in names if names else problem.set_aside)]
    if output.as_json:
        output.value({"type": "retried", "problems": [problem_json(problem) for problem in left]})
    elif not left:
        output.line("Everything that was tried again is searchable.")
    for problem in () if output.as_json else left:
        output.text((f"{shown_path(problem.path)}  ", ""), (problem.reason, "yellow"))
    return NOTHING if left else FOUND


def _wait(client: LibraryClient, stop: Stop) -> None:
    """Return when everything forgotten is overwritten; raises `LibraryError` when that is hindered for too long."""
    hindered_since = None
    with closing(client.follow(stop)) as statuses:
        for status in statuses:
            if not status.forgetting and not status.missing:
                return
            now = time.monotonic()
            hindered_since = (hindered_since or now) if status.trouble else None
            if hindered_since is not None and now - hindered_since > PATIENCE_SECONDS:
                raise LibraryError(f"It is erased, but not yet overwritten. {status.trouble}")
    stop.check()


def _has_store(library: Library) -> bool:
    return any(library.folder.glob(f"{library.conversations.name}*"))


def _now(client: LibraryClient, stop: Stop) -> LibraryStatus:
    with closing(client.follow(stop)) as statuses:
        for status in statuses:
            if status.trouble and not status.folders:
                raise LibraryError(status.trouble)
            return status
    raise LibraryError("The indexer said nothing. Please try again.")


def _folder(status: LibraryStatus, path: Path) -> FolderStatus:
    names = {os.fsencode(path.absolute()), os.path.realpath(os.fsencode(path))}
    for folder in status.folders:
        if folder.path in names:
            return folder
    known = "".join(f"\n  {shown_path(folder.path)}" for folder in status.folders)
    raise LibraryRefused(f"{printable(path)} is not a folder of this library. Its folders:{known or ' none.'}")


def _answers(count: int) -> str:
    return "1 answer" if count == 1 else f"{count:,} answers"
