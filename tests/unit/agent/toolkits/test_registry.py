import json
from pathlib import Path

import pytest

from desktop_rag.agent.toolkits.registry import toolkit, toolkit_names
from desktop_rag.errors import SettingsError
from desktop_rag.llm.tokens import estimate


@pytest.mark.parametrize("name", toolkit_names())
def test_instructions_are_short_and_name_every_tool(name: str) -> None:
    kit = toolkit(name)
    assert kit.name == name
    assert len(kit.prompt) / 4 < 600
    for tool in kit.tools:
        assert f"`{tool.spec.name}`" in kit.prompt


@pytest.mark.parametrize("name", toolkit_names())
def test_every_tool_describes_its_parameters(name: str) -> None:
    for tool in toolkit(name).tools:
        schema = json.loads(tool.spec.parameters)
        assert schema["type"] == "object"
        assert tuple(schema["properties"]) == tuple(tool.parameters)
        assert set(schema.get("required", ())) <= set(schema["properties"])


def test_the_default_toolkit_costs_little_a_request() -> None:
    kit = toolkit("full")
    specs = sum(estimate(f"{spec.name}{spec.description}{spec.parameters}") for spec in kit.specs())
    assert estimate(kit.prompt) + specs <= 1_200


def test_an_unknown_toolkit_is_reported_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"no toolkit “best”.*full"):
        toolkit("best")


def test_every_toolkit_is_described() -> None:
    told = (Path(__file__).parents[4] / "docs" / "toolkits.md").read_text(encoding="utf-8")
    assert [name for name in toolkit_names() if f"`{name}`" not in told] == []
    for name in toolkit_names():
        assert [tool.spec.name for tool in toolkit(name).tools if f"`{tool.spec.name}" not in told] == []
