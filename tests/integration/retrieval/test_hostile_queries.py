"""Queries nobody should type: each is answered, or refused with a sentence and a repair that parses and is answered."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rag.errors import QueryError
from desktop_rag.retrieval.api import Mode
from desktop_rag.retrieval.query.parser import parse
from tests.integration.retrieval.conftest import Ask, SmallLibrary
from tests.slow_cases import slow_but

PIECES = ['"', "(", ")", "+", "-", "NOT ", "AND ", "OR ", "~", "*", "?", "^", "=", "[", "] ", ":", "from:", "date:"]
HOSTILE = st.lists(st.sampled_from([*PIECES, "rent ", "a", "2024 ", "\u202e", "\x00", "é"]), max_size=20).map("".join)


QUERIES = (
    *("rent " * 2_000, "a" * 10_000, '"' * 999, "(" * 999, "-" * 999, "*" * 500, "AND OR NOT", "+ - ~ * ?", "NOT rent"),
    *(
        "~2",
        "^3",
        "=",
        "=~",
        "from: to:",
        "date:soon",
        "sent:[2024 TO",
        'subject:"',
        "from:*",
        "to:(anna",
        "(rent OR",
        "((rent AND NOT",
        "\x00\u202e",
    ),
)


@pytest.fixture(scope="module")
def library(library_to_read: SmallLibrary) -> SmallLibrary:
    return library_to_read


def repaired(query: str, asked: Callable[[str], object]) -> str | None:
    """Ask, and return the repair that an error offers; None if there is no error or no repair."""
    try:
        asked(query)
    except QueryError as error:
        sound = str(error).endswith((".", "?")) and 0 <= error.position <= len(query) and error.suggestion != query
        return error.suggestion if sound else pytest.fail(f"{error} {error.position} {error.suggestion}")
    return None


@pytest.mark.parametrize("mode", slow_but((Mode.KEYWORD, Mode.HYBRID), Mode))
@pytest.mark.parametrize("query", QUERIES)
def test_a_hostile_query_is_answered_or_refused_with_a_repair(query: str, mode: Mode, ask: Ask) -> None:
    better = repaired(query, lambda text: ask(text, mode))
    if better is not None:
        assert repaired(better, lambda text: ask(text, mode)) is None


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(HOSTILE)
def test_a_repair_parses(query: str) -> None:
    better = repaired(query, parse)
    assert better is None or repaired(better, parse) is None


@pytest.mark.parametrize(
    ("broken", "name"),
    [('"rent on the first', "lease.md"), ("(rent AND landlord", "lease.md"), ("titel:cats", "cats.md")],
)
def test_repairs_find(broken: str, name: str, ask: Ask) -> None:
    better = repaired(broken, ask)
    assert better is not None
    assert name in [hit.path.name for hit in ask(better).hits]
