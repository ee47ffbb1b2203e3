"""`desktop-rag forget`, `relocate` and `retry`: commands on folders and files of the library."""

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
from desktop_rag.index.catalog.quarantine import any_set_aside
from desktop_rag.index.folders.path_explanation import why
from desktop_rag.index.indexer.status_board import problems
from desktop_rag.index.indexer_api import FolderStatus, LibraryStatus
from desktop_rag.index.library import Library, require_catalog, require_local
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.paths import written_path
from desktop_rag.stop import Stop
from desktop_rag.text.display import plural, printable
from desktop_rag.work.work_store import erase_work


def forget(library: Library, path: Path, output: Output, stop: Stop, *, quotes: bool) -> int:
    """Erase a folder, optionally with the answers that quote it, and wait until its text is overwritten."""
    require_catalog(library)
    with ExitStack() as opened:
        client = opened.enter_context(closing(LibraryClient(library, must_exist=True)))
        store = opened.enter_context(closing(ConversationStore(library.conversations))) if _has_store(library) else None
        folder = _folder(_current_status(client, stop), path)
        effect = preview_forget(client, store, folder, stop)
        erased = forget_folder(client, store, folder, stop, quotes=quotes, erase_work=erase_work)
        _wait_until_overwritten(client, stop)
    left = effect.turns - erased
    if output.as_json:
        path_text = printable(folder.path)
        output.value(
            {"type": "forgotten", "path": path_text, "documents": effect.documents, "erased": erased, "quoting": left}
        )
        return FOUND
    documents = plural(effect.documents, "document")
    output.line(f"{shown_path(folder.path)} is forgotten: {documents} erased.")
    if erased:
        output.line(
            f"{plural(erased, 'answer')} that quoted it erased, and older copies of your conversations deleted."
        )
    if left:
        output.note(f"{plural(left, 'answer')} still quote it. To erase them too: desktop-rag forget FOLDER --quotes")
    return FOUND


def relocate(library: Library, old: Path, new: Path, output: Output, stop: Stop) -> int:
    """Move the folders at and below `old` to `new` in the library."""
    require_catalog(library)
    old, new = written_path(old), written_path(new)
    with closing(LibraryClient(library, must_exist=True)) as client:
        moved = client.relocate(os.fsencode(old), os.fsencode(new), stop)
    if output.as_json:
        output.value({"type": "relocated", "folders": moved.folders, "files": moved.files, "known": moved.known})
        return FOUND
    folders = "1 folder is" if moved.folders == 1 else f"{moved.folders:,} folders are"
    output.line(
        f"{folders} now in {shown_path(new)}: {moved.known:,} of {moved.files:,} files were recognised "
        "without reading them again."
    )
    return FOUND


def retry(library: Library, paths: Sequence[Path], output: Output, stop: Stop) -> int:
    """Retry files that could not be read, or only in part; without `paths` all quarantined files."""
    require_local(library)
    require_catalog(library)
    targets = tuple(os.path.realpath(os.fsencode(path)) for path in paths)
    _require_files(library, targets)
    if not targets and not _sets_aside(library):
        if output.as_json:
            output.value({"type": "retried", "problems": []})
        output.note("No file is set aside, so nothing was retried. Name one: desktop-rag retry FILE", "")
        return FOUND
    with closing(LibraryClient(library, must_exist=True)) as client:
        client.try_again(targets, stop)
        with closing(client.follow(stop)) as statuses:
            now = next((status for status in statuses if is_settled(status)), None)
    stop.check()
    with closing(CatalogReader.open(library.catalog)) as catalog:
        folders = now.folders if now else ()
        left = [problem for folder in folders for problem in problems(catalog, folder.folder, ALL).problems]
    left = [problem for problem in left if (problem.path in targets if targets else problem.set_aside)]
    if output.as_json:
        output.value({"type": "retried", "problems": [problem_json(problem) for problem in left]})
    elif not left:
        output.line("All retried files are searchable.")
    for problem in () if output.as_json else left:
        output.text((f"{shown_path(problem.path)}  ", ""), (problem.reason, "yellow"))
    return NOTHING if left else FOUND


def _sets_aside(library: Library) -> bool:
    with closing(CatalogReader.open(library.catalog)) as catalog:
        catalog.require_known_format()
        return any_set_aside(catalog)


def _require_files(library: Library, targets: Sequence[bytes]) -> None:
    """Raise `LibraryRefused` for a path that is no file of the library, or not there: nothing could be retried."""
    with closing(CatalogReader.open(library.catalog)) as catalog:
        for target in targets:
            status = why(catalog, target)
            if status.state is None:
                raise LibraryRefused(f"{shown_path(target)} is no file that the library has seen. {status.sentence}")
            if not os.path.lexists(target):
                raise LibraryRefused(
                    f"{shown_path(target)} cannot be read now, so nothing was retried. {status.sentence}"
                )


def _wait_until_overwritten(client: LibraryClient, stop: Stop) -> None:
    """Wait until forgotten text is overwritten; raises `LibraryError` if trouble prevents it for too long."""
    trouble_since = None
    with closing(client.follow(stop)) as statuses:
        for status in statuses:
            if not status.forgetting and not status.missing:
                return
            now = time.monotonic()
            trouble_since = (trouble_since or now) if status.trouble else None
            if trouble_since is not None and now - trouble_since > PATIENCE_SECONDS:
                raise LibraryError(f"The folder is erased, but its text is not overwritten yet. {status.trouble}")
    stop.check()


def _has_store(library: Library) -> bool:
    return any(library.folder.glob(f"{library.conversations.name}*"))


def _current_status(client: LibraryClient, stop: Stop) -> LibraryStatus:
    with closing(client.follow(stop)) as statuses:
        for status in statuses:
            if status.trouble and not status.folders:
                raise LibraryError(status.trouble)
            return status
    raise LibraryError("The indexer has sent no status. Please try again.")


def _folder(status: LibraryStatus, path: Path) -> FolderStatus:
    targets = {os.fsencode(path.absolute()), os.path.realpath(os.fsencode(path))}
    for folder in status.folders:
        if folder.path in targets:
            return folder
    known = "".join(f"\n  {shown_path(folder.path)}" for folder in status.folders)
    raise LibraryRefused(f"{printable(path)} is not a folder of this library. Its folders:{known or ' none.'}")
