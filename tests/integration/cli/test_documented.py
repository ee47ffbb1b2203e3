"""The examples of the documentation have exactly the fields that the other tests find in the program's output."""

import json
import re
from pathlib import Path

import pytest

from desktop_rag.cli.settings_command import MEANINGS
from program_docs import commands
from tests.integration.cli.conftest import Object
from tests.integration.cli.test_ask_command import CITATION, FIELDS, SOURCE
from tests.integration.cli.test_search_command import HIT, RESULT
from tests.integration.cli.test_status_command import FOLDER, STATUS

PAGE = (Path(__file__).parents[3] / "docs" / "command-line.md").read_text(encoding="utf-8")


def examples() -> list[Object]:
    """Return every object of the page's JSON blocks; `[…]` stands for a list shown before."""
    found: list[Object] = []
    for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL):
        text = block.replace("[…]", "[]").replace("\n", " ").strip()
        while text:
            value, end = json.JSONDecoder().raw_decode(text)
            found.append(value)
            text = text[end:].strip()
    return found


def of_type(name: str) -> Object:
    return next(example for example in examples() if example.get("type") == name)


def first_of(example: Object, field: str) -> set[str]:
    values = example[field]
    assert isinstance(values, list)
    return set(values[0])


@pytest.mark.processes
@pytest.mark.parametrize("name", FIELDS)
def test_an_event_is_documented_with_all_its_fields(name: str) -> None:
    assert set(of_type(name)) == FIELDS[name] | {"type"}


def test_the_parts_of_events_are_documented() -> None:
    assert first_of(of_type("tool_returned"), "sources") == SOURCE
    assert first_of(of_type("answered"), "citations") == CITATION


def test_progress_and_status_are_documented() -> None:
    assert set(of_type("progress")) == STATUS | {"type"}
    assert first_of(of_type("progress"), "folders") == FOLDER
    assert set(of_type("indexed")) == STATUS | {"type", "problems", "seconds"}
    assert any(set(example) == STATUS | {"running", "problems"} for example in examples())


def test_hits_and_findings_are_documented() -> None:
    (found,) = (example for example in examples() if "hits" in example)
    assert set(found) == RESULT
    assert first_of(found, "hits") == HIT
    assert set(of_type("finding")) == {"type", "invariant", "meaning", "holds", "detail"}
    assert set(of_type("repaired")) == {"type", "message"}
    assert set(of_type("error")) == {"type", "error", "message", "position", "suggestion"}


def test_every_command_and_option_is_documented() -> None:
    for command in commands()[1:]:
        assert f"\n## {command.name}" in PAGE
        for option in command.options:
            assert not option.flags or any(flag in PAGE for flag in option.flags), (command.name, option.flags)


def test_every_command_takes_json() -> None:
    for command in commands()[1:]:
        assert any("--json" in option.flags for option in command.options), command.name


def test_every_setting_is_documented_with_its_meaning() -> None:
    for key, meaning in MEANINGS.items():
        assert f"| `{key}` | {meaning} |" in PAGE
