"""What servers tell about their models: the list, context windows, sizes, prices; each in a dialect of its own."""

import contextlib
import re
from dataclasses import dataclass

from desktop_rag.errors import ModelError
from desktop_rag.llm.json_value import JsonObject, as_count, as_list, as_object, as_text, decode_json
from desktop_rag.llm.transport import RequestTimeouts, http_client, interruptible, page_address
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

LISTING_TIMEOUTS = RequestTimeouts(connect=5.0, first_token=5.0, idle=5.0)
MAX_LISTING_BYTES = 8 * 1024 * 1024
_HIGHEST_PRICE = 10_000.0


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model that the endpoint lists; `context_window` is 0 if unknown, prices are dollars per million tokens."""

    id: str
    context_window: int = 0
    price_in: float | None = None
    price_out: float | None = None


def list_models(profile: Profile, key: str, candidates: tuple[str, ...], stop: Stop) -> tuple[ListedModel, ...]:
    """Return the models listed by `/models` at the first of `candidates` that has a list."""
    for url in candidates:
        listed = _parsed(fetch_json(profile, key, page_address(url, "/models"), stop))
        if listed:
            return listed
    return ()


def _parsed(page: object) -> tuple[ListedModel, ...]:
    """Parse `{"data": […]}`, `{"models": […]}` or a bare list; each server names the window differently."""
    fields = as_object(page)
    found: dict[str, ListedModel] = {}
    for item in as_list(page) or as_list(fields.get("data")) or as_list(fields.get("models")):
        entry = as_object(item)
        name = as_text(item) or next(filter(None, (as_text(entry.get(k)) for k in ("id", "model", "name", "key"))), "")
        if name:
            found.setdefault(name, ListedModel(name, _window(entry), *_prices(entry)))
    return tuple(found.values())


def _prices(entry: object) -> tuple[float | None, float | None]:
    """Return the prices of a million tokens: OpenRouter tells those of one, as text; Together those of a million."""
    told = as_object(as_object(entry).get("pricing"))
    single = tuple(_price(told.get(name), 1e6) for name in ("prompt", "completion"))
    million = tuple(_price(told.get(name), 1.0) for name in ("input", "output"))
    found = single if None not in single else million
    return (None, None) if None in found else (found[0], found[1])


def _price(value: object, factor: float) -> float | None:
    price = -1.0
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        with contextlib.suppress(ValueError, OverflowError):
            price = float(value) * factor
    return round(price, 4) if 0 <= price <= _HIGHEST_PRICE else None  # OpenRouter's router says -1


def _window(entry: object) -> int:
    """Return the loaded window, else the maximum: llama.cpp, LM Studio, vLLM, OpenRouter, Groq, Mistral."""
    fields = as_object(entry)
    meta = as_object(fields.get("meta"))
    loaded = as_object(as_object(next(iter(as_list(fields.get("loaded_instances"))), {})).get("config"))
    names = ("max_model_len", "context_length", "context_window", "max_context_length")
    candidates = (
        meta.get("n_ctx"),
        fields.get("loaded_context_length"),
        loaded.get("context_length"),
        *(fields.get(name) for name in names),
    )
    return next(filter(None, map(as_count, candidates)), 0)


def native_window(profile: Profile, key: str, address: str, stop: Stop) -> int:
    """Ask the native APIs of llama.cpp, LM Studio and Ollama for the window."""
    settings = as_object(fetch_json(profile, key, page_address(address, "/props", beside_v1=True), stop))
    window = as_count(as_object(settings.get("default_generation_settings")).get("n_ctx"))
    for path in () if window else ("/api/v1/models", "/api/v0/models", "/api/ps"):
        listed = _parsed(fetch_json(profile, key, page_address(address, path, beside_v1=True), stop))
        named = {profile.model, f"{profile.model}:latest"}
        window = next((model.context_window for model in listed if model.id in named), 0)
        if window:
            break
    return window


_SIZE = re.compile(r"\s*(?:(\d+)\s*[xX]\s*)?(\d+(?:\.\d+)?)\s*([KMBT])\b")  # 1.5B, 8x7B
_UNITS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


def model_size(profile: Profile, key: str, address: str, stop: Stop) -> int:
    """Ask the native APIs of llama.cpp, Ollama and LM Studio for the number of parameters; 0 if none tells it."""
    listed = as_object(fetch_json(profile, key, page_address(address, "/models"), stop))
    entries = [as_object(each) for each in as_list(listed.get("data"))]
    own = [each for each in entries if each.get("id") == profile.model] or (entries if len(entries) == 1 else [])
    if told := next(filter(None, (as_count(as_object(each.get("meta")).get("n_params")) for each in own)), 0):
        return told
    page = page_address(address, "/api/show", beside_v1=True)
    shown = as_object(fetch_json(profile, key, page, stop, {"model": profile.model}))
    counted = as_count(as_object(shown.get("model_info")).get("general.parameter_count"))
    if told := counted or _parameters(as_object(shown.get("details")).get("parameter_size")):
        return told
    kept = as_object(fetch_json(profile, key, page_address(address, "/api/v1/models", beside_v1=True), stop))
    named = (as_object(each) for each in as_list(kept.get("models")))
    return next((_parameters(each.get("params_string")) for each in named if each.get("key") == profile.model), 0)


def _parameters(told: object) -> int:
    """Return the number that a size such as “1.5B” stands for; 0 for anything else."""
    found = _SIZE.match(as_text(told))
    return round(int(found[1] or 1) * float(found[2]) * _UNITS[found[3]]) if found else 0


def fetch_json(profile: Profile, key: str, url: str, stop: Stop, body: JsonObject | None = None) -> object:
    """Return the decoded page, of a POST with a `body`; None on any failure, as all that is asked here is optional."""
    stop.check()
    return interruptible(lambda: _fetch(profile, key, url, body), stop)


def wants_key(profile: Profile, url: str, stop: Stop) -> bool:
    """Return whether a page is refused without a key, in JSON as servers of models do."""
    stop.check()
    return bool(interruptible(lambda: _is_refused(profile, url), stop))


def _is_refused(profile: Profile, url: str) -> bool:
    import httpx2

    refused = False
    with (
        contextlib.suppress(httpx2.HTTPError, httpx2.InvalidURL, ModelError, ValueError, OSError),
        http_client(profile, url, "", LISTING_TIMEOUTS) as client,
        client.stream("GET", url) as response,
    ):
        refused = response.status_code == 401 and "json" in response.headers.get("content-type", "")
    return refused


def _fetch(profile: Profile, key: str, url: str, sent: JsonObject | None) -> object:
    import httpx2

    page: object = None
    with (
        contextlib.suppress(httpx2.HTTPError, httpx2.InvalidURL, ModelError, ValueError, OSError),
        http_client(profile, url, key, LISTING_TIMEOUTS) as client,
        client.stream("GET" if sent is None else "POST", url, json=sent) as response,
    ):
        body = bytearray()
        for block in response.iter_bytes():
            body += block
            if len(body) > MAX_LISTING_BYTES:
                return None
        page = decode_json(bytes(body)) if response.is_success else None
    return page
