"""Classifies the tools offered to a run by their JSON schemas, so that the built-in model can use any toolkit."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.llm.chat import ToolSpec

_QUERIES = ("queries", "query", "keywords", "q")
_READ = ("references", "chunk_ids", "chunks", "ids")
_ONE = ("reference", "id", "ref", "reference_id", "document")
_PLACES = ("line", "start_line", "from_line")
_WITHIN = ("within", "documents")
_LIMITS = ("limit",)
DEFAULT_ITEMS = 10  # of an array without `maxItems`


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool; `most` is the maximum number of items of an array, 1 for a single value."""

    name: str
    most: int
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchOffer:
    """A tool that searches the library; `words`: it takes short literal keywords instead of questions."""

    tool: str
    queries: Parameter
    modes: tuple[str, ...]
    words: bool
    any_word: Parameter | None = None  # the operator parameter, whose value OR matches any word
    within: Parameter | None = None  # takes references to the documents to search in
    limit: Parameter | None = None  # the number of results


@dataclass(frozen=True, slots=True)
class DocumentOffer:
    """A tool that reads documents by `target`, lists them, or opens them at a line (`other`)."""

    tool: str
    target: Parameter
    other: Parameter | None = None


@dataclass(frozen=True, slots=True)
class ToolOffers:
    """The tools of a run by function."""

    searching: tuple[SearchOffer, ...] = ()
    listing: DocumentOffer | None = None
    reading: DocumentOffer | None = None
    opening: DocumentOffer | None = None

    @property
    def searches(self) -> frozenset[str]:
        """The names of the search tools."""
        return frozenset(offer.tool for offer in self.searching)


def classify_tools(specs: Sequence[ToolSpec]) -> ToolOffers:
    """Classify the tools by their names and parameters; unknown tools are ignored."""
    searching: list[SearchOffer] = []
    acting: dict[str, DocumentOffer] = {}
    for spec in specs:
        known = _parameters(spec)
        target = _first(known, _ONE)
        place = _first(known, _PLACES)
        queries = _first(known, _QUERIES)
        if spec.name.startswith("list") and queries:
            acting.setdefault("listing", DocumentOffer(spec.name, queries))
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
    words = queries.name == "keywords"
    return SearchOffer(spec.name, queries, modes, words, any_word, _first(known, _WITHIN), _first(known, _LIMITS))


def _first(known: dict[str, Parameter], names: Sequence[str]) -> Parameter | None:
    return next((known[name] for name in names if name in known), None)


def _parameters(spec: ToolSpec) -> dict[str, Parameter]:
    schema: object = json.loads(spec.parameters)
    properties = schema.get("properties") if isinstance(schema, dict) else None
    found = properties if isinstance(properties, dict) else {}
    return {name: _parameter(name, schema) for name, schema in found.items() if isinstance(schema, dict)}


def _parameter(name: str, schema: dict[str, object]) -> Parameter:
    choices = schema.get("enum")
    is_array = schema.get("type") == "array"
    most = schema.get("maxItems")
    return Parameter(
        name,
        (most if isinstance(most, int) else DEFAULT_ITEMS) if is_array else 1,
        tuple(map(str, choices)) if isinstance(choices, list) else (),
    )
