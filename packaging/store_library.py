"""Writes a small library with this version of the program, for the tests of later versions: run it at every release.

`python packaging/store_library.py` writes `tests/integration/upgrades/library-VERSION.zip` with the data folder, the
documents, and what a later version must find in them. Vectors are left out: they are large, and rebuilt.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from contextlib import closing
from pathlib import Path

from project import ROOT, VERSION

sys.path.append(str(ROOT))

from desktop_rag.agent.conversations.bookmarks import BookmarkedPassage, BookmarkStore
from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import Answered
from desktop_rag.agent.extractive.extractive_model import ExtractiveModel
from desktop_rag.agent.question import Question
from desktop_rag.agent.run.loop import answer
from desktop_rag.agent.toolkits.registry import toolkit
from desktop_rag.agent.toolkits.toolkit import Run
from desktop_rag.cli.search_command import open_engine
from desktop_rag.index.library import Library

TARGET = ROOT / "tests" / "integration" / "upgrades"
DOCUMENTS = ("Lease agreement.md", "Meetings", "Letters")  # of our own sample: text of the project, no one else's
QUERY = "boathouse AND lease"
QUESTION = "When does the lease end, and how long is the notice period?"
NOTE = "ask the landlord"
WRITTEN = 1_700_000_000  # the time of all documents, which a zip archive does not keep exactly
LEFT_OUT = ("logs", "run", "vectors")  # folders


def store(folder: Path) -> None:
    """Write data, documents and expectations to `folder`."""
    documents, home = folder / "documents", folder / "home"
    documents.mkdir(parents=True)
    for name in DOCUMENTS:
        source = ROOT / "resources" / "sample" / name
        if source.is_dir():
            shutil.copytree(source, documents / name)
        else:
            shutil.copy(source, documents / name)
    for path in documents.rglob("*"):
        os.utime(path, (WRITTEN, WRITTEN))
    environment = {**os.environ, "DESKTOP_RAG_HOME": str(home)}
    command = [sys.executable, "-P", "-m", "desktop_rag", "index", str(documents), "--json"]
    subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    library = Library(home / "libraries" / "default")
    with closing(open_engine(library)) as engine:
        events = tuple(answer(Question(QUESTION), Run(toolkit("full"), ExtractiveModel(), engine)))
    last = events[-1]
    if not isinstance(last, Answered) or not last.citations:
        raise SystemExit("the question was not answered with a citation")
    with closing(ConversationStore(library.folder / "conversations.sqlite")) as conversations:
        conversations.save(conversations.begin(QUESTION), Turn(1, QUESTION, events, time.time_ns()))
    cited = last.citations[0]
    lines = (cited.page, cited.first_line, cited.last_line)
    with closing(BookmarkStore(library.folder / "bookmarks.sqlite")) as bookmarks:
        bookmarks.add(BookmarkedPassage(cited.sha256, cited.path, cited.title, *lines, cited.quote), NOTE)
    sealed = library.folder / "sealed.json"  # written when the indexer ends, after its last client
    while not sealed.exists():
        time.sleep(0.2)
    expected = {
        "folder": str(documents),
        "query": QUERY,
        "file": Path(cited.path).name,
        "written": WRITTEN,
        "question": QUESTION,
        "quote": cited.quote,
        "note": NOTE,
    }
    (folder / "expected.json").write_text(json.dumps(expected, indent=2) + "\n", encoding="utf-8")


def main() -> int:
    """Store the library of this version; return the exit code."""
    # The path is inside the stored files; one of no particular machine.
    folder = Path(tempfile.gettempdir()) / f"desktop-rag-{VERSION}"
    shutil.rmtree(folder, ignore_errors=True)
    store(folder)
    TARGET.mkdir(exist_ok=True)
    with zipfile.ZipFile(TARGET / f"library-{VERSION}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for file in sorted(folder.rglob("*")):
            inside = file.relative_to(folder)
            if file.is_file() and not set(LEFT_OUT) & set(inside.parts) and not file.name.endswith((".lock", "-shm")):
                packed.write(file, inside)
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
