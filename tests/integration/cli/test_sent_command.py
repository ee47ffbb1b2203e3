"""`desktop-rag sent` prints one format at a time."""

import pytest

from tests.integration.cli.conftest import Program

pytestmark = pytest.mark.processes


def test_csv_and_json_are_not_mixed(indexed: Program) -> None:
    ran = indexed.run("sent", "--csv", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert "--csv is another format than --json" in ran.err
    assert indexed.run("sent", "--csv").out.startswith("sent,run,host,model,")
    assert all(line.startswith("{") for line in indexed.run("sent", "--json").out.splitlines())
