"""Set up, run, check, test, benchmark and build the program: `python3 packaging/dev.py run`, `… test`, `… --help`.

Standard library only. Anything missing is installed first, with one line of output per step; later starts skip the
set-up and add no delay. Nothing outside this folder is changed except system libraries, installed with apt.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import changed_tests
import encoder
import machine
import translations
from machine import SetupError
from pip_bootstrap import make_environment

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))  # for benchmarks.opensearch, which is of the standard library alone, too
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STATE = VENV / "desktop-rag.json"  # what has been installed; written after each successful step
LOCK = ROOT / "packaging" / "requirements.lock"
DEV_LOCK = ROOT / "packaging" / "requirements-dev.lock"  # the same versions as LOCK, plus the development tools


def say(step: str) -> None:
    """Print one line about the current step."""
    print(step, flush=True)


def read_state() -> dict[str, str]:
    """Return the state that the last set-up saved, or an empty one."""
    try:
        state = json.loads(STATE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in state.items()} if isinstance(state, dict) else {}


def keep_state(state: dict[str, str]) -> None:
    """Write the state atomically."""
    scratch = STATE.with_suffix(".new")
    scratch.write_text(json.dumps(state, indent=2), encoding="utf-8")
    scratch.replace(STATE)


def fingerprint(*paths: Path) -> str:
    """Return one hash of the files' contents."""
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()


def provide_environment(state: dict[str, str]) -> None:
    """Create `.venv` unless this interpreter created it here; a virtual environment cannot be moved."""
    origin = f"{sys.version_info[0]}.{sys.version_info[1]} {ROOT}"
    if state.get("origin") == origin and PYTHON.exists():
        return
    state.clear()
    say(f"Creating a virtual environment in .venv with Python {sys.version.split()[0]}")
    make_environment(VENV, PYTHON)
    state["origin"] = origin
    keep_state(state)


def provide_packages(state: dict[str, str], lock: Path) -> None:
    """Install the locked packages, verifying their hashes."""
    wanted = fingerprint(lock)
    if wanted in (state.get("packages"), state.get("development packages")):
        return
    count = sum("==" in line for line in lock.read_text(encoding="utf-8").splitlines())
    size = 330 if lock == DEV_LOCK else 200
    say(f"Installing {count} packages from {lock.relative_to(ROOT)} (about {size} MB the first time)")
    started = time.monotonic()
    arguments = ["--require-hashes", "--no-deps", "--only-binary=:all:", "-r", str(lock)]
    pip_install(arguments, count)
    state.pop("project", None)
    state["packages"] = fingerprint(LOCK)
    state["development packages"] = fingerprint(DEV_LOCK) if lock == DEV_LOCK else ""
    keep_state(state)
    say(f"Installed in {time.monotonic() - started:.0f} s")


def pip_install(arguments: list[str], count: int) -> None:
    """Run `pip install` inside the environment with a counter on a terminal; print pip's output only on failure."""
    command = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check"]
    command += ["--progress-bar=off", *arguments]
    lines = []
    seen = 0
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        for line in process.stdout or ():
            lines.append(line)
            seen += line.startswith("Collecting ")
            if sys.stdout.isatty():
                print(f"\r  {min(seen, count)} of {count}", end="", flush=True)
    if sys.stdout.isatty():
        print("\r" + " " * 20 + "\r", end="", flush=True)
    if process.returncode != 0:
        raise SetupError(
            "pip could not install the packages:\n"
            + "".join(lines)[-3000:]
            + "Check the network connection and the free space, then start again."
        )


def provide_project(state: dict[str, str]) -> None:
    """Install the project in editable mode, with its command `desktop-rag`."""
    wanted = fingerprint(ROOT / "pyproject.toml", ROOT / "packaging" / "wheel_backend.py")
    if state.get("project") == wanted:
        return
    say("Installing Desktop RAG itself, from this folder")
    pip_install(["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "-e", str(ROOT)], 1)
    state["project"] = wanted
    keep_state(state)


def provide_encoder() -> None:
    """Fetch and convert the sentence encoder."""
    if encoder.ready():
        return
    say(f"Fetching the sentence encoder {encoder.NAME} (84 MB) and converting it to ONNX")
    started = time.monotonic()
    result = subprocess.run([str(PYTHON), str(ROOT / "packaging" / "encoder.py")], check=False)
    if result.returncode != 0:
        raise SetupError("The sentence encoder is not ready; see the lines above.")
    say(f"Encoder ready in {time.monotonic() - started:.0f} s")


def provide_catalogues() -> None:
    """Compile the catalogues of the window's languages that have changed."""
    if translations.compiled():
        return
    if subprocess.call([str(PYTHON), str(ROOT / "packaging" / "translations.py"), "compile"]) != 0:
        raise SetupError("The languages of the window are not ready; see the lines above.")


def set_up(lock: Path, *, screen: bool) -> None:
    """Install whatever is missing; fast if nothing is."""
    state = read_state()
    machine.provide_libraries(screen=screen)
    provide_environment(state)
    provide_packages(state, lock)
    provide_project(state)
    provide_catalogues()
    provide_encoder()


def provide_opensearch() -> None:
    """Begin to resolve OpenSearch for the tests of team libraries, which wait for it a while."""
    from benchmarks.opensearch import cluster

    if reason := cluster.obstacle():
        say(f"The tests of team libraries on OpenSearch will be skipped: {reason}")
        return

    def build() -> None:
        try:
            cluster.build()
        except (cluster.ClusterError, OSError) as error:
            say(f"The tests of team libraries on OpenSearch will be skipped: {error}")

    if not cluster.is_built():
        say("Resolving OpenSearch with Maven, in the background (about 120 MB the first time)")
        threading.Thread(target=build, daemon=True).start()


def opensearch(arguments: list[str]) -> int:
    """Start two OpenSearch nodes on loopback that go on running, or stop them; they keep their data and ports."""
    from benchmarks.opensearch import cluster

    folder = ROOT / "build" / "opensearch-nodes"
    noted, known = folder / "nodes.json", dict[str, list[int]]()
    with suppress(OSError, ValueError):
        read = json.loads(noted.read_text(encoding="utf-8"))
        known = read if isinstance(read, dict) else {"pids": read}  # of an earlier version
    pids, ports = known.get("pids", []), known.get("ports", [])
    try:
        match arguments:
            case ["start"]:
                if pids and all(map(cluster.is_node, pids)):
                    say("\n".join(["They run already:", *(f"http://127.0.0.1:{port}" for port in ports[: len(pids)])]))
                    return 0
                cluster.stop_nodes(pids)
                cluster.build()
                if ports and not cluster.are_free(ports):
                    raise SetupError(f"A port of {', '.join(map(str, ports))} is in use. Free it, or delete {noted}.")
                started = cluster.Cluster(folder / "team", owner=0, ports=ports)
                started.start()
                kept = {"pids": [node.pid for node in started.nodes], "ports": list(started.ports)}
                noted.write_text(json.dumps(kept), encoding="utf-8")
                say("\n".join(node.url for node in started.nodes))
            case ["stop"]:
                cluster.stop_nodes(pids)
                if known:
                    noted.write_text(json.dumps({"pids": [], "ports": ports}), encoding="utf-8")
            case _:
                raise SetupError("opensearch takes one argument: start or stop")
    except cluster.ClusterError as error:
        raise SetupError(f"OpenSearch cannot be started: {error}") from error
    return 0


def run(arguments: list[str]) -> int:
    """Open the window; without a display and without arguments, run the off-screen demonstration."""
    screen = machine.has_screen(os.environ)
    set_up(LOCK, screen=screen)
    environment = dict(os.environ)
    if not screen and not arguments:
        say("No display found: running the demonstration off-screen.")
        environment["QT_QPA_PLATFORM"] = "offscreen"
        arguments = ["--demo"]
    # -P: do not import modules from the current folder.
    command = [str(PYTHON), "-P", "-m", "desktop_rag", *arguments]
    if os.name == "posix":
        os.execve(PYTHON, command, environment)
    return subprocess.call(command, env=environment)


TEST_KINDS = {
    "": "what must hold on every commit",
    "fast": "what must hold on every commit and starts no process",
    "slow": "what the usual run leaves out, and ten times as many examples of each property",
    "changed": "what must hold on every commit and can notice the changes",
}
SLOW_TEXT = r"mark\.(slow|property)|slow_but|hypothesis"
SELECTED = {"fast": "not slow and not processes", "slow": "slow or property"}  # by marker; the others: not slow


def test(arguments: list[str]) -> int:
    """Run the usual tests and check the code beside them, or those of another kind: `fast`, `slow`, `changed`.

    `changed` counts from where the branch left main, or from a commit that follows; `slowest` lists the slowest tests
    of the last runs. Further arguments go to pytest.
    """
    if arguments[:1] == ["slowest"]:
        return slowest()
    kind = arguments[0] if arguments and arguments[0] in TEST_KINDS else ""
    rest = arguments[bool(kind) :]
    set_up(DEV_LOCK, screen=False)
    if kind in ("", "slow"):
        machine.provide_test_tools()
    if kind == "slow":
        provide_opensearch()
    if kind == "changed":
        since = rest.pop(0) if rest and not rest[0].startswith("-") else None
        origin, changed = changed_tests.changed_files(ROOT, since)
        chosen = changed_tests.files_of_tests(ROOT, changed)
        say(f"{len(changed)} changed files since {origin}: {'all' if chosen is None else len(chosen)} files of tests")
        if chosen == []:
            return 0
        rest = [*(chosen or ()), *rest]
    if kind == "slow" and not any(not argument.startswith("-") for argument in rest):
        rest = [*slow_files(), *rest]
    compile_tests()
    workers = machine.test_workers()
    beside_it = "" if arguments else "; ruff, import-linter and mypy run beside it"
    say(f"Testing in {workers} processes: {TEST_KINDS[kind]}{beside_it}")
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # each of thousands of child processes would compile the program
    command = [str(PYTHON), "-m", "pytest", "-q", "--progress", "-n", str(workers)]
    command += ["-m", SELECTED.get(kind, "not slow"), *(["--examples=200"] if kind == "slow" else []), *rest]
    with ThreadPoolExecutor(1) as beside:
        checking = beside.submit(failed_checks, only_failures=True) if not arguments else None
        tested = subprocess.call(command, cwd=ROOT, env=environment)
        failed = checking.result() if checking else []
    if failed:
        say(f"FAILED: {', '.join(failed)} (see above)")
    return tested or int(bool(failed))


def slow_files() -> list[str]:
    """Return the files that have slow tests or properties: the others need not be imported to be left out."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    chosen = [path for path in files if re.search(SLOW_TEXT, path.read_text(encoding="utf-8"))]
    return [str(path.relative_to(ROOT)) for path in chosen]


def compile_tests() -> None:
    """Have pytest compile all tests once on a fresh clone, and not each of its processes at the same time."""
    if any((ROOT / "tests" / "__pycache__").glob("conftest.*pytest*.pyc")):
        return
    say("Compiling the tests")
    folders = sorted(path for path in (ROOT / "tests").iterdir() if (path / "__init__.py").exists())
    halves = [[path for path in folders if (path.name == "unit") is unit] for unit in (True, False)]
    command = [str(PYTHON), "-m", "pytest", "--collect-only", "-qq"]
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with ThreadPoolExecutor(2) as both:
        for half in halves:
            both.submit(
                subprocess.run,
                [*command, *map(str, half)],
                cwd=ROOT,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )


def slowest() -> int:
    """Print the twenty tests that took longest when they were last run here, and the seconds of all."""
    try:
        kept = json.loads((ROOT / ".cache" / "test-durations.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise SetupError("No run has kept its durations yet: python3 packaging/dev.py test") from None
    for seconds, name in sorted(((seconds, name) for name, seconds in kept.items()), reverse=True)[:20]:
        say(f"{seconds:6.1f} s  {name}")
    say(f"{sum(kept.values()):6.0f} s  in all, {len(kept):,} tests")
    return 0


def check(arguments: list[str]) -> int:
    """Lint the code; check its format, its types and its import contracts."""
    if arguments:
        raise SetupError("check takes no arguments")
    set_up(DEV_LOCK, screen=False)
    failed = failed_checks()
    say(f"FAILED: {', '.join(failed)}" if failed else "All checks passed")
    return int(bool(failed))


def failed_checks(*, only_failures: bool = False) -> list[str]:
    """Run all checks and print their output, or that of failed ones only; return the names of those that failed."""
    failed = []
    for name, *command in (
        ("ruff check", "-m", "ruff", "check", "."),
        ("ruff format", "-m", "ruff", "format", "--check", "."),
        ("import-linter", "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-logo"),
        ("mypy", "-m", "mypy"),
    ):
        if not only_failures:
            say(f"Checking: {name}")
        output = subprocess.PIPE if only_failures else None
        done = subprocess.run(
            [str(PYTHON), *command],
            cwd=ROOT,
            stdout=output,
            stderr=output and subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            failed.append(name)
            if only_failures:
                say(f"\nFAILED: {name}\n{done.stdout}")
    return failed


def bench(arguments: list[str]) -> int:
    """Run one benchmark, or list them."""
    set_up(DEV_LOCK, screen=False)
    return subprocess.call([str(PYTHON), "-P", "-m", "benchmarks", *arguments])


def build(arguments: list[str]) -> int:
    """Freeze the program, prove that it works, and make its installers."""
    set_up(DEV_LOCK, screen=True)  # the program brings Qt's libraries for a screen with it
    machine.provide_build_tools()
    return subprocess.call([str(PYTHON), str(ROOT / "packaging" / "build.py"), *arguments])


def setup(arguments: list[str]) -> int:
    """Set everything up and exit."""
    if arguments:
        raise SetupError("setup takes no arguments")
    set_up(DEV_LOCK, screen=machine.has_screen(os.environ))
    say(f"Ready: {PYTHON}")
    return 0


VERBS = {
    "run": run,
    "test": test,
    "check": check,
    "bench": bench,
    "build": build,
    "setup": setup,
    "opensearch": opensearch,
}


def with_another_python(arguments: list[str]) -> int:
    """Restart with a supported interpreter; if there is none, explain how to get one."""
    have = sys.version.split()[0]
    other = machine.other_python()
    if other is None:
        print(f"Python {have} cannot run Desktop RAG: it needs 3.11, 3.12 or 3.13.", file=sys.stderr)
        print("Install one (on Debian: sudo apt-get install python3) and start again.", file=sys.stderr)
        return 2
    say(f"Python {have} is not supported; continuing with {other}")
    return subprocess.call([other, str(Path(__file__).resolve()), *arguments])


def main(arguments: list[str]) -> int:
    """Parse and run the command line; return the exit code."""
    if not machine.supported(sys.version_info[:2]):
        return with_another_python(arguments)
    parser = argparse.ArgumentParser(prog="dev.py", description=__doc__)
    parser.add_argument("verb", choices=VERBS)
    known = parser.parse_args(arguments[:1])
    try:
        return VERBS[known.verb](arguments[1:])
    except SetupError as error:
        print(error, file=sys.stderr)
    except OSError as error:
        print(f"{error}\nCheck that {ROOT} is writable and has free space.", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nInterrupted; the next start continues from here.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
