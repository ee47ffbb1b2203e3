"""Restricts a tool call to some documents: by references, or by type, folder, author and date."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from desktop_rag.agent.tools.arguments import ArgumentError, Arguments, strings
from desktop_rag.agent.tools.tool import ToolContext, quoted, text_parameter
from desktop_rag.index.records import ContentId
from desktop_rag.retrieval.api import DocumentQuery, Facet, Facets
from desktop_rag.retrieval.query.date_ranges import period
from desktop_rag.retrieval.query.tree import FileField, Filter
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, shorten

WITHIN = 20  # references a call may name
VALUES = 5  # of one condition
FACET_VALUES = 4  # values of a facet
FIELDS: Mapping[str, FileField] = {
    "type": FileField.EXT,
    "folder": FileField.FOLDER,
    "author": FileField.AUTHOR,
    "date": FileField.DATE,
}
PROPERTIES = {
    "type": text_parameter("pdf, docx …"),
    "folder": text_parameter(),
    "author": text_parameter(),
    "date": text_parameter("2023-05, 2022 TO 2024"),
}
_UNKNOWN = {
    FileField.EXT: "No document has the type “{0}”.",
    FileField.FOLDER: "There is no folder “{0}” with documents.",
    FileField.AUTHOR: "No document has an author “{0}”.",
    FileField.DATE: "No document has a date in “{0}”.",
}
_RANGE = re.compile(r"\s*(?:\bto\b|\bbis\b|\buntil\b|\.\.\.?|–|—|(?<=\d{4})-(?=\d{4}\b))\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NarrowedContext:
    """The context of a call restricted to some documents, with notes for the model."""

    context: ToolContext
    notes: tuple[str, ...]
    summary: str  # for the user: “2 documents, pdf”
    own: tuple[Filter, ...] = ()  # the conditions of the call itself

    def unknown(self, stop: Stop) -> str:
        """Return which of the call's own conditions no document fulfils, and what would; "" if each has some."""
        theirs = tuple(each for each in self.context.filters if each not in self.own)
        said = list[str]()
        for each in self.own:
            asked = DocumentQuery(scope=self.context.scope, filters=(*theirs, each), limit=1)
            if not self.context.retriever.documents(asked, stop).cards:
                said.append(_UNKNOWN[each.field].format(shorten(one_line(each.text))))
        if not said:
            return ""
        every = DocumentQuery(scope=self.context.scope, filters=theirs, limit=1, with_facets=True)
        there = facet_line(self.context.retriever.documents(every, stop).facets, what="are there")
        return " ".join(filter(None, (*said, there)))

    @property
    def has_alternatives(self) -> bool:
        """Return whether one condition of the call has several values, some of which nothing may fulfil."""
        return len({each.field for each in self.own}) < len(self.own)


def narrow(arguments: Arguments, context: ToolContext) -> NarrowedContext:
    """Apply the conditions of a call; the user's own always hold."""
    within, unknown = _within(arguments, context)
    scope = context.scope
    own, notes = _filters(arguments, (*context.filters, *scope.filters), forgiving=context.forgiving)
    if unknown:
        notes += (f"Nothing is called {quoted(unknown)}: `within` is left out.",)
    summary = [each.text for each in own]
    if within:
        scope = replace(scope, contents=within)
        summary.insert(0, f"{len(within)} document{'s' if len(within) != 1 else ''}")
    narrowed = replace(context, scope=scope, filters=(*context.filters, *own))
    return NarrowedContext(narrowed, notes, ", ".join(summary), own)


def _within(arguments: Arguments, context: ToolContext) -> tuple[tuple[ContentId, ...], list[str]]:
    """Return the contents that the call names within the user's scope, and names of nothing, if these are forgiven."""
    names = [name for name in ("within", "references", "documents") if arguments.get(name)]
    found: dict[ContentId, None] = {}
    unknown: list[str] = []
    for name in strings(arguments, names, WITHIN) if names else ():
        try:
            found[context.reference(name).content] = None
        except ArgumentError:
            if not context.forgiving:
                raise
            unknown.append(name)
    allowed = context.scope.contents
    inside = [content for content in found if not allowed or content in allowed]
    if found and not inside:
        raise ArgumentError("The user chose other documents to look in. Leave `within` out.")
    return tuple(inside), unknown


def _filters(
    arguments: Arguments, given: Iterable[Filter], *, forgiving: bool
) -> tuple[tuple[Filter, ...], tuple[str, ...]]:
    used = {each.field for each in given}
    own: list[Filter] = []
    notes: list[str] = []
    for name, field in FIELDS.items():
        if not arguments.get(name):
            continue
        try:
            values = strings(arguments, (name,), VALUES, 200)
            if field is FileField.EXT:  # models also write “md, txt”
                values = tuple(re.findall(r"[^\s,;]+", " ".join(values)))[:VALUES]
            own += [Filter(field, _value(field, value), narrows=field in used) for value in values]
        except ArgumentError as error:
            if not forgiving:
                raise
            notes.append(f"`{name}` is left out: {error}")
            continue
        if field in used:
            notes.append(f"The user has chosen the {name}; {quoted(values)} applies within it.")
    return tuple(own), tuple(notes)


def _value(field: FileField, text: str) -> str:
    if field is FileField.EXT:
        return text.lstrip(".*").lower()
    if field is not FileField.DATE:
        return text
    wanted = _RANGE.sub(" TO ", text)
    if period(wanted, date.today()) is None:
        raise ArgumentError(f'"date" must be a year, a month, a day or a range (2022 TO 2024), not “{shorten(text)}”.')
    return wanted


def facet_line(facets: Facets, *, what: str) -> str:
    """Return the facet counts of documents on one line; empty if there is only one value each."""
    kinds, places = ("types", facets.types), ("folders", facets.folders)
    lists = (kinds, places, ("changed", facets.dates), ("authors", facets.authors))
    parts = [f"{name}: {_values(found, name)}" for name, found in lists if len(found) > 1]
    about, of_best = ("About ", ", of the best ones") if facets.about else ("", "")
    return f"{about}{facets.documents:,} documents {what}. {'; '.join(parts)}{of_best}." if parts else ""


def _values(facets: tuple[Facet, ...], name: str) -> str:
    most = (
        sorted(facets, key=lambda facet: -facet.count)[:FACET_VALUES]
        if name != "changed"
        else facets[-2 * FACET_VALUES :]
    )
    rest = len(facets) - len(most)
    shown = ", ".join(f"{shorten(facet.label, 40)} {facet.count:,}" for facet in most)
    return f"{shown}, {rest} more" if rest else shown
