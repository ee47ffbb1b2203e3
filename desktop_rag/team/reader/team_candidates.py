"""The documents of a team's library that a query may find: conditions that each request carries."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from desktop_rag.index.records import ChunkId, ContentId, FilePlace
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.query.own_dates import own_date_ns
from desktop_rag.retrieval.query.tree import FileLeaf, Node
from desktop_rag.retrieval.retrievers.candidate_filter import Candidates, DatedUnit
from desktop_rag.stop import Stop
from desktop_rag.team.format.file_facts import condition, withheld_facts
from desktop_rag.team.format.team_indexes import DOCUMENTS, of_contents
from desktop_rag.team.reader.team_catalog import TeamCatalog
from desktop_rag.team.server.json_answers import Json, as_int, hits, total

_HOLDERS = 10_000  # documents that fulfil a condition inside an OR of words
_LISTED = 1_000  # documents of a search without words


class TeamCandidates(Candidates):
    """The documents a query may find; its conditions are part of each request to the server."""

    def __init__(self, team: TeamCatalog, scope: Scope, node: Node | None, stop: Stop) -> None:
        super().__init__(team, scope, node, stop)
        self.team, self.scope, self.node, self.stop = team, scope, node, stop
        self.conditions = conditions_of(scope, node)

    checked = False  # the server does

    @cached_property
    def contents(self) -> frozenset[ContentId]:
        """The newest documents that may be found, at most `_HOLDERS`."""
        return self._matching(self.conditions, _HOLDERS)

    @property
    def restriction(self) -> frozenset[ContentId] | None:
        """Return no restriction: it is part of the request."""
        return None

    @cached_property
    def excluded(self) -> frozenset[ChunkId]:
        """Nothing: a passage has the facts of its own mail."""
        return frozenset()

    @cached_property
    def chunks(self) -> frozenset[ChunkId] | None:
        """No restriction, see `restriction`."""
        return None

    def allow(self, content: ContentId) -> bool:
        """Return whether a document may be found."""
        return bool(self._matching([*self.conditions, of_contents((content,))], 1))

    def count_up_to(self, most: int) -> int:
        """Return how many documents may be found, at most `most`."""
        if not self.conditions:
            return self.team.files.count_contents_up_to(most)
        body: Json = {"query": {"bool": {"filter": self.conditions}}, "size": 0, "track_total_hits": most}
        return min(most, total(self.team.shared.search(DOCUMENTS, body)))

    def places(self, contents: Iterable[ContentId]) -> dict[ContentId, tuple[FilePlace, ...]]:
        """Return the files of these contents, those that fulfil the conditions first, see `Candidates`."""
        places = self._places(contents)
        if self.node is None and not self.scope.folders:
            return places
        known, mails = self._contents(places), self._mails(self.node, places)
        ordered: dict[ContentId, tuple[FilePlace, ...]] = {}
        for content, found in places.items():
            mine = mails.get(content, ())
            fitting = tuple(each for each in found if self._fits_any(self.node, known[content], each, mine))
            if fitting:
                ordered[content] = (*fitting, *(each for each in found if each not in fitting))
        return ordered

    def units(self) -> Iterator[DatedUnit]:
        """Yield the newest documents that may be found, at most `_LISTED`."""
        for content, found in self.places(self._matching(self.conditions, _LISTED)).items():
            known = self._contents((content,))[content]
            mail = next(iter(self.team.mails.of((content,)).get(content, ())), None)
            yield DatedUnit(content, 1, found[0], own_date_ns(known, found[0], mail))

    def holders(self, leaf: FileLeaf, among: frozenset[ContentId] | None = None) -> frozenset[ContentId]:
        """Return the contents with a file that fulfils one condition, at most `_HOLDERS`."""
        some = [] if among is None else [of_contents(tuple(among))]
        return self._matching([condition(leaf), *some], _HOLDERS)

    def _matching(self, conditions: list[Json], limit: int) -> frozenset[ContentId]:
        order = [{"date": {"order": "desc", "mode": "max"}}, {"content": "asc"}]
        body: Json = {"query": {"bool": {"filter": conditions}}, "size": limit, "sort": order, "_source": False}
        return frozenset(ContentId(as_int(hit["_id"])) for hit in hits(self.team.shared.search(DOCUMENTS, body)))


class Among(TeamCandidates):
    """Candidates whose documents are known."""

    def __init__(self, candidates: TeamCandidates, contents: frozenset[ContentId]) -> None:
        super().__init__(candidates.team, candidates.scope, candidates.node, candidates.stop)
        self.contents = contents


def conditions_of(scope: Scope, node: Node | None) -> list[Json]:
    """Return the conditions on documents of a scope and of a query."""
    found = [condition(node)] if node is not None else []
    if scope.folders:
        found.append({"terms": {"root": [str(folder) for folder in scope.folders]}})
    if scope.contents:
        found.append(of_contents(scope.contents))
    if scope.withheld:
        found.append({"bool": {"must_not": withheld_facts(scope.withheld)}})
    return found
