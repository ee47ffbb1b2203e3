"""Quirk 29 of ENDPOINTS.md in its forms: lists of models in any shape or none, and models that are loaded first."""

import importlib

import pytest

from desktop_rag.errors import StreamCut
from desktop_rag.llm.chat import ChatRequest, TurnEnded, UserMessage
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.probe import probe
from desktop_rag.llm.transport import RequestTimeouts
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, Turn
from tests.integration.llm.faults.fault import STOP, WHOLE, text
from tests.raw_endpoint import Pause, RawEndpoint, stream


@pytest.fixture(autouse=True, scope="module")
def loaded_client() -> None:
    """Load the HTTP client, which takes longer than the timeouts of these tests."""
    importlib.import_module("openai").OpenAI  # noqa: B018  # it loads its parts when they are named


def answer(address: str, timeouts: RequestTimeouts) -> str:
    *_, last = OpenAIChat(Profile("slow", address, "m"), "", timeouts).chat(
        ChatRequest((UserMessage("When?"),)), Stop()
    )
    assert isinstance(last, TurnEnded)
    return last.message.text


@pytest.mark.parametrize(
    ("listing", "models"),
    [
        ('{"models": [{"name": "a"}, {"model": "b"}]}', ("a", "b")),
        ('{"object": "list", "data": []}', ()),
        ('{"data": null}', ()),
        ("<html>no</html>", ()),
        ('{"data": [{"id": "a", "state": "not-loaded"}]}', ("a",)),
    ],
)
def test_29_a_list_in_any_shape_or_none(listing: str, models: tuple[str, ...]) -> None:
    with ScriptedEndpoint([Turn(text="ready")], models_body=listing) as endpoint:
        result = probe(Profile("test", endpoint.base_url, "typed-by-hand"), "", Stop())
    assert result.ok
    assert tuple(model.id for model in result.models) == models


def test_29_a_model_that_is_loaded_first_has_its_own_patience() -> None:
    patient = RequestTimeouts(connect=5.0, first_token=5.0, idle=0.3, retry_delays=())
    with RawEndpoint([stream(Pause(1.0), WHOLE)]) as endpoint:
        assert answer(endpoint.base_url, patient)
    with RawEndpoint([stream(text("Rent"), Pause(2.0), STOP)]) as endpoint, pytest.raises(StreamCut, match="did not"):
        answer(endpoint.base_url, patient)
