"""A proof that is demanded fails where it would be skipped; what is not demanded is skipped as ever."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.required_proofs import PROOFS, VARIABLE, required

ROOT = Path(__file__).parents[2]
PROOF = "tests/integration/test_whole_path.py"


@pytest.mark.parametrize(
    ("wanted", "outcome", "code"),
    [("", "3 skipped", 0), ("user", "2 skipped, 1 error", 1), ("network,user", "3 errors", 1), ("all", "3 errors", 1)],
)
def test_a_skipped_proof_fails_where_it_is_demanded(wanted: str, outcome: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "python").symlink_to(sys.executable)  # without strace and unshare
    environment = {**os.environ, VARIABLE: wanted, "PATH": str(tmp_path)}
    command = [sys.executable, "-m", "pytest", PROOF, "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert outcome in run.stdout, run.stdout
    assert run.returncode == code
    assert ("but: Skipped: needs strace" in run.stdout) == bool(wanted)


def test_every_proof_names_tests_that_exist() -> None:
    for places in PROOFS.values():
        for place in places:
            file, _, test = place.partition("::")
            assert (ROOT / file).exists()
            assert not test or f"def {test}" in (ROOT / file).read_text(encoding="utf-8")


def test_the_list_of_what_may_be_skipped_is_complete() -> None:
    lines = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
    assert {name for name in PROOFS if any(line.startswith(f"| `{name}` |") for line in lines)} == PROOFS.keys()
    demanded = re.findall(rf"{VARIABLE}-([\w,]+)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    assert [set(each.split(",")) for each in demanded] == [{"confinement", "network", "screen", "user"}]


def test_an_unknown_name_is_an_error_and_not_silence() -> None:
    assert required(f"{PROOF}::test_another_user_reads_nothing", "user") == "user"
    assert required(f"{PROOF}::test_another_user_reads_nothing", "network") == ""
    with pytest.raises(ValueError, match="strace"):
        required(PROOF, "strace")
