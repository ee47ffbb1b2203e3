"""`desktop-rag open`: the link to a line of a document, which the window then shows."""

import os
import re
from contextlib import closing
from pathlib import Path

from desktop_rag.cli.output import shown_path
from desktop_rag.cli.search_command import open_engine
from desktop_rag.errors import LinkError
from desktop_rag.index.library import Library
from desktop_rag.paths import written_path
from desktop_rag.retrieval.api import DocumentCard, DocumentQuery
from desktop_rag.stop import Stop
from desktop_rag.text.desktop_links import link_to
from desktop_rag.text.display import plural

_PLACE = re.compile(r"(?P<file>.+?)(?::|#L?)(?P<first>\d{1,8})(?:-L?(?P<last>\d{1,8}))?", re.ASCII | re.DOTALL)


def place_in_file(text: str) -> tuple[str, int, int]:
    """Return the file with its first and last line, as in `a.md:12`, `a.md:12-14` or `a.md#L12-L14`; 0 for none.

    Raises `LinkError` for line 0.
    """
    found = _PLACE.fullmatch(text)
    if found is None or Path(text).exists():  # a name may end like a place
        return text, 0, 0
    first, last = sorted((int(found["first"]), int(found["last"] or found["first"])))
    if not first:
        raise LinkError("Lines count from 1.")
    return found["file"], first, last


def link_to_place(library: Library, text: str, stop: Stop) -> str:
    """Return the link to a place in a document given by its path or its name; raises `LinkError` if it has none."""
    file, first, last = place_in_file(text)
    path = written_path(file)
    with closing(open_engine(library)) as engine:
        card = engine.lookup("", path, stop) or engine.lookup("", Path(os.path.realpath(path)), stop)
        if card is not None and card.path is not None:
            return _checked_link(card, card.path, first, last)
        if path.exists() or "/" in file:
            status = engine.explain(path, None, stop).status
            if status.state is not None:  # a file that was seen
                raise LinkError(f"{shown_path(path)} has no text to show. {status.sentence}")
            raise LinkError(f"{shown_path(path)} is not in this library.")
        name = Path(file).name
        cards = engine.documents(DocumentQuery(name), stop).cards
        named = [(one, one.path) for one in cards if one.path and one.path.name.casefold() == name.casefold()]
    if len(named) != 1:
        listed = "".join(f"\n  {shown_path(path)}" for _, path in named)
        raise LinkError(f"{len(named) or 'No'} documents of this library have the name {shown_path(name)}.{listed}")
    return _checked_link(*named[0], first, last)


def _checked_link(card: DocumentCard, path: Path, first: int, last: int) -> str:
    if first > card.lines:
        raise LinkError(f"{shown_path(path)} has {plural(card.lines, 'line')}; there is no line {first}.")
    return link_to(str(path), first, min(last, card.lines), card.sha256)
