"""Known clouds, gateways and local servers: their addresses as they document them, and where a key is made."""

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class EndpointPreset:
    """What a profile starts with; `key_page` is empty for servers that ask for no key."""

    name: str
    address: str
    key_page: str = ""


LOCAL_SERVERS = (
    EndpointPreset("Ollama", "http://localhost:11434/v1"),
    EndpointPreset("LM Studio", "http://localhost:1234/v1"),
    EndpointPreset("llama.cpp", "http://localhost:8080/v1"),
    EndpointPreset("vLLM", "http://localhost:8000/v1"),
    EndpointPreset("Jan", "http://localhost:1337/v1"),
    EndpointPreset("GPT4All", "http://localhost:4891/v1"),
    EndpointPreset("KoboldCpp", "http://localhost:5001/v1"),
    EndpointPreset("LocalAI", "http://localhost:8080/v1"),
    EndpointPreset("Lemonade", "http://localhost:8000/api/v1"),
)
PROVIDERS = (
    EndpointPreset("Anthropic", "https://api.anthropic.com/v1", "https://console.anthropic.com/settings/keys"),
    EndpointPreset("Azure OpenAI", "https://NAME.openai.azure.com/openai/v1", "https://portal.azure.com"),
    EndpointPreset("Cerebras", "https://api.cerebras.ai/v1", "https://cloud.cerebras.ai"),
    EndpointPreset("DeepSeek", "https://api.deepseek.com/v1", "https://platform.deepseek.com/api_keys"),
    EndpointPreset("Fireworks", "https://api.fireworks.ai/inference/v1", "https://fireworks.ai/account/api-keys"),
    EndpointPreset(
        "Google Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "https://aistudio.google.com/apikey"
    ),
    EndpointPreset("Groq", "https://api.groq.com/openai/v1", "https://console.groq.com/keys"),
    EndpointPreset("Hugging Face", "https://router.huggingface.co/v1", "https://huggingface.co/settings/tokens"),
    EndpointPreset("Mistral", "https://api.mistral.ai/v1", "https://console.mistral.ai/api-keys"),
    EndpointPreset("NVIDIA", "https://integrate.api.nvidia.com/v1", "https://build.nvidia.com"),
    EndpointPreset("OpenAI", "https://api.openai.com/v1", "https://platform.openai.com/api-keys"),
    EndpointPreset("OpenRouter", "https://openrouter.ai/api/v1", "https://openrouter.ai/keys"),
    EndpointPreset("Together", "https://api.together.xyz/v1", "https://api.together.ai/settings/api-keys"),
    EndpointPreset("xAI", "https://api.x.ai/v1", "https://console.x.ai"),
)
_ANY_NAME = "name."


def key_page(address: str) -> str:
    """Return the page where a key for `address` is made; empty if unknown."""
    host = _host(address)
    return next((each.key_page for each in PROVIDERS if host and _is_of(host, _host(each.address))), "")


def _is_of(host: str, known: str) -> bool:
    return host.endswith(known.removeprefix("name")) if known.startswith(_ANY_NAME) else host == known


def _host(address: str) -> str:
    try:
        return (urlsplit(address.strip()).hostname or "").lower()
    except ValueError:
        return ""
