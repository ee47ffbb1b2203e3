"""The text of one model turn on its way to the person: citations numbered, what was shown kept."""

from collections.abc import Callable

from desktop_rag.agent.citing.citations import Citations
from desktop_rag.agent.citing.stream import CitationStream
from desktop_rag.agent.events import Citation

NOT_FOUND = "not found in your library"


class Speech:
    """Collects what a turn says, raw for the model and numbered for the person."""

    def __init__(self, citations: Callable[[], Citations]) -> None:
        self._new_citations = citations
        self.restart()

    def restart(self) -> None:
        """Forget what was said; numbering begins again at 1."""
        self._citations = self._new_citations()
        self._stream = CitationStream(self._citations.resolve)
        self._raw: list[str] = []
        self._shown: list[str] = []

    def say(self, text: str) -> str:
        """Take the next piece of the model's text; return what can be shown of it now."""
        self._raw.append(text)
        return self._show(self._stream.feed(text))

    def end(self) -> str:
        """Return what was held back to the end."""
        return self._show(self._stream.end())

    @property
    def raw(self) -> str:
        """The text as the model wrote it."""
        return "".join(self._raw)

    @property
    def text(self) -> str:
        """The text as it has been shown."""
        return "".join(self._shown)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations so far."""
        return self._citations.all()

    @property
    def says_not_found(self) -> bool:
        """Whether the answer is that the library does not hold it."""
        return self._stream.said_not_found or self.text.lstrip(" *_#>").lower().startswith(NOT_FOUND)

    def _show(self, text: str) -> str:
        if not self._shown:
            text = text.lstrip()
        if text:
            self._shown.append(text)
        return text
