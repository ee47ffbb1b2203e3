"""`desktop-rag search`: hits with their place and snippet."""

from contextlib import closing

from rich.text import Text

from desktop_rag.cli.output import FOUND, NOTHING, Json, Output, printable
from desktop_rag.errors import LibraryError, QueryError
from desktop_rag.index.library import Library
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.engine import Engine
from desktop_rag.retrieval.hits import Hit, Mode, SearchRequest, SearchResult
from desktop_rag.stop import Stop


def search(library: Library, query: str, mode: str, limit: int, output: Output) -> int:
    """Print the best hits; 1 when there are none or the query cannot be understood."""
    with closing(open_engine(library)) as engine:
        try:
            result = engine.search(SearchRequest(query, Mode(mode), limit), Stop())
        except QueryError as error:
            output.error(error.title, _query_trouble(query, error))
            return NOTHING
    if output.as_json:
        output.value(result_json(result))
    else:
        _print(result, output)
    return FOUND if result.hits else NOTHING


def open_engine(library: Library) -> Engine:
    """Return the search engine of a library in this process; raises `LibraryError` when there is none yet."""
    if not library.catalog.is_file():
        raise LibraryError(f"There is no library in {library.folder} yet. Make one: desktop-rag index FOLDER")
    return Engine(library.folder, encoder_folder())


def result_json(result: SearchResult) -> dict[str, Json]:
    """Return the documented shape of a search result."""
    return {
        "query": result.query,
        "mode": result.mode.value,
        "took_ms": round(result.took_ms, 1),
        "coverage": round(result.coverage, 4),
        "hits": [hit_json(hit) for hit in result.hits],
    }


def hit_json(hit: Hit) -> dict[str, Json]:
    """Return the documented shape of one hit."""
    return {
        "rank": hit.rank,
        "path": printable(hit.path),
        "also": [printable(path) for path in hit.also],
        "title": hit.title,
        "page": hit.page,
        "lines": [hit.snippet.span.first_line, hit.snippet.span.last_line],
        "score": round(hit.score, 6),
        "snippet": hit.snippet.text,
        "chunk": hit.chunk,
        "content": hit.sha256,
    }


def _query_trouble(query: str, error: QueryError) -> str:
    pointer = f"\n  {query}\n  {' ' * error.position}^"
    return f"{error}{pointer}" + (f"\n{error.suggestion}" if error.suggestion else "")


def _print(result: SearchResult, output: Output) -> None:
    if not result.hits:
        output.line(f"Nothing found for: {result.query}")
    for hit in result.hits:
        place = f"page {hit.page}, " if hit.page else ""
        span = hit.snippet.span
        lines = (
            f"line {span.first_line}"
            if span.first_line == span.last_line
            else (f"lines {span.first_line}–{span.last_line}")
        )
        output.console.print(Text(f"{hit.rank}. {printable(hit.path)}", "bold"), Text(f"{place}{lines}", "dim"))
        snippet = Text(hit.snippet.text)
        for start, end in hit.snippet.marks:
            snippet.stylize("bold yellow", start, end)
        output.console.print(snippet)
        output.console.print()
    if result.coverage < 1:
        output.line(f"Search by meaning covers {result.coverage:.0%} so far.", "dim")
