"""Slots for work that programs share: each program holds a few, and the last free one is kept for one that has none."""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio


class ProgramSlots:
    """`total` slots, at most `of_one` for a program; requests without a slot wait, first come, first served."""

    def __init__(self, total: int, of_one: int) -> None:
        self._total = total
        self._of_one = of_one
        self._held = Counter[str]()
        self._waiting = list[tuple[str, anyio.Event]]()

    @asynccontextmanager
    async def held_by(self, program: str) -> AsyncGenerator[None]:
        """Hold a slot while the block runs, as soon as there is one for this program."""
        mine = (program, anyio.Event())
        self._waiting.append(mine)
        self._give()
        try:
            await mine[1].wait()
            yield
        finally:
            if mine in self._waiting:
                self._waiting.remove(mine)
            else:
                self._held -= Counter([program])  # which drops programs without a slot
            self._give()

    def _give(self) -> None:
        for entry in tuple(self._waiting):
            free = self._total - self._held.total()
            if not free:
                return
            program, given = entry
            held = self._held[program]
            if held == 0 or (held < self._of_one and free > 1):
                self._waiting.remove(entry)
                self._held[program] += 1
                given.set()
