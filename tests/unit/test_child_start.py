"""A child process imports its modules without collecting garbage, and collects it afterwards."""

import subprocess
import sys
from pathlib import Path

import pytest

CHILD = """
import gc
while_imported = gc.isenabled()
def main(arguments):
    print(while_imported, gc.isenabled(), arguments)
    return 3
"""
DRIVER = """
import sys
from desktop_rag.__main__ import CHILD_VERBS, main
CHILD_VERBS["_child"] = "child_of_test"
sys.argv = ["desktop-rag", "_child", "argument"]
sys.exit(main())
"""


@pytest.mark.processes
def test_a_child_collects_garbage_once_it_is_imported(tmp_path: Path) -> None:
    (tmp_path / "child_of_test.py").write_text(CHILD)
    run = subprocess.run(
        [sys.executable, "-c", DRIVER], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert (run.stdout.split(maxsplit=2), run.returncode) == (["False", "True", "['argument']\n"], 3), run.stderr
