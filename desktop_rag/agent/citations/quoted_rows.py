"""Rows of tables as they are shown to people: each cell after the name of its column, with dots between them."""

from collections.abc import Iterable

from desktop_rag.agent.events import Citation

MAX_LINES, MAX_ROWS = 8, 40  # that a citation keeps as they were cited: of a text, of a table
_BETWEEN = " · "


def cells_of(row: str) -> tuple[str, ...]:
    """Return the cells of a row with tabs or bars between them, without marks of emphasis."""
    parts = row.split("\t") if "\t" in row else row.strip().strip("|").split("|")
    return tuple(part.strip(" *`") for part in parts)


def is_row(line: str) -> bool:
    """Return whether a line is a row with tabs or bars between its cells."""
    return "\t" in line.strip() or line.lstrip().startswith("|")


def keeps_range(lines: Iterable[str]) -> bool:
    """Return whether cited lines are few, or rows that may belong together: a sum needs all of them."""
    cited = list(lines)
    return len(cited) <= (MAX_ROWS if all(is_row(line) or not line.strip() for line in cited) else MAX_LINES)


def labelled_row(row: str, columns: str = "") -> str:
    """Return a row as “Name: cell · Name: cell”; without names if there are fewer names than cells."""
    cells, names = cells_of(row), cells_of(columns)
    if len(names) < len(cells) or not any(names):
        return _BETWEEN.join(filter(None, cells))
    found: list[str] = []
    for at, (name, cell) in enumerate(zip(names, cells, strict=False)):
        words = bool(cell) and not any(map(str.isdigit, cell))
        if not cell or (words and at and cell == cells[at - 1]):
            continue
        spans = words and cells[at + 1 : at + 2] == (cell,)  # a merged cell is of no column
        found.append(f"{name.rstrip(':')}: {cell}" if name and name != cell and not spans else cell)
    return _BETWEEN.join(found)


def shown_words(citation: Citation) -> str:
    """Return the quoted words; a whole row of a table with the names of its columns."""
    place = citation.first_line - citation.passage_first_line
    lines = citation.passage.split("\n")
    if citation.first_line != citation.last_line or not 0 <= place < len(lines):
        return citation.quote
    row = lines[place]
    whole = citation.quote and "".join(citation.quote.split()).strip("|") == "".join(row.split()).strip("|")
    return labelled_row(row, citation.columns) if is_row(row) and whole else citation.quote
