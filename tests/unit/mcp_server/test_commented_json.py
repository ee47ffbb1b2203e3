"""Settings files of other programs: our entry comes and goes, everything else stays as it was."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.errors import SettingsError
from desktop_rag.mcp_server.client_entries import get_member, remove_member, set_member

PATH = ("mcpServers", "desktop-rag")
ENTRY = {"command": "/opt/desktop-rag/desktop-rag", "args": ["mcp"]}
ZED = """// Zed settings
{
  "theme": "One Dark", // the dark one
  "languages": {
    "Python": {"tab_size": 4,},
  },
  /* servers */
  "mcpServers": {
    "other": {
      "command": "x" // keep
    },
  },
  // "last": true,
}
"""


def plain(text: str) -> object:
    """Read JSON with comments and trailing commas by other means."""
    text = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda m: m[1] or "", text, flags=re.DOTALL)
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "{\n}\n",
        '{"mcpServers": {}}',
        '{\n  "a": 1\n}\n',
        '{"a": 1, "mcpServers": {"other": {"command": "x"}}}',
        '{\n\t"mcpServers": {\n\t\t"other": {}\n\t}\n}',
        '{\n    "a": "},{ // no comment",\n    "mcpServers": {"other": 1, },\n}',
        "{ // empty\n}",
        ZED,
        "\ufeff{}",
        '{"a": 1, // one\n  "b": 2 // two\n}',
    ],
)
def test_an_entry_is_added_beside_all_others_and_can_be_removed(text: str) -> None:
    added = set_member(text, PATH, ENTRY)
    before = plain(text.lstrip("\ufeff")) if text else {}
    assert isinstance(before, dict)
    servers = before.get("mcpServers", {})
    assert plain(added.lstrip("\ufeff")) == {**before, "mcpServers": {**servers, "desktop-rag": ENTRY}}
    assert set_member(added, PATH, ENTRY) == added
    removed = plain(remove_member(added, PATH).lstrip("\ufeff"))
    assert isinstance(removed, dict)
    assert {**removed, "mcpServers": removed.get("mcpServers", {})} == {**before, "mcpServers": servers}
    for comment in re.findall(r"//[^\n\"]*\n|/\*.*?\*/", text):
        assert comment.strip() in remove_member(added, PATH)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '\ufeff{"a": 1,}\r\n',
        '{"mcpServers": {"o": {"url": "https://e//f"}}}',
        '{ "mcpServers": { /* b */ "ü": {"command": "y"}, }, "z": 1 }\n',
    ],
)
def test_an_object_on_one_line_stays_on_one_and_comes_back_as_it_was(text: str) -> None:
    added = set_member(text, PATH, ENTRY)
    assert added.count("\n") == text.count("\n")
    assert remove_member(added, PATH) == text


def test_removing_gives_back_the_very_text() -> None:
    assert remove_member(set_member(ZED, PATH, ENTRY), PATH) == ZED


def test_an_entry_is_renewed_in_place() -> None:
    added = set_member(ZED, PATH, {"command": "old"})
    renewed = set_member(added, PATH, ENTRY)
    assert json.loads(get_member(renewed, PATH) or "") == ENTRY
    assert renewed.count("desktop-rag") == 3  # its name, and twice in the path of the program


@pytest.mark.parametrize(
    "text",
    [
        "[",
        '{"a": }',
        '{"a" 1}',
        "{'a': 1}",
        '{"a": 1} {"b": 2}',
        '{"a": 1 "b": 2}',
        "nonsense",
        "[" * 5_000,
        '{"\\x": 1}',
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(SettingsError, match="Line 1 of the file is no valid JSON"):
        set_member(text, PATH, ENTRY)


def test_a_value_where_an_object_is_expected_is_refused() -> None:
    with pytest.raises(SettingsError, match="mcpServers"):
        set_member('{"mcpServers": []}', PATH, ENTRY)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)


@given(before=st.dictionaries(st.text(max_size=6), VALUES, max_size=4), indent=st.sampled_from([None, 2, "\t"]))
def test_any_object_keeps_its_members(before: dict[str, object], indent: int | str | None) -> None:
    before.pop("mcpServers", None)
    text = json.dumps(before, indent=indent, ensure_ascii=False)
    added = set_member(text, PATH, ENTRY)
    assert json.loads(added) == {**before, "mcpServers": {"desktop-rag": ENTRY}}
    assert json.loads(remove_member(added, PATH)) == before
