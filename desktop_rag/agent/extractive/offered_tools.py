"""What the tools offered to a run can do, read from their descriptions: any toolkit is driven by the same moves."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.llm.chat import ToolSpec

_QUERIES = ("queries", "query", "keywords", "q")
_READ = ("references", "chunk_ids", "chunks", "ids")
_ONE = ("reference", "id", "ref", "reference_id", "document")
_PLACES = ("line", "start_line", "from_line")
_PATTERNS = ("patterns", "pattern", "words")
_WITHIN = ("within", "documents")
READS = 10


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool; `most` is how many items a list may have, 1 for a single value."""

    name: str
    most: int
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchOffer:
    """A tool that searches the library; `words` is one that takes short literal keywords instead of questions."""

    tool: str
    queries: Parameter
    modes: tuple[str, ...]
    words: bool
    any_word: Parameter | None = None  # says that any of the words will do
    within: Parameter | None = None  # takes references of the documents to search in


@dataclass(frozen=True, slots=True)
class DocumentOffer:
    """A tool that lists or reads what `target` names, opens it at a place (`other`), or finds patterns in it."""

    tool: str
    target: Parameter
    other: Parameter | None = None


@dataclass(frozen=True, slots=True)
class ToolOffers:
    """The tools of a run by what they are good for."""

    searching: tuple[SearchOffer, ...] = ()
    listing: DocumentOffer | None = None
    reading: DocumentOffer | None = None
    opening: DocumentOffer | None = None
    finding: DocumentOffer | None = None

    @property
    def searches(self) -> frozenset[str]:
        """The names of the tools that search."""
        return frozenset(offer.tool for offer in self.searching)


def offers(specs: Sequence[ToolSpec]) -> ToolOffers:
    """Sort the tools by their parameters; what fits nowhere is left alone."""
    searching: list[SearchOffer] = []
    acting: dict[str, DocumentOffer] = {}
    for spec in specs:
        known = _parameters(spec)
        target = _first(known, _ONE)
        patterns, place = _first(known, _PATTERNS), _first(known, _PLACES)
        queries = _first(known, _QUERIES)
        if spec.name.startswith("list") and queries:
            acting.setdefault("listing", DocumentOffer(spec.name, queries))
        elif target and patterns:
            acting.setdefault("finding", DocumentOffer(spec.name, target, patterns))
        elif target and place:
            acting.setdefault("opening", DocumentOffer(spec.name, target, place))
        elif "read" in spec.name and (read := _first(known, _READ)):
            acting.setdefault("reading", DocumentOffer(spec.name, read))
        elif "search" in spec.name and queries:
            searching.append(_searching(spec, queries, known))
    return ToolOffers(tuple(searching), **acting)


def _searching(spec: ToolSpec, queries: Parameter, known: dict[str, Parameter]) -> SearchOffer:
    modes = known["mode"].choices if "mode" in known else ()
    operator = known.get("default_operator")
    any_word = operator if operator and "or" in (choice.lower() for choice in operator.choices) else None
    return SearchOffer(spec.name, queries, modes, queries.name == "keywords", any_word, _first(known, _WITHIN))


def _first(known: dict[str, Parameter], names: Sequence[str]) -> Parameter | None:
    return next((known[name] for name in names if name in known), None)


def _parameters(spec: ToolSpec) -> dict[str, Parameter]:
    schema: object = json.loads(spec.parameters)
    properties = schema.get("properties") if isinstance(schema, dict) else None
    found = properties if isinstance(properties, dict) else {}
    return {name: _parameter(name, told) for name, told in found.items() if isinstance(told, dict)}


def _parameter(name: str, told: dict[str, object]) -> Parameter:
    choices = told.get("enum")
    listed = told.get("type") == "array"
    most = told.get("maxItems")
    return Parameter(
        name,
        (most if isinstance(most, int) else READS) if listed else 1,
        tuple(map(str, choices)) if isinstance(choices, list) else (),
    )
