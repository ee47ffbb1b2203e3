"""A hit says on how many further lines of its passage the words stand: nobody takes four passages for all mentions."""

import pytest

from desktop_rag.retrieval.api import Mode
from tests.integration.retrieval.conftest import Ask, SmallLibrary

_FILLER = "The harbour office keeps a register of every vessel that lies at the quay, in the order of arrival."
TOLLS = "\n\n".join(f"In year {n} the pilotage toll was {n} crowns.\n\n{_FILLER}" for n in range(1, 41))


@pytest.fixture(autouse=True)
def tolls(library: SmallLibrary) -> None:
    library.add({"tolls.txt": TOLLS}, root="port")
    library.encode()


@pytest.mark.parametrize("query", ['"pilotage toll"', "pilotage", "pilotage crowns"])
@pytest.mark.parametrize("mode", [Mode.KEYWORD, Mode.EXACT, Mode.HYBRID])
def test_every_mention_is_shown_or_counted(query: str, mode: Mode, ask: Ask) -> None:
    hits = ask(query.replace('"', "") if mode is Mode.EXACT else query, mode, limit=60, per_file=0).hits
    shown = sum(hit.snippet.text.count("pilotage") for hit in hits)
    assert len(hits) < 40
    assert shown + sum(hit.more_lines for hit in hits) == 40


def test_lines_with_a_part_of_the_query_only_are_not_counted(ask: Ask) -> None:
    assert sum(hit.more_lines for hit in ask("pilotage register", Mode.KEYWORD).hits) == 0
