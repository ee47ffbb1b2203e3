"""Parameters of which a few are tried on every commit, and the others with the slow tests."""

from collections.abc import Container, Iterable

import pytest


def slow_but(usual: Container[object], every: Iterable[object]) -> list[object]:
    """Return every value as a parameter, marked slow unless it is among the usual ones."""
    return [value if value in usual else pytest.param(value, marks=pytest.mark.slow) for value in every]
