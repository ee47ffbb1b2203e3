"""How long each test took last time, and a run over several processes that begins with the longest files."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

KEPT = Path(__file__).parents[1] / ".cache" / "test-durations.json"
GUESSES = (("tests/unit/", 0.02), ("tests/gui/", 0.15), ("", 0.6))
"""Seconds of a test that was never run, by where it is."""
LONGEST_UNIT = 40.0  # seconds of tests of one file that one process gets at once
LATER, AFTER = "tests/integration/team/", 8  # these wait for OpenSearch, which is resolved while other units run


class Durations:
    """The seconds that each test took when it was last run on this machine."""

    def __init__(self, path: Path = KEPT) -> None:
        self._path = path
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            kept = {}
        self._seconds: dict[str, float] = kept if isinstance(kept, dict) else {}

    def of(self, test: str) -> float:
        """Return the seconds of a test, or a guess."""
        known = self._seconds.get(test)
        return known if known is not None else next(guess for place, guess in GUESSES if test.startswith(place))

    def keep(self, measured: Mapping[str, float]) -> None:
        """Replace what is known of these tests."""
        self._seconds |= {test: round(seconds, 3) for test, seconds in measured.items()}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        scratch = self._path.with_suffix(".new")
        scratch.write_text(json.dumps(self._seconds, indent=0, sort_keys=True), encoding="utf-8")
        scratch.replace(self._path)


def units(tests: Iterable[str], durations: Durations) -> dict[str, list[str]]:
    """Return the tests by file, the longest file first; a file of many seconds is cut into parts of `LONGEST_UNIT`."""
    of_file: dict[str, list[str]] = {}
    for test in tests:
        of_file.setdefault(test.split("::")[0], []).append(test)
    cut: dict[str, tuple[float, list[str]]] = {}
    for file, members in of_file.items():
        seconds, part = 0.0, list[str]()
        for test in members:
            if part and seconds + durations.of(test) > LONGEST_UNIT:
                cut[f"{file} {len(cut)}"] = seconds, part
                seconds, part = 0.0, []
            part.append(test)
            seconds += durations.of(test)
        cut[f"{file} {len(cut)}"] = seconds, part
    longest = sorted(cut, key=lambda name: -cut[name][0])
    first = [name for name in longest if not name.startswith(LATER)]
    ordered = [*first[:AFTER], *(name for name in longest if name.startswith(LATER)), *first[AFTER:]]
    return {name: cut[name][1] for name in ordered}


class LongestFirst(LoadScopeScheduling):
    """Gives a process that has nothing to do the longest file that is left."""

    def __init__(self, config: pytest.Config, log: Producer | None = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False
        self._unit_of: dict[str, str] = {}

    def schedule(self) -> None:
        """Choose the units by what is known when all processes have collected."""
        if self.collection is None and self.registered_collections:
            found = next(iter(self.registered_collections.values()))
            chosen = units(found, Durations())
            self._unit_of = {test: name for name, tests in chosen.items() for test in tests}
            self.workqueue.update({name: dict.fromkeys(tests, False) for name, tests in chosen.items()})
        super().schedule()

    def _split_scope(self, nodeid: str) -> str:
        return self._unit_of[nodeid]
