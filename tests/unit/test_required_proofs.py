"""A proof that is demanded fails where it would be skipped; what is not demanded is skipped as ever."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.required_proofs import PROOFS, VARIABLE, required

ROOT = Path(__file__).parents[2]
PROOF = "tests/integration/test_whole_path.py"


@pytest.mark.processes
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
    assert ("but: Skipped: " in run.stdout) == bool(wanted)


def test_every_proof_names_tests_that_exist() -> None:
    for places in PROOFS.values():
        for place in places:
            file, _, test = place.partition("::")
            assert (ROOT / file).exists()
            assert not test or f"def {test}" in (ROOT / file).read_text(encoding="utf-8")


def test_the_list_of_what_may_be_skipped_is_complete() -> None:
    lines = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
    assert {name for name in PROOFS if any(line.startswith(f"| `{name}` |") for line in lines)} == PROOFS.keys()


@pytest.mark.processes
@pytest.mark.parametrize("has_java", [True, False])
def test_a_whole_run_demands_the_team_where_it_can_be_run(has_java: bool, tmp_path: Path) -> None:
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    package = tmp_path / "benchmarks" / "opensearch"
    package.mkdir(parents=True)
    shutil.copy(ROOT / "benchmarks" / "opensearch" / "cluster.py", package)
    (tmp_path / "packaging").mkdir()
    (tmp_path / "packaging" / "dev.py").write_text(
        f"import os, sys; print(sys.argv[1:], os.environ['{VARIABLE}']); sys.exit(len(sys.argv) == 2)", encoding="utf-8"
    )
    home, tools = tmp_path / "jdk", tmp_path / "tools"
    (home / "bin").mkdir(parents=True)
    tools.mkdir()
    for name in ("bash", "dirname"):
        (tools / name).symlink_to(str(shutil.which(name)))
    (tools / "python3").symlink_to(sys.executable)
    if has_java:
        (home / "bin" / "javac").touch()
        (home / "release").write_text('JAVA_VERSION="99.1"', encoding="utf-8")
        (tools / "mvn").touch(mode=0o755)
    environment = {"PATH": str(tools), "JAVA_HOME": str(home)}
    done = subprocess.run([tmp_path / ".ci" / "run"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1  # as the usual tests failed; the slow ones are run all the same
    usual, slow = (line.rsplit(" ", 1) for line in done.stdout.splitlines()[-2:])
    assert (usual[0], slow[0]) == ("['test']", "['test', 'slow']")
    for _, demanded in (usual, slow):
        assert set(demanded.split(",")) == {"confinement", "network", "screen", "user", *(["team"] if has_java else [])}
    assert ("not demanded: " in done.stdout) != has_java


def test_an_unknown_name_is_an_error_and_not_silence() -> None:
    assert required(f"{PROOF}::test_another_user_reads_nothing", "user") == "user"
    assert required(f"{PROOF}::test_another_user_reads_nothing", "network") == ""
    with pytest.raises(ValueError, match="strace"):
        required(PROOF, "strace")
