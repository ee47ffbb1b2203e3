"""`desktop-rag cite`: check a text's citations against the lines they point at."""

import sys
from contextlib import closing, nullcontext
from pathlib import Path

from desktop_rag.agent.citations.marks import UNFOUNDED, count_claims, describe_claim, describe_verdict
from desktop_rag.agent.citations.plain_answer import numbered, source_place
from desktop_rag.agent.events import Mark
from desktop_rag.agent.events_json import citation_json, claims_json
from desktop_rag.agent.run.cited_text import CheckedText, check_cited_text
from desktop_rag.agent.run.text_judge import judge_of
from desktop_rag.cli.output import FOUND, NOTHING, Output, shown_path
from desktop_rag.cli.search_command import open_engine
from desktop_rag.errors import DesktopRagError
from desktop_rag.index.library import Library
from desktop_rag.paths import settings_file
from desktop_rag.settings import load
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, printable

_LOOKS: dict[Mark, tuple[str, str]] = {  # sign and style
    "quoted": ("✓", "green"),
    "read": ("✓", "green"),
    "computed": ("=", ""),
    "missing": ("·", "dim"),
    "unchecked": ("·", "dim"),
    "earlier": ("·", "dim"),
    "otherwise": ("✗", "red"),
    "silent": ("✗", "red"),
    "altered": ("✗", "red"),
    "uncited": ("?", "yellow"),
}
MOST_BYTES = 4_000_000


class _TextError(DesktopRagError):
    """The text to check cannot be read."""

    title = "The text cannot be checked"


def cite(library: Library, file: str, output: Output, stop: Stop, *, no_look: bool = False) -> int:
    """Print what is known of each statement of a text; return 1 if any is refused, lacks a source or has missing words.

    Unless there is `no_look`, the chosen endpoint's model compares the statements with the cited lines.
    """
    text = _read(file)
    judge = None if no_look else judge_of(load(settings_file()))
    with closing(open_engine(library)) as engine:
        try:
            checked = check_cited_text(text, engine, stop, judge=judge)
        except ValueError as error:
            raise _TextError(str(error)) from error
    if judge is not None and judge.trouble:
        output.note(f"Not compared by the model: {judge.trouble}", "yellow")
    if output.as_json:
        unresolved = [{"citation": printable(each.citation), "why": printable(each.why)} for each in checked.unresolved]
        output.value(
            {
                "text": printable(checked.text),
                "claims": claims_json(checked.claims),
                "citations": [citation_json(each) for each in checked.citations],
                "unresolved": unresolved,
            }
        )
    else:
        _print(checked, output)
    proven = checked.claims and all(claim.mark not in (*UNFOUNDED, "missing") for claim in checked.claims)
    return FOUND if proven and not checked.unresolved else NOTHING


def _read(file: str) -> str:
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as source:
            data = source.read(MOST_BYTES + 1)
    except OSError as error:
        raise _TextError(f"{file}: {error.strerror or error}.") from error
    if len(data) > MOST_BYTES:
        raise _TextError(f"It is larger than {MOST_BYTES:,} bytes. Give a part of it.")
    if b"\0" in data:
        raise _TextError("It is no text. Save it as plain text or Markdown in UTF-8 first.")
    return data.decode("utf-8", "replace")


def _print(checked: CheckedText, output: Output) -> None:
    for claim in checked.claims:
        statement = one_line(numbered(checked.text[claim.start : claim.end]))
        sign, style = _LOOKS[claim.mark]
        output.text((f"{sign} ", style), (statement, ""))
        output.line(f"  {describe_claim(claim)}", style)
    for citation in checked.citations:
        output.text(
            (f"[{citation.number}] {shown_path(citation.path)}", "bold"), (f"  {source_place(citation)}", "dim")
        )
        output.line(f"    {describe_verdict(citation)}", "dim")
    for each in checked.unresolved:
        output.line(f"{one_line(printable(each.citation))}: {printable(each.why)}", "yellow")
    output.line(count_claims(checked.claims) or "The text makes no statement that could be checked.", "bold")
