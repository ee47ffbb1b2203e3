"""The whole path with an endpoint, in an empty network, with every connection of every process noted by strace;
then what files hold a key or a never-send word, and what another user of the machine can read."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.integration.test_no_network import ROOT, SECONDS, can_unshare

pytestmark = pytest.mark.processes

KEY, WORD = "sk-sentinel-0123456789abcdef", "Heliotrope"
HOLDING_TEXT = ("catalog.sqlite", "keyword", "vectors")  # of a library: what a person may search
NOBODY = 65_534  # an ordinary user without any rights

DRIVER = '''
"""Indexes two folders, one of them never sent, and asks an endpoint of this empty network."""
import fcntl, json, os, socket, struct, subprocess, sys
from pathlib import Path

from desktop_rag.settings import PrivacyOptions, Profile, Settings, save
from tests.endpoint import Call, ScriptedEndpoint, Turn

with socket.socket() as line:  # loopback is down in a new network
    flags = fcntl.ioctl(line, 0x8913, struct.pack("16sh14x", b"lo", 0))
    fcntl.ioctl(line, 0x8914, struct.pack("16sh14x", b"lo", struct.unpack("16sh14x", flags)[1] | 1))

folder, key, word = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
calls = [Call("search", json.dumps({"queries": ["rent", word]})), Call("list_documents"), Call("send", "{}")]
script = [Turn(calls=calls), Turn(text=["900 euros [turn1search1]. " + key])]

def run(*arguments, **more):
    command = [sys.executable, "-P", "-m", "desktop_rag", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **more})
    print(done.stdout, done.stderr, done.returncode)

with ScriptedEndpoint(script, key=key) as endpoint:
    settings = Settings(
        profiles=(Profile("mine", endpoint.base_url, "scripted"),),
        active_profile="mine",
        privacy=PrivacyOptions(never_send=(str(folder / "files/private"),)),
    )
    save(Path(os.environ["DESKTOP_RAG_HOME"], "settings.json"), settings)
    run("index", str(folder / "files"))
    run("ask", "How much is the rent?", DESKTOP_RAG_API_KEY=key)
    (folder / "port").write_text(endpoint.base_url)
    (folder / "wire.json").write_text(json.dumps([request.body for request in endpoint.requests]))
'''


@dataclass(frozen=True, slots=True)
class Asked:
    """What is left of a run: the folder with its data, what it printed and sent, and what strace saw."""

    folder: Path
    said: str
    connections: tuple[str, ...]

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def wire(self) -> str:
        return (self.folder / "wire.json").read_text()


@pytest.fixture(scope="module")
def asked() -> Iterator[Asked]:
    if sys.platform != "linux" or shutil.which("strace") is None or not can_unshare():
        pytest.skip("needs strace, and leave to make an empty network")
    with tempfile.TemporaryDirectory(prefix="whole-path-") as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)  # others may come as far as the data folder
        for name, text in (("open/lease.md", "The rent is 900 euros."), ("private/merger.md", f"The rent of {WORD}.")):
            path = folder / "files" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# {name}\n\n{text}\n")
        (folder / "driver.py").write_text(DRIVER)
        log, home = folder / "strace.log", folder / "home"
        trace = ("strace", "-f", "--seccomp-bpf", "-o", str(log), "-e", "trace=connect,sendto,sendmsg,sendmmsg")
        command = ["unshare", "-rn", *trace, sys.executable, str(folder / "driver.py"), str(folder), KEY, WORD]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "DESKTOP_RAG_HOME": str(home)}
        run = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        assert run.returncode == 0, run.stderr
        seen = re.findall(r"sa_family=AF_(?!UNIX).*?}", log.read_text())
        yield Asked(folder, run.stdout + run.stderr, tuple(seen))


def test_only_the_endpoint_is_connected_to(asked: Asked) -> None:
    assert "900 euros" in asked.said, asked.said
    port = (asked.folder / "port").read_text().rsplit(":", 1)[1].split("/")[0]
    endpoint = f'sa_family=AF_INET, sin_port=htons({port}), sin_addr=inet_addr("127.0.0.1")}}'
    assert set(asked.connections) == {endpoint}


def test_no_never_send_word_and_no_key_is_anywhere(asked: Asked) -> None:
    results = "".join(message["content"] for body in json.loads(asked.wire) for message in body["messages"][-3:])
    assert "900 euros" in results
    assert "merger" not in asked.wire
    assert "The rent of" not in asked.wire
    assert KEY not in asked.wire
    assert KEY not in asked.said
    swept = [path for path in asked.home.rglob("*") if path.is_file()]
    assert len(swept) > 5
    for path in swept:
        data = path.read_bytes()
        assert KEY.encode() not in data, path
        kept = path.relative_to(asked.home).parts
        may_hold = any(part.startswith(HOLDING_TEXT) for part in kept) or path.name == "conversations.sqlite"
        assert may_hold or WORD.encode() not in data, path


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root may become another user")
def test_another_user_reads_nothing(asked: Asked) -> None:
    for what in ("-readable", "-writable"):
        command = ["find", str(asked.home), "-mindepth", "0", what]
        found = subprocess.run(
            command, user=NOBODY, group=NOBODY, extra_groups=[], capture_output=True, text=True, check=False, cwd="/"
        )
        assert found.stdout == ""
    open_to_others = [
        path
        for path in (asked.home, *asked.home.rglob("*"))
        if stat.S_IMODE(path.lstat().st_mode) & 0o077 and not path.is_symlink()
    ]
    assert open_to_others == []
