"""The known endpoints: addresses that a profile can take, and where their keys are made."""

import pytest

from desktop_rag.llm.endpoint_presets import PROVIDERS, EndpointPreset, key_page, provider_of_key
from desktop_rag.llm.transport import address_candidates, is_loopback


@pytest.mark.parametrize("preset", PROVIDERS, ids=lambda preset: preset.name)
def test_an_address_is_asked_as_it_stands(preset: EndpointPreset) -> None:
    assert address_candidates(preset.address)[0] == preset.address
    assert not is_loopback(preset.address)
    assert preset.key_page


def test_names_differ() -> None:
    names = [preset.name for preset in PROVIDERS]
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


@pytest.mark.parametrize(("key", "name"), [
    (" sk-ant-api03-x", "Anthropic"),
    ("sk-proj-x", "OpenAI"),
    ("sk-or-v1-x", "OpenRouter"),
    ("gsk_x", "Groq"),
    ("sk-x", ""),  # several providers begin theirs so
    ("", ""),
])  # fmt: skip
def test_a_key_names_its_provider(key: str, name: str) -> None:
    assert provider_of_key(key) == name
