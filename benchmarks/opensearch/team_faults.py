"""Kills the writer and the nodes of a team library at any moment, then compares it with the library it was copied from.

The writer is a process that ends by SIGKILL; between two kills the library changes. Nodes are killed while it writes.
"""

import argparse
import multiprocessing
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import SEED, add_corpus_arguments, corpus_of
from benchmarks.libraries.folders import write_file
from benchmarks.opensearch.cluster import Cluster, Node
from benchmarks.opensearch.large_library import Say, add_file, large_library
from benchmarks.opensearch.team import in_scratch, wait_for_copies
from benchmarks.report import OURS, Measurement, Report
from desktop_rag.errors import BenchError, ProblemKind, TeamError
from desktop_rag.evaluation.machine import this_machine
from desktop_rag.index.catalog.catalog import Catalog
from desktop_rag.index.library import Library
from desktop_rag.index.records import FileStat, FileState
from desktop_rag.llm.json_value import as_list, as_object
from desktop_rag.retrieval.api import Mode, SearchRequest
from desktop_rag.stop import Stop
from desktop_rag.team.format.document_cards import (
    CHUNK_PACKING,
    DOCUMENT_PACKING,
    LAYOUT_PACKING,
    NAMED_PACKING,
    PIECE_PACKING,
    NamedRecord,
    TextPiece,
    name_id,
    shared_chunk,
    shared_id,
    shared_name,
)
from desktop_rag.team.format.team_indexes import DOCUMENTS, FILES, LINES, PASSAGES
from desktop_rag.team.reader.team_engine import TeamEngine
from desktop_rag.team.server.team_connection import TeamConnection
from desktop_rag.team.writer.source_files import TeamSource
from desktop_rag.team.writer.team_worker import TeamWorker

_SOONEST, _LATEST = 0.05, 2.5  # seconds of a writer before it is killed
_CHANGES = 5  # files removed and added between two kills
_SEARCHES = 20  # while the disk is full
_AWAY_SECONDS = 3.0
HEAP = 512  # MB of each node
_PAGE = 1_000
_FORK = multiprocessing.get_context("fork") if "fork" in multiprocessing.get_all_start_methods() else None


class Difference(NamedTuple):
    """How many entries the team library lacks, how many it should not have, and how many hold something else."""

    lost: int
    phantom: int
    other: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    add_corpus_arguments(parser, passages=1_500)
    parser.add_argument("--kills", type=int, default=100, metavar="N", help="of the writer (100)")


def run(options: argparse.Namespace, say: Say) -> Report:
    """Kill, let the last writer finish, and compare."""
    if _FORK is None:
        raise BenchError("Processes are killed as on POSIX systems; this is none.")
    return in_scratch(_measure, options, say)


def _measure(folder: Path, options: argparse.Namespace, say: Say) -> Report:
    corpus = corpus_of(options, say)
    library = Library(large_library(folder, corpus, say))
    cluster = Cluster(folder / "cluster")
    say("Starting two nodes …")
    cluster.start(300.0, HEAP, measured=True)
    url = cluster.library_url("team")
    rows: list[Measurement] = []
    try:
        chance = random.Random(SEED)
        killed = ended = 0
        for what, until in (("in the first copy", options.kills // 2), ("while they followed", options.kills)):
            began = killed
            while killed < until:
                for _ in range(_CHANGES):
                    change(library, folder / "documents", corpus.passages, chance.randrange(1 << 30), chance)
                finished = _killed(library, url, chance.uniform(_SOONEST, _LATEST))
                killed, ended = killed + (not finished), ended + finished
                say(f"{killed} writers killed {what}; {ended} had finished before")
            rows += compared(f"{killed - began} writers killed {what}", library, url)
        for what, nodes in (("one node", cluster.nodes[1:]), ("both nodes", cluster.nodes)):
            for _ in range(10):
                change(library, folder / "documents", corpus.passages, chance.randrange(1 << 30), chance)
            rows += killed_under_the_writer(what, nodes, cluster, library, url, chance, say)
        say("The disk is full …")
        for _ in range(_CHANGES):
            change(library, folder / "documents", corpus.passages, chance.randrange(1 << 30), chance)
        rows += _flooded(library, url, corpus.passages[0].split()[0])
    finally:
        cluster.stop()
    return Report("Faults of a team library on two nodes", tuple(rows), (corpus.describe(),), this_machine())


def killed_under_the_writer(
    what: str, nodes: Sequence[Node], cluster: Cluster, library: Library, url: str, chance: random.Random, say: Say
) -> list[Measurement]:
    """Kill nodes while a writer copies, start them again, and compare when it has finished."""
    copying = writer(library, url)
    time.sleep(chance.uniform(0.5, 1.5))
    say(f"{what} killed under the writer …")
    for node in nodes:
        node.kill()
    time.sleep(_AWAY_SECONDS)
    restart(nodes, cluster)
    copying.join(300.0)
    if copying.exitcode != 0:
        raise BenchError(f"The writer did not finish after {what} came back.")
    return compared(f"{what} killed under the writer", library, url)


def restart(nodes: Sequence[Node], cluster: Cluster) -> None:
    """Start nodes that were killed, and wait until all copies are there again."""
    for node in nodes:
        node.start(HEAP, measured=True)
    cluster.wait(len(cluster.nodes), 300.0)
    wait_for_copies(cluster)


def _flooded(library: Library, url: str, word: str) -> list[Measurement]:
    """Let the nodes take their disk for full while a writer follows, and then for empty again."""
    with closing(TeamConnection(url)) as connection, closing(TeamEngine(TeamConnection(url))) as engine:
        _set_watermarks(connection, "1%")
        _wait_for_block(connection, blocked=True)
        copying = writer(library, url)
        request, refused = SearchRequest(word, Mode.KEYWORD), 0
        for _ in range(_SEARCHES):
            try:
                engine.search(request, Stop())
            except TeamError:
                refused += 1
        early = not copying.is_alive()
        _set_watermarks(connection, "99%")
        _wait_for_block(connection, blocked=False)
    copying.join(300.0)
    if early or copying.exitcode != 0:
        raise BenchError("The writer did not wait for the disk, or did not finish.")
    what = f"disk at its flood stage: searches refused of {_SEARCHES}"
    return [Measurement(what, OURS, "", (refused,), goal=0), *compared("disk at its flood stage", library, url)]


def _set_watermarks(connection: TeamConnection, level: str) -> None:
    prefix = "cluster.routing.allocation.disk"
    levels = {f"{prefix}.watermark.{name}": level for name in ("low", "high", "flood_stage")}
    more = {f"{prefix}.threshold_enabled": True, "cluster.info.update.interval": "10s"}
    connection.ask("PUT", "/_cluster/settings", {"transient": {**levels, **more}})


def _wait_for_block(connection: TeamConnection, *, blocked: bool) -> None:
    ends = time.monotonic() + 120.0
    while ("read_only_allow_delete" in str(connection.ask("GET", f"/{connection.name}-*/_settings"))) is not blocked:
        if time.monotonic() > ends:
            raise BenchError("The nodes did not change their minds about the disk.")
        time.sleep(1.0)


def write_all(library: Library, url: str) -> None:
    """Copy a library until all of it is there."""
    with closing(TeamConnection(url)) as connection:
        worker = TeamWorker(library, connection, (TeamSource("bench:everyone", "everyone"),), lambda _: None)
        worker.run(Stop(), 2, 1, once=True)


def writer(library: Library, url: str) -> "multiprocessing.process.BaseProcess":
    """Return a process that does the same."""
    assert _FORK is not None
    process = _FORK.Process(target=write_all, args=(library, url), daemon=True)
    process.start()
    return process


def _killed(library: Library, url: str, seconds: float) -> bool:
    """Kill a writer after some seconds; return whether it had finished by itself."""
    copying = writer(library, url)
    copying.join(seconds)
    finished = copying.exitcode == 0
    copying.kill()
    copying.join()
    return finished


def change(library: Library, documents: Path, passages: list[str], number: int, chance: random.Random) -> None:
    """Remove two files of the library, and add one with text and one that is known by its name."""
    with closing(Catalog.open(library.catalog)) as catalog:
        root = catalog.folders.all()[0]
        files = sorted(catalog.files.of_folder(root.id).items())
        for _, file in chance.sample(files, 2):
            catalog.files.remove(file.id)
        path = write_file(documents, 100_000 + number, chance.sample(passages, 5))
        with catalog.transaction():
            add_file(catalog, root.id, documents, path)
            name = f"scan {number}.psd".encode()
            catalog.files.queue(root.id, name, FileStat(number, number, number, 0))
            unread = catalog.files.of_folder(root.id)[name]
            catalog.files.set_outcome(
                unread.id, FileState.SKIPPED, "Files of this kind are not read.", ProblemKind.OTHER
            )


def compared(what: str, library: Library, url: str) -> list[Measurement]:
    """Let a writer finish, and count what is not as in the library."""
    write_all(library, url)
    with closing(TeamConnection(url)) as connection, closing(Catalog.open(library.catalog)) as catalog:
        connection.ask("POST", f"/{connection.name}-*/_refresh")
        wanted = _expected(catalog)
        found = {kind: dict(_entries(connection, kind)) for kind in wanted}
        differing = [
            Difference(
                len(wanted[kind].keys() - there.keys()),
                len(there.keys() - wanted[kind].keys()),
                sum(there[id_] != card for id_, card in wanted[kind].items() if id_ in there),
            )
            for kind, there in found.items()
        ]
        entries = sum(map(len, wanted.values()))
    return [
        Measurement(f"{what}: {name} of {entries:,} entries", OURS, "entries", (sum(each),), goal=0)
        for name, each in zip(Difference._fields, zip(*differing, strict=True), strict=True)
    ]


def _expected(catalog: Catalog) -> dict[str, dict[str, object]]:
    """Return the entries that belong to the library by kind and id, each with what is stored for readers."""
    wanted: dict[str, dict[str, object]] = {DOCUMENTS: {}, PASSAGES: {}, LINES: {}, FILES: {}}
    for file, picture in catalog.textless.every():
        record = shared_name(1, NamedRecord(file.place, None, file.reason, picture))
        wanted[FILES][name_id(1, record)] = NAMED_PACKING.pack(record)
    for content in catalog.files.visible_contents():
        chunks = catalog.chunks.by_id(catalog.chunks.ids_of_content(content))
        if not chunks:
            continue
        shared = shared_id(1, content)
        wanted[DOCUMENTS][str(shared)] = catalog.contents.by_id((content,))[content].sha256.hex()
        for chunk in chunks.values():
            moved = shared_chunk(1, chunk)
            wanted[PASSAGES][str(moved.id)] = CHUNK_PACKING.pack(moved)
        for first, start, body in catalog.texts.pieces(content):
            wanted[LINES][f"{shared}-{first}"] = PIECE_PACKING.pack(TextPiece(first, start, body))
        wanted[LINES][f"{shared}-layout"] = LAYOUT_PACKING.pack(catalog.contents.layout(content))
    return wanted


def _entries(connection: TeamConnection, kind: str) -> Iterator[tuple[str, object]]:
    """Yield the id of each entry, and what is stored for readers: of a document the hash in its card."""
    after: list[object] = []
    sort = [{{PASSAGES: "chunk", FILES: "key"}.get(kind, "content"): "asc"}, {"_id": "asc"}]
    fields = {DOCUMENTS: "card", PASSAGES: "card", LINES: "body", FILES: "card"}
    while True:
        body = {"size": _PAGE, "query": {"match_all": {}}, "_source": [fields[kind]], "sort": sort}
        path = f"/{connection.alias(kind)}/_search"
        answer = connection.ask("POST", path, body | ({"search_after": after} if after else {}))
        found = [as_object(hit) for hit in as_list(as_object(answer.get("hits")).get("hits"))]
        for hit in found:
            source = as_object(hit["_source"])
            card = (
                DOCUMENT_PACKING.unpack(source.get("card")).content.sha256.hex()
                if kind == DOCUMENTS
                else source.get(fields[kind])
            )
            yield str(hit["_id"]), card
        if len(found) < _PAGE:
            return
        after = as_list(found[-1].get("sort"))
