"""The last look at a request before it is sent: whatever was built before, these words and numbers do not leave."""

import json

from desktop_rag.llm.json_value import JsonObject
from desktop_rag.settings import privacy
from desktop_rag.text.secrets import SecretMask


def checked_body(body: JsonObject) -> JsonObject:
    """Return the body with every string masked by the user's rules."""
    rules = privacy()
    mask = SecretMask((*rules.never_words, *rules.never_send), secrets=rules.mask_secrets)
    cleaned = _masked(body, mask)
    return cleaned if isinstance(cleaned, dict) else body


def _masked(value: object, mask: SecretMask) -> object:
    match value:
        case str():
            return _masked_text(value, mask)
        case dict():
            return {name: _masked(each, mask) for name, each in value.items()}
        case list() | tuple():
            return [_masked(each, mask) for each in value]
        case _:
            return value


def _masked_text(text: str, mask: SecretMask) -> str:
    masked = mask.mask(text)
    if masked == text or not text.startswith("{"):
        return masked
    try:  # the arguments of a call must stay JSON
        return json.dumps(_masked(json.loads(text), mask), ensure_ascii=False)
    except ValueError:
        return masked
