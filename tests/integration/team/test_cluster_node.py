"""The nodes of the tests end with the run they belong to, also where a worker of the run has crashed."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.opensearch import cluster
from tests.integration.team.conftest import Nodes

pytestmark = pytest.mark.slow


def test_a_node_ends_with_its_owner(nodes: Nodes, tmp_path: Path) -> None:
    assert nodes  # OpenSearch can be started here
    owner = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    only = cluster.Cluster(tmp_path / "owned", nodes=1, owner=owner.pid)
    try:
        only.nodes[0].start()
        owner.communicate()
        assert only.nodes[0].wait(60.0)
    finally:
        only.stop()
