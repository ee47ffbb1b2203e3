"""What stands over lines of a document and belongs to them: their heading, their table's header, the years above."""

import re
from collections.abc import Mapping

from desktop_rag.agent.citations.numbers import figures
from desktop_rag.agent.citations.source_sentences import sentences

FAR = 40  # lines above which a line of years no longer heads a table
_ROW = re.compile(r"\t|^\s*\||;.*;|,\S.*,\S")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def over(known: Mapping[int, str], cited: Mapping[int, str]) -> tuple[str, ...]:
    """Return what was read above the `cited` lines of a document that tells what they are about."""
    if not cited:
        return ()
    headings = {sentence.under for sentence in sentences(known) if sentence.under and sentence.last_line in cited}
    first = min(cited)
    return tuple(filter(None, (*sorted(headings), _table_header(known, first), _years(known, first))))


def _table_header(known: Mapping[int, str], line: int) -> str:
    """Return the first line of the table whose row this is."""
    if not _ROW.search(known.get(line, "")):
        return ""
    while _ROW.search(known.get(line - 1, "")):
        line -= 1
    return known[line]


def _years(known: Mapping[int, str], line: int) -> str:
    """Return the nearest line above whose only figures are dates and years: it heads the columns of a printed table."""
    for number in range(line - 1, max(line - FAR, 0), -1):
        text = known.get(number, "")
        if _YEAR.search(text) and all(figure.when or _YEAR.fullmatch(figure.text) for figure in figures(text)):
            return text
    return ""
