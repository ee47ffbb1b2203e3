"""The runtime of the encoder writes nothing into the home folder and sends no telemetry."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

SCRIPT = """
from desktop_rag.index.encoding.encoder import Encoder
from desktop_rag.paths import encoder_folder
from desktop_rag.stop import Stop
Encoder.load(encoder_folder()).encode(["The tenant pays the rent."], Stop())
"""


def test_encoding_leaves_no_file_in_the_home_folder(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    subprocess.run([sys.executable, "-c", SCRIPT], env={**kept, "HOME": str(tmp_path)}, check=True, timeout=120)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
