"""Counts what a change of the sentence encoder would encode again."""

from collections.abc import Iterable
from contextlib import closing
from typing import NamedTuple

from desktop_rag.errors import LibraryError
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.library import Library


class Reencoding(NamedTuple):
    """Sentences of all libraries, and those that have a vector of the encoder already."""

    sentences: int
    ready: int

    def minutes(self, sentences_per_second: float) -> float:
        """Return how long one thread takes; 0 if the speed is unknown."""
        return (self.sentences - self.ready) / sentences_per_second / 60 if sentences_per_second > 0 else 0.0


def reencoding(libraries: Iterable[Library], encoder: str) -> Reencoding:
    """Count the sentences that the encoder with this id would encode; libraries that cannot be read are left out."""
    sentences = ready = 0
    for library in libraries:
        try:
            with closing(CatalogReader.open(library.catalog)) as catalog:
                done, total = catalog.chunks.sentence_counts()
                serving = catalog.encoders.serving()
        except (LibraryError, OSError):
            continue
        sentences += total
        ready += done if serving is not None and serving.name == encoder else 0
    return Reencoding(sentences, ready)
