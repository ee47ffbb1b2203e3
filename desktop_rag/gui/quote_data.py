"""A quote as data for other programs: text with its reference, HTML with a link back, and the file itself."""

import html
from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QMimeData, QUrl

from desktop_rag.gui import formatting
from desktop_rag.text.desktop_links import link_to

MIME_TYPES = ("text/uri-list", "text/plain", "text/html")


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """Words of a document and where they stand."""

    words: str
    title: str
    path: str
    page: int | None
    first_line: int
    last_line: int
    sha256: str = ""

    @property
    def text(self) -> str:
        """Return the words with their reference."""
        return formatting.quotation(self.words, self.title, self.path, self.page, self.first_line, self.last_line)

    @property
    def html(self) -> str:
        """Return the words as a quotation of a web page whose reference is a link back."""
        words = html.escape(self.words.strip()).replace("\n", "<br>")
        place = formatting.place(self.page, self.first_line, self.last_line).replace(" · ", ", ")
        source = html.escape(", ".join(filter(None, (formatting.file_name(self.path, self.title), place))))
        link = html.escape(link_to(self.path, self.first_line, self.last_line, self.sha256))
        named = f'<a href="{link}">{source}</a>' if self.path else source
        return f"<blockquote><p>{words}</p><p>— {named}</p></blockquote>"


def quote_data(passages: Iterable[QuotedPassage]) -> QMimeData:
    """Return the passages as data to drag."""
    quoted = tuple(passages)
    data = QMimeData()
    paths = dict.fromkeys(passage.path for passage in quoted if passage.path)
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    data.setText("\n\n".join(passage.text for passage in quoted))
    data.setHtml("".join(passage.html for passage in quoted))
    return data
