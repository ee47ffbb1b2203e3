"""The vectors of titles that a writer adds to the documents, so that no desktop encodes the titles of what it finds."""

import logging
from collections.abc import Iterable, Mapping

from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.vectors.available_encoders import folder_of
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop
from desktop_rag.team.format.sentence_codes import codes_of, packed_codes

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
