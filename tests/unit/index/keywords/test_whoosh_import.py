"""Whoosh without asyncio and HTTP, in processes that have not imported it."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys, threading
from desktop_rag.index.keywords.open_index import import_whoosh
ended = threading.Event()
{before}
import_whoosh()
print("whoosh.reading" in sys.modules, "asyncio" in sys.modules, "http.client" in sys.modules)
import cached_property, urllib.request
from whoosh.reading import SegmentReader
from desktop_rag.index.keywords.columnar.columnar_keywords import ColumnarKeywordReader
print(callable(urllib.request.urlretrieve), cached_property.threaded_cached_property.__name__)
ended.set()
"""


@pytest.mark.processes
@pytest.mark.parametrize(
    ("before", "imported"),
    [
        ("", "True False False"),
        ("threading.Thread(target=ended.wait).start()", "False False False"),
        ("import urllib.request", "False False True"),
    ],
)
def test_whoosh_is_imported_alone_and_what_it_left_out_can_be_imported_later(before: str, imported: str) -> None:
    script = SCRIPT.format(before=before)
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.stderr) == (f"{imported}\nTrue threaded_cached_property\n", "")


@pytest.mark.processes
def test_a_reader_made_with_the_stand_in_keeps_the_deleted_documents() -> None:
    script = (
        "from desktop_rag.index.keywords.open_index import import_whoosh; import_whoosh();"
        "from whoosh.fields import Schema, TEXT; from whoosh.filedb.filestore import RamStorage;"
        "index = RamStorage().create_index(Schema(text=TEXT)); writer = index.writer();"
        "[writer.add_document(text=word) for word in ('oak', 'elm')]; writer.commit();"
        "writer = index.writer(); writer.delete_document(1); writer.commit(merge=False); reader = index.reader();"
        "print(reader.deleted_docs_set, reader.deleted_docs_set is reader.deleted_docs_set)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.stderr) == ("frozenset({1}) True\n", "")
