"""Programs wait for slots, none takes all, and who goes while it waits leaves nothing behind."""

import anyio
import pytest
from anyio.lowlevel import checkpoint

from desktop_rag.mcp_server.library_server import ProgramSlots


class _Work:
    """Tasks of programs that hold a slot until the scope of each is cancelled."""

    def __init__(self) -> None:
        self.slots = ProgramSlots(4, 2)
        self.running = list[str]()
        self.scopes = dict[str, anyio.CancelScope]()

    async def run(self, task: str) -> None:
        self.scopes[task] = anyio.CancelScope()
        with self.scopes[task]:
            async with self.slots.held_by(task[0]):
                self.running.append(task)
                await anyio.sleep_forever()

    async def shown(self) -> str:
        for _ in range(20):
            await checkpoint()
        return " ".join(task for task in self.running if not self.scopes[task].cancel_called)


@pytest.mark.parametrize(
    ("begun", "ended", "running"),
    [
        ("a1 a2 a3", "", "a1 a2"),  # a program alone
        ("a1 a2 a3", "a1", "a2 a3"),
        ("a1 a2 b1 b2", "", "a1 a2 b1"),  # the last slot is kept
        ("a1 a2 b1 b2 c1", "", "a1 a2 b1 c1"),
        ("a1 a2 b1 b2 c1 d1", "a1", "a2 b1 c1 d1"),  # d has none, and goes before b
        ("a1 a2 a3 b1", "a3", "a1 a2 b1"),  # who went while it waited
        ("a1 a2 a3 b1 b2", "a3 a1 a2", "b1 b2"),
    ],
)
def test_no_program_takes_all_slots(begun: str, ended: str, running: str) -> None:
    async def run() -> None:
        work = _Work()
        async with anyio.create_task_group() as group:
            for task in begun.split():
                group.start_soon(work.run, task)
                await work.shown()
            for task in ended.split():
                work.scopes[task].cancel()
                await work.shown()
            assert await work.shown() == running
            group.cancel_scope.cancel()

    anyio.run(run)
