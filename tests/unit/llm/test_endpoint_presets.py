"""The known endpoints: addresses that a profile can take, and where their keys are made."""

import pytest

from desktop_rag.llm.endpoint_presets import LOCAL_SERVERS, PROVIDERS, EndpointPreset, key_page
from desktop_rag.llm.transport import address_candidates, is_loopback


@pytest.mark.parametrize("preset", [*LOCAL_SERVERS, *PROVIDERS], ids=lambda preset: preset.name)
def test_an_address_is_asked_as_it_stands(preset: EndpointPreset) -> None:
    assert address_candidates(preset.address)[0] == preset.address
    assert is_loopback(preset.address) == (preset in LOCAL_SERVERS)
    assert bool(preset.key_page) == (preset in PROVIDERS)


def test_names_differ() -> None:
    names = [preset.name for preset in (*LOCAL_SERVERS, *PROVIDERS)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("address", "page"), [
    ("https://api.mistral.ai/v1/", "https://console.mistral.ai/api-keys"),
    ("https://contoso.openai.azure.com/openai/deployments/x", "https://portal.azure.com"),
    ("https://api.mistral.ai.example.org/v1", ""),
    ("http://localhost:11434/v1", ""),
    ("http://[broken", ""),
    ("", ""),
])  # fmt: skip
def test_the_page_of_keys_follows_the_host(address: str, page: str) -> None:
    assert key_page(address) == page
