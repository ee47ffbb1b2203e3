"""Collects the totals that several read documents state, such as invoices, as a table with a row for each document."""

import re
from collections.abc import Iterable, Sequence

from desktop_rag.agent.extractive.quantities.read_tables import DocumentLines, ReadTable, TableRow, read_documents
from desktop_rag.llm.chat import ToolMessage
from desktop_rag.text.figures import read_figures
from desktop_rag.text.units import CURRENCIES

MAX_LISTED = 20  # documents of one page of a list; there may be more
_TOTAL = re.compile(
    r"^\W*(?:(?:grand|invoice|order|overall) )?"
    r"(?:total|sum|summe|gesamt(?:betrag|summe|preis)?|rechnungsbetrag|endbetrag)"
    r"(?P<due> (?:due|payable|to pay))?(?: (?:amount|price|cost))?[\s:|.]+(?P<amount>\D{0,5}\d.*)$|"
    r"^\W*(?:amount|balance) (?:due|payable)[\s:|.]+(?P<owed>\D{0,5}\d.*)$",
    re.IGNORECASE,
)

_PROMISED = re.compile(r"^\W*(?:(?:grand|invoice|order|overall) )?(?:total|sum|summe|gesamt)", re.IGNORECASE)


def document_totals(words: Iterable[str], results: Sequence[ToolMessage]) -> ReadTable | None:
    """Return the totals of the documents whose names have a word, and that have all the others; None without two.

    `whole` unless a document with such a name was not read to its end, or states no total, or may not be listed.
    """
    wanted = frozenset(words)
    documents = list(read_documents(results))
    kinds = {word for word in wanted if sum(word in each.name_stems for each in documents) > 1}
    if not kinds:
        return None
    named = [each for each in documents if kinds <= each.name_stems]
    read = [each for each in named if each.is_read]
    chosen = [each for each in read if wanted <= each.stems | each.name_stems]
    rows = sorted((row for each in chosen if (row := _total(each))), key=lambda row: row.cells)
    whole = len(read) == len(named) < MAX_LISTED and len(rows) == len(chosen)
    return ReadTable("", ("document", "total"), tuple(rows), wanted, whole) if len(rows) > 1 else None


def unread_documents(words: Iterable[str], results: Sequence[ToolMessage]) -> list[str]:
    """Return references to the listed documents whose names have one of the words and that were not read to the end."""
    wanted = frozenset(words)
    return [each.reference for each in read_documents(results) if wanted & each.name_stems and not each.is_read]


def _total(document: DocumentLines) -> TableRow | None:
    """Return the line with the document's one total, else its one amount; due is more than a total before taxes."""
    found = [
        (TableRow((document.file, (match["amount"] or match["owed"]).strip(" |")), line, reference, number), match)
        for number, (line, reference) in sorted(document.lines.items())
        if (match := _TOTAL.match(line))
    ]
    if not found:
        return _only_amount(document)
    due = [row for row, match in found if match["due"] or match["owed"]] or [row for row, _ in found]
    return due[-1] if len({row.cells[1] for row in due}) == 1 else None


def _only_amount(document: DocumentLines) -> TableRow | None:
    """Return the line with the one amount of money that a document states, such as the price of an offer.

    None if it promises a total elsewhere: “Total: see above”.
    """
    if any(_PROMISED.match(line) for line, _ in document.lines.values()):
        return None
    found = [
        TableRow((document.file, figure.text), line, reference, number)
        for number, (line, reference) in sorted(document.lines.items())
        for figure in read_figures(line).figures
        if figure.kinds & CURRENCIES
    ]
    return found[0] if len(found) == 1 else None
