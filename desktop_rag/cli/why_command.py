"""`desktop-rag why`: the rule that includes a path, the state of its file, and its rank in a search."""

from contextlib import closing
from pathlib import Path

from desktop_rag.cli.output import FOUND, NOTHING, Output, shown_path
from desktop_rag.cli.search_command import open_engine, print_query_error
from desktop_rag.errors import QueryError
from desktop_rag.index.library import Library
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.retrieval.explain.explanation import (
    Bearing,
    BestLine,
    Explanation,
    SearchExplanation,
    render_explanation,
)
from desktop_rag.stop import Stop
from desktop_rag.text.display import location_text, one_line, printable
from desktop_rag.text.json_types import Json

_STYLES = {Bearing.HELPS: "green", Bearing.HINDERS: "yellow", Bearing.PLAIN: ""}


def why(library: Library, path: Path, query: str | None, mode: str, limit: int, output: Output, stop: Stop) -> int:
    """Explain why `path` is indexed and found or not; return 1 if it is not found."""
    request = SearchRequest(query, Mode(mode), limit) if query is not None else None
    with closing(open_engine(library)) as engine:
        try:
            found = engine.explain(path, request, stop)
        except QueryError as error:
            print_query_error(query or "", error, output)
            return NOTHING
    if output.as_json:
        output.value(explanation_json(found))
    else:
        _print(found, output)
    return FOUND if found.found else NOTHING


def explanation_json(found: Explanation) -> dict[str, Json]:
    """Return an explanation in the documented JSON format."""
    status, decision = found.status, found.status.decision
    value: dict[str, Json] = {
        "path": printable(status.path),
        "folder": printable(status.folder.path) if status.folder else None,
        "included": status.included,
        "rule": decision.rule.value if decision else None,
        "detail": decision.detail if decision else "",
        "source": printable(decision.source) if decision and decision.source else None,
        "line": decision.line if decision and decision.line else None,
        "state": status.state.value if status.state else None,
        "sentence": status.sentence,
        "set_aside": status.set_aside,
        "coverage": None if found.coverage is None else round(found.coverage, 4),
        "said": [remark.sentence for remark in render_explanation(found)],
    }
    return value | {"search": _search_json(found.in_search) if found.in_search else None}


def _search_json(search: SearchExplanation) -> dict[str, Json]:
    return {
        "query": printable(search.query),
        "mode": search.mode.value,
        "place": search.place,
        "shown": search.shown,
        "capped": search.capped,
        "instead": printable(search.duplicate_of) if search.duplicate_of else None,
        "excluded": search.excluded,
        "clauses": [
            {"text": each.text, "part": each.part.value, "matches": each.matches, "elsewhere": each.elsewhere}
            for each in search.clauses
        ],
        "ranks": {
            each.mode.value: {"rank": each.rank, "passages": each.length, "cut_off": each.cut_off}
            for each in search.ranks
        },
        "led_by": [printable(path) for path in search.linked_from],
        "best": _line_json(search.best) if search.best else None,
        "note": search.note,
    }


def _line_json(best: BestLine) -> dict[str, Json]:
    span = best.snippet.span
    lines = [span.first_line, span.last_line]
    return {"lines": lines, "page": best.page, "section": printable(best.section), "text": best.snippet.text}


def _print(found: Explanation, output: Output) -> None:
    output.line(shown_path(found.status.path), "bold")
    for remark in render_explanation(found):
        output.line(f"  {one_line(remark.sentence)}", _STYLES[remark.bearing])
    best = found.in_search.best if found.in_search else None
    if best is not None:
        span = best.snippet.span
        place = location_text(best.page, span.first_line, span.last_line, best.section)
        output.text(("  Nearest: ", ""), (one_line(best.snippet.text.replace("\n", " ")), ""), (f"  {place}", "dim"))
    if found.status.set_aside:
        output.line("  `desktop-rag retry PATH` reads it again now.")
