"""A crash of the program leaves no dump of its memory, which holds documents and keys."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="core dumps are of POSIX systems")

DRIVER = """
import resource, sys
most = resource.getrlimit(resource.RLIMIT_CORE)[1]
resource.setrlimit(resource.RLIMIT_CORE, (most, most))
from desktop_rag.__main__ import main
sys.argv = ["desktop-rag", "sent", "--json"]
main()
print(most, resource.getrlimit(resource.RLIMIT_CORE)[0])
"""


@pytest.mark.processes
def test_no_process_writes_a_core_dump() -> None:
    run = subprocess.run([sys.executable, "-c", DRIVER], capture_output=True, text=True, check=False)
    most, now = run.stdout.split()[-2:]
    assert now == "0", run.stderr
    if most == "0":
        pytest.skip("this system allows no core dumps at all")
