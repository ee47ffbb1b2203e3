"""Proves that a frozen program works on a machine that has nothing else: `python packaging/prove.py PROGRAM`.

The program is copied into a folder with spaces and umlauts and gets an empty home there. On Linux this runs in a
network namespace with nothing but loopback, and on a file system that is read-only outside that folder, so that a
write anywhere else fails; where such namespaces are not permitted, a line says so. Every line on standard error must be
known.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from project import ROOT, VERSION

sys.path.append(str(ROOT))  # the samples and the scripted endpoint are those of the tests
SECONDS = 300
WINDOWS = os.name == "nt"
QUESTION = "When are the marrowfat peas sown?"
INSIDE = "DESKTOP_RAG_PROOF_FOLDER"  # set while this runs inside the namespaces
FIELDS = 400  # files of the library whose indexer is killed …
STRIPS = 12  # … with so many sentences each that it is at work for seconds on a fast machine, too

# Lines on standard error that are no fault: what Qt says of the off-screen platform, and the steps of a run.
_KNOWN = re.compile(
    r"$|This plugin does not support |\s|→ |Thinking|\d+ (step|statement)|[\d.]+ s, |Read(ing)? |Search|Indexing"
)


class ProofError(Exception):
    """The frozen program does not do what the program from source does."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A frozen program with the environment and folder it is tested in."""

    program: Path
    environment: Mapping[str, str]
    folder: Path

    def run(self, *arguments: str, code: int = 0) -> tuple[str, str]:
        """Return the program's stdout and stderr; raise `ProofError` on another exit code or a timeout."""
        try:
            result = subprocess.run(
                [str(self.program), *arguments],
                cwd=self.folder,
                env=self.environment,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ProofError(f"{' '.join(arguments)} did not finish within {SECONDS} s") from error
        if result.returncode != code:
            said = (result.stdout + result.stderr)[-4000:]
            raise ProofError(f"{' '.join(arguments)} exited with {result.returncode}:\n{said}")
        if unknown := unexpected_lines(result.stderr):
            raise ProofError(f"{' '.join(arguments)} printed unexpected lines:\n" + "\n".join(unknown))
        return result.stdout, result.stderr


def unexpected_lines(printed: str) -> list[str]:
    """Return the lines on standard error that no user should see."""
    return [line for line in printed.splitlines() if not _KNOWN.match(line)]


def bare_environment(home: Path, folder: Path) -> dict[str, str]:
    """Return the environment of a user who has just unpacked the program and has no Python."""
    kept = ("LANG", "SYSTEMROOT", "PATHEXT", "COMSPEC", "NUMBER_OF_PROCESSORS", "DISPLAY", "XAUTHORITY")
    bare = {name: os.environ[name] for name in kept if name in os.environ}
    bare["PATH"] = os.defpath
    if "DISPLAY" not in bare and not WINDOWS:
        bare["QT_QPA_PLATFORM"] = "offscreen"
    for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
        bare[name] = str(home)
    for name in ("TMPDIR", "TEMP", "TMP", "XDG_RUNTIME_DIR"):
        place = folder / ("run" if name == "XDG_RUNTIME_DIR" else "tmp")
        place.mkdir(mode=0o700, exist_ok=True)
        bare[name] = str(place)
    return bare


def prove_version(trial: Trial) -> str:
    """Prove that the frozen program is of this version."""
    printed, _ = trial.run("--version")
    if VERSION not in printed:
        raise ProofError(f"--version printed {printed.strip()!r}, not {VERSION}")
    return printed.strip()


def prove_window(trial: Trial) -> str:
    """Prove that the window indexes the sample, cites two answers, opens the citations and paints a PDF page."""
    printed, _ = trial.run("--demo")
    if len(re.findall(r"^\[1\] ", printed, re.MULTILINE)) < 2:
        raise ProofError("the demonstration finished without two cited answers:\n" + printed[-2000:])
    pictures = [Path(name) for name in re.findall(r"A picture of the window: (.+\.png)", printed)]
    if not any((trial.folder / picture).is_file() for picture in pictures):
        raise ProofError("the demonstration finished without a screenshot")
    if not re.search(r"Painted page \d", printed):
        raise ProofError("no page of the cited PDF was painted")
    return "two cited answers, the citation opened, a PDF page painted"


def prove_formats(trial: Trial, samples: Path, names: Sequence[str], word: str) -> str:
    """Prove that `word` is found in each sample file, through the real indexer and its readers."""
    trial.run("index", str(samples), "--json")
    printed, _ = trial.run("search", word, "--mode", "keyword", "-k", str(2 * len(names)), "--json")
    found = {Path(path).name for hit in json.loads(printed)["hits"] for path in (hit["path"], *hit["also"])}
    if missing := sorted(set(names) - found):
        problems, _ = trial.run("status", "--problems")
        raise ProofError(f"not found in {', '.join(missing)}:\n{problems}")
    return f"the word is found in all {len(names)} kinds of files"


def prove_answer(trial: Trial) -> str:
    """Prove that the built-in model answers a question on the samples with a citation."""
    printed, _ = trial.run("ask", QUESTION, "--profile", "built-in", "--json")
    last = json.loads(printed.splitlines()[-1])
    if not (last["found"] and "April" in last["text"] and last["citations"]):
        raise ProofError(f"the built-in model answered {last['text']!r}")
    return "the built-in model answers with a citation"


def prove_endpoint(trial: Trial) -> str:
    """Prove that an endpoint of the settings is asked, streams its answer, and is cited."""
    from tests.endpoint import Call, ScriptedEndpoint, Turn

    script = [
        Turn(calls=[Call("search", json.dumps({"queries": ["marrowfat peas"]}))]),
        Turn(text=["They are sown ", "in April [turn1search1]."]),
    ]
    settings = Path(trial.environment["DESKTOP_RAG_HOME"]) / "settings.json"
    with ScriptedEndpoint(script) as endpoint:
        profile = {"name": "mine", "base_url": endpoint.base_url, "model": "scripted"}
        settings.write_text(json.dumps({"profiles": [profile], "active_profile": "mine"}), encoding="utf-8")
        printed, _ = trial.run("ask", QUESTION, "--json")
        asked = len(endpoint.requests)
    settings.unlink()
    last = json.loads(printed.splitlines()[-1])
    if not (asked >= 2 and "sown in April" in last["text"] and last["citations"]):
        raise ProofError(f"the endpoint was asked {asked} times, and the answer was {last['text']!r}")
    return "an endpoint on loopback is asked, and its answer cited"


def prove_protocol(trial: Trial, word: str) -> str:
    """Prove that another program finds a word by the Model Context Protocol."""
    import anyio
    from mcp import Client, StdioServerParameters, stdio_client

    async def search() -> object:
        server = StdioServerParameters(
            command=str(trial.program), args=["mcp"], env=dict(trial.environment), cwd=trial.folder
        )
        with anyio.fail_after(SECONDS):
            async with Client(stdio_client(server)) as client:
                found = await client.call_tool("search", {"queries": [word], "mode": "keyword"})
                return (found.structured_content or {}).get("results")

    if not (results := anyio.run(search)):
        raise ProofError(f"another program found {results} for {word}")
    return "another program searches by the Model Context Protocol"


def prove_crash(trial: Trial, fields: Path) -> str:
    """Prove that the library survives its indexer being killed in the middle of its work."""
    fields.mkdir()
    for number in range(FIELDS):
        strips = (f"Strip {strip} of field {number} is harrowed before the rain." for strip in range(STRIPS))
        text = f"Field {number} bears barley{number}. {' '.join(strips)}"
        (fields / f"field {number}.txt").write_text(text, encoding="utf-8")
    command = [str(trial.program), "index", str(fields), "--json"]
    with subprocess.Popen(
        command, cwd=trial.folder, env=trial.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as indexing:
        killed = None
        for line in indexing.stdout or ():
            folders = json.loads(line).get("folders", ())
            if killed is None and any(folder["searchable"] and folder["ready"] < FIELDS for folder in folders):
                killed = kill_indexer(trial)
                indexing.terminate()
    if killed is None:
        raise ProofError("no indexer was found that could be killed")
    trial.run("index", "--json")
    printed, _ = trial.run("search", f"barley{FIELDS - 1}", "--mode", "keyword", "--json")
    if not json.loads(printed)["hits"]:
        raise ProofError("after its indexer was killed, a library does not have all its files")
    trial.run("check", "--deep")
    return "a library whose indexer was killed is completed and passes the deep check"


def kill_indexer(trial: Trial) -> int | None:
    """Kill the indexer of this program, if it runs; return its process id."""
    import psutil

    for process in psutil.process_iter(["exe", "cmdline"]):
        with suppress(psutil.Error, OSError):
            if "_indexer" in (process.info["cmdline"] or ()) and Path(process.info["exe"]).samefile(trial.program):
                process.send_signal(signal.SIGTERM if WINDOWS else signal.SIGKILL)
                process.wait(10)
                return int(process.pid)
    return None


def prove_upgrade(trial: Trial, stored: Path) -> str:
    """Prove that a stored library of an earlier version is opened and searched."""
    folder = trial.folder / stored.stem
    shutil.unpack_archive(stored, folder)
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    for path in (folder / "documents").rglob("*"):
        os.utime(path, (expected["written"], expected["written"]))
    environment = {**trial.environment, "DESKTOP_RAG_HOME": str(folder / "home")}
    upgraded = Trial(trial.program, environment, trial.folder)
    upgraded.run("relocate", expected["folder"], str(folder / "documents"))
    upgraded.run("index", "--json")
    printed, _ = upgraded.run("search", expected["query"], "--mode", "keyword", "--json")
    if expected["file"] not in {Path(hit["path"]).name for hit in json.loads(printed)["hits"]}:
        raise ProofError(f"{stored.stem} does not find {expected['query']!r} in {expected['file']}")
    return f"{stored.stem} is opened and searched"


def prove_clean(trial: Trial, before: dict[str, int]) -> str:
    """Prove that only the data folder and temporary folders were written."""
    home = Path(trial.environment["HOME"])
    outside = [path for path in home.rglob("*") if path.is_file()]
    if outside:
        raise ProofError("written outside the data folder:\n" + "\n".join(map(str, outside)))
    if listing(trial.program.parent) != before:
        raise ProofError("the folder of the program was changed")
    return "nothing is written outside the data folder"


def listing(folder: Path) -> dict[str, int]:
    """Return the size of every file below a folder."""
    return {str(path.relative_to(folder)): path.stat().st_size for path in folder.rglob("*") if path.is_file()}


def prove_all(program: Path, folder: Path, stored: Sequence[Path] = ()) -> None:
    """Run every proof on the program in `program`'s folder; raise `ProofError` at the first that fails."""
    from samples import WORD, write_samples

    home, data = folder / "Zuhause", folder / "Daten von Jürgen"
    for place in (home, data):
        place.mkdir()
    environment = {**bare_environment(home, folder), "DESKTOP_RAG_HOME": str(data)}
    trial = Trial(program, environment, folder)
    samples = folder / "samples"
    samples.mkdir()
    names = write_samples(samples)
    before = listing(program.parent)
    proofs: list[Callable[[], str]] = [
        lambda: prove_version(trial),
        lambda: prove_formats(trial, samples, names, WORD),
        lambda: prove_answer(trial),
        lambda: prove_endpoint(trial),
        lambda: prove_protocol(trial, WORD),
        lambda: prove_crash(trial, folder / "fields"),
        lambda: prove_window(Trial(program, bare_environment(home, folder), folder)),  # which leaves nothing behind
        lambda: "second start: " + prove_version(trial) + ", " + prove_answer(trial),
        *(partial(prove_upgrade, trial, known) for known in stored),
        lambda: prove_clean(trial, before),
    ]
    for proof in proofs:
        started = time.monotonic()
        print(f"ok: {proof()} ({time.monotonic() - started:.1f} s)", flush=True)


@contextmanager
def display() -> Iterator[dict[str, str]]:
    """Yield the environment of a virtual X server, or an empty one where there is none."""
    server = shutil.which("Xvfb")
    if server is None or WINDOWS:
        yield {}
        return
    reading, writing = os.pipe()
    command = [server, "-displayfd", str(writing), "-screen", "0", "1440x900x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as running:
        os.close(writing)
        with os.fdopen(reading) as announced:
            number = announced.readline().strip()
        try:
            yield {"DISPLAY": f":{number}"} if number else {}
        finally:
            running.terminate()


def can_isolate() -> bool:
    """Return whether this system lets us make namespaces of our own."""
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return False
    return subprocess.run(["unshare", "-rmn", "true"], capture_output=True, check=False).returncode == 0


def enter(folder: Path) -> None:
    """Bring up loopback and make everything but `folder` read-only; we are in namespaces of our own."""
    import fcntl
    import socket
    import struct

    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))  # SIOCSIFFLAGS: up and running
    for command in (
        ["mount", "--make-rprivate", "/"],
        ["mount", "--bind", str(folder), str(folder)],
        ["mount", "-o", "remount,bind,ro", "/"],
    ):
        subprocess.run(command, check=True)
    os.chdir(folder)


def prove(program: Path, stored: Sequence[Path] = ()) -> None:
    """Prove a frozen program in a process of its own; raise `ProofError` if a proof fails."""
    with tempfile.TemporaryDirectory(prefix="Größe & Maß ", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        copy = folder / "Programm für alle" / program.parent.name
        shutil.copytree(program.parent, copy, symlinks=True)
        isolated = can_isolate()
        print("In an empty network, read-only elsewhere" if isolated else "WITHOUT namespaces", flush=True)
        command = [*(("unshare", "-rmn") if isolated else ()), sys.executable, str(Path(__file__).resolve())]
        command += [str(copy / program.name), *(f"--stored={path}" for path in stored)]
        with display() as shown:
            print("A window on a virtual screen" if shown else "A window off-screen", flush=True)
            environment = {**os.environ, **shown, INSIDE: scratch}
            if not shown:
                environment.pop("DISPLAY", None)
            result = subprocess.run(command, env=environment, check=False)
        if result.returncode != 0:
            raise ProofError("see above")


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove a frozen program; return the exit code."""
    parser = argparse.ArgumentParser(prog="prove", description=__doc__)
    parser.add_argument("program", type=Path, help="the executable of the frozen program")
    parser.add_argument("--stored", type=Path, action="append", default=[], help="a stored library of an old version")
    options = parser.parse_args(arguments)
    inside = os.environ.pop(INSIDE, "")
    try:
        if not inside:
            prove(options.program.resolve(), [path.resolve() for path in options.stored])
        else:
            if can_isolate():
                enter(Path(inside))
            prove_all(options.program, Path(inside), options.stored)
    except ProofError as error:
        print(f"NOT PROVED: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
