"""`desktop-rag search`: hits with their location and snippet."""

import argparse
import os
import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.cli.output import FOUND, NOTHING, Output, PlainStream, shown_path
from desktop_rag.cli.scope_options import scope_filters, scope_text
from desktop_rag.documents.file_types import Format
from desktop_rag.errors import LinkError, QueryError
from desktop_rag.index.library import Library, require_catalog
from desktop_rag.paths import written_path
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery, Hit, Mode, SearchRequest, SearchResult, Snippet, Sort
from desktop_rag.retrieval.service.hosted_search import hosted_search
from desktop_rag.stop import Stop
from desktop_rag.text.desktop_links import link_to
from desktop_rag.text.display import location_text, one_line, plural, printable, terminal_safe
from desktop_rag.text.json_types import Json

if TYPE_CHECKING:
    from desktop_rag.retrieval.service.search_engine import SearchEngine

SIMILAR = "Similar passages without your words"
SIMILAR_WITH_SOME = "Similar passages that do not fulfil your query"


def search(library: Library, options: argparse.Namespace, output: Output, stop: Stop) -> int:
    """Print the best hits; return 1 if there are none or the query is invalid."""
    request = SearchRequest(
        options.query,
        Mode(options.mode),
        options.limit,
        filters=scope_filters(options),
        sort=Sort(options.sort),
        reverse=options.reverse,
    )
    require_catalog(library)
    try:
        result = hosted_search(library, request, stop) or _search_here(library, request, stop)
    except QueryError as error:
        print_query_error(request.query, error, output)
        return NOTHING
    if output.as_json:
        output.value(result_json(result))
    else:
        _print(result, scope_text(request.filters), output)
        if result.more and len(result.hits) == request.limit:
            shown = sum(1 + len(hit.further) for hit in result.hits)
            output.note(f"The best {plural(shown, 'passage')}; -k shows more.")
        elif result.more:
            output.note("These are the best passages of each document; -k, or a search in one document, shows more.")
    return FOUND if result.hits or result.named else NOTHING


def _search_here(library: Library, request: SearchRequest, stop: Stop) -> SearchResult:
    with closing(open_engine(library)) as engine:
        return engine.search(request, stop)


def open_engine(library: Library) -> "SearchEngine":
    """Return the search engine of a library, in this process; raises `LibraryError` if it does not exist."""
    from desktop_rag.team.reader.any_searcher import engine_of

    require_catalog(library)
    return engine_of(library)


def result_json(result: SearchResult) -> dict[str, Json]:
    """Return a search result in the documented JSON format."""
    return {
        "query": printable(result.query),
        "mode": result.mode.value,
        "took_ms": round(result.took_ms, 1),
        "coverage": round(result.coverage, 4),
        "note": result.note,
        "troubles": [each.value for each in result.troubles],
        "suggestion": printable(result.suggestion),
        "without_words": result.without_words,
        "more": result.more,
        "hits": [hit_json(hit) for hit in result.hits],
        "similar": [hit_json(hit) for hit in result.similar],
        "named": [
            {
                "path": printable(file.path),
                "date": local_date(file.dated_ns),
                "size": file.size,
                "reason": printable(file.reason),
            }
            for file in result.named
        ],
    }


def hit_json(hit: Hit) -> dict[str, Json]:
    """Return a hit in the documented JSON format."""
    return {
        "rank": hit.rank,
        "path": printable(hit.path),
        "also": [printable(path) for path in hit.also],
        "title": printable(hit.title),
        "page": hit.page,
        "section": printable(hit.section),
        "date": local_date(hit.dated_ns),
        "size": hit.size,
        "language": hit.language,
        "away": hit.away,
        "lines": [hit.snippet.span.first_line, hit.snippet.span.last_line],
        "score": round(hit.score, 6),
        "snippet": hit.snippet.text,
        "further": [
            {
                "page": place.page,
                "section": printable(place.section),
                "lines": [place.snippet.span.first_line, place.snippet.span.last_line],
                "snippet": place.snippet.text,
            }
            for place in hit.further
        ],
        "chunk": hit.chunk,
        "content": hit.sha256,
    }


def local_date(moment_ns: int) -> str:
    """Return a moment as an ISO date-time in the local time zone; empty if it cannot be shown."""
    try:
        return datetime.fromtimestamp(moment_ns // 1_000_000_000).isoformat()
    except (OverflowError, OSError, ValueError):
        return ""


def print_query_error(query: str, error: QueryError, output: Output) -> None:
    """Print why a query is invalid, and at which position."""
    message = str(error)
    if not output.as_json:
        from rich.cells import cell_len

        typed = one_line(query)
        message += f"\n  {typed}\n  {' ' * cell_len(typed[: error.position])}^"
        message += f"\nDid you mean: {error.suggestion}" if error.suggestion else ""
    output.error(error.title, message, position=error.position, suggestion=error.suggestion)


def _print(result: SearchResult, scope: str, output: Output) -> None:
    if not result.hits and not result.named:
        where = f" in {one_line(printable(scope))}" if scope else ""
        output.note(f"Nothing found for: {one_line(printable(result.query))}{where}", "")
    if result.suggestion:
        output.note(f"Did you mean: {one_line(printable(result.suggestion))}", "")
    if result.without_words:
        output.note("Similar in meaning, without your words:", "")
    print_hits(result.hits, output)
    if result.similar:
        some = any(hit.why.by_words for hit in result.similar)
        output.line(f"{SIMILAR_WITH_SOME if some else SIMILAR}:\n", "italic")
        print_hits(result.similar, output)
    for file in result.named:
        reason = f"no text: {one_line(printable(file.reason))}" if file.reason else "no text"
        output.text((shown_path(file.path), "bold"), (f"  {local_date(file.dated_ns)[:10]}  {reason}", "dim"))
    if result.note:
        output.note(result.note, "yellow")
    elif result.coverage < 1 and result.mode.by_meaning:
        output.note(f"Search by meaning covers {min(result.coverage, 0.99):.0%} so far.")


def print_hits(hits: Sequence[Hit], output: Output) -> None:
    """Print hits with their places, dates and snippets, and with their languages if they are in several."""
    several = len({hit.language for hit in hits} - {""}) > 1
    for hit in hits:
        place = location_text(hit.page, hit.snippet.span.first_line, hit.snippet.span.last_line, hit.section)
        about = f"  {place}  {local_date(hit.dated_ns)[:10]}" + (f"  {hit.language}" if several else "")
        about += "  found by its name" if hit.why.by_name else ""
        about += "  on the team's server" if hit.away else ""
        output.text((f"{hit.rank}. {shown_path(hit.path)}", "bold"), (about.rstrip(), "dim"))
        _print_snippet(hit.snippet, hit.format, output)
        for at in hit.further:
            span = at.snippet.span
            output.line(f"   {location_text(at.page, span.first_line, span.last_line, at.section)}", "dim")
            _print_snippet(at.snippet, hit.format, output)
        for path in hit.also:
            output.line(f"   also {shown_path(path)}", "dim")
        output.line("")


def _print_snippet(shown: Snippet, kind: str, output: Output) -> None:
    """Print a snippet indented, with its matches highlighted; text is wrapped on a terminal, code keeps its lines.

    That of a LaTeX file (format `kind`) is shown without commands, as in the window.
    """
    if kind == Format.LATEX:
        from desktop_rag.gui.snippet_text import shown_snippet

        text, marks = shown_snippet(shown.text, shown.marks, kind)
        shown = replace(shown, text=text, marks=marks)
    if isinstance(output.console, PlainStream):
        for line in shown.text.split("\n"):
            output.line(f"   {line}")
        return
    from rich.text import Text

    snippet = Text(terminal_safe(shown.text))
    for start, end in shown.marks:
        snippet.stylize("bold yellow", start, end)
    code = "\n" in shown.text
    width = max(20, output.console.width - 3)
    for row in snippet.split("\n") if code else snippet.wrap(output.console, width):
        row.rstrip()
        output.console.print(Text("   ") + row)


# `desktop-rag open`: the link to a line of a document, which the window then shows.

_PLACE = re.compile(r"(?P<file>.+?)(?::|#L?)(?P<first>\d{1,8})(?:-L?(?P<last>\d{1,8}))?", re.ASCII | re.DOTALL)


def place_in_file(text: str) -> tuple[str, int, int]:
    """Return the file with its first and last line, as in `a.md:12`, `a.md:12-14` or `a.md#L12-L14`; 0 for none.

    Raises `LinkError` for line 0.
    """
    found = _PLACE.fullmatch(text)
    if found is None or Path(text).exists():  # a name may end like a place
        return text, 0, 0
    first, last = sorted((int(found["first"]), int(found["last"] or found["first"])))
    if not first:
        raise LinkError("Lines count from 1.")
    return found["file"], first, last


def print_link(library: Library, place: str, output: Output, stop: Stop) -> int:
    """Print the link to a place as JSON; else the window opens it."""
    output.value({"type": "link", "link": link_to_place(library, place, stop)})
    return FOUND


def link_to_place(library: Library, text: str, stop: Stop) -> str:
    """Return the link to a place in a document given by its path or its name; raises `LinkError` if it has none."""
    file, first, last = place_in_file(text)
    path = written_path(file)
    with closing(open_engine(library)) as engine:
        card = engine.lookup("", path, stop) or engine.lookup("", Path(os.path.realpath(path)), stop)
        if card is not None and card.path is not None:
            return _checked_link(card, card.path, first, last)
        if path.exists() or "/" in file:
            status = engine.explain(path, None, stop).status
            if status.state is not None:  # a file that was seen
                raise LinkError(f"{shown_path(path)} has no text to show. {status.sentence}")
            raise LinkError(f"{shown_path(path)} is not in this library.")
        name = Path(file).name
        cards = engine.documents(DocumentQuery(name), stop).cards
        named = [(one, one.path) for one in cards if one.path and one.path.name.casefold() == name.casefold()]
    if len(named) != 1:
        listed = "".join(f"\n  {shown_path(path)}" for _, path in named)
        raise LinkError(f"{len(named) or 'No'} documents of this library have the name {shown_path(name)}.{listed}")
    return _checked_link(*named[0], first, last)


def _checked_link(card: DocumentCard, path: Path, first: int, last: int) -> str:
    if first > card.lines:
        raise LinkError(f"{shown_path(path)} has {plural(card.lines, 'line')}; there is no line {first}.")
    return link_to(str(path), first, min(last, card.lines), card.sha256)
