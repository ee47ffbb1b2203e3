"""Stateful test of edits, renames, kills and clock jumps in any order: the library must end up with exactly the notes.

Hypothesis chooses the order. The model is the dictionary of the notes in `NotesLibrary`.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import ClassVar

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from benchmarks.faults.faulty_indexer import Circumstances
from benchmarks.faults.kills import recovery_faults
from benchmarks.faults.notes_library import NotesLibrary

NAMES = ("a.md", "b.md", "deep/a.md", "deep/c.md", "deep/er/d.md")
STEPS = 25
_names = st.sampled_from(NAMES)


class Notes(RuleBasedStateMachine):
    """The rules; `look` and the teardown compare the library with the notes."""

    base: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        self._folder = Path(tempfile.mkdtemp(prefix="model-", dir=self.base))
        self.notes = NotesLibrary(self._folder)
        self.notes.put("first.md", 2)
        self._locked: dict[str, tuple[str, str]] = {}

    def teardown(self) -> None:
        """Compare a last time and clean up."""
        try:
            assert recovery_faults(self.notes) == ""
        finally:
            self.notes.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    def _there(self, name: str) -> bool:
        return name in self.notes.texts

    @rule(name=_names, sentences=st.integers(1, 4))
    def put(self, name: str, sentences: int) -> None:
        """Write a note, or a new version of it."""
        if name not in self._locked:
            self.notes.put(name, sentences)

    @rule(name=_names)
    def alter(self, name: str) -> None:
        """Edit a note without changing its size or time."""
        if self._there(name):
            self.notes.alter(name)

    @rule(name=_names, to=_names)
    def rename(self, name: str, to: str) -> None:
        """Rename a note."""
        if self._there(name) and name != to and to not in self._locked:
            self.notes.rename(name, to)

    @rule(one=_names, other=_names)
    def swap(self, one: str, other: str) -> None:
        """Swap the names of two notes."""
        if one != other and self._there(one) and self._there(other):
            self.notes.swap(one, other)

    @rule(name=_names)
    def delete(self, name: str) -> None:
        """Delete a note."""
        if self._there(name):
            self.notes.delete(name)

    @rule(name=_names, seconds=st.sampled_from((-(10**8), -1, 1, 10**8)))
    def set_clock(self, name: str, seconds: int) -> None:
        """Set the modification time of a note to an earlier or later one."""
        if self._there(name):
            self.notes.set_clock(name, seconds)

    @rule(name=_names)
    def lock(self, name: str) -> None:
        """Make a note unreadable; root can read it all the same."""
        if self._there(name):
            (self.notes.documents / name).chmod(0)
            if os.name == "posix" and os.geteuid() != 0:
                self._locked[name] = (self.notes.texts.pop(name), self.notes.words.pop(name))

    @precondition(lambda self: self._locked)
    @rule()
    def unlock(self) -> None:
        """Make all notes readable again."""
        for name, (text, word) in self._locked.items():
            (self.notes.documents / name).chmod(0o600)
            self.notes.texts[name], self.notes.words[name] = text, word
        self._locked.clear()

    @rule()
    def kill(self) -> None:
        """Kill the indexer."""
        self.notes.kill_indexer()

    @rule()
    def close(self) -> None:
        """Stop the indexer cleanly."""
        self.notes.stop_indexer()

    @rule(dropped=st.sampled_from((0.0, 0.5, 1.0)))
    def open(self, dropped: float) -> None:
        """Start an indexer that drops a share of its change events, unless one is running."""
        self.notes.start(Circumstances(dropped=dropped, retention=0.2))

    @rule()
    def look(self) -> None:
        """Wait until the library is idle, and compare it with the notes."""
        assert recovery_faults(self.notes) == ""


def failure(base: Path, examples: int, number: int) -> str:
    """Run `examples` orders of rules, seeded by `number`; return what is wrong."""
    try:
        run(base, examples, STEPS, number=number)
    except AssertionError as error:
        return " ".join((str(error), *getattr(error, "__notes__", ())))
    return ""


def run(base: Path, examples: int, steps: int, *, number: int) -> None:
    """Run `examples` orders of up to `steps` rules below `base`; re-raise the first failure unchanged."""
    machine = type("NotesHere", (Notes,), {"base": base})
    run_state_machine_as_test(
        seed(number)(machine),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            print_blob=False,
        ),
    )
