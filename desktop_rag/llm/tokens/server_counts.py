"""Token counts by the server's own tokenizer and template, where it offers them: llama.cpp and vLLM."""

from collections.abc import Mapping

from desktop_rag.llm.endpoint_traits import LLAMA_CPP, VLLM
from desktop_rag.llm.json_value import JsonObject, as_count, as_list, as_object, as_text
from desktop_rag.llm.listed_models import fetch_json
from desktop_rag.llm.transport import page_address
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

_COUNTED = ("messages", "tools", "chat_template_kwargs")  # fields of a request that become the prompt


def count_prompt(profile: Profile, key: str, address: str, server: str, body: JsonObject, stop: Stop) -> int:
    """Return the tokens of a chat completion's prompt as `server` at `address` counts them, 0 if it does not tell."""

    def told(page: str, asked: JsonObject) -> Mapping[str, object]:
        return as_object(fetch_json(profile, key, page_address(address, page, beside_v1=True), stop, asked))

    prompt = {name: body[name] for name in _COUNTED if name in body}
    if "messages" not in prompt:
        return 0
    if server == VLLM:
        asked = {"model": profile.model, **prompt, "add_generation_prompt": True}
        return as_count(told("/tokenize", asked).get("count"))
    if server != LLAMA_CPP:
        return 0
    text = as_text(told("/apply-template", prompt).get("prompt"))
    asked = {"content": text, "add_special": True, "parse_special": True}
    return len(as_list(told("/tokenize", asked).get("tokens"))) if text else 0
