"""The searcher child: answers the questions of a `Retriever` over its pipe; it only reads the library."""

import argparse
import os
from collections.abc import Generator
from pathlib import Path

from desktop_rag.errors import ProcessError
from desktop_rag.index.keywords.keyword_engine import prepare
from desktop_rag.index.library import Library
from desktop_rag.processes.connection import parent_connection
from desktop_rag.processes.serving import serve
from desktop_rag.retrieval.api import DocumentQuery, SearchRequest
from desktop_rag.retrieval.explorer import Explorer
from desktop_rag.retrieval.service.search_engine import SearchEngine
from desktop_rag.retrieval.service.searcher_messages import (
    SEARCHER_REPLIES,
    SEARCHER_REQUESTS,
    ChunkTexts,
    ClauseCounts,
    CountClauses,
    CountFacets,
    CountFacts,
    Describe,
    Described,
    Differ,
    Explain,
    FindPassages,
    GetLayout,
    LookUp,
    PassagesFound,
    ReadChunks,
    ReadLines,
    Relate,
    SearcherReply,
)
from desktop_rag.retrieval.service.vector_writeback import VectorWriteback
from desktop_rag.settings import chosen_encoder
from desktop_rag.stop import Stop


def main(arguments: list[str]) -> int:
    """Serve one library until the parent closes the pipe."""
    parser = argparse.ArgumentParser(prog="_searcher")
    parser.add_argument("--library", type=Path, required=True)
    folder: Path = parser.parse_args(arguments).library
    connection = parent_connection()
    engine = SearchEngine(folder, chosen_encoder(), keep=VectorWriteback(Library(folder)).keep)

    def handle(request: object, stop: Stop) -> Generator[SearcherReply]:
        yield answer(engine, request, stop)

    serve(connection, handle, SEARCHER_REQUESTS, SEARCHER_REPLIES, on_gone=lambda: os._exit(0), prepare=prepare)
    return 0


def answer(retriever: Explorer, request: object, stop: Stop) -> SearcherReply:
    """Return the reply to one request."""
    reply = _of_library(retriever, request, stop) or _of_document(retriever, request, stop)
    if reply is None:
        raise ProcessError(f"The searcher does not know {type(request).__name__}.")
    return reply


def _of_library(retriever: Explorer, request: object, stop: Stop) -> SearcherReply | None:
    match request:
        case SearchRequest():
            return retriever.search(request, stop)
        case CountFacets(asked):
            return retriever.facets(asked, stop)
        case CountClauses(request):
            return ClauseCounts(retriever.clauses(request, stop))
        case Explain(path, asked):
            return retriever.explain(path, asked, stop)
        case Relate(chunk, limit):
            return retriever.related(chunk, limit, stop)
        case CountFacts(scope):
            return retriever.facts(scope, stop)
        case DocumentQuery():
            return retriever.documents(request, stop)
    return None


def _of_document(retriever: Explorer, request: object, stop: Stop) -> SearcherReply | None:
    match request:
        case FindPassages(content, patterns, per_pattern):
            return PassagesFound(retriever.find(content, patterns, per_pattern, stop))
        case ReadLines(content, first, count):
            return retriever.read_lines(content, first, count, stop)
        case ReadChunks(chunks):
            return ChunkTexts(retriever.read_chunks(chunks, stop))
        case Describe(content):
            return Described(retriever.describe(content, stop))
        case LookUp(sha256, path):
            return Described(retriever.lookup(sha256, path, stop))
        case GetLayout(content):
            return retriever.layout(content, stop)
        case Differ(one, other, most):
            return retriever.difference(one, other, most, stop)
    return None
