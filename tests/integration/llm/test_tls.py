"""TLS: unknown certificates are rejected, and a profile may add its own authority."""

import ssl
from pathlib import Path

import pytest

from desktop_rag.errors import ModelUnreachable
from desktop_rag.llm.chat import ChatRequest, TextDelta, UserMessage
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.transport import RequestTimeouts
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, Turn

pytest.importorskip("cryptography", reason="comes with keyring on Linux only")

HURRIED = RequestTimeouts(connect=5.0, first_token=20.0, idle=20.0, retry_delays=())


def ask(url: str, ca_file: str) -> list[object]:
    chat = OpenAIChat(Profile("test", url, "scripted", ca_file=ca_file), "", HURRIED)
    return list(chat.chat(ChatRequest((UserMessage("When?"),)), Stop()))


def test_an_unknown_authority_is_refused_and_the_profiles_own_is_trusted(certificate: Path) -> None:
    with ScriptedEndpoint([Turn(text="Here.")], certificate=certificate) as endpoint:
        with pytest.raises(ModelUnreachable, match=r"certificate of 127\.0\.0\.1.* is not trusted.*CA file"):
            ask(endpoint.base_url, "")
        assert endpoint.all_requests == []
        assert TextDelta("Here.") in ask(endpoint.base_url, str(certificate))


def test_https_to_a_plain_server_is_explained() -> None:
    with ScriptedEndpoint() as endpoint, pytest.raises(ModelUnreachable, match="http or https"):
        ask(endpoint.base_url.replace("http:", "https:"), "")


def test_only_current_tls_versions_are_used(certificate: Path) -> None:
    from desktop_rag.llm.transport import trust

    context = trust(Profile("test", "https://127.0.0.1", "scripted", ca_file=str(certificate)))
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
