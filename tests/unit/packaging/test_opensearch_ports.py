"""`dev.py opensearch start` has the same addresses each time, and says so if another program has taken one."""

import socket
from pathlib import Path

from benchmarks.opensearch.cluster import Cluster, are_free


def test_nodes_have_the_ports_of_an_earlier_start(tmp_path: Path) -> None:
    first = Cluster(tmp_path / "team")
    again = Cluster(tmp_path / "team", ports=first.ports)
    assert [node.url for node in again.nodes] == [node.url for node in first.nodes]
    assert again.library_url("team") == first.library_url("team")
    assert are_free(first.ports)
    with socket.create_server(("127.0.0.1", first.ports[0])):
        assert not are_free(first.ports)
