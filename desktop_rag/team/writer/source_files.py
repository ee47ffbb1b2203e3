"""The files that one source of a team library copies: those in some root folders of a library, as one space."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from desktop_rag.errors import EncoderError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.catalog.file_names import TextlessFile
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.records import ContentId, FilePlace, Folder, FolderId
from desktop_rag.index.vectors.available_encoders import folder_of
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop
from desktop_rag.team.format.document_cards import codes_of, packed_codes

_AT_ONCE = 500
NO_ROOTS = (b"",)  # the root folders of a source that is emptied: no folder has this path


@dataclass(frozen=True, slots=True)
class TeamSource:
    """What is copied: the files in some root folders (in all if there are none) as one space, under one name."""

    name: str
    space: str
    roots: tuple[bytes, ...] = ()
    folders: tuple[FolderId, ...] = field(default=(), compare=False)


class SourceFiles:
    """The documents of a source as the catalog has them now."""

    def __init__(self, catalog: CatalogReader, source: TeamSource) -> None:
        self._catalog = catalog
        self._roots = source.roots

    def folders(self) -> tuple[Folder, ...]:
        """Return its root folders."""
        return tuple(each for each in self._catalog.folders.all() if not self._roots or each.path in self._roots)

    def visible(self) -> frozenset[ContentId]:
        """Return the contents with a file in one of them."""
        folders = tuple(folder.id for folder in self.folders())
        if self._roots and not folders:
            return frozenset()
        return self._catalog.files.visible_contents(folders if self._roots else ())

    def places(self, contents: Iterable[ContentId]) -> dict[ContentId, tuple[FilePlace, ...]]:
        """Return the files of contents in its folders; contents without any are left out."""
        ids = {folder.id for folder in self.folders()}
        found = self._catalog.files.places(contents)
        own = {content: tuple(each for each in places if each.folder in ids) for content, places in found.items()}
        return {content: places for content, places in own.items() if places}

    def textless(self) -> Iterator[tuple[TextlessFile, bool]]:
        """Yield its files without text, see `TextlessFiles.every`."""
        ids = {folder.id for folder in self.folders()}
        return ((file, picture) for file, picture in self._catalog.textless.every() if file.place.folder in ids)

    def with_pages(self) -> Iterator[tuple[str, tuple[bytes, ...]]]:
        """Yield the hash and the paths of each file that has pages to show."""
        contents = self._catalog.contents
        visible = sorted(self.visible())
        for first in range(0, len(visible), _AT_ONCE):
            paged = contents.pages(visible[first : first + _AT_ONCE])
            known, places = contents.by_id(paged), self.places(paged)
            for content in places:
                yield known[content].sha256.hex(), tuple(place.path for place in places[content])


# The vectors of titles that a writer adds to the documents, so that no desktop encodes the titles of what it finds.

logger = logging.getLogger(__name__)


class TitleVectors:
    """Encodes titles with the encoder of a library, loaded when first needed; none if it cannot be used here."""

    def __init__(self) -> None:
        self._encoder: Encoder | None = None
        self._missing = ""  # the id of an encoder that cannot be used here

    def packed(self, titles: Iterable[str], encoder_id: str, stop: Stop) -> Mapping[str, str]:
        """Return the vector of each title that is not empty, see `packed_codes`."""
        wanted = sorted(set(filter(None, titles)))
        encoder = self._loaded(encoder_id) if wanted and encoder_id else None
        if encoder is None:
            return {}
        vectors = encoder.encode(wanted, stop)
        return {title: packed_codes(row[None]) for title, row in zip(wanted, codes_of(vectors), strict=True)}

    def _loaded(self, encoder_id: str) -> Encoder | None:
        if self._encoder is not None and self._encoder.id == encoder_id:
            return self._encoder
        folder = folder_of(encoder_id, encoder_folder()) if encoder_id != self._missing else None
        try:
            self._encoder = Encoder.load(folder) if folder is not None else None
        except EncoderError as error:
            logger.warning("titles are written without vectors: %s", error)
            self._encoder = None
        self._missing = "" if self._encoder is not None else encoder_id
        return self._encoder
