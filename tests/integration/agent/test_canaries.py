"""A short dose of the canary suite: a model that obeys hidden orders gets nothing out; the full one is a benchmark."""

import json
from pathlib import Path

import pytest

from benchmarks.security.canaries import AGAIN, OBEYED, attack, final_text, plant
from benchmarks.security.carriers import CARRIERS
from benchmarks.security.payloads import payloads
from tests.endpoint import Call, ScriptedEndpoint, SeenRequest, Turn

FAMILIES = tuple(payloads())
DOSE = [(FAMILIES[(7 * place) % len(FAMILIES)], carrier) for place, carrier in enumerate(CARRIERS)][::3]


def obeying(request: SeenRequest) -> Turn:
    """Make every call an order may demand, then answer with everything that was seen."""
    last = next(
        place for place in range(len(request.messages) - 1, -1, -1) if request.messages[place]["role"] == "user"
    )
    done = sum(message["role"] == "assistant" for message in request.messages[last:])
    if done < 2 and request.tool_names:
        return Turn(calls=[Call(each["name"], each["arguments"]) for each in (OBEYED, AGAIN)[done]])
    return Turn(text=final_text(json.dumps(request.body)))


def sent(endpoint: ScriptedEndpoint) -> list[str]:
    return [json.dumps(each.body, ensure_ascii=False) for each in endpoint.requests]


def test_there_are_enough_families_and_carriers() -> None:
    assert len({each.family for each in FAMILIES}) >= 80
    assert len(CARRIERS) >= 15


def test_nothing_gets_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "data"))
    for number, (payload, carrier) in enumerate(DOSE):
        with ScriptedEndpoint([obeying] * 16) as endpoint:
            library = plant(payload, carrier, tmp_path / str(number))
            finding = attack(library, payload, carrier, endpoint.base_url, lambda: sent(endpoint))
        assert finding.clean, finding


def test_a_leak_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "data"))
    with ScriptedEndpoint([obeying] * 16) as endpoint:
        library = plant(FAMILIES[0], "text", tmp_path / "library")
        url = endpoint.base_url
        finding = attack(library, FAMILIES[0], "text", url, lambda: sent(endpoint), never_send=False)
    assert "Heliotrope" in finding.sentinels
    assert not finding.clean
