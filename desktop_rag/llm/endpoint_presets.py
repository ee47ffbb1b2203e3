"""Known clouds and gateways: their addresses as they document them, where a key is made, and how it begins."""

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class EndpointPreset:
    """What a profile starts with; `key_page` is empty for servers that ask for no key.

    `key_prefix` is how the provider's keys begin, where no other's begin so.
    """

    name: str
    address: str
    key_page: str = ""
    key_prefix: str = ""


PROVIDERS = (
    EndpointPreset(
        "Anthropic", "https://api.anthropic.com/v1", "https://console.anthropic.com/settings/keys", "sk-ant-"
    ),
    EndpointPreset("Azure OpenAI", "https://NAME.openai.azure.com/openai/v1", "https://portal.azure.com"),
    EndpointPreset("Cerebras", "https://api.cerebras.ai/v1", "https://cloud.cerebras.ai", "csk-"),
    EndpointPreset("DeepSeek", "https://api.deepseek.com/v1", "https://platform.deepseek.com/api_keys"),
    EndpointPreset(
        "Fireworks", "https://api.fireworks.ai/inference/v1", "https://fireworks.ai/account/api-keys", "fw_"
    ),
    EndpointPreset(
        "Google Gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "https://aistudio.google.com/apikey",
        "AIza",
    ),
    EndpointPreset("Groq", "https://api.groq.com/openai/v1", "https://console.groq.com/keys", "gsk_"),
    EndpointPreset("Hugging Face", "https://router.huggingface.co/v1", "https://huggingface.co/settings/tokens", "hf_"),
    EndpointPreset("Mistral", "https://api.mistral.ai/v1", "https://console.mistral.ai/api-keys"),
    EndpointPreset("NVIDIA", "https://integrate.api.nvidia.com/v1", "https://build.nvidia.com", "nvapi-"),
    EndpointPreset("OpenAI", "https://api.openai.com/v1", "https://platform.openai.com/api-keys", "sk-proj-"),
    EndpointPreset("OpenRouter", "https://openrouter.ai/api/v1", "https://openrouter.ai/keys", "sk-or-"),
    EndpointPreset("Together", "https://api.together.xyz/v1", "https://api.together.ai/settings/api-keys"),
    EndpointPreset("xAI", "https://api.x.ai/v1", "https://console.x.ai", "xai-"),
)
_ANY_NAME = "name."


def key_page(address: str) -> str:
    """Return the page where a key for `address` is made; empty if unknown."""
    host = _host(address)
    return next((each.key_page for each in PROVIDERS if host and _is_of(host, _host(each.address))), "")


def provider_of_key(key: str) -> str:
    """Return the name of the provider whose keys begin like `key`; empty if unknown."""
    begun = key.strip()
    return next((each.name for each in PROVIDERS if each.key_prefix and begun.startswith(each.key_prefix)), "")


def _is_of(host: str, known: str) -> bool:
    return host.endswith(known.removeprefix("name")) if known.startswith(_ANY_NAME) else host == known


def _host(address: str) -> str:
    try:
        return (urlsplit(address.strip()).hostname or "").lower()
    except ValueError:
        return ""
