"""The contents a query may find, and the paths to show for them: visible, in scope, fulfilling the file conditions."""

from collections.abc import Iterable
from functools import cached_property

from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.records import ChunkId, Content, ContentId, FilePlace
from desktop_rag.retrieval.api import Scope
from desktop_rag.retrieval.query.file_conditions import fulfils
from desktop_rag.retrieval.query.tree import FileLeaf, Node
from desktop_rag.stop import Stop

_BATCH = 2000


class Candidates:
    """The contents a query may find; `narrowed` says that they are not simply all visible ones."""

    def __init__(self, catalog: CatalogReader, scope: Scope, condition: Node | None, stop: Stop) -> None:
        self._catalog = catalog
        self._scope = scope
        self._condition = condition
        self._stop = stop
        visible = catalog.files.visible_contents(scope.folders)
        if scope.contents:
            visible = visible.intersection(scope.contents)
        self._visible = visible
        self.narrowed = bool(scope.folders or scope.contents or condition is not None)
        self.contents = visible if condition is None else self._fulfilling(condition)

    @property
    def restriction(self) -> frozenset[ContentId] | None:
        """Return the contents an index search must be restricted to; None for no restriction."""
        return self.contents if self.narrowed else None

    @cached_property
    def chunks(self) -> frozenset[ChunkId] | None:
        """The chunks of `restriction`; None for no restriction."""
        return None if not self.narrowed else self._catalog.chunks.ids_of_contents(self.contents)

    def places(self, contents: Iterable[ContentId]) -> dict[ContentId, tuple[FilePlace, ...]]:
        """Return the files of these contents, those in scope that fulfil the conditions first.

        Contents without such a file are left out, even if they have other files.
        """
        allowed = self.contents.intersection(contents)
        places = self._catalog.files.places(allowed)
        if not self._scope.folders and self._condition is None:
            return places
        known = self._catalog.contents.by_id(places)
        ordered: dict[ContentId, tuple[FilePlace, ...]] = {}
        for content, found in places.items():
            fitting = tuple(place for place in found if self._fits(self._condition, known[content], place))
            if fitting:
                ordered[content] = (*fitting, *(place for place in found if place not in fitting))
        return ordered

    def holders(self, leaf: FileLeaf) -> frozenset[ContentId]:
        """Return the contents with a file that fulfils one condition, for conditions inside an OR or NOT of words."""
        return self._fulfilling(leaf)

    def _fulfilling(self, condition: Node) -> frozenset[ContentId]:
        fulfilling: set[ContentId] = set()
        waiting = sorted(self._visible)
        for first in range(0, len(waiting), _BATCH):
            self._stop.check()
            some = waiting[first : first + _BATCH]
            known, places = self._catalog.contents.by_id(some), self._catalog.files.places(some)
            fulfilling.update(
                content
                for content, found in places.items()
                if content in known and any(self._fits(condition, known[content], place) for place in found)
            )
        return frozenset(fulfilling)

    def _fits(self, condition: Node | None, content: Content, place: FilePlace) -> bool:
        if self._scope.folders and place.folder not in self._scope.folders:
            return False
        return condition is None or fulfils(condition, content, place)
