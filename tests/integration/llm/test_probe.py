"""The endpoint test against a real server on loopback that imitates different servers."""

import json
import threading

import pytest

from desktop_rag.errors import ModelRefused, ModelUnreachable, Stopped
from desktop_rag.llm.listed_models import ListedModel, list_models
from desktop_rag.llm.probe import ProbeResult, probe
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, Turn

READY = Turn(text="ready")
NO_TOOLS = Turn(status=400, body='{"error": {"message": "tiny does not support tools"}}')


def check(endpoint: ScriptedEndpoint, model: str = "tiny", key: str = "", window: int = 8_192) -> ProbeResult:
    return probe(Profile("test", endpoint.root_url, model, context_window=window), key, Stop())


def test_a_working_endpoint_is_described() -> None:
    body = json.dumps({"data": [{"id": "tiny", "meta": {"n_ctx": 16384}}, {"id": "large"}]})
    with ScriptedEndpoint([READY], models_body=body) as endpoint:
        result = check(endpoint)
        assert result.address == endpoint.base_url
    assert result.ok
    assert result.models == (ListedModel("tiny", 16384), ListedModel("large"))
    assert (result.context_window, result.tools) == (16384, True)
    assert "tiny answered" in result.sentences[0]
    assert "2 models are listed" in result.sentences[1]
    assert "16,384" in result.sentences[2]


@pytest.mark.parametrize(
    "entry",
    [
        {"id": "tiny", "max_model_len": 4096},
        {"id": "tiny", "context_length": 4096},
        {"id": "tiny", "max_context_length": 131072, "loaded_context_length": 4096},
        {"key": "tiny", "max_context_length": 131072, "loaded_instances": [{"config": {"context_length": 4096}}]},
        {"model": "tiny", "context_window": "4096"},
    ],
)
@pytest.mark.parametrize("shape", ["data", "models"])
def test_the_window_is_found_as_every_server_writes_it(entry: dict[str, object], shape: str) -> None:
    with ScriptedEndpoint([READY], models_body=json.dumps({shape: [entry]})) as endpoint:
        assert check(endpoint).context_window == 4096


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/props", {"default_generation_settings": {"n_ctx": 4096}}),
        ("/api/v0/models", {"data": [{"id": "tiny", "loaded_context_length": 4096}]}),
        ("/api/ps", {"models": [{"name": "tiny:latest", "context_length": 4096}]}),
    ],
)
def test_the_window_is_asked_for_under_the_servers_own_address(path: str, page: dict[str, object]) -> None:
    with ScriptedEndpoint([READY], models=("tiny",), pages={path: json.dumps(page)}) as endpoint:
        result = check(endpoint)
    assert result.context_window == 4096
    assert any("lower it" in sentence for sentence in result.sentences)


def test_a_model_without_tools_is_reachable_but_warned_about() -> None:
    with ScriptedEndpoint([NO_TOOLS, READY]) as endpoint:
        result = check(endpoint)
    assert (result.ok, result.tools) == (True, False)
    assert any("does not accept tools" in sentence for sentence in result.sentences)


@pytest.mark.parametrize("body", ["[]", "{}", "nonsense", '{"data": null}', "[" * 100_000])
def test_an_endpoint_without_a_list_still_works(body: str) -> None:
    with ScriptedEndpoint([READY], models_body=body) as endpoint:
        result = check(endpoint)
    assert result.ok
    assert result.models == ()
    assert result.context_window == 0


def test_without_a_model_it_only_lists() -> None:
    with ScriptedEndpoint(models=("a", "b")) as endpoint:
        result = check(endpoint, model="")
    assert (result.ok, [model.id for model in result.models]) == (True, ["a", "b"])
    assert endpoint.requests == []


def test_the_only_model_is_not_asked_for() -> None:
    with ScriptedEndpoint(models=("only",)) as endpoint:
        result = check(endpoint, model="")
    assert result.sentences == ("One model is listed.", "Test it to see how it answers.")


def test_a_wrong_key_is_explained() -> None:
    with ScriptedEndpoint([READY], key="sk-right") as endpoint:
        wrong = check(endpoint, key="sk-wrong")
        right = check(endpoint, key="sk-right")
    assert not wrong.ok
    assert wrong.sentences[0] == "The key was refused."
    assert "Check the key" in wrong.sentences[1]
    assert right.ok


def test_errors_are_explained_even_without_a_model() -> None:
    with ScriptedEndpoint(key="right") as endpoint:
        refused = probe(Profile("test", endpoint.base_url, ""), "wrong", Stop())
    gone = probe(Profile("test", endpoint.base_url, ""), "", Stop())
    assert (refused.sentences[0], gone.sentences[0]) == (f"{ModelRefused.title}.", f"{ModelUnreachable.title}.")


def test_an_unreachable_server_is_explained() -> None:
    result = probe(Profile("test", "http://127.0.0.1:9", "tiny"), "", Stop())
    assert not result.ok
    assert "Nothing answers" in result.sentences[1]


def test_no_address_is_explained() -> None:
    assert "should look like" in probe(Profile("test", "", "tiny"), "", Stop()).sentences[1]


def test_stop_ends_the_test_at_once() -> None:
    stop = Stop()
    with ScriptedEndpoint([Turn(hold=threading.Event())]) as endpoint:

        def press() -> None:
            endpoint.arrived.wait(60)
            stop.set()

        presser = threading.Thread(target=press)
        presser.start()
        with pytest.raises(Stopped):
            probe(Profile("test", endpoint.base_url, "tiny"), "", stop)
        presser.join()
        assert endpoint.disconnected.wait(60)


@pytest.mark.parametrize(("pricing", "prices"), [
    ({"prompt": "0.00000025", "completion": "0.0000015"}, (0.25, 1.5)),
    ({"prompt": "0", "completion": "0"}, (0.0, 0.0)),
    ({"input": 0.18, "output": 0.59, "hourly": 0}, (0.18, 0.59)),
    ({"prompt": "-1", "completion": "-1"}, (None, None)),
    ({"prompt": "nan", "completion": "1e999"}, (None, None)),
    ({"prompt": "0.1"}, (None, None)),
    ({"prompt": True, "completion": []}, (None, None)),
    ("free", (None, None)),
])  # fmt: skip
def test_prices_are_listed_where_the_endpoint_tells_them(
    pricing: object, prices: tuple[float | None, float | None]
) -> None:
    body = json.dumps({"data": [{"id": "a/b", "context_length": 131_072, "pricing": pricing}]})
    with ScriptedEndpoint([], models_body=body) as endpoint:
        profile = Profile("test", endpoint.base_url, "")
        assert list_models(profile, "", (endpoint.base_url,), Stop()) == (ListedModel("a/b", 131_072, *prices),)
