"""The searcher child process: serves an `Explorer` over its pipe; it only reads the library."""

import argparse
import os
from pathlib import Path

from desktop_rag.index.keywords.keyword_engine import prepare
from desktop_rag.index.library import Library
from desktop_rag.processes.connection import parent_connection
from desktop_rag.processes.service import Service
from desktop_rag.processes.serving import serve
from desktop_rag.retrieval.explorer import Explorer
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.retrieval.service.vector_writeback import VectorWriteback
from desktop_rag.settings import chosen_encoder


def main(arguments: list[str]) -> int:
    """Serve one library until the parent closes the pipe."""
    parser = argparse.ArgumentParser(prog="_searcher")
    parser.add_argument("--library", type=Path, required=True)
    folder: Path = parser.parse_args(arguments).library
    connection = parent_connection()
    engine = SearchEngine(folder, chosen_encoder(), keep=VectorWriteback(Library(folder)).keep)
    handle = Service[Explorer](Explorer).handler(engine)
    serve(connection, handle, on_disconnect=lambda: os._exit(0), prepare=prepare)
    return 0
