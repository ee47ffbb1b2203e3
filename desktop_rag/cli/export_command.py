"""`desktop-rag export`: the stored conversations, and one of them as a document."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.agent.conversations.conversation_store import ConversationStore
from desktop_rag.agent.conversations.transcript import ConversationSummary, Turn
from desktop_rag.agent.events import Citation
from desktop_rag.cli.output import FOUND, NOTHING, Output, shown_path
from desktop_rag.cli.search_command import local_date, open_engine
from desktop_rag.errors import ExportError
from desktop_rag.index.library import Library
from desktop_rag.paths import write_durably
from desktop_rag.retrieval.api import DocumentCard
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.settings import usable_settings
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, plural, printable
from desktop_rag.text.json_types import Json

if TYPE_CHECKING:
    from desktop_rag.gui.conversation.export.exported_conversation import ExportedConversation

FORMATS = ("md", "html", "docx", "pdf", "json", "bib", "ris", "csl")  # by the endings of their files
BINARY = ("docx", "pdf")
LAST = "last"  # instead of a number


def export(library: Library, conversation: str | None, kind: str, file: Path | None, output: Output, stop: Stop) -> int:
    """Print or write a conversation, or without one list all; return 1 if there is none."""
    if not library.conversations.exists():
        if conversation is not None:
            raise ExportError(f"There is no conversation “{one_line(conversation)}”: this library has none yet.")
        output.note("There are no conversations in this library.", "")
        return NOTHING
    with ExitStack() as opened:
        store = opened.enter_context(closing(ConversationStore(library.conversations)))
        if store.notice:
            output.note(f"About the stored conversations: {store.notice}", "yellow")
        asked = [summary for summary in store.summaries() if summary.turns]
        if conversation is None:
            for summary in asked:
                _print(summary, output)
            return FOUND if asked else NOTHING
        chosen = _chosen(asked, conversation)
        engine = opened.enter_context(closing(open_engine(library)))
        turns = store.load(chosen.id).turns
        text = as_document(chosen.title, lambda _: turns, kind, engine, stop)
    give_document(text, kind, file, output, {"type": "exported"})
    return FOUND


def give_document(
    text: str | bytes, kind: str, file: Path | None, output: Output, told: dict[str, Json] | None = None
) -> None:
    """Write a document to a file or print it; raises `ExportError` for a file that is printed but no text."""
    if file is not None:
        write_document(file, text)
        output.note(f"Saved as {shown_path(file)}", "")
    elif not isinstance(text, str):
        raise ExportError(f"--format {kind} needs --out FILE.")
    if output.as_json:
        shown = text if isinstance(text, str) else None
        output.value({**(told or {}), "format": kind, "file": str(file) if file else None, "text": shown})
    elif file is None and isinstance(text, str):
        output.line(text.rstrip("\n"))


def format_of_file(file: Path | None, known: Sequence[str] = FORMATS) -> str:
    """Return the format that the ending of a file names, Markdown without one; raises `ExportError` for others."""
    ending = file.suffix[1:].lower() if file else ""
    if ending in ("", "markdown", "txt"):
        return "md"
    if ending not in known:
        endings = ", ".join(f".{each}" for each in known)
        raise ExportError(f"“.{one_line(ending)}” is no known format. Known endings: {endings}.")
    return ending


Translate = Callable[[str], str]


def as_document(
    title: str, turns_in: Callable[[Translate], tuple[Turn, ...]], kind: str, engine: SearchEngine, stop: Stop
) -> str | bytes:
    """Return a conversation in the format `kind`, one of `FORMATS`, with the words of the program as the window has."""
    from desktop_rag.gui.conversation.export.export_files import ExportFormat, encoded, outside_the_window
    from desktop_rag.gui.conversation.export.exported_conversation import exported
    from desktop_rag.gui.formatting import wording

    def card_of(citation: Citation) -> DocumentCard | None:
        return engine.lookup(citation.sha256, None, stop) if citation.sha256 else None

    with outside_the_window(usable_settings().language, kind):
        made = exported(title, turns_in(wording), card_of)
        return encoded(made, ExportFormat(kind), file_links=True) if kind in BINARY else _writers()[kind](made)


def _writers() -> "dict[str, Callable[[ExportedConversation], str]]":
    """Return the formats that are texts."""
    from desktop_rag.gui.conversation.export.export_files import as_json
    from desktop_rag.gui.conversation.export.exported_conversation import as_bibtex, as_csl_json, as_ris
    from desktop_rag.gui.conversation.export.html_export import as_html, as_markdown

    linked = partial(as_markdown, file_links=True)  # `cite` reads the links
    return {"md": linked, "html": as_html, "json": as_json, "bib": as_bibtex, "ris": as_ris, "csl": as_csl_json}


def write_document(file: Path, text: str | bytes) -> None:
    """Write a file as a whole or not at all; raises `ExportError`."""
    try:
        write_durably(file, text.encode("utf-8", "replace") if isinstance(text, str) else text)
    except OSError as error:
        raise ExportError(f"{shown_path(file)} cannot be written: {error.strerror or error}.") from error


def _chosen(asked: list[ConversationSummary], wanted: str) -> ConversationSummary:
    found = [summary for summary in asked if wanted in (str(summary.id), LAST)]
    if not found:
        raise ExportError(f"There is no conversation “{one_line(wanted)}”. `desktop-rag export` lists them.")
    return found[0]


def _print(summary: ConversationSummary, output: Output) -> None:
    title, updated = printable(summary.title), local_date(summary.updated_ns)
    if output.as_json:
        output.value(
            {"type": "conversation", "id": summary.id, "title": title, "questions": summary.turns, "updated": updated}
        )
        return
    asked = plural(summary.turns, "question")
    output.text((f"{summary.id:5}  ", "bold"), (one_line(title), ""), (f"  {asked}, {updated[:10]}", "dim"))
