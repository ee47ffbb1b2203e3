"""Passages that give orders: how many of the planted ones are noticed, and how many ordinary ones are accused."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import OURS, Measurement
from benchmarks.security.carriers import CARRIERS, SAVED_SEARCH, file_name
from benchmarks.security.payloads import payloads
from desktop_rag.documents.chunking import split
from desktop_rag.documents.document import Document
from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import BenchError, DocumentError
from desktop_rag.text.orders import gives_orders

FLAGGED, FALSE_ALARMS = 0.9, 0.01  # shares: at least, at most
MOST_BYTES = 10_000_000  # larger files take long to read
SETS = ("qa/lihua_world", "qa/squad_txt", "qa/aragog", "qa/financebench", "ir", "multihop", "format_zoo")

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Alarms:
    """Passages of a set, and those among them that seem to give orders, each with the name of its file."""

    name: str
    passages: int
    accused: tuple[tuple[str, str], ...]


def flagged_orders(say: Say) -> Iterator[Measurement]:
    """Plant every order in every carrier, read it as the indexer does, and yield the share of noticed ones."""
    missed: dict[str, int] = {}
    orders = tuple(payloads())
    for carrier, (_, make) in CARRIERS.items():
        if carrier == SAVED_SEARCH:
            continue
        say(f"Orders in carrier “{carrier}” …")
        noticed = [_is_noticed(file_name(carrier, order.text), make(order.text)) for order in orders]
        missed[carrier] = len(orders) - sum(noticed)
    for carrier, count in missed.items():
        if count:
            say(f"{count} of {len(orders)} orders not noticed in carrier “{carrier}”")
    cases = len(orders) * len(missed)
    share = 1 - sum(missed.values()) / cases
    yield Measurement(
        f"{len(orders)} orders × {len(missed)} carriers: noticed", OURS, "of 1", (share,), "more", FLAGGED
    )


def _is_noticed(name: str, data: bytes) -> bool:
    document = read_document(name, data)
    return any(gives_orders(f"{name}\n{document.title}\n{passage}") for passage in passages_of(document))


def false_alarms(folder: Path, say: Say) -> Iterator[Alarms]:
    """Yield the accused passages of every set below the folder of the data pack."""
    for name in SETS:
        say(f"Passages of {name} …")
        count, accused = 0, list[tuple[str, str]]()
        for file in _files(folder / name):
            for passage in _passages(file):
                count += 1
                if gives_orders(passage):
                    accused.append((file.name, passage))
        if count:
            yield Alarms(name, count, tuple(accused))


def measured_alarms(folder: Path, show: int, say: Say) -> Iterator[Measurement]:
    """Yield the share of accused passages of every set and of all; raises `BenchError` if there are no passages."""
    every = list(false_alarms(folder, say))
    if not every:
        raise BenchError(f"{folder} holds none of the sets. Name the folder of the data pack: --data FOLDER")
    for alarms in every:
        for name, passage in alarms.accused[:show]:
            say(f"{name}: {' '.join(passage.split())[:300]}")
        share = len(alarms.accused) / alarms.passages
        yield Measurement(
            f"{alarms.passages:,} passages of {alarms.name}: accused", OURS, "of 1", (share,), "less", FALSE_ALARMS
        )


def passages_of(document: Document) -> Iterator[str]:
    """Yield the texts of the chunks of a document, each below its headings."""
    for chunk in split(document):
        yield f"{chunk.heading}\n{document.text[chunk.span.start : chunk.span.end]}"


def _files(folder: Path) -> list[Path]:
    found = sorted(Path(place, name) for place, _, names in os.walk(folder) for name in names)
    return [each for each in found if each.is_file() and each.stat().st_size <= MOST_BYTES]


def _passages(file: Path) -> Iterator[str]:
    try:
        yield from passages_of(read_document(file.name, file.read_bytes(), 10.0))
    except (DocumentError, OSError):
        return
