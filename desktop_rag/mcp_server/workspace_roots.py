"""The scope of a client: the folders it works in (its roots), as far as they are in the library."""

from collections.abc import Iterable
from urllib.parse import urlsplit
from urllib.request import url2pathname

from desktop_rag.retrieval.api import DocumentQuery, Filter, Retriever
from desktop_rag.retrieval.query.tree import FileField
from desktop_rag.stop import Stop

MOST_ROOTS = 20


def root_filters(roots: Iterable[str], retriever: Retriever, stop: Stop) -> tuple[Filter, ...]:
    """Return the filters for roots (`file://` URIs) that hold documents of the library; none: everything.

    A client that works in a folder outside of the library has not chosen among its documents. Raises as `Retriever`.
    """
    folders = [folder for root in list(roots)[:MOST_ROOTS] if (folder := _folder(root))]
    filters = (Filter(FileField.FOLDER, folder) for folder in dict.fromkeys(folders))
    return tuple(each for each in filters if retriever.documents(DocumentQuery(filters=(each,), limit=1), stop).total)


def _folder(root: str) -> str:
    """Return the path of a root, "" if it is none of this computer."""
    try:
        parts = urlsplit(root)
    except ValueError:
        return ""
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return ""
    path = url2pathname(parts.path)
    return path.rstrip("/\\") if len(path) > 1 else ""
