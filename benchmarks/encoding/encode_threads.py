"""How much faster several threads encode: the processor time of the busiest one, against one thread.

That is the time by the clock where each thread has a core for itself, and it is right on a busy machine, too.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from benchmarks.report import OURS, Measurement
from desktop_rag.index.encoding.encoder import Encoder, Floats

if TYPE_CHECKING:
    from onnxruntime import RunOptions

WHAT = "encoding, busiest thread"
EACH = 0.85  # of a core that each further thread must be worth: 1.7 times as fast with two

Given = ParamSpec("Given")
Made = TypeVar("Made")


class MeteredEncoder(Encoder):
    """An encoder that adds up the seconds of processor time of each thread; set `seconds` before it is used."""

    seconds: defaultdict[int, float]

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text."""
        return self._metered(super().tokens, texts)

    def encode_batch(self, batch: Sequence[Sequence[int]], options: "RunOptions | None" = None) -> Floats:
        """Return the vectors of one batch."""
        return self._metered(super().encode_batch, batch, options)

    def _metered(self, work: Callable[Given, Made], *given: Given.args, **named: Given.kwargs) -> Made:
        began = time.thread_time()
        try:
            return work(*given, **named)
        finally:
            self.seconds[threading.get_ident()] += time.thread_time() - began


def measured(encoder: MeteredEncoder, sentences: Sequence[str], threads: int, rounds: int) -> list[Measurement]:
    """Return the seconds of the busiest of `threads` threads and of one thread, in alternating rounds."""
    taken: dict[int, list[float]] = {threads: [], 1: []}
    for _ in range(rounds):
        for count, seconds in taken.items():
            encoder.seconds = defaultdict(float)
            encoder.encode(sentences, threads=count)
            seconds.append(max(encoder.seconds.values()))
    return [
        Measurement(WHAT, OURS, "s", tuple(taken[threads])),
        Measurement(WHAT, f"one thread for {threads}", "s", tuple(taken[1]), goal=EACH * threads),
    ]
