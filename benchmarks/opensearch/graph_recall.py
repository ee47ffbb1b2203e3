"""Compares what the graph of a team's library finds with all the nearest passages, which the embedded library finds."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.report import OURS, Measurement
from desktop_rag.index.catalog.catalog_reader import CatalogReader
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.index.library import Library
from desktop_rag.index.vectors.vector_reader import VectorReader
from desktop_rag.paths import encoder_folder
from desktop_rag.retrieval.ranking.ranker import POOL
from desktop_rag.team.format.document_cards import local_id
from desktop_rag.team.reader.team_records import Shared
from desktop_rag.team.reader.team_search import TeamKeywords, TeamVectors
from desktop_rag.team.server.team_connection import TeamConnection

DEPTHS = (10, 60)


def graph_recall(library: Path, connection: TeamConnection, queries: Sequence[str]) -> list[Measurement]:
    """Return which share of the nearest passages of queries a search finds."""
    encoder, shared = Encoder.load(encoder_folder(), threads=1), Shared(connection, ())
    graph, shares = TeamVectors(shared, TeamKeywords(shared)), dict.fromkeys(DEPTHS, 0.0)
    files = Library(library)
    with (
        closing(CatalogReader.open(files.catalog)) as catalog,
        closing(VectorReader.open(files.vectors, catalog.vectors.stored)) as exact,
    ):
        for query in queries:
            direction = encoder.encode_query(query)
            nearest = [chunk for chunk, _, _ in exact.search(direction, max(DEPTHS))]
            found = [local_id(chunk) for chunk, _, _ in graph.search(direction, POOL)]
            for depth in DEPTHS:
                shares[depth] += len({*nearest[:depth]} & {*found[:depth]}) / len(nearest[:depth])
    return [
        Measurement(f"recall@{depth} of the graph", OURS, "", (share / len(queries),), better="more")
        for depth, share in shares.items()
    ]
