"""A short dose of fuzzing, the same inputs each time; `dev.py bench security` runs it for long."""

import pytest

from benchmarks.security.fuzz_targets import TARGETS, Target
from benchmarks.security.fuzzing import fuzz, outcome

ROUNDS = {"citations": 60, "query": 100, "Markdown": 150, "mail": 100, "notebook": 100}
MANY = 300


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_no_input_fails_in_an_unexpected_way(name: str) -> None:
    rounds = ROUNDS.get(name, MANY)
    count, failures = fuzz(name, lambda count: count < rounds)
    assert count == rounds
    assert [(failure.what, failure.data) for failure in failures] == []


@pytest.mark.parametrize("name", TARGETS)
def test_every_corpus_is_read(name: str) -> None:
    assert all(not outcome(TARGETS[name], data) for data in TARGETS[name].corpus)


def test_an_unexpected_error_is_found() -> None:
    def fail(data: bytes) -> None:
        if b"9" in data:
            raise KeyError(data)

    assert outcome(Target(fail, ()), b"900") == "KeyError at test_fuzzing.py:fail"
    assert outcome(Target(fail, ()), b"800") == ""
