"""Mutates small corpora and reports what fails in an unexpected way or takes too long; deterministic by its seed."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.security.fuzz_targets import TARGETS, Target

SLOW_SECONDS = 8.0  # of CPU time for one input of a few kilobytes; a reader has a limit of its own below that
_LONGEST = 20_000
_KEPT = 400  # inputs that later ones are made from
_PIECES = (
    *(b"\0", b"\xff", b"\x80", b"\xed\xa0\x80", "\u202e".encode(), "\U000e0041".encode(), b"\xdd\xff\xff\xff\xff"),
    *(bytes([each]) for each in b'\r\n\t[](){}"\\<>|`*$%&:-~0'),
    *(b"\n\n", b"-1", b"1e999", b"NaN", b"2147483648", b"99999999999999999999", b"null", b"{}", b"[]", b'"\\ud800"'),
    *(b"data: ", b"AND ", b"NOT ", b"turn1search1 ", b"L1-L0", b"\\u-1?", b"\\'zz", b"=?utf-8?q?="),
)


@dataclass(frozen=True, slots=True)
class Failure:
    """An input and the unexpected error, or the seconds that it took."""

    target: str
    data: bytes
    what: str


def fuzz(name: str, may_go_on: Callable[[int], bool], seed: int = 0) -> tuple[int, list[Failure]]:
    """Run mutated inputs through the target of this name while `may_go_on` of their count; return count and failures.

    Failures are one for each kind of error and place.
    """
    target, chance = TARGETS[name], random.Random(f"{name} {seed}")
    failures: dict[str, Failure] = {}
    count = 0
    for data in _inputs(target, chance):
        if not may_go_on(count):
            break
        count += 1
        if what := outcome(target, data):
            failures.setdefault(what, Failure(name, data, what))
    return count, list(failures.values())


def outcome(target: Target, data: bytes) -> str:
    """Return what an input does to a target that it should not; empty if all is well."""
    began = time.process_time()
    try:
        target.run(data)
    except Exception as error:  # noqa: BLE001 - whatever is not expected
        return f"{type(error).__name__} at {_place(error)}"
    seconds = time.process_time() - began
    return f"took more than {SLOW_SECONDS:.0f} s" if seconds > SLOW_SECONDS else ""


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    places: list[str] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('/')[2]}:{code.co_name}")
        trace = trace.tb_next
    ours = [place for place in places if not place.startswith("fuzz")]
    return (ours or places)[-1]


def _inputs(target: Target, chance: random.Random) -> Iterator[bytes]:
    kept = list(target.corpus)
    yield from kept
    yield b""
    while True:
        data = chance.choice(kept)
        for _ in range(chance.choice((1, 1, 2, 4, 16))):
            data = _mutated(data, kept, chance)[:_LONGEST]
        yield data
        if chance.random() < 0.1:
            kept = [*target.corpus, *kept[-_KEPT:], data]


def _mutated(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.choice((0, 1, 2, 4, 8, 64)))
    match chance.randrange(7):
        case 0:
            put = bytes([chance.randrange(256)])
        case 1:
            put = b""
        case 2:
            put = data[start:end] * chance.choice((2, 3, 100))
        case 3:
            other = chance.choice(others)
            begin = chance.randrange(len(other) + 1)
            put = other[begin : begin + chance.choice((4, 32, 256))]
        case 4:
            put = chance.choice(_PIECES) * chance.choice((1, 1, 1, 50, 3_000))
        case 5:
            put = data[start:end][::-1]
        case _:
            put, end = chance.choice(_PIECES), start
    return data[:start] + put + data[end:]
