"""Nothing leaves the machine: the whole path without an endpoint, in an empty network, with every look-up noted."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SECONDS = 240

WITNESS = '''
"""Notes every address that a Python process of the program asks for or connects to."""
import sys

def note(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        address = arguments[0] if event.startswith("socket.get") else arguments[1]
        if not isinstance(address, (str, bytes)) or event.startswith("socket.get"):
            with open({log!r}, "a") as file:
                file.write(f"{{event}} {{address}} {{sys.argv[:3]}}\\n")

sys.addaudithook(note)
open({log!r} + ".seen", "a").write("x")
'''


def can_unshare() -> bool:
    command = ["unshare", "-rn", "true"]
    return shutil.which("unshare") is not None and subprocess.run(command, check=False).returncode == 0


def index_copy_that_is_gone(folder: Path, environment: Mapping[str, str]) -> None:
    """Index a copy of the sample and delete it, as an update of the program does that moves its files."""
    copy = folder / "before the update" / "sample"
    shutil.copytree(ROOT / "resources" / "sample", copy)
    command = ["unshare", "-rn", sys.executable, "-m", "desktop_rag", "index", str(copy)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=SECONDS)
    shutil.rmtree(copy)


@pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are a Linux feature")
def test_the_whole_path_works_in_an_empty_network_and_looks_nothing_up(tmp_path: Path) -> None:
    if not can_unshare():
        pytest.skip("this machine does not let us make an empty network")
    log = tmp_path / "addresses.log"
    witness = tmp_path / "witness"
    witness.mkdir()
    (witness / "sitecustomize.py").write_text(WITNESS.format(log=str(log)))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(witness), str(ROOT)]),
        "DESKTOP_RAG_HOME": str(tmp_path / "home"),
        "QT_QPA_PLATFORM": "offscreen",
    }
    index_copy_that_is_gone(tmp_path, environment)
    command = ["unshare", "-rn", sys.executable, "-m", "desktop_rag", "--demo"]
    run = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"[1] {ROOT / 'resources' / 'sample'}" in run.stdout
    processes = len((tmp_path / "addresses.log.seen").read_text())
    assert processes >= 4, "the window, the indexer, a reader and the searcher were watched"
    assert not log.exists(), log.read_text()
