import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.llm.endpoint_traits import BELIEVED_SECONDS, EndpointMemory, EndpointTraits, usual_traits
from desktop_rag.settings import Profile

LOCAL = Profile("Local", "http://user:hunter22@localhost:1234/v1", "tiny")
LEARNED = EndpointTraits(calls_tools=True, dropped_fields=("top_p",), user_after_tool=False, stop_reasons=("eos",))


def test_what_was_learned_is_recalled_by_another_process(tmp_path: Path) -> None:
    EndpointMemory(tmp_path / "endpoints.json").keep(LOCAL, LEARNED)
    memory = EndpointMemory(tmp_path / "endpoints.json")
    assert memory.recall(LOCAL) == LEARNED
    assert memory.recall(replace(LOCAL, model="large")) == usual_traits(LOCAL)


def test_the_file_holds_no_password(tmp_path: Path) -> None:
    path = tmp_path / "endpoints.json"
    EndpointMemory(path).keep(LOCAL, LEARNED)
    assert "hunter22" not in path.read_text()


def test_forgetting_an_endpoint_forgets_all_its_models_and_no_other(tmp_path: Path) -> None:
    memory = EndpointMemory(tmp_path / "endpoints.json")
    large, other = replace(LOCAL, model="large"), replace(LOCAL, name="Other")
    for profile in (LOCAL, large, other):
        memory.keep(profile, LEARNED)
    memory.keep(replace(LOCAL, reasoning_effort="low"), LEARNED)
    memory.forget(replace(LOCAL, reasoning_effort="low"))
    assert memory.recall(LOCAL) == memory.recall(large) == EndpointTraits()
    assert memory.recall(replace(LOCAL, reasoning_effort="low")).effort == "low"
    assert memory.recall(other) == LEARNED


def test_estimates_are_corrected_by_counts_of_long_prompts() -> None:
    usual = EndpointTraits()
    assert usual.calibrated(1_000) == 1_000
    assert usual.with_count(120, 100) == usual  # too short
    assert usual.with_count(100, 1_000) == usual  # no count of the whole prompt
    assert usual.with_count(5_000, 1_000) == usual
    learned = usual.with_count(1_500, 1_000)
    assert learned.calibrated(200) == 300
    assert learned.calibrated(0) == 0
    assert learned.with_count(1_505, 1_000) == learned  # nothing new to store
    assert 1.3 < learned.with_count(1_000, 1_000).token_ratio < 1.5


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"a": 1}', b'{"a": {"calls_tools": "yes"}}', b"[" * 100_000])
def test_a_damaged_file_counts_as_empty_and_is_replaced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "endpoints.json"
    path.write_bytes(content)
    memory = EndpointMemory(path)
    assert memory.recall(LOCAL) == EndpointTraits()
    memory.keep(LOCAL, LEARNED)
    assert memory.recall(LOCAL) == LEARNED


def test_an_entry_of_another_version_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    path = tmp_path / "endpoints.json"
    memory = EndpointMemory(path)
    memory.keep(LOCAL, LEARNED)
    entries = json.loads(path.read_text())
    path.write_text(json.dumps({"newer": {"other_use": "telepathy"}, **entries}))
    assert memory.recall(LOCAL) == LEARNED


def test_a_folder_that_cannot_be_written_loses_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    EndpointMemory(tmp_path / "file" / "endpoints.json").keep(LOCAL, LEARNED)


def test_refused_tools_and_a_small_window_are_believed_for_a_day() -> None:
    now = replace(EndpointTraits(tools_refused_at=time.time()).with_window(4_096))
    assert now.refuses_tools()
    assert now.window(32_768) == 4_096
    assert now.window(2_048) == 2_048
    then = replace(now, tools_refused_at=time.time() - BELIEVED_SECONDS, window_told_at=time.time() - BELIEVED_SECONDS)
    assert not then.refuses_tools()
    assert then.window(32_768) == 32_768
