"""Finds citations by file name in an answer that should cite by reference: [lease.md, lines 4–6]."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from desktop_rag.agent.citations.citation_syntax import OPENERS, RawCitation
from desktop_rag.agent.citations.references import Reference, References
from desktop_rag.agent.citations.written.cited_places import CitedPlace, parse_places

MAX_BRACKET = 300  # characters of a bracket that may name files
_LEADS = ("source: ", "quelle: ")
_AROUND = " `*\"“„'"
_LINK_TARGET = "("  # after a square bracket


@dataclass(slots=True)
class NamedFiles:
    """The files that a run knows, by the names under which a model may cite them; it counts lines from `counts_from`.

    A name of several files is none: nothing says which is meant.
    """

    references: References
    counts_from: int = 1
    _known: int = -1
    _names: Mapping[str, Reference] = field(default_factory=dict)

    def citations(self, text: str, *, ended: bool) -> tuple[int, tuple[RawCitation, ...]] | None:
        """Return length and citations of the bracket that begins `text`, 0 if it is none, None if undecided."""
        closer = text.find(OPENERS[text[0]], 1, MAX_BRACKET)
        inside = text[1:closer] if closer > 0 else text[1:]
        closed = closer > 0 or ended or len(text) > MAX_BRACKET or "\n" in inside
        if "\n" in inside or not self._may_name_a_file(inside, closed=closed):
            return 0, ()
        if closer < 0:
            return (0, ()) if closed else None
        after = text[closer + 1 : closer + 2]
        if text[0] == "[" and not after and not ended:
            return None  # a link?
        made = [tuple(self._cited(place, text[0])) for place in parse_places(inside)]
        if after == _LINK_TARGET or not made or not all(made):
            return 0, ()
        return closer + 1, tuple(raw for each in made for raw in each)

    def _may_name_a_file(self, inside: str, *, closed: bool) -> bool:
        begun = inside.lstrip(_AROUND).casefold()
        begun = next((begun.removeprefix(lead).lstrip(_AROUND) for lead in _LEADS if begun.startswith(lead)), begun)
        names = self._by_name()
        if closed:
            return any(map(begun.startswith, names))
        return any(name.startswith(begun) or begun.startswith(name) for name in (*names, *_LEADS))

    def _by_name(self) -> Mapping[str, Reference]:
        """Return the oldest reference to each file by its folded name, path and title."""
        if self._known != len(self.references):
            self._known = len(self.references)
            found: dict[str, Reference | None] = {}
            for reference in self.references.documents().values():
                path = reference.path.replace("\\", "/")
                parts = path.split("/")
                for name in {path, *("/".join(parts[-n:]) for n in (1, 2)), reference.title} - {""}:
                    found[name.casefold()] = None if name.casefold() in found else reference
            self._names = {name: reference for name, reference in found.items() if reference}
        return self._names

    def _cited(self, place: CitedPlace, opener: str) -> Iterator[RawCitation]:
        """Yield the citation of a place; none if it may be ordinary text."""
        named = (self._by_name().get(name.replace("\\", "/").casefold()) for name in place.names)
        reference = next(filter(None, named), None)
        if reference is None:
            return
        if place.first:
            first, last = (number + 1 - self.counts_from for number in (place.first, place.last))
            yield RawCitation(reference.name, first, last, place.quote, None, self.counts_from)
        elif place.page:
            same = (self.references.get(name) for name in self.references.all_names())
            pages = [each for each in same if each and each.content == reference.content and each.page == place.page]
            yield from (RawCitation(each.name, None, None, place.quote) for each in pages)
        elif opener != "(" and place.certain:
            yield RawCitation(reference.name, None, None, place.quote)
