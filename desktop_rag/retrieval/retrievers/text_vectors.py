"""A cache of the vectors of texts that searches compare again and again: titles, and the windows of re-ranking."""

from collections import OrderedDict
from collections.abc import Iterable

from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.retrieval.retrievers.on_demand_encoding import Floats
from desktop_rag.stop import Stop


class TextVectors:
    """The vectors of the `most` texts used last, of one encoder."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._encoder = ""
        self._known: OrderedDict[str, Floats] = OrderedDict()

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()

    def of(self, texts: Iterable[str], encoder: Encoder, stop: Stop) -> dict[str, Floats]:
        """Return the unit vector of each text, encoding those that are not known; raises `EncoderError`."""
        if encoder.id != self._encoder:
            self.clear()
            self._encoder = encoder.id
        found = {text: self._known.pop(text, None) for text in texts}
        unknown = [text for text, vector in found.items() if vector is None]
        made = dict(zip(unknown, encoder.encode(unknown, stop) if unknown else (), strict=True))
        vectors = {text: made[text] if vector is None else vector for text, vector in found.items()}
        self._known |= vectors
        while len(self._known) > self._most:
            self._known.popitem(last=False)
        return vectors
