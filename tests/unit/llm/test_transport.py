import pytest

from desktop_rag.errors import ModelUnreachable
from desktop_rag.llm.transport import address_candidates, is_loopback, page_address

AZURE = "https://n.openai.azure.com/openai"
DATED = "?api-version=2025-01-01-preview"


@pytest.mark.parametrize(
    ("typed", "candidates"),
    [
        ("http://localhost:1234", ("http://localhost:1234/v1", "http://localhost:1234")),
        ("localhost:1234/", ("http://localhost:1234/v1", "http://localhost:1234")),
        ("http://localhost:1234/v1/", ("http://localhost:1234/v1", "http://localhost:1234")),
        ("https://a.example/v1/chat/completions", ("https://a.example/v1", "https://a.example")),
        ("https://a.example/v1/models", ("https://a.example/v1", "https://a.example")),
        ("https://a.example/api/paas/v4", ("https://a.example/api/paas/v4", "https://a.example/api/paas/v4/v1")),
        ("http://[::1]:8080", ("http://[::1]:8080/v1", "http://[::1]:8080")),
        (f"{AZURE}/deployments/m/chat/completions{DATED}", (f"{AZURE}/deployments/m{DATED}",)),
        (f"{AZURE}/responses{DATED}", (f"{AZURE}{DATED}",)),
        (f"{AZURE}/v1/responses{DATED}", (f"{AZURE}/v1{DATED}", f"{AZURE}{DATED}")),
        ("https://a.example/v1?k=1", ("https://a.example/v1?k=1", "https://a.example?k=1")),
        ("https://a.example?k=1", ("https://a.example/v1?k=1", "https://a.example?k=1")),
    ],
)
def test_an_address_is_tried_with_and_without_its_version(typed: str, candidates: tuple[str, ...]) -> None:
    assert address_candidates(typed) == candidates


def test_a_page_of_a_server_stands_before_the_query() -> None:
    assert page_address("http://h:1/v1?k=1", "/models") == "http://h:1/v1/models?k=1"
    assert page_address("http://h:1/v1/?k=1", "/props", beside_v1=True) == "http://h:1/props?k=1"


@pytest.mark.parametrize("typed", ["", "   ", "ftp://a.example", "http://", "file:///etc/passwd", "http://[::1"])
def test_an_invalid_address_is_rejected(typed: str) -> None:
    with pytest.raises(ModelUnreachable, match="is not an address"):
        address_candidates(typed)


@pytest.mark.parametrize("url", ["http://localhost", "http://127.0.0.1:1/v1", "http://[::1]:1"])
def test_this_computer_is_recognised(url: str) -> None:
    assert is_loopback(url)


@pytest.mark.parametrize(
    "url", ["http://localhost.example", "http://llm.localhost", "http://192.168.0.2", "https://127.example", "nonsense"]
)
def test_other_computers_are_not_this_one(url: str) -> None:
    assert not is_loopback(url)
